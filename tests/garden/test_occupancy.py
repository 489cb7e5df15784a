"""The grid of what was seen."""

from __future__ import annotations

import math

import numpy as np
import shapely

from mobilesim_py.garden import occupancy as module
from mobilesim_py.garden.occupancy import Occupancy, true_cells
from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.obstacles import Obstacle, Segments
from mobilesim_py.world.world import Bounds, World

ANGLES: FloatArray = np.linspace(0.0, math.tau, 360, endpoint=False)


def wall_at(distance: float, reach: float = 6.0) -> FloatArray:
    """Return the ranges to a wall ahead, along y, seen from the zero point."""
    cosine = np.cos(ANGLES)
    with np.errstate(divide="ignore"):
        return np.where(cosine > 1e-3, np.minimum(distance / np.maximum(cosine, 1e-3), reach), reach)


def state(grid: Occupancy, x: float, y: float) -> int:
    rows, columns = grid.raster.cells_of(np.array([x]), np.array([y]))
    return int(np.sign(grid.evidence[rows[0], columns[0]]))


def test_what_was_looked_across_is_free_what_was_hit_occupied_and_the_rest_unseen() -> None:
    grid = Occupancy(0.0, 0.0)
    grid.see(0.0, 0.0, ANGLES, wall_at(2.02), 6.0)
    assert [state(grid, x, 0.0) for x in (-5.0, 0.5, 1.9, 2.03, 2.2, 5.0)] == [-1, -1, -1, 1, 0, 0]


def test_the_grid_grows_with_what_is_seen_and_keeps_what_it_had() -> None:
    grid = Occupancy(0.0, 0.0)
    small = grid.raster
    grid.see(0.0, 0.0, ANGLES, wall_at(2.02), 6.0)
    grid.see(-8.0, 0.0, ANGLES, np.full(360, 6.0), 6.0)
    assert grid.raster.columns > small.columns
    assert (state(grid, 2.03, 0.0), state(grid, -13.5, 0.0)) == (1, -1)


def test_what_has_gone_away_becomes_free_again() -> None:
    grid = Occupancy(0.0, 0.0)
    grid.see(0.0, 0.0, ANGLES, wall_at(2.02), 6.0)
    for _ in range(module.HIT + 1):
        grid.see(0.0, 0.0, ANGLES, np.full(360, 6.0), 6.0)
    assert state(grid, 2.03, 0.0) == -1


def test_a_grid_does_not_grow_without_end(monkeypatch: object) -> None:
    grid = Occupancy(0.0, 0.0)
    grid.see(1e6, 1e6, ANGLES, np.full(360, 6.0), 6.0)
    assert grid.raster.rows * grid.raster.columns < module.LARGEST
    assert not grid.seen.any()


def test_all_of_a_world_can_be_known_at_once() -> None:
    block = Obstacle(shapely.box(2.0, 2.0, 3.0, 3.0), "block")
    world = World("w", Bounds(0.0, 0.0, 6.0, 6.0), Segments.build([[0.0, 4.02, 6.0, 4.02]]), obstacles=(block,))
    grid = Occupancy(1.0, 1.0)
    grid.know(world)
    assert [state(grid, *place) for place in ((1.0, 1.0), (2.5, 2.5), (2.01, 2.99), (1.97, 2.5), (3.0, 4.02))] == [
        -1,
        1,
        1,
        -1,
        1,
    ]
    assert true_cells(world, grid.raster).sum() == 20 * 20 + 6 * 20 + 1
