"""Points become the outlines of their squares: the same occupied area, no edge inside, no edge in two pieces."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.formats.armap.points import MOST_EDGES, fit, outlines


def outline_of(points: list[tuple[int, int]], resolution: float = 0.02) -> list[list[float]]:
    edges = outlines(np.array(points, np.int64).reshape(-1, 2), resolution)
    return sorted(np.round(edges, 9).tolist())


def squares(points: list[tuple[int, int]], side: float) -> shapely.Geometry:
    return shapely.union_all(
        [shapely.box(*(np.array([x, y, x, y]) + np.array([-1, -1, 1, 1]) * side / 2)) for x, y in points]
    )


def lines(points: list[tuple[int, int]], side: float) -> shapely.Geometry:
    edges = outlines(np.array(points, np.int64), side / 1000.0) * 1000.0
    return shapely.union_all([shapely.LineString(edge.reshape(2, 2)) for edge in edges])


def test_no_points_have_no_outline() -> None:
    assert outline_of([]) == []


def test_one_point_is_a_square_centred_on_it() -> None:
    assert outline_of([(100, -40)]) == [
        [0.09, -0.05, 0.09, -0.03],
        [0.09, -0.05, 0.11, -0.05],
        [0.09, -0.03, 0.11, -0.03],
        [0.11, -0.05, 0.11, -0.03],
    ]


def test_a_row_of_points_is_one_rectangle() -> None:
    assert len(outline_of([(20 * i, 0) for i in range(50)])) == 4


def test_a_block_of_points_has_no_edges_inside() -> None:
    assert len(outline_of([(20 * i, 20 * j) for i in range(5) for j in range(7)])) == 4


def test_the_same_point_twice_is_one_square() -> None:
    assert outline_of([(0, 0), (0, 0)]) == outline_of([(0, 0)])


def test_squares_that_meet_at_a_corner_have_their_edges_in_line_joined() -> None:
    assert len(outline_of([(0, 0), (20, 20)])) == 6


def test_points_beside_the_map_border_are_no_neighbours_of_the_other_side() -> None:
    assert len(outline_of([(0, 0), (980, 20)])) == 8


def test_points_off_the_lattice_have_squares_of_their_own() -> None:
    assert len(outline_of([(0, 0), (7, 3)])) == 8


@pytest.mark.parametrize("resolution", [0.0125, 0.0005, 0.03333])
def test_a_resolution_that_is_no_whole_number_of_millimetres_is_kept(resolution: float) -> None:
    edges = np.array(outline_of([(0, 0)], resolution))
    assert edges.max() - edges.min() == pytest.approx(resolution)


LATTICE = st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=60)


@given(LATTICE, st.integers(1, 50))
@settings(max_examples=80, deadline=None)
def test_the_outline_of_a_lattice_is_the_border_of_its_squares(cells: list[tuple[int, int]], side: int) -> None:
    points = [(x * side + 3, y * side - 5) for x, y in cells]
    border, drawn = squares(points, side).boundary, lines(points, side)
    assert border.symmetric_difference(drawn).length == pytest.approx(0.0, abs=1e-6)
    edges = outlines(np.array(points, np.int64), side / 1000.0)
    assert np.hypot(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1]).sum() * 1000 == pytest.approx(border.length)


@given(st.lists(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), min_size=1, max_size=40))
@settings(max_examples=80, deadline=None)
def test_what_is_occupied_off_the_lattice_is_exactly_the_union(points: list[tuple[int, int]]) -> None:
    union, drawn = squares(points, 20), lines(points, 20)
    assert union.boundary.difference(drawn.buffer(1e-6)).length == pytest.approx(0.0, abs=1e-3)
    assert drawn.difference(union.buffer(1e-6)).length == pytest.approx(0.0, abs=1e-3)


def test_few_points_stay_what_they_are() -> None:
    points = np.array([(3, 4), (107, 9)], np.int64)
    fitted, side = fit(points, 0.02)
    assert fitted is points
    assert side == 0.02


def test_many_points_on_one_lattice_that_have_few_edges_stay_what_they_are() -> None:
    block = np.stack(np.meshgrid(np.arange(400), np.arange(400)), axis=2).reshape(-1, 2) * 20
    assert fit(block, 0.02)[0] is block


def test_many_points_of_many_lattices_are_put_on_the_finest_raster_that_fits() -> None:
    points = np.random.default_rng(1).integers(-10_000, 10_000, (200_000, 2))
    fitted, side = fit(points, 0.02)
    step = round(side * 1000)
    assert step in (20, 40, 80, 160)
    assert len(outlines(fitted, side)) <= MOST_EDGES
    assert (np.floor_divide(points, step) * step + step // 2 == points).all(axis=1).sum() < len(points)
    on_raster = {tuple(place) for place in (np.floor_divide(points, step) * step + step // 2).tolist()}
    assert {tuple(place) for place in fitted.tolist()} == on_raster
    finer = np.unique(np.floor_divide(points, step // 2) * (step // 2) + step // 4, axis=0)
    assert step == 20 or len(outlines(finer, side / 2)) > MOST_EDGES
