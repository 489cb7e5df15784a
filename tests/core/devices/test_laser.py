"""What a laser reports of how bright a thing is, by its model's rules."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.catalogue.model import ReturnRule
from mobilesim_py.core.devices.laser import reported_reflectance


def reported(*rules: ReturnRule, reflectance: int = 40, distance: float = 5.0, incidence: float = 0.0) -> int:
    beam = np.array([reflectance], np.uint8), np.array([distance]), np.array([math.cos(incidence)])
    (value,) = reported_reflectance(rules, *beam)
    return int(value)


def test_without_a_rule_that_applies_the_obstacle_s_own_value_is_reported() -> None:
    assert reported() == 40
    assert reported(ReturnRule(50, "gt", detect=9)) == 40


@pytest.mark.parametrize(("comparison", "values"), [("gt", [40, 41]), ("lt", [40, 39]), ("eq", [41, 40])])
def test_a_rule_compares_the_obstacle_s_value(comparison: str, values: list[int]) -> None:
    rule = ReturnRule(40, comparison, detect=9)
    assert [reported(rule, reflectance=value) for value in values] == [values[0], 9]


@pytest.mark.parametrize(
    ("condition", "applies"),
    [("outside_range", [False, True]), ("inside_range", [True, False])],
)
def test_a_rule_may_be_for_some_ranges(condition: str, applies: list[bool]) -> None:
    rule = ReturnRule(1, "gt", condition, 5.0, detect=9)
    assert [reported(rule, distance=distance) == 9 for distance in (4.0, 6.0)] == applies


@pytest.mark.parametrize(
    ("condition", "applies"),
    [("outside_angle", [False, True]), ("inside_angle", [True, False])],
)
def test_a_rule_may_be_for_some_angles_of_incidence(condition: str, applies: list[bool]) -> None:
    rule = ReturnRule(1, "gt", condition, 0.5, detect=9)
    assert [reported(rule, incidence=angle) == 9 for angle in (0.4, 0.6)] == applies


def test_the_last_rule_that_applies_wins() -> None:
    assert reported(ReturnRule(1, detect=8), ReturnRule(1, detect=9)) == 9


def test_a_rule_that_stops_is_the_last_word_on_what_it_applies_to() -> None:
    rules = ReturnRule(30, detect=8, stop=True), ReturnRule(1, detect=9)
    assert reported(*rules, reflectance=40) == 8
    assert reported(*rules, reflectance=20) == 9
