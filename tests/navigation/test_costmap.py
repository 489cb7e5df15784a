"""Where a robot may be: distances to obstacles, prices, and places as cells."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.navigation.costmap import CELL, FAR, MOST_CELLS, Costmap, distances
from mobilesim_py.world.world import Bounds

ROOM = np.array([[0, 0, 4, 0], [4, 0, 4, 4], [4, 4, 0, 4], [0, 4, 0, 0]], np.float64)


@given(st.integers(0, 2**32 - 1), st.floats(0.01, 0.4))
def test_distances_are_those_to_the_nearest_occupied_cell(seed: int, share: float) -> None:
    occupied = np.random.default_rng(seed).random((9, 13)) < share
    found = distances(occupied, 0.1, 0.75)
    rows, columns = np.nonzero(occupied)
    for (row, column), distance in np.ndenumerate(found):
        nearest = np.hypot(rows - row, columns - column).min(initial=math.inf) * 0.1
        assert distance == pytest.approx(min(nearest, 0.75), abs=1e-5)


def test_a_robot_keeps_its_distance_from_walls_and_pays_for_being_near() -> None:
    costmap = Costmap.build(Bounds(0, 0, 4, 4), ROOM, 0.3)
    assert costmap.cell == CELL

    def price(x: float, y: float) -> float:
        cell = costmap.cell_of(x, y)
        assert cell is not None
        return float(costmap.cost[cell])

    assert math.isinf(price(0.2, 2.0))
    assert price(0.4, 2.0) > price(0.8, 2.0) > price(2.0, 2.0) >= 1.0
    assert costmap.clearance(2.0, 2.0) == pytest.approx(0.3 + FAR)
    assert costmap.clearance(0.5, 2.0) == pytest.approx(0.5, abs=CELL)


def test_a_large_world_gets_larger_cells() -> None:
    costmap = Costmap.build(Bounds(0, 0, 200, 100), ROOM, 0.3)
    assert costmap.cost.size <= MOST_CELLS + sum(costmap.shape)
    assert costmap.cell == pytest.approx(0.1435, abs=1e-4)
    # An obstacle may be anywhere in its cell, and cells that are larger say less about where.
    assert costmap.radius == pytest.approx(0.3 + math.sqrt(0.5) * (costmap.cell - CELL))


def test_places_and_cells_match() -> None:
    costmap = Costmap.build(Bounds(0, 0, 4, 4), ROOM, 0.3)
    for place in [(0.01, 0.01), (3.99, 2.5), (-0.9, 4.9)]:
        cell = costmap.cell_of(*place)
        assert cell is not None
        assert costmap.middle_of(*cell) == pytest.approx(place, abs=costmap.cell / 2 + 1e-9)
    assert costmap.cell_of(-1.1, 0) is None
    assert costmap.cell_of(math.nan, 0) is None
    assert costmap.clearance(99, 99) == 0.0


def test_what_is_outside_of_the_raster_is_not_drawn_at_its_edge() -> None:
    far = np.array([[-50, 2, -40, 2], [-30, -30, 40, 30]], np.float64)
    costmap = Costmap.build(Bounds(0, 0, 4, 4), far, 0.3)
    assert costmap.clearance(-0.9, 2.0) > 0.3
    assert costmap.clearance(4.0, -0.857) < 0.1


def test_a_world_without_obstacles_is_free() -> None:
    assert np.isfinite(Costmap.build(Bounds(0, 0, 4, 4), np.empty((0, 4)), 0.3).cost).all()
