"""The cheapest path between two places of a costmap; compiled where that is possible, else slower in Python."""

from __future__ import annotations

import heapq
import importlib.util
import math
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from mobilesim_py.geometry import BoolArray, Point

if TYPE_CHECKING:
    from mobilesim_py.native.machine_code import Kernels
    from mobilesim_py.navigation.costmap import CostArray, Costmap

IntArray = npt.NDArray[np.int64]
_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_ACROSS = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_DIAGONAL = math.sqrt(2.0)


class Searcher(Protocol):
    """Both searches, on a raster of prices; cells are numbered row by row."""

    def reach(self, cost: CostArray, start: int) -> BoolArray:
        """Tell which cells can be reached from one."""

    def search(self, cost: CostArray, start: int, goal: int) -> IntArray:
        """Return the cells of the cheapest path; empty if there is none."""


class PlainSearcher:
    """The searches without a compiler."""

    def reach(self, cost: CostArray, start: int) -> BoolArray:
        """Tell which cells can be reached from one."""
        rows, columns = cost.shape
        free = np.isfinite(cost).ravel().tolist()
        reached = [False] * len(free)
        reached[start] = True
        waiting = deque([start])
        while waiting:
            for place, _ in _neighbours(waiting.popleft(), rows, columns, _STRAIGHT):
                if free[place] and not reached[place]:
                    reached[place] = True
                    waiting.append(place)
        return np.array(reached, np.bool_)

    def search(self, cost: CostArray, start: int, goal: int) -> IntArray:
        """Return the cells of the cheapest path; empty if there is none."""
        rows, columns = cost.shape
        prices = cost.astype(np.float64).ravel().tolist()
        best, came_from = {start: 0.0}, {start: start}
        done: set[int] = set()
        waiting = [(0.0, start)]
        goal_row, goal_column = divmod(goal, columns)
        while waiting and goal not in done:
            _, place = heapq.heappop(waiting)
            if place in done:
                continue
            done.add(place)
            row, column = divmod(place, columns)
            for other, length in self._ways(place, prices, rows, columns):
                price = best[place] + 0.5 * length * (prices[place] + prices[other])
                if other not in done and price < best.get(other, math.inf):
                    best[other], came_from[other] = price, place
                    row, column = divmod(other, columns)
                    across, along = abs(row - goal_row), abs(column - goal_column)
                    left = max(across, along) + (_DIAGONAL - 1.0) * min(across, along)
                    heapq.heappush(waiting, (price + left, other))
        if goal not in done:
            return np.empty(0, np.int64)
        path = [goal]
        while path[-1] != start:
            path.append(came_from[path[-1]])
        return np.array(path[::-1], np.int64)

    def _ways(self, place: int, prices: list[float], rows: int, columns: int) -> Iterator[tuple[int, float]]:
        """Go through the free neighbours of a cell, with the way to each; corners are not cut."""
        for other, _ in _neighbours(place, rows, columns, _STRAIGHT):
            if prices[other] < math.inf:
                yield other, 1.0
        for other, (down, right) in _neighbours(place, rows, columns, _ACROSS):
            if prices[other] < math.inf and prices[place + right] < math.inf and prices[place + down * columns] < math.inf:
                yield other, _DIAGONAL


def _neighbours(
    place: int, rows: int, columns: int, steps: tuple[tuple[int, int], ...]
) -> Iterator[tuple[int, tuple[int, int]]]:
    row, column = divmod(place, columns)
    for down, right in steps:
        if 0 <= row + down < rows and 0 <= column + right < columns:
            yield place + down * columns + right, (down, right)


class CompiledSearcher:
    """The searches compiled, which leave the interpreter to others meanwhile. Threads may search at the same time."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels

    def reach(self, cost: CostArray, start: int) -> BoolArray:
        """Tell which cells can be reached from one."""
        reached = np.zeros(cost.size, np.bool_)
        self._kernels("reach")(cost.reshape(-1), cost.shape[1], start, reached)
        return reached

    def search(self, cost: CostArray, start: int, goal: int) -> IntArray:
        """Return the cells of the cheapest path; empty if there is none."""
        path, length = np.empty(cost.size, np.int64), np.zeros(1, np.int64)
        self._kernels("search")(cost.reshape(-1), cost.shape[1], start, goal, path, length)
        return path[: length[0]].copy()

    def exercise(self) -> None:
        """Search once in every way."""
        cost = np.ones((2, 2), np.float32)
        self.reach(cost, 0)
        self.search(cost, 0, 3)


def kernel_functions() -> dict[str, Callable[..., None]]:
    """Return the searches as Numba compiles them; imports Numba."""
    from mobilesim_py.navigation import compiled_search

    return {"reach": compiled_search.reach, "search": compiled_search.search}


@cache
def searcher() -> Searcher:
    """Return the quickest searches that there are without a compiled engine: Numba's, compiled at their first call."""
    if importlib.util.find_spec("numba") is None:
        return PlainSearcher()
    return CompiledSearcher(lambda name: kernel_functions()[name])


def room_to_start(costmap: Costmap, start: Point) -> int | None:
    """Return the number of the cell in which a way begins: that of the start, or one near it if that has no room."""
    return _nearest(costmap, np.isfinite(costmap.cost), start, 2.0 * costmap.radius)


def nearest_reachable(costmap: Costmap, start: Point, goal: Point, slack: float, searches: Searcher) -> Point | None:
    """Return the goal, or the reachable place nearest to it that is at most `slack` away [m]; None if there is none.

    A start without room, at a wall perhaps, counts as the nearest place with room within the robot's size.
    """
    begin = room_to_start(costmap, start)
    if begin is None or costmap.cell_of(*goal) is None:
        return None
    reached = searches.reach(costmap.cost, begin).reshape(costmap.shape)
    found = _nearest(costmap, reached, goal, slack)
    if found is None:
        return None
    exact = costmap.cell_of(*goal)
    row, column = divmod(found, costmap.shape[1])
    return goal if (row, column) == exact else costmap.middle_of(row, column)


def find_path(costmap: Costmap, start: Point, goal: Point, searches: Searcher) -> list[Point]:
    """Return the cheapest path from a place to another one that is reachable; empty if there is none."""
    begin = room_to_start(costmap, start)
    end = costmap.cell_of(*goal)
    if begin is None or end is None or not math.isfinite(costmap.cost[end]):
        return []
    columns = costmap.shape[1]
    cells = searches.search(costmap.cost, begin, end[0] * columns + end[1])
    if not len(cells):
        return []
    rows, places = np.divmod(cells, columns)
    path = [costmap.middle_of(int(row), int(column)) for row, column in zip(rows, places, strict=True)]
    return [start, *path[1:-1], goal]


def _nearest(costmap: Costmap, allowed: BoolArray, place: Point, slack: float) -> int | None:
    """Return the number of the allowed cell nearest to a place, at most `slack` away; its own cell, if that is allowed."""
    cell = costmap.cell_of(*place)
    columns = costmap.shape[1]
    if cell is not None and allowed[cell]:
        return cell[0] * columns + cell[1]
    reach = math.ceil(slack / costmap.cell) + 1
    row = math.floor((place[1] - costmap.y0) / costmap.cell)
    column = math.floor((place[0] - costmap.x0) / costmap.cell)
    low, left = max(0, row - reach), max(0, column - reach)
    window = allowed[low : max(low, row + reach + 1), left : max(left, column + reach + 1)]
    rows, places = np.nonzero(window)
    if not len(rows):
        return None
    x = costmap.x0 + (places + left + 0.5) * costmap.cell
    y = costmap.y0 + (rows + low + 0.5) * costmap.cell
    away = np.hypot(x - place[0], y - place[1])
    k = int(np.argmin(away))
    return int((rows[k] + low) * columns + places[k] + left) if away[k] <= slack else None
