"""The world as an occupancy grid."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.services.ros.map_grid import MOST_CELLS, MapGrid
from mobilesim_py.world.obstacles import Segments, Stops
from mobilesim_py.world.world import Bounds, World, empty_world


def world(ends: list[list[float]], stops: int = Stops.ALL) -> World:
    return World("w", Bounds(-1.0, -1.0, 3.0, 1.0), Segments.build(ends, stops))


def occupied(grid: MapGrid, x: float, y: float) -> bool:
    column, row = int((x - grid.origin[0]) / grid.resolution), int((y - grid.origin[1]) / grid.resolution)
    return bool(grid.cells[row, column] == 100)


def test_walls_are_occupied_and_all_else_is_free() -> None:
    grid = MapGrid(world([[0.0, 0.0, 2.0, 0.5]]), Time())
    for share in np.linspace(0.0, 1.0, 50):
        assert occupied(grid, 2.0 * share, 0.5 * share)
    assert not occupied(grid, 0.0, 0.5)
    assert (grid.cells == 100).sum() < 90


def test_row_zero_is_at_the_low_y_and_walls_on_the_edge_are_in_it() -> None:
    grid = MapGrid(world([[-1.0, -1.0, 3.0, -1.0]]), Time())
    assert (grid.cells[:3] == 100).any()
    assert not (grid.cells[3:] == 100).any()
    message = grid.message({})
    assert message["info"]["origin"]["position"] == pytest.approx({"x": -1.05, "y": -1.05, "z": 0.0})
    assert len(message["data"]) == message["info"]["width"] * message["info"]["height"]


def test_what_stops_nobody_is_not_in_the_map() -> None:
    assert not MapGrid(world([[0.0, 0.0, 2.0, 0.5]], Stops.NOTHING), Time()).cells.any()


def test_a_large_world_has_larger_cells() -> None:
    grid = MapGrid(empty_world(10_000.0), Time())
    assert grid.cells.size < 1.1 * MOST_CELLS
    assert grid.resolution * grid.width > 10_000.0
