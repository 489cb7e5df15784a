"""The cheapest path: the same in both searches, as cheap as an exhaustive search finds it, and around corners."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.navigation.costmap import Costmap
from mobilesim_py.navigation.search import (
    PlainSearcher,
    Searcher,
    find_path,
    nearest_reachable,
    searcher,
)
from mobilesim_py.world.world import Bounds

SEARCHERS: list[Searcher] = [PlainSearcher(), searcher()]
WALLS = np.array([[0, 0, 4, 0], [4, 0, 4, 4], [4, 4, 0, 4], [0, 4, 0, 0], [2, 0, 2, 3]], np.float64)


def raster(seed: int, rows: int = 9, columns: int = 11) -> np.ndarray:
    rng = np.random.default_rng(seed)
    cost = rng.integers(1, 8, (rows, columns)).astype(np.float32)
    cost[rng.random((rows, columns)) < 0.3] = np.inf
    return cost


def price_of(cost: np.ndarray, path: np.ndarray) -> float:
    places = np.stack(np.divmod(path, cost.shape[1]), axis=1)
    steps = np.hypot(*np.diff(places, axis=0).T)
    assert (steps < 1.5).all()
    return float((0.5 * steps * (cost.ravel()[path[:-1]] + cost.ravel()[path[1:]])).sum())


def cheapest(cost: np.ndarray, start: int, goal: int) -> float:
    """Bellman and Ford: slow, and hard to get wrong."""
    rows, columns = cost.shape
    best = np.full((rows, columns), math.inf)
    best[divmod(start, columns)] = 0.0
    for _ in range(cost.size):
        before = best.copy()
        for row in range(rows):
            for column in range(columns):
                for down in (-1, 0, 1):
                    for right in (-1, 0, 1):
                        r, c = row + down, column + right
                        if not (0 <= r < rows and 0 <= c < columns) or math.isinf(cost[r, c] + cost[row, column]):
                            continue
                        if down and right and math.isinf(cost[row, c] + cost[r, column]):
                            continue
                        way = 0.5 * math.hypot(down, right) * (cost[row, column] + cost[r, c])
                        best[row, column] = min(best[row, column], before[r, c] + way)
        if np.array_equal(before, best):
            break
    return float(best[divmod(goal, columns)])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_both_searches_find_a_path_as_cheap_as_can_be(seed: int) -> None:
    cost = raster(seed, 6, 7)
    free = np.flatnonzero(np.isfinite(cost))
    if len(free) < 2:
        return
    start, goal = int(free[0]), int(free[-1])
    least = cheapest(cost, start, goal)
    for searches in SEARCHERS:
        path = searches.search(cost, start, goal)
        if math.isinf(least):
            assert len(path) == 0
        else:
            assert (path[0], path[-1]) == (start, goal)
            assert price_of(cost, path) == pytest.approx(least)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_both_searches_find_the_very_same_path_also_among_equals(seed: int, ties: bool) -> None:
    """Lockstep repeats whichever of them is there."""
    rng = np.random.default_rng(seed)
    cost = (np.ones((15, 17)) if ties else rng.uniform(1, 7, (15, 17))).astype(np.float32)
    cost[rng.random(cost.shape) < 0.25] = np.inf
    free = np.flatnonzero(np.isfinite(cost))
    paths = [searches.search(cost, int(free[0]), int(free[-1])) for searches in SEARCHERS]
    assert np.array_equal(*paths)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_what_can_be_reached_is_what_a_path_leads_to(seed: int) -> None:
    cost = raster(seed)
    free = np.flatnonzero(np.isfinite(cost))
    plain, compiled = (searches.reach(cost, int(free[0])) for searches in SEARCHERS)
    assert np.array_equal(plain, compiled)
    for goal in free[:: max(1, len(free) // 7)].tolist():
        assert plain[goal] == bool(len(PlainSearcher().search(cost, int(free[0]), goal)))


def test_the_heap_grows_with_the_search() -> None:
    cost = np.random.default_rng(1).uniform(1, 9, (200, 200)).astype(np.float32)
    path = searcher().search(cost, 0, cost.size - 1)
    assert price_of(cost, path) == pytest.approx(price_of(cost, PlainSearcher().search(cost, 0, cost.size - 1)))


def test_a_path_leads_around_a_wall_and_keeps_clear_of_it() -> None:
    costmap = Costmap.build(Bounds(0, 0, 4, 4), WALLS, 0.3)
    path = find_path(costmap, (1.0, 0.5), (3.0, 0.5), searcher())
    assert path[0] == (1.0, 0.5)
    assert path[-1] == (3.0, 0.5)
    assert max(y for _, y in path) > 3.25
    assert all(costmap.clearance(x, y) >= 0.3 for x, y in path)


def test_a_start_at_the_wall_is_left_first() -> None:
    costmap = Costmap.build(Bounds(0, 0, 4, 4), WALLS, 0.3)
    path = find_path(costmap, (0.1, 2.0), (1.0, 0.5), searcher())
    assert path[0] == (0.1, 2.0)
    assert all(costmap.clearance(x, y) >= 0.3 for x, y in path[1:])


def test_a_goal_without_room_becomes_the_nearest_place_that_has_it() -> None:
    costmap = Costmap.build(Bounds(0, 0, 4, 4), WALLS, 0.3)
    found = nearest_reachable(costmap, (1.0, 1.0), (3.9, 2.0), 1.0, searcher())
    assert found == pytest.approx((3.68, 2.0), abs=0.06)
    assert nearest_reachable(costmap, (1.0, 1.0), (3.9, 2.0), 0.1, searcher()) is None
    assert nearest_reachable(costmap, (1.0, 1.0), (3.0, 2.0), 1.0, searcher()) == (3.0, 2.0)
    assert nearest_reachable(costmap, (1.0, 1.0), (99.0, 2.0), 1.0, searcher()) is None


def test_a_place_behind_a_closed_wall_cannot_be_reached() -> None:
    closed = np.concatenate([WALLS, [[2, 3, 2, 4]]])
    costmap = Costmap.build(Bounds(0, 0, 4, 4), closed, 0.3)
    assert nearest_reachable(costmap, (1.0, 1.0), (3.0, 2.0), 0.5, searcher()) is None
    assert find_path(costmap, (1.0, 1.0), (3.0, 2.0), searcher()) == []
    assert find_path(costmap, (1.0, 1.0), (2.0, 2.0), searcher()) == []
