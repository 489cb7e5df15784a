"""Do outlines touch? The answers are those of shapely, but for what only just touches."""

from __future__ import annotations

import math

import numpy as np
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mobilesim_py.geometry import Polygon
from mobilesim_py.world.overlap import crosses, inside, is_in_sight, overlaps, radius_of, touches

COORDINATE = st.floats(-5, 5).map(lambda value: round(value, 3))
POINT = st.tuples(COORDINATE, COORDINATE)
SEGMENTS = st.lists(st.tuples(COORDINATE, COORDINATE, COORDINATE, COORDINATE), min_size=1, max_size=6)


@st.composite
def outlines(draw: st.DrawFn) -> Polygon:
    """Draw a convex polygon somewhere."""
    x, y, radius = draw(COORDINATE), draw(COORDINATE), draw(st.floats(0.2, 3.0))
    angles = sorted(draw(st.lists(st.floats(0, 6.2), min_size=3, max_size=6, unique_by=lambda a: round(a, 1))))
    polygon = tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
    assume(shapely.Polygon(polygon).area > 0.01)
    return polygon


def is_borderline(one: shapely.Geometry, other: shapely.Geometry) -> bool:
    """Tell whether a hair's breadth decides."""
    return bool(one.buffer(1e-6).intersects(other) != one.buffer(-1e-6).intersects(other))


@given(outlines(), outlines())
@settings(max_examples=150, deadline=None)
def test_polygons_overlap_when_they_share_a_place(first: Polygon, second: Polygon) -> None:
    one, other = shapely.Polygon(first), shapely.Polygon(second)
    assume(not is_borderline(one, other))
    assert overlaps(first, second) == one.intersects(other)


@given(outlines(), SEGMENTS)
@settings(max_examples=150, deadline=None)
def test_a_polygon_touches_segments_that_meet_it_or_are_in_it(polygon: Polygon, segments: list[tuple[float, ...]]) -> None:
    one, ends = shapely.Polygon(polygon), np.array(segments)
    others = [shapely.LineString(row.reshape(2, 2)) for row in ends]
    assume(not any(is_borderline(one, other) for other in others))
    assert touches(polygon, ends) == any(one.intersects(other) for other in others)


@given(outlines(), st.lists(POINT, min_size=1, max_size=8))
@settings(max_examples=100, deadline=None)
def test_points_are_inside_or_not(polygon: Polygon, points: list[tuple[float, float]]) -> None:
    one = shapely.Polygon(polygon)
    assume(not any(is_borderline(one, shapely.Point(point)) for point in points))
    assert inside(np.array(points), polygon).tolist() == [one.contains(shapely.Point(point)) for point in points]


def test_segments_in_one_line_cross_only_when_they_meet() -> None:
    line = np.array([[0.0, 0.0, 1.0, 0.0]])
    assert crosses(line, np.array([[0.5, 0.0, 2.0, 0.0]]))
    assert crosses(line, np.array([[1.0, 0.0, 2.0, 0.0]]))
    assert not crosses(line, np.array([[1.5, 0.0, 2.0, 0.0]]))


def test_nothing_touches_nothing() -> None:
    none = np.empty((0, 4))
    assert not crosses(none, np.array([[0.0, 0.0, 1.0, 1.0]]))
    assert not touches(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), none)


def test_a_wall_takes_the_sight() -> None:
    wall = np.array([[1.0, -1.0, 1.0, 1.0]])
    assert not is_in_sight((0.0, 0.0), (2.0, 0.0), wall)
    assert is_in_sight((0.0, 0.0), (2.0, 4.0), wall)


def test_the_radius_is_that_of_the_farthest_corner() -> None:
    assert radius_of((((3.0, 4.0), (0.0, 1.0), (1.0, 0.0)),)) == 5.0
    assert radius_of(()) == 0.0
