"""What pilots are doing, in words that JSON has."""

from __future__ import annotations

import json
import math

import pytest

from mobilesim_py.navigation.planning import Goal
from mobilesim_py.services.navigation.facts import Corners, corners, goal_facts
from mobilesim_py.services.navigation.service import navigation_of
from mobilesim_py.testing import Stand


def test_of_a_path_only_corners_and_ends_are_told() -> None:
    path = [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (1.5, 1.0), (2.0, 1.0)]
    assert corners(path) == [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0)]
    assert corners(path[:2]) == path[:2]
    assert corners([]) == []


def test_a_robot_without_a_pilot_is_idle() -> None:
    assert goal_facts(None, Corners()) == {"phase": "idle", "goal": None, "path": [], "remaining": 0.0, "last": None}


@pytest.mark.parametrize("goal", [Goal(math.nan, 0.0), Goal(math.inf, 1.0, math.nan)])
def test_a_goal_that_is_no_place_is_told_as_none(goal: Goal) -> None:
    stand = Stand("--nomap", "--navigate")
    navigation = navigation_of(stand.program)
    assert navigation is not None
    navigation.go(stand.robots[0], goal)
    facts = navigation.state_of(stand.robots[0])
    assert facts["last"]["goal"]["x"] is None
    assert facts["last"]["outcome"] == "rejected"
    json.loads(json.dumps(facts, allow_nan=False))
