"""A path of cells drawn taut: straight where that costs no more, and even steps for whoever follows it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mobilesim_py.geometry import FloatArray, Point
from mobilesim_py.navigation.costmap import Costmap

STEP = 0.05
"""Distance of the places on a path [m]."""
TOLERANCE = 1.02
"""How much dearer than the path of cells a straight line may be, for fewer bends."""


def smooth(path: Sequence[Point], costmap: Costmap) -> list[Point]:
    """Return a path with the same ends that is nowhere dearer, as places at most STEP apart."""
    if len(path) < 3:
        return _densely(np.array(path, np.float64).reshape(-1, 2))
    places = np.array(path, np.float64)
    prices = costmap.prices_along(places[:, 0], places[:, 1]).astype(np.float64)
    prices[~np.isfinite(prices)] = prices[np.isfinite(prices)].max(initial=1.0)  # The start may have no room.
    steps = np.hypot(*np.diff(places, axis=0).T)
    paid = np.concatenate([[0.0], np.cumsum(0.5 * steps * (prices[1:] + prices[:-1]))])
    kept, here, last = [0], 0, len(places) - 1
    while here < last:
        here = _farthest(places, paid, here, costmap)
        kept.append(here)
    return _densely(places[kept])


def _farthest(places: FloatArray, paid: FloatArray, here: int, costmap: Costmap) -> int:
    """Return the last place to which a straight line is as cheap as the path, by doubling and halving."""
    last = len(places) - 1
    good, stride = here + 1, 2
    while good < last:
        other = min(here + stride, last)
        if not _is_cheap(places, paid, here, other, costmap):
            break
        good, stride = other, 2 * stride
    bad = min(here + stride, last + 1)
    while bad - good > 1:
        middle = (good + bad) // 2
        if _is_cheap(places, paid, here, middle, costmap):
            good = middle
        else:
            bad = middle
    return good


def _is_cheap(places: FloatArray, paid: FloatArray, here: int, there: int, costmap: Costmap) -> bool:
    (ax, ay), (bx, by) = places[here], places[there]
    length = math.hypot(bx - ax, by - ay)
    # Twice as fine as the cells, lest the line cuts the corner of one without room.
    shares = np.linspace(0.0, 1.0, max(2, math.ceil(2.0 * length / costmap.cell)) + 1)
    prices = costmap.prices_along(ax + shares * (bx - ax), ay + shares * (by - ay))
    return bool(length * float(prices.mean(dtype=np.float64)) <= TOLERANCE * float(paid[there] - paid[here]) + 1e-9)


def _densely(corners: FloatArray) -> list[Point]:
    if len(corners) < 2:
        return [(float(x), float(y)) for x, y in corners]
    lengths = np.hypot(*np.diff(corners, axis=0).T)
    found: list[Point] = []
    for (ax, ay), (bx, by), length in zip(corners[:-1], corners[1:], lengths, strict=True):
        count = max(1, math.ceil(float(length) / STEP))
        found += [(float(ax + k / count * (bx - ax)), float(ay + k / count * (by - ay))) for k in range(count)]
    x, y = corners[-1]
    return [*found, (float(x), float(y))]
