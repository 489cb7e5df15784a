"""A robot's outline meets segments: exactly, at any pose, with a margin."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.geometry import Pose, placed, rectangle
from mobilesim_py.navigation.footprint import Footprint

LONG = Footprint([rectangle(1.0, 0.4)])
WALL = np.array([[-5, 0.3, 5, 0.3]], np.float64)


def test_its_circle_holds_all_outlines() -> None:
    assert LONG.radius == pytest.approx(math.hypot(0.5, 0.2))
    assert Footprint([rectangle(1.0, 0.4), ((2.0, 0.0), (2.1, 0.0), (2.0, 0.1))]).radius == pytest.approx(2.1)


def test_a_robot_beside_a_wall_meets_it_when_it_turns() -> None:
    assert not LONG.meets(Pose(0, 0, 0), WALL)
    assert LONG.meets(Pose(0, 0, math.pi / 2), WALL)
    assert LONG.meets(Pose(0, 0, 0), WALL, margin=0.11)
    assert not LONG.meets(Pose(0, 0, 0), WALL, margin=0.09)


def test_what_lies_inside_is_met_and_nothing_is_not() -> None:
    assert LONG.meets(Pose(), np.array([[-0.1, 0, 0.1, 0]], np.float64))
    assert not LONG.meets(Pose(), np.empty((0, 4)))


coordinate = st.floats(-2.0, 2.0)


@settings(max_examples=200, deadline=None)
@given(st.tuples(coordinate, coordinate, coordinate, coordinate), st.tuples(coordinate, coordinate, st.floats(-4, 4)))
def test_it_meets_what_shapely_says_it_meets(segment: tuple[float, ...], pose: tuple[float, float, float]) -> None:
    if segment[:2] == segment[2:]:
        return  # no segment
    outline = ((-0.5, -0.2), (0.3, -0.25), (0.6, 0.0), (0.3, 0.25), (-0.5, 0.2), (-0.45, 0.0))
    place = Pose(*pose)
    hull = shapely.Polygon(placed(outline, place)).convex_hull
    line = shapely.LineString([segment[:2], segment[2:]])
    if abs(shapely.distance(hull.boundary, line)) < 1e-6:
        return  # on the border anything may be said
    assert Footprint([outline]).meets(place, np.array([segment])) == shapely.intersects(hull, line)
