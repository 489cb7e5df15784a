# mypy: allow-untyped-decorators
"""The cheapest path through a raster, compiled: A* with neighbours across corners, none of which is cut."""

from __future__ import annotations

import math

import numba
import numpy as np
import numpy.typing as npt

_STEPS = np.array([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)], np.int64)
_DIAGONAL = math.sqrt(2.0)


@numba.njit(cache=True, nogil=True)
def reach(prices: npt.NDArray[np.float32], columns: int, start: int, reached: npt.NDArray[np.bool_]) -> None:
    """Set which cells of a raster, row by row, can be reached from one; `reached` is false at first."""
    rows = prices.size // columns
    waiting = np.empty(prices.size, np.int64)
    waiting[0] = start
    reached[start] = True
    taken, count = 0, 1
    while taken < count:
        row, column = waiting[taken] // columns, waiting[taken] % columns
        taken += 1
        for k in range(4):
            r, c = row + _STEPS[k, 0], column + _STEPS[k, 1]
            if 0 <= r < rows and 0 <= c < columns:
                place = r * columns + c
                if not reached[place] and prices[place] < np.inf:
                    reached[place] = True
                    waiting[count] = place
                    count += 1


@numba.njit(nogil=True)
def _is_before(key: float, place: int, other_key: float, other_place: int) -> bool:
    """Whether an item comes out of the heap before another one; of equal keys the lower cell, as in `PlainSearcher`."""
    return key < other_key or (key == other_key and place < other_place)


@numba.njit(nogil=True)
def _sink(keys: npt.NDArray[np.float64], places: npt.NDArray[np.int64], count: int) -> None:
    """Restore the order of the heap after its last item was put first."""
    k = 0
    while True:
        child = 2 * k + 1
        if child >= count:
            return
        if child + 1 < count and _is_before(keys[child + 1], places[child + 1], keys[child], places[child]):
            child += 1
        if not _is_before(keys[child], places[child], keys[k], places[k]):
            return
        keys[k], keys[child] = keys[child], keys[k]
        places[k], places[child] = places[child], places[k]
        k = child


@numba.njit(cache=True, nogil=True)
def search(
    prices: npt.NDArray[np.float32],
    columns: int,
    start: int,
    goal: int,
    path: npt.NDArray[np.int64],
    found: npt.NDArray[np.int64],
) -> None:
    """Set the cells of the cheapest path from start to goal, row by row numbers, and how many; 0 if there is none."""
    rows = prices.size // columns
    best = np.full(prices.size, np.inf)
    came_from = np.full(prices.size, -1, np.int64)
    done = np.zeros(prices.size, np.bool_)
    keys = np.empty(4096, np.float64)
    places = np.empty(4096, np.int64)
    goal_row, goal_column = goal // columns, goal % columns
    best[start] = 0.0
    keys[0], places[0] = 0.0, start
    count = 1
    while count > 0:
        place = places[0]
        count -= 1
        keys[0], places[0] = keys[count], places[count]
        _sink(keys, places, count)
        if done[place]:
            continue
        done[place] = True
        if place == goal:
            break
        row, column = place // columns, place % columns
        for k in range(8):
            r, c = row + _STEPS[k, 0], column + _STEPS[k, 1]
            if not (0 <= r < rows and 0 <= c < columns):
                continue
            other = r * columns + c
            if done[other] or not prices[other] < np.inf:
                continue
            length = 1.0
            if k >= 4:
                if not (prices[row * columns + c] < np.inf and prices[r * columns + column] < np.inf):
                    continue
                length = _DIAGONAL
            price = best[place] + 0.5 * length * (np.float64(prices[place]) + np.float64(prices[other]))
            if price < best[other]:
                best[other] = price
                came_from[other] = place
                across, along = abs(r - goal_row), abs(c - goal_column)
                left = max(across, along) + (_DIAGONAL - 1.0) * min(across, along)
                if count == keys.size:
                    keys = np.concatenate((keys, np.empty_like(keys)))
                    places = np.concatenate((places, np.empty_like(places)))
                key = price + left
                child = count
                count += 1
                while child > 0 and _is_before(key, other, keys[(child - 1) // 2], places[(child - 1) // 2]):
                    keys[child], places[child] = keys[(child - 1) // 2], places[(child - 1) // 2]
                    child = (child - 1) // 2
                keys[child], places[child] = key, other
    found[0] = 0
    if not done[goal]:
        return
    length_of_path = 1
    place = goal
    while place != start:
        place = came_from[place]
        length_of_path += 1
    place = goal
    for k in range(length_of_path - 1, -1, -1):
        path[k] = place
        place = came_from[place]
    found[0] = length_of_path
