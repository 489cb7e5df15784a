# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Bodies by place, compiled: in a crowd each looks only at the bodies in the cells near it.

An index is made anew wherever bodies have moved, because that costs less than one look at all of them by a few. It only
leaves out what is too far away to matter: what comes of the rest is, to the last bit, what a look at all bodies gives.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mobilesim_py.core.engines.compiled.blocks import lowest_bit
from mobilesim_py.core.engines.compiled.jit import routine
from mobilesim_py.world.obstacles import FloatArray

FEW = 48
"""Up to so many bodies are all looked at: that is quicker than to find out which ones are near."""
_SMALLEST = 1.0
"""Edge of the smallest cell [m]."""
_PER_CELL = 4.0
"""So many bodies are in a cell on average."""
_FARTHEST = 1e9
"""A body farther out than this, or nowhere, spoils the index: then all are looked at."""
_MARGIN = 1e-6
"""What rounding may hide [m]."""


class Places(NamedTuple):
    """The columns of bodies, cell by cell, rising in each cell. No columns: there is no index."""

    x0: float
    y0: float
    edge: float
    columns: int
    rows: int
    begin: FloatArray
    """Where the bodies of each cell begin in `order`, and one more for the end."""
    order: FloatArray


@routine
def by_place(x, y, count, begin, order):
    """Fill the index of bodies at these places, `count + 2` cells and `count` bodies; return the other fields of Places."""
    low_x = _FARTHEST
    low_y = _FARTHEST
    high_x = -_FARTHEST
    high_y = -_FARTHEST
    known = count > FEW
    if known:
        for b in range(count):
            known = known and abs(x[b]) < _FARTHEST and abs(y[b]) < _FARTHEST
            low_x = min(low_x, x[b])
            low_y = min(low_y, y[b])
            high_x = max(high_x, x[b])
            high_y = max(high_y, y[b])
    if not known:
        return 0.0, 0.0, 1.0, 0, 0
    width = high_x - low_x
    height = high_y - low_y
    # The last two keep a long row of bodies from making more cells than there is room for.
    edge = max(_SMALLEST, math.sqrt(width * height * _PER_CELL / count), max(width, height) * _PER_CELL / count)
    columns = int(width / edge) + 1
    rows = int(height / edge) + 1
    for cell in range(columns * rows + 1):
        begin[cell] = 0.0
    for b in range(count):
        begin[int((y[b] - low_y) / edge) * columns + int((x[b] - low_x) / edge)] += 1.0
    total = 0.0
    for cell in range(columns * rows + 1):
        total += begin[cell]
        begin[cell] = total
    # From the end of each cell to its beginning, so that its bodies rise.
    for b in range(count - 1, -1, -1):
        cell = int((y[b] - low_y) / edge) * columns + int((x[b] - low_x) / edge)
        begin[cell] -= 1.0
        order[int(begin[cell])] = b
    return low_x, low_y, edge, columns, rows


@routine
def cells_about(x, y, reach, places):
    """Return the first and last column and the first and last row of cells that can hold a body within reach."""
    reach += _MARGIN
    edge = places.edge
    left = max(0.0, np.floor((x - reach - places.x0) / edge))
    right = min(places.columns - 1.0, np.floor((x + reach - places.x0) / edge))
    low = max(0.0, np.floor((y - reach - places.y0) / edge))
    high = min(places.rows - 1.0, np.floor((y + reach - places.y0) / edge))
    # Written so that what is not a number has no cells.
    if left <= right and low <= high:
        return int(left), int(right), int(low), int(high)
    return 0, -1, 0, -1


@routine
def mark(bits, b):
    """Put a body on a list that is one bit for each."""
    bits[b >> 6] |= np.uint64(1) << np.uint64(b & 63)


@routine
def take_marked(bits, count, listed):
    """Write the bodies of a list of bits into `listed`, rising, and clear the bits; return how many they are."""
    found = 0
    for word in range((count + 63) >> 6):
        left = bits[word]
        bits[word] = np.uint64(0)
        while left != np.uint64(0):
            listed[found] = (word << 6) + lowest_bit(left)
            left &= left - np.uint64(1)
            found += 1
    return found
