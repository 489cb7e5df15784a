"""Goals: reached, rejected with a reason, cancelled, replaced; plans made anew when something is in the way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mobilesim_py.errors import MobileSimError
from mobilesim_py.geometry import Pose
from mobilesim_py.navigation.following import Motion
from mobilesim_py.navigation.ground import Scenery, Walls
from mobilesim_py.navigation.navigator import Navigator, Outcome, Phase, at_once
from mobilesim_py.navigation.planning import Goal
from mobilesim_py.navigation.search import PlainSearcher
from mobilesim_py.world.world import Bounds

WALLS = [[0, 0, 4, 0], [4, 0, 4, 4], [4, 4, 0, 4], [0, 4, 0, 0], [2, 0, 2, 2.8]]


class Trip:
    """A robot of 20 cm in a room, which does at once what it is told."""

    def __init__(self, pose: Pose = Pose(1.0, 1.0, 0.0), beside: Callable[..., None] = at_once) -> None:
        self.pose = pose
        self.walls: list[list[float]] = [list(wall) for wall in WALLS]
        self.outcomes: list[tuple[Outcome, str]] = []
        self.navigator = Navigator(self.ground, 0.2, beside=beside, searches=PlainSearcher, clearance=0.05)
        self.time = 0.0
        self.is_stuck = False
        self.blocked: Callable[[Pose], bool] = lambda pose: False

    def ground(self) -> Scenery:
        return Scenery(Walls(Bounds(0, 0, 4, 4), np.array(self.walls, np.float64)))

    def go(self, *goal: float | None) -> None:
        self.navigator.go(Goal(*goal), self.pose, lambda goal, outcome, why: self.outcomes.append((outcome, why)))

    def step(self) -> Motion | None:
        motion = self.navigator.tick(self.time, self.pose, self.blocked)
        self.time += 0.1
        if motion is not None and not self.is_stuck:
            x, y, heading = self.pose.x, self.pose.y, self.pose.heading + 0.1 * motion.rotation
            way = 0.1 * motion.forward
            self.pose = Pose(x + way * math.cos(heading), y + way * math.sin(heading), heading)
        return motion

    def run(self, seconds: float = 300.0) -> Outcome | None:
        for _ in range(round(seconds * 10)):
            self.step()
            if self.outcomes:
                return self.outcomes[-1][0]
        return None


def test_a_goal_behind_a_wall_is_reached() -> None:
    trip = Trip()
    trip.go(3.0, 1.0, math.pi)
    assert trip.run() is Outcome.REACHED
    assert (trip.pose.x, trip.pose.y) == pytest.approx((3.0, 1.0), abs=0.1)
    assert math.remainder(trip.pose.heading - math.pi, math.tau) == pytest.approx(0.0, abs=math.radians(5))
    assert trip.navigator.phase is Phase.IDLE
    assert trip.step() is None


def test_while_it_drives_the_plan_can_be_seen() -> None:
    trip = Trip()
    trip.go(3.0, 1.0)
    assert trip.navigator.goal == Goal(3.0, 1.0)
    assert trip.navigator.path[-1] == (3.0, 1.0)
    left = trip.navigator.remaining
    trip.run(5.0)
    assert 0.0 < trip.navigator.remaining < left


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        ((99.0, 1.0), "outside of the map"),
        ((-0.9, 1.0, None, 0.1), "no way leads"),
        ((2.0, 1.0, None, 0.1), "no room at the goal"),
        ((math.nan, 1.0), "a number in it that is none"),
        ((1.0, 2.0, math.inf), "a number in it that is none"),
    ],
)
def test_a_goal_that_cannot_be_is_rejected_with_a_reason(goal: tuple[float | None, ...], why: str) -> None:
    trip = Trip()
    trip.go(*goal)
    ((outcome, reason),) = trip.outcomes
    assert outcome is Outcome.REJECTED
    assert why in reason
    assert trip.step() is None


def test_a_goal_in_a_wall_becomes_the_nearest_place_with_room() -> None:
    trip = Trip()
    trip.go(4.0, 1.0)
    assert trip.run() is Outcome.REACHED
    assert trip.pose.x == pytest.approx(3.7, abs=0.15)


def test_another_goal_takes_the_place_of_the_first() -> None:
    trip = Trip()
    trip.go(3.0, 1.0)
    trip.run(1.0)
    trip.go(1.0, 3.0)
    assert trip.outcomes == [(Outcome.REPLACED, "another goal came")]
    trip.outcomes.clear()
    assert trip.run() is Outcome.REACHED
    assert trip.pose.y == pytest.approx(3.0, abs=0.1)


def test_a_goal_can_be_given_up() -> None:
    trip = Trip()
    assert not trip.navigator.cancel()
    trip.go(3.0, 1.0)
    assert trip.navigator.cancel()
    assert trip.outcomes == [(Outcome.CANCELLED, "cancelled")]
    assert trip.step() is None


def test_what_comes_into_the_way_is_waited_for_and_then_planned_around() -> None:
    trip = Trip(Pose(0.5, 3.5, 0.0))
    trip.go(3.5, 3.5)
    trip.run(2.0)
    x, y = trip.pose.x + 0.6, trip.pose.y
    trip.blocked = lambda pose: math.hypot(pose.x - x, pose.y - y) < 0.3
    trip.walls += [[x - 0.05, y - 0.05, x + 0.05, y + 0.05]]
    while trip.navigator.phase is not Phase.WAITING:
        trip.step()
    assert trip.step() == Motion()
    assert trip.run() is Outcome.REACHED


def test_what_goes_away_again_needs_no_new_plan() -> None:
    trip = Trip()
    trip.go(3.0, 1.0)
    path = trip.navigator.path
    trip.run(1.0)
    trip.blocked = lambda pose: True
    trip.run(0.3)
    assert trip.navigator.phase is Phase.WAITING
    trip.blocked = lambda pose: False
    trip.run(0.3)
    assert trip.navigator.phase is Phase.DRIVING
    assert trip.navigator.path == path


def test_whoever_is_blocked_for_good_gives_up_with_a_reason() -> None:
    trip = Trip()
    trip.go(3.0, 1.0)
    trip.blocked = lambda pose: True
    assert trip.run() is Outcome.FAILED
    assert "in the way, and has been for 40 s" in trip.outcomes[0][1]
    assert 40.0 < trip.time < 60.0


def test_whoever_does_not_get_on_gives_up_with_a_reason() -> None:
    trip = Trip()
    trip.go(3.0, 1.0)
    trip.is_stuck = True
    assert trip.run() is Outcome.FAILED
    assert "does not get on" in trip.outcomes[0][1]


def test_a_way_that_is_closed_while_it_drives_fails() -> None:
    trip = Trip()
    trip.go(3.0, 1.0)
    trip.run(1.0)
    trip.walls += [[2, 2.8, 2, 4]]
    trip.blocked = lambda pose: True
    assert trip.run() is Outcome.FAILED
    assert "no way leads" in trip.outcomes[0][1]


def test_it_stands_while_a_plan_is_made_beside_and_forgets_plans_that_come_too_late() -> None:
    waiting: list[tuple[Callable[[], Any], Callable[..., None]]] = []
    trip = Trip(beside=lambda work, done: waiting.append((work, done)))
    trip.go(3.0, 1.0)
    assert trip.navigator.phase is Phase.PLANNING
    assert trip.step() == Motion()
    trip.go(1.0, 3.0)
    for work, done in waiting:
        done(work(), None)
    assert trip.navigator.path[-1] == (1.0, 3.0)
    trip.go(1.0, 2.0)
    waiting[-1][1](None, MobileSimError("no memory"))
    assert trip.outcomes[-1] == (Outcome.FAILED, "no memory")


def test_a_robot_that_was_carried_away_plans_from_where_it_is() -> None:
    trip = Trip()
    trip.go(3.0, 1.0)
    trip.run(2.0)
    trip.pose = Pose(3.5, 3.5, 0.0)
    assert trip.step() == Motion()
    assert trip.navigator.path[0] == (3.5, 3.5)
    assert trip.run() is Outcome.REACHED


def test_another_world_makes_another_plan() -> None:
    trip = Trip()
    trip.navigator.plan_again(trip.pose)
    assert trip.navigator.phase is Phase.IDLE
    trip.go(3.0, 1.0)
    before = trip.navigator.path
    trip.walls = trip.walls[:4]
    trip.navigator.plan_again(trip.pose)
    assert len(trip.navigator.path) < len(before)
    assert trip.navigator.plans == 2
    trip.walls += [[2, 0, 2, 4]]
    trip.navigator.plan_again(trip.pose)
    assert trip.outcomes[0][0] is Outcome.FAILED


def test_of_two_plans_under_way_the_last_one_counts() -> None:
    waiting: list[tuple[Callable[[], Any], Callable[..., None]]] = []
    trip = Trip(beside=lambda work, done: waiting.append((work, done)))
    trip.go(3.0, 1.0)
    trip.walls = trip.walls[:4]
    trip.navigator.plan_again(trip.pose)
    for work, done in reversed(waiting):
        done(work(), None)
    assert trip.navigator.plans == 1
    assert trip.navigator.remaining == pytest.approx(2.0, abs=0.01)


def test_whoever_waits_in_vain_backs_away_a_little_and_plans_from_there() -> None:
    trip = Trip(Pose(1.0, 3.4, 0.0))
    trip.go(3.0, 3.4)
    trip.run(1.0)
    x = trip.pose.x
    trip.blocked = lambda pose: pose.x > x + 0.05
    motions = []
    for _ in range(100):
        motions.append(trip.step())
    back = [motion for motion in motions if motion is not None and motion.forward < 0.0]
    assert back
    assert {motion.rotation for motion in back} == {0.0}
    assert x - 0.6 < trip.pose.x < x - 0.2
    trip.blocked = lambda pose: False
    assert trip.run() is Outcome.REACHED


def test_with_something_behind_it_edges_forward_and_with_something_all_around_it_stands() -> None:
    for behind, sign in ((lambda pose: abs(pose.heading) > 0.2 or pose.x < 0.99, 1.0), (lambda pose: True, 0.0)):
        trip = Trip(Pose(1.0, 3.4, 0.0))
        trip.go(1.0, 1.0)
        trip.blocked = behind
        forward = [motion.forward for motion in (trip.step() for _ in range(60)) if motion is not None]
        assert max(forward) * sign > 0.0 or (sign == 0.0 and max(forward) == 0.0)
        assert min(forward) == 0.0


def test_a_robot_that_something_touches_may_turn_away_from_it() -> None:
    """Where it is blocked already a turn makes it no worse."""
    trip = Trip(Pose(1.0, 3.4, math.pi))
    trip.go(3.0, 3.4)
    trip.blocked = lambda pose: math.hypot(pose.x - 1.0, pose.y - 3.4) < 1e-9
    assert any(motion is not None and motion.rotation != 0.0 for motion in (trip.step() for _ in range(5)))
