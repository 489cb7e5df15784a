"""Placing, containing and crossing, for one place and for many."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mobilesim_py.geometry import (
    Polygon,
    Pose,
    circle_of,
    compose,
    contains,
    ends_of,
    overlaps,
    placed,
    placed_points,
    radius_of,
    rectangle,
)

COORDINATE = st.floats(-5, 5).map(lambda value: round(value, 3))
POINT = st.tuples(COORDINATE, COORDINATE)


@st.composite
def outlines(draw: st.DrawFn) -> Polygon:
    """Draw a convex polygon somewhere."""
    x, y, radius = draw(COORDINATE), draw(COORDINATE), draw(st.floats(0.2, 3.0))
    angles = sorted(draw(st.lists(st.floats(0, 6.2), min_size=3, max_size=6, unique_by=lambda a: round(a, 1))))
    polygon = tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
    assume(shapely.Polygon(polygon).area > 0.01)
    return polygon


@given(outlines(), st.floats(-5, 5), st.floats(-5, 5), st.floats(-7, 7))
def test_an_outline_keeps_its_size_wherever_it_is_placed(outline: Polygon, x: float, y: float, heading: float) -> None:
    there = placed(outline, Pose(x, y, heading))
    assert shapely.Polygon(there).area == pytest.approx(shapely.Polygon(outline).area)
    assert placed_points(np.array(outline), Pose(x, y, heading)).tolist() == [list(corner) for corner in there]


def test_a_pose_on_a_body_turns_and_moves_with_it() -> None:
    there = compose(Pose(1.0, 2.0, math.pi / 2), Pose(3.0, 0.0, 0.1))
    assert (there.x, there.y, there.heading) == pytest.approx((1.0, 5.0, math.pi / 2 + 0.1))


@given(outlines(), POINT)
@settings(max_examples=50, deadline=None)
def test_one_place_and_many_are_contained_alike(polygon: Polygon, point: tuple[float, float]) -> None:
    x, y = point
    assert contains(polygon, np.array([x, 100.0]), np.array([y, 0.0])).tolist() == [contains(polygon, x, y), False]


def test_a_place_in_a_polygon_is_contained_and_one_beside_it_is_not() -> None:
    square = rectangle(2.0, 2.0)
    assert contains(square, 0.5, 0.5) is True
    assert contains(square, 1.5, 0.5) is False


def test_outlines_overlap_when_any_of_them_share_a_place() -> None:
    square = rectangle(2.0, 2.0)
    far, touching, inner = (placed(square, Pose(x, 0.0)) for x in (5.0, 2.0, 0.1))
    assert overlaps([square, far], [touching])
    assert overlaps([square], [inner])
    assert not overlaps([square], [far])
    assert not overlaps([], [square])


def test_the_segments_of_a_geometry_are_those_of_its_lines_and_rings() -> None:
    assert ends_of(shapely.LineString([(0, 0), (1, 0), (1, 1)])).tolist() == [[0, 0, 1, 0], [1, 0, 1, 1]]
    holed = shapely.box(0, 0, 9, 9).difference(shapely.box(4, 4, 5, 5))
    assert len(ends_of(holed)) == 8
    assert len(ends_of(shapely.MultiPolygon([shapely.box(0, 0, 1, 1), holed]))) == 12
    assert np.hypot(*(ends_of(holed)[:, 2:] - ends_of(holed)[:, :2]).T).sum() == pytest.approx(holed.length)


def test_a_circle_is_about_the_middle_of_an_outline() -> None:
    assert circle_of(((0.0, 0.0), (6.0, 0.0), (6.0, 8.0))) == (3.0, 4.0, 5.0)


def test_the_radius_is_that_of_the_farthest_corner() -> None:
    assert radius_of((((3.0, 4.0), (0.0, 1.0), (1.0, 0.0)),)) == 5.0
    assert radius_of(()) == 0.0


@pytest.mark.parametrize(
    ("point", "inside"), [((0, 0), True), ((1, 0), True), ((1, 1), True), ((1.01, 0), False), ((0, -5), False)]
)
def test_a_point_on_the_edge_is_inside(point: tuple[float, float], inside: bool) -> None:
    assert contains(rectangle(2.0, 2.0), *point) is inside
    assert contains(shapely.Polygon(rectangle(2.0, 2.0)), *point) is inside
