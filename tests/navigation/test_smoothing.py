"""Paths drawn taut: straight in the open, never dearer, never through what has no room."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.navigation.costmap import Costmap
from mobilesim_py.navigation.search import PlainSearcher, find_path
from mobilesim_py.navigation.smoothing import STEP, TOLERANCE, smooth
from mobilesim_py.world.world import Bounds

WALLS = np.array([[0, 0, 4, 0], [4, 0, 4, 4], [4, 4, 0, 4], [0, 4, 0, 0], [2, 0, 2, 2.8]], np.float64)


def length(path: list[tuple[float, float]]) -> float:
    return float(np.hypot(*np.diff(np.array(path), axis=0).T).sum())


def price(path: list[tuple[float, float]], costmap: Costmap) -> float:
    places = np.array(path)
    steps = np.hypot(*np.diff(places, axis=0).T)
    prices = costmap.prices_along(places[:, 0], places[:, 1])
    return float((0.5 * steps * (prices[1:] + prices[:-1])).sum())


def test_in_the_open_a_path_is_straight() -> None:
    costmap = Costmap.build(Bounds(0, 0, 8, 8), np.empty((0, 4)), 0.3)
    path = smooth(find_path(costmap, (1.0, 1.0), (7.0, 3.5), PlainSearcher()), costmap)
    assert (path[0], path[-1]) == ((1.0, 1.0), (7.0, 3.5))
    assert length(path) == pytest.approx(math.hypot(6.0, 2.5), abs=1e-6)
    steps = np.hypot(*np.diff(np.array(path), axis=0).T)
    assert steps.max() <= STEP + 1e-9


def test_around_a_wall_it_is_hardly_dearer_and_keeps_its_distance() -> None:
    costmap = Costmap.build(Bounds(0, 0, 4, 4), WALLS, 0.3)
    raw = find_path(costmap, (1.0, 0.5), (3.0, 0.5), PlainSearcher())
    path = smooth(raw, costmap)
    assert price(path, costmap) <= 1.02 * TOLERANCE * price(raw, costmap)
    assert length(path) <= length(raw)
    assert all(costmap.clearance(x, y) >= 0.3 for x, y in path)


def test_a_start_without_room_is_left() -> None:
    costmap = Costmap.build(Bounds(0, 0, 4, 4), WALLS, 0.3)
    path = smooth(find_path(costmap, (0.1, 2.0), (1.0, 0.5), PlainSearcher()), costmap)
    assert path[0] == (0.1, 2.0)
    assert all(costmap.clearance(x, y) >= 0.3 - costmap.cell for x, y in path if x > 0.35)


@pytest.mark.parametrize("path", [[], [(1.0, 1.0)], [(1.0, 1.0), (1.02, 1.0)]])
def test_short_paths_stay_as_they_are(path: list[tuple[float, float]]) -> None:
    assert smooth(path, Costmap.build(Bounds(0, 0, 4, 4), WALLS, 0.3)) == path
