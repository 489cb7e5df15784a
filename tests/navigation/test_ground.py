"""Costmaps of what is around: walls that are remembered, things on top of them, cells of somebody else."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.geometry import Polygon, Pose, edges_of, placed, rectangle
from mobilesim_py.navigation.ground import MOST_REMEMBERED, Cells, Scenery, Walls
from mobilesim_py.world.world import Bounds

ROOM = np.array([[0, 0, 4, 0], [4, 0, 4, 4], [4, 4, 0, 4], [0, 4, 0, 0]], np.float64)
PLACES = [(1.0, 1.0), (3.0, 3.0)]


def crate(x: float, y: float, size: float = 0.5) -> np.ndarray:
    outline: Polygon = placed(rectangle(size, size), Pose(x, y, 0.3))
    return edges_of(outline)


def test_the_walls_costmap_is_made_once_for_each_size_of_robot() -> None:
    walls = Walls(Bounds(0, 0, 4, 4), ROOM)
    first = walls.costmap(0.3, PLACES)
    assert walls.costmap(0.3, PLACES) is first
    for k in range(MOST_REMEMBERED):
        walls.costmap(0.4 + 0.01 * k, PLACES)
    assert walls.costmap(0.3, PLACES) is not first


def test_without_walls_the_raster_is_about_start_and_goal() -> None:
    costmap = Walls(Bounds(-100, -100, 100, 100), np.empty((0, 4))).costmap(0.3, [(0, 0), (300, 0)])
    assert costmap.is_free(300, 0)
    assert not costmap.is_free(0, 50)


def test_things_are_in_the_way_and_passing_ones_can_be_left_out() -> None:
    walls = Walls(Bounds(0, 0, 4, 4), ROOM)
    scenery = Scenery(walls, [crate(1.0, 1.0)], [crate(3.0, 3.0)])
    costmap = scenery.costmap(0.3, PLACES)
    assert not costmap.is_free(1.0, 1.0)
    assert not costmap.is_free(3.4, 3.0)
    emptier = scenery.without_passing()
    assert emptier is not None
    assert emptier.costmap(0.3, PLACES).is_free(3.0, 3.0)
    assert not emptier.costmap(0.3, PLACES).is_free(1.0, 1.0)
    assert emptier.without_passing() is None
    assert walls.costmap(0.3, PLACES).is_free(1.0, 1.0), "what is remembered is not drawn on"


def test_a_thing_keeps_robots_as_far_away_as_the_same_thing_as_a_wall() -> None:
    stamped = Scenery(Walls(Bounds(0, 0, 4, 4), ROOM), [crate(2.0, 2.0)]).costmap(0.3, PLACES)
    built = Walls(Bounds(0, 0, 4, 4), np.concatenate([ROOM, crate(2.0, 2.0)])).costmap(0.3, PLACES)
    outside = built.distance > 0.3
    assert np.abs(stamped.distance - built.distance)[outside].max() < 0.08
    assert stamped.clearance(2.0, 2.0) == 0.0


def test_things_beyond_the_raster_change_nothing() -> None:
    walls = Walls(Bounds(0, 0, 4, 4), ROOM)
    scenery = Scenery(walls, [crate(50.0, 50.0), crate(-50.0, 2.0)])
    assert np.array_equal(scenery.costmap(0.3, PLACES).cost, walls.costmap(0.3, PLACES).cost)


def test_cells_of_somebody_else_will_do() -> None:
    occupied = np.zeros((40, 60), np.bool_)
    occupied[20, 30] = True
    cells = Cells(occupied, -1.0, -2.0, 0.1, [crate(3.0, 0.0)])
    costmap = cells.costmap(0.3, PLACES)
    assert costmap.cell == 0.1
    assert costmap.clearance(2.05, 0.65) == pytest.approx(0.6, abs=0.06)
    assert not costmap.is_free(2.05, 0.05)
    assert not costmap.is_free(3.0, 0.0)
    assert cells.without_passing() is None
