"""The contest's own formulas, where they are asked for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.services.ciberrato.exact import (
    NOTHING,
    bearing,
    contains,
    corner_distance,
    nearer,
    ray_distance,
    wall_distance,
)

SQUARE = ((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0))
SLOPE = ((2.0, 2.0), (4.0, 4.0), (2.0, 4.0))


def test_a_bearing_straight_up_or_down_is_a_right_angle():
    assert bearing(1.0, 1.0, 1.0, 5.0) == math.pi / 2
    assert bearing(1.0, 1.0, 1.0, -5.0) == bearing(1.0, 1.0, 1.0, 1.0) == -math.pi / 2


@pytest.mark.parametrize(
    ("x", "y", "heading", "distance"),
    [
        (0.0, 3.0, 0.0, 2.0),
        (3.0, 0.0, math.pi / 2, 2.0),
        (3.0, 6.0, -math.pi / 2, 2.0),
        (6.0, 3.0, math.pi, 2.0),
        (6.0, 3.0, -math.pi, 2.0),
        (6.0, 3.0, 3 * math.pi, 2.0),
        (6.0, 3.0, -3 * math.pi, 2.0),
        (0.0, 3.0, math.pi, NOTHING),
        (0.0, 0.0, math.pi / 4, math.sqrt(8)),
        (0.0, 2.0, 0.0, 2.0),
        (3.0, 3.0, 0.3, 1.0 / math.cos(0.3)),
    ],
)
def test_a_ray_ends_at_the_first_side(x, y, heading, distance):
    assert ray_distance(x, y, heading, [SQUARE]) == pytest.approx(distance)


def test_a_ray_along_a_side_that_is_not_its_own_line_meets_nothing_of_it():
    assert ray_distance(0.0, 1.0, math.pi / 4, [SLOPE]) == pytest.approx(math.hypot(2.0, 2.0))
    assert ray_distance(0.0, 0.0, math.pi / 4, [SLOPE]) == pytest.approx(math.hypot(2.0, 2.0))


def test_a_ray_beside_a_parallel_side_misses_it():
    barely_above = ((1.0, 5e-324), (2.0, 5e-324), (2.0, 1.0))
    assert ray_distance(0.0, 0.0, 0.0, [barely_above]) == 2.0


@given(st.floats(-1, 7), st.floats(-1, 7), st.floats(-math.pi, math.pi))
def test_a_ray_reaches_the_wall_where_it_says(x, y, heading):
    found = ray_distance(x, y, heading, [SQUARE])
    if found != NOTHING:
        assert wall_distance(x + found * math.cos(heading), y + found * math.sin(heading), SQUARE) < 1e-6


def test_corners_count_only_inside_the_cone():
    assert corner_distance(0.0, 2.0, 0.0, math.pi / 6, [SQUARE]) == 2.0
    assert corner_distance(0.0, 2.0, math.pi, math.pi / 6, [SQUARE]) == NOTHING
    assert corner_distance(6.0, 4.0, math.pi, math.pi / 6, [SQUARE]) == 2.0
    assert corner_distance(6.0, 4.0, -math.pi + 0.1, math.pi / 6, [SQUARE]) == 2.0


@pytest.mark.parametrize(
    ("x", "y", "distance"), [(3.0, 0.0, 2.0), (0.0, 0.0, math.sqrt(8)), (3.0, 2.5, 0.5), (5.0, 5.0, math.sqrt(2))]
)
def test_a_wall_is_as_far_as_its_nearest_side(x, y, distance):
    assert wall_distance(x, y, SQUARE) == pytest.approx(distance)


@given(st.floats(0, 6), st.floats(0, 6))
def test_a_square_contains_what_lies_between_its_sides(x, y):
    inside = 2.0 < x < 4.0 and 2.0 < y < 4.0
    on_a_side = x in (2.0, 4.0) or y in (2.0, 4.0)
    assert on_a_side or contains(SQUARE, x, y) is inside


def test_the_nearer_of_two_is_not_nothing():
    assert nearer(NOTHING, 3.0) == nearer(3.0, NOTHING) == nearer(3.0, 4.0) == nearer(4.0, 3.0) == 3.0
    assert nearer(NOTHING, NOTHING) == NOTHING


def test_a_ray_straight_up_from_a_side_that_runs_straight_up_starts_on_the_wall():
    assert ray_distance(2.0, 3.0, math.pi / 2, [SQUARE]) == 0.0
    assert ray_distance(2.0 - 1e-17, 3.0, math.pi / 2, [SQUARE]) == 0.0
