"""The task of going somewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from mobilesim_py.errors import UsageError
from mobilesim_py.lab import goto
from mobilesim_py.lab.goto import Action, Goto, Observation, Task

STAND = np.zeros((3, 2))


def begun(count: int = 3, **task: object) -> Goto:
    found = Goto(Task(engine="numpy", beams=19, **task), count)  # type: ignore[arg-type]
    found.seed(1)
    found.begin(np.arange(count))
    return found


def test_goals_are_as_far_as_asked_for_and_starts_are_free() -> None:
    task = begun(200, near=2.0, far=3.0)
    assert (task.situation.distance >= 2.0).all()
    assert (task.situation.distance <= 3.0).all()
    assert task.free.contains(*task.ensemble.poses[:, :2].T).all()
    task.step(np.zeros((200, 2)))
    assert not task.ensemble.stalled.any()


def test_nothing_is_in_the_way_to_a_goal_that_is_straight_ahead() -> None:
    task = begun(100, straight=True, far=4.0)
    walls = task.ensemble.simulation.world.free_space()
    ways = np.stack([task.ensemble.poses[:, :2], task.situation.goals], axis=1)
    assert shapely.covers(walls, shapely.buffer(shapely.linestrings(ways), 0.25)).all()


def test_coming_nearer_is_rewarded_and_arriving_most() -> None:
    task = begun()
    task.ensemble.restore([0, 1, 2], np.array([[2.0, 6.0, 0.0], [2.0, 6.0, math.pi], [2.0, 6.0, 0.0]]))
    task.situation.goals[:] = [[5.0, 6.0], [5.0, 6.0], [2.35, 6.0]]
    task.situation.look()
    for _ in range(8):
        rewards, over = task.step(np.array([[0.2, 0.0], [0.2, 0.0], [0.2, 0.0]]))
    assert rewards[0] > 0.0 > rewards[1]
    assert rewards[2] > 9.0
    assert over.tolist() == [False, False, True]


def test_a_collision_ends_it_and_costs() -> None:
    task = begun(1)
    task.ensemble.restore([0], np.array([[2.0, 6.0, math.pi / 2]]))
    task.situation.goals[:] = [[2.0, 11.0]]
    task.situation.look()
    over = np.zeros(1, np.bool_)
    for _ in range(100):
        rewards, over = task.step(np.array([[1.0, 0.0]]))
        if over[0]:
            break
    assert over[0]
    assert rewards[0] < -4.0


def test_what_is_observed_lies_within_its_limits_in_the_order_asked_for() -> None:
    task = begun(observations=("goal", "sonar", "laser", "velocities"))
    seen = task.observe()
    assert seen.shape == (3, 3 + 16 + 19 + 2)
    assert (seen >= task.low).all()
    assert (seen <= task.high).all()
    assert seen[:, 0] == pytest.approx(task.situation.distance / goto.FAR)
    assert np.arctan2(seen[:, 2], seen[:, 1]) == pytest.approx(task.situation.bearing, abs=1e-6)
    assert seen[:, 19:38] == pytest.approx(np.minimum(task.ensemble.laser / goto.FAR, 1.0))
    assert seen[:, 38:].tolist() == [[0.0, 0.0]] * 3


def test_wheels_can_be_driven_instead() -> None:
    task = begun(actions="wheels")
    for _ in range(5):
        task.step(np.array([[0.2, 0.2], [-0.2, 0.2], [0.0, 0.0]]))
    assert task.ensemble.velocities[0][0] > 0.0 == task.ensemble.velocities[0][2]
    assert task.ensemble.velocities[1][2] > 0.0 == task.ensemble.velocities[1][0]


def test_every_part_can_be_ones_own() -> None:
    heading = Observation(lambda ensemble: 1, lambda situation: situation.ensemble.poses[:, 2:], -4.0, 4.0)
    spin = Action(1, lambda ensemble, action: ensemble.drive(np.zeros(ensemble.count), action[:, 0]))
    task = begun(
        observations=(heading,),
        actions=spin,
        reward=lambda situation: situation.steps * 1.0,
        ends=lambda situation: situation.steps >= 2,
    )
    assert task.observe()[:, 0] == pytest.approx(task.ensemble.poses[:, 2])
    rewards, over = task.step(np.ones((3, 1)))
    assert (rewards.tolist(), over.tolist()) == ([1.0] * 3, [False] * 3)
    assert task.step(np.ones((3, 1)))[1].all()


def test_a_robot_that_rests_does_not_move() -> None:
    task = begun()
    before = task.ensemble.poses.copy()
    task.step(np.ones((3, 2)), np.array([1]))
    assert np.array_equal(task.ensemble.poses[1], before[1])
    assert not np.array_equal(task.ensemble.poses[0], before[0])


def test_the_same_seed_draws_the_same() -> None:
    one, other = begun(), begun()
    assert np.array_equal(one.observe(), other.observe())
    other.seed(None)
    other.begin(np.arange(3))
    assert not np.array_equal(one.situation.goals, other.situation.goals)


def test_nobody_begins_anew_when_nobody_is_named() -> None:
    task = begun()
    goals = task.situation.goals.copy()
    task.begin(np.zeros(0, np.intp))
    assert np.array_equal(task.situation.goals, goals)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"observations": ("smell",)}, 'no observation "smell": there are laser, sonar, goal, velocities'),
        ({"actions": "jump"}, 'no action "jump": there are velocities, wheels'),
        ({"model": "amigo"}, "A amigo has no laser to observe with"),
    ],
)
def test_a_mistake_is_told(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        begun(**wrong)


def test_an_action_that_is_no_number_is_told() -> None:
    with pytest.raises(ValueError, match="not a number"):
        begun().step(np.full((3, 2), np.nan))


def test_the_quicker_engine_is_the_compiled_one() -> None:
    assert goto.best_engine() == "compiled"
