"""Plans: a path to the goal or near it, or the reason why there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.geometry import Pose, edges_of, placed, rectangle
from mobilesim_py.navigation.ground import Scenery, Walls
from mobilesim_py.navigation.planning import Goal, Plan, Refusal, make_plan
from mobilesim_py.navigation.search import PlainSearcher
from mobilesim_py.world.world import Bounds

ROOM = [[0, 0, 4, 0], [4, 0, 4, 4], [4, 4, 0, 4], [0, 4, 0, 0], [2, 0, 2, 2.8]]


def scenery(*passing: np.ndarray, walls: list[list[float]] = ROOM) -> Scenery:
    return Scenery(Walls(Bounds(0, 0, 4, 4), np.array(walls, np.float64)), (), passing)


def plan(goal: Goal, ground: Scenery | None = None, start: tuple[float, float] = (1.0, 1.0)) -> Plan:
    return make_plan(ground or scenery(), 0.25, start, goal, PlainSearcher())


def crate(x: float, y: float, size: float) -> np.ndarray:
    return edges_of(placed(rectangle(size, size), Pose(x, y)))


def test_a_way_leads_to_the_goal() -> None:
    made = plan(Goal(3.0, 1.0))
    assert made.refusal is None
    assert made.why == ""
    assert (made.path[0], made.path[-1]) == ((1.0, 1.0), (3.0, 1.0))
    assert not made.ignores_passing


def test_a_goal_without_room_is_replaced_by_the_nearest_place_within_the_slack() -> None:
    made = plan(Goal(3.95, 1.0))
    assert made.path[-1] == pytest.approx((3.72, 1.0), abs=0.06)


@pytest.mark.parametrize(
    ("goal", "refusal"),
    [
        (Goal(math.nan, 1.0), Refusal.NO_NUMBER),
        (Goal(1.0, 1.0, math.inf), Refusal.NO_NUMBER),
        (Goal(1e9, 1.0), Refusal.NO_NUMBER),
        (Goal(50.0, 1.0), Refusal.OUTSIDE),
        (Goal(3.95, 1.0, slack=0.1), Refusal.NO_ROOM),
        (Goal(4.5, 1.0, slack=0.1), Refusal.NO_WAY),
    ],
)
def test_a_goal_that_cannot_be_has_a_reason(goal: Goal, refusal: Refusal) -> None:
    made = plan(goal)
    assert made.refusal is refusal
    assert made.path == ()
    assert made.why


def test_a_robot_without_room_about_it_goes_nowhere() -> None:
    narrow = [*ROOM, *([0.1 * k, 0, 0.1 * k, 4] for k in range(1, 20))]
    assert plan(Goal(3.0, 1.0), scenery(walls=narrow)).refusal is Refusal.ENCLOSED


def test_others_are_planned_around_while_there_is_room_for_that() -> None:
    made = plan(Goal(1.0, 3.0), scenery(crate(1.0, 2.0, 0.4)))
    assert made.refusal is None
    assert not made.ignores_passing
    assert max(abs(x - 1.0) for x, _ in made.path) > 0.3


def test_where_only_others_close_the_way_it_is_planned_through_them() -> None:
    """They will have gone on when the robot arrives, or it waits there."""
    door = crate(2.0, 3.4, 1.1)
    made = plan(Goal(3.0, 1.0), scenery(door))
    assert made.refusal is None
    assert made.ignores_passing
    closed = Scenery(scenery().walls, [door])
    assert plan(Goal(3.0, 1.0), closed).refusal is Refusal.NO_WAY


def test_a_long_way_around_others_who_pass_is_driven_only_if_that_is_worth_it() -> None:
    """A wall with a near and a far gap, and somebody in the near one."""
    walls = [[0, 0, 9, 0], [9, 0, 9, 4], [9, 4, 0, 4], [0, 4, 0, 0], [0, 2, 0.5, 2], [2.0, 2, 7.0, 2], [8.5, 2, 9, 2]]
    ground = Scenery(Walls(Bounds(0, 0, 9, 4), np.array(walls, np.float64)), (), [crate(1.25, 2.0, 0.6)])

    def planned(detour: float) -> Plan:
        return make_plan(ground, 0.25, (1.2, 0.6), Goal(1.2, 3.4), PlainSearcher(), detour)

    assert planned(3.0).ignores_passing
    assert planned(3.0).length < 4.0
    assert not planned(99.0).ignores_passing
    assert planned(99.0).length > 10.0
    assert not make_plan(ground, 0.25, (1.2, 0.6), Goal(1.2, 3.4), PlainSearcher()).ignores_passing
