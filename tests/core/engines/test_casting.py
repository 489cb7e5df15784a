"""Both ray casters find the nearest segment, exactly, wherever rays start and however they graze."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.core.engines.formulas import sincos, wrap
from mobilesim_py.core.engines.numpy import casting as sweep
from mobilesim_py.core.scene import GridTable, SightTable
from mobilesim_py.world.grid import MOST_CELLS, Grid
from mobilesim_py.world.obstacles import Segments, Stops

LIMIT = 30.0


def brute_force(segments: np.ndarray, x: float, y: float, angle: float, limit: float) -> float:  # type: ignore[type-arg]
    """The nearest of all segments, one after the other, by plain geometry."""
    dx, dy = math.cos(angle), math.sin(angle)
    best = limit
    for x1, y1, x2, y2 in segments.tolist():
        # Distances of the ends from the ray, to its left and to its right.
        left = dx * (y1 - y) - dy * (x1 - x)
        right = dx * (y2 - y) - dy * (x2 - x)
        if left * right > 0 or left == right:
            continue
        share = left / (left - right)
        hit = (x1 + share * (x2 - x1) - x) * dx + (y1 + share * (y2 - y1) - y) * dy
        if 0 <= hit < best:
            best = hit
    return best


def cast(grid: Grid, x: np.ndarray, y: np.ndarray, angle: np.ndarray, mask: int = Stops.LASER) -> np.ndarray:  # type: ignore[type-arg]
    s, c = sincos(angle)
    return sweep.cast(grid, x, y, c, s, np.full(len(x), LIMIT), int(mask))[0]


def cast_compiled(grid: Grid, x: np.ndarray, y: np.ndarray, angle: np.ndarray, mask: int = Stops.LASER) -> np.ndarray:  # type: ignore[type-arg]
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    from mobilesim_py.core.engines.compiled.casting import cast as cast_in_lanes
    from mobilesim_py.core.engines.compiled.casting import new_lanes

    s, c = sincos(angle)
    sight = grid.sight(int(mask))
    best, met = np.full(len(x), LIMIT), np.zeros(len(x), np.int32)
    tables = GridTable.of(grid), SightTable(sight.words, sight.runs, sight.blocks)
    cast_in_lanes(len(x), x, y, c, s, best, met, *tables, new_lanes())
    assert np.array_equal(met >= 0, best < LIMIT)
    return best


def scattered(seed: int, count: int) -> np.ndarray:  # type: ignore[type-arg]
    """Long walls, short ones, axis-aligned ones and specks."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(-10, 10, (count, 2))
    lengths = rng.choice([0.02, 0.5, 8.0], (count, 1))
    directions = rng.normal(size=(count, 2))
    directions[::3, 0] = 0.0
    directions[1::3, 1] = 0.0
    return np.hstack([a, a + lengths * directions / np.linalg.norm(directions, axis=1, keepdims=True)])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**31), count=st.integers(1, 60), cell=st.sampled_from([0.05, 0.075, 0.3, 2.0]))
def test_the_sweep_agrees_with_brute_force(seed: int, count: int, cell: float) -> None:
    ends = scattered(seed, count)
    grid = Grid.build(Segments.build(ends), cell)
    rng = np.random.default_rng(seed + 1)
    x, y = rng.uniform(-14, 14, (2, 150))
    angle = np.concatenate([rng.uniform(-math.pi, math.pi, 130), np.arange(20) * math.pi / 2])
    expected = [brute_force(ends, x[k], y[k], angle[k], LIMIT) for k in range(150)]
    assert cast(grid, x, y, angle) == pytest.approx(expected, abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    count=st.integers(1, 300),
    cell=st.sampled_from([0.05, 0.1, 0.3, 2.0]),
    rays=st.integers(1, 400),
)
def test_the_lanes_give_the_same_bits_as_the_sweep(seed: int, count: int, cell: float, rays: int) -> None:
    grid = Grid.build(Segments.build(scattered(seed, count)), cell)
    rng = np.random.default_rng(seed + 1)
    x, y = rng.uniform(-14, 14, (2, rays))
    angle = np.where(rng.random(rays) < 0.2, rng.integers(-2, 3, rays) * math.pi / 2, rng.uniform(-math.pi, math.pi, rays))
    assert np.array_equal(cast(grid, x, y, angle), cast_compiled(grid, x, y, angle))


def test_lanes_end_rays_that_never_come_near_the_grid_or_have_no_length() -> None:
    grid = Grid.build(Segments.build([[0, 0, 1, 0]]))
    x, y = np.array([1e7, -50.0, 0.5, math.nan, 0.5, math.inf]), np.array([1e7, 0.0, -3.0, 0.0, -3.0, 0.0])
    angle = np.array([0.0, math.pi, math.pi / 2, 0.0, math.nan, 0.0])
    assert cast_compiled(grid, x, y, angle).tolist() == [LIMIT, LIMIT, 3.0, LIMIT, LIMIT, LIMIT]


def test_a_ray_that_drifts_across_cells_by_less_than_rounding_arrives() -> None:
    grid = Grid.build(Segments.build([[-5, -5, 25, -5], [20, -5, 20, 5]]), 0.1)
    tiny = np.array([1e-9, -1e-9, 1e-12, -1e-12, 1e-15, -1e-15])
    y = np.full(6, grid.y0 + 0.1 * 30)
    assert np.array_equal(cast(grid, np.zeros(6), y, tiny), cast_compiled(grid, np.zeros(6), y, tiny))
    assert cast_compiled(grid, np.zeros(6), y, tiny) == pytest.approx([20.0] * 6)


def test_rays_do_not_slip_through_the_corners_of_an_outline() -> None:
    square = np.array([[1, -1, 1, 1], [1, 1, -1, 1], [-1, 1, -1, -1], [-1, -1, 1, -1]], float)
    grid = Grid.build(Segments.build(square))
    angle = np.radians(np.array([45.0, 135.0, -45.0, -135.0]))
    zero = np.zeros(4)
    assert cast(grid, zero, zero, angle) == pytest.approx([math.sqrt(2)] * 4)


def test_a_ray_along_a_grid_line_still_finds_what_is_there() -> None:
    grid = Grid.build(Segments.build([[3.0, -0.01, 3.0, 0.01]]), 0.1)
    for y in (0.0, grid.y0 + 0.1, 0.009999):
        assert cast(grid, np.zeros(1), np.array([y]), np.zeros(1))[0] == pytest.approx(3.0 if abs(y) <= 0.01 else LIMIT)


def test_segments_stop_only_what_they_are_for() -> None:
    parts = [Segments.build([[d, -1, d, 1]], stops) for d, stops in ((1, Stops.ROBOTS), (2, Stops.SONAR), (3, Stops.LASER))]
    grid = Grid.build(Segments.join(*parts))
    found = [cast(grid, np.zeros(1), np.zeros(1), np.zeros(1), mask)[0] for mask in (Stops.ROBOTS, Stops.SONAR, Stops.LASER)]
    assert found == [1.0, 2.0, 3.0]
    assert [cast_compiled(grid, np.zeros(1), np.zeros(1), np.zeros(1), mask)[0] for mask in (Stops.SONAR, Stops.LASER)] == [
        2.0,
        3.0,
    ]


def test_an_empty_world_has_nothing_to_hit() -> None:
    grid = Grid.build(Segments.empty())
    assert cast(grid, np.zeros(3), np.zeros(3), np.arange(3.0)).tolist() == [LIMIT] * 3
    assert cast_compiled(grid, np.zeros(3), np.zeros(3), np.arange(3.0)).tolist() == [LIMIT] * 3


def test_a_vast_world_gets_larger_cells_instead_of_more_memory() -> None:
    grid = Grid.build(Segments.build([[0, 0, 1900, 0], [0, 0, 0, 1900]]))
    assert grid.columns * grid.rows <= 1.01 * MOST_CELLS
    assert cast(grid, np.array([900.0]), np.array([5.0]), np.array([-math.pi / 2]))[0] == pytest.approx(5.0)


def test_clearance_never_promises_more_room_than_there_is() -> None:
    grid = Grid.build(Segments.build(scattered(9, 30)), 0.2)
    full = np.argwhere((np.diff(grid.starts) > 0).reshape(grid.rows, grid.columns))
    for j, i in np.argwhere(grid.clearance.reshape(grid.rows, grid.columns) > 0)[::97]:
        nearest = np.abs(full - [j, i]).max(axis=1).min()
        assert grid.clearance[j * grid.columns + i] <= nearest


@given(st.floats(-1000, 1000))
def test_sine_and_cosine_are_right_to_the_last_digits(angle: float) -> None:
    s, c = sincos(np.float64(angle))
    assert s == pytest.approx(math.sin(angle), abs=1e-13)
    assert c == pytest.approx(math.cos(angle), abs=1e-13)


@given(st.floats(-1000, 1000))
def test_wrapped_angles_are_the_same_angles(angle: float) -> None:
    wrapped = float(wrap(np.float64(angle)))
    assert -math.pi - 1e-12 <= wrapped <= math.pi
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
