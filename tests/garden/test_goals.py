"""What may be asked for."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.formats.garden.world import read_sketch
from mobilesim_py.garden.goals import ObjectGoal, SimpleGoal, object_goal
from mobilesim_py.resources import maps_dir


@pytest.mark.parametrize("goal", [SimpleGoal(math.nan, 0.0), SimpleGoal(0.0, math.inf), SimpleGoal(0.0, 0.0, math.nan)])
def test_a_goal_with_a_number_that_is_none_is_no_goal(goal: SimpleGoal) -> None:
    assert "is none" in goal.problem


def test_a_goal_on_the_moon_is_no_goal() -> None:
    assert SimpleGoal(1e9, 0.0).problem == "the goal is too far away"
    assert SimpleGoal(1.0, 2.0, 3.0).problem == ""


def test_of_an_object_that_we_know_our_own_copy_counts() -> None:
    sketch, _ = read_sketch(maps_dir() / "lawn.garden")
    goal = object_goal(sketch, 6, 1, (99.0, 99.0, 45.0), (1.0, 1.0, 1.0))
    assert goal == ObjectGoal.of(sketch.by_id[6])
    assert goal.label == "Hedge-Box"


def test_of_an_unknown_object_the_message_counts() -> None:
    goal = object_goal(None, 6, 1, (2.0, 3.0, math.pi / 2.0), (2.0, 1.0, 1.0))
    assert [max(value) - min(value) for value in zip(*goal.outline, strict=True)] == pytest.approx([1.0, 2.0])
    assert goal.problem == ""


@pytest.mark.parametrize(
    ("place", "size"),
    [((math.nan, 0.0, 0.0), (1.0, 1.0, 1.0)), ((0.0, 0.0, 0.0), (math.inf, 1.0, 1.0)), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))],
)
def test_an_object_without_a_sane_form_is_no_goal(
    place: tuple[float, float, float], size: tuple[float, float, float]
) -> None:
    assert object_goal(None, 1, 1, place, size).problem
