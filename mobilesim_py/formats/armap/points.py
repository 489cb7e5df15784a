"""Map points as obstacles: squares of one resolution about each point, merged into outlines.

Points of one lattice (the same remainder when divided by the resolution) share cells: edges between touching squares
vanish, and edges in one line become one. Squares of different lattices may overlap; each lattice keeps its own outline,
so what is occupied is exactly the union of all squares.
"""

from __future__ import annotations

import numpy as np

from mobilesim_py.formats.armap.data import IntArray
from mobilesim_py.geometry import FloatArray


def outlines(points: IntArray, resolution: float) -> FloatArray:
    """Return the edges of the squares about `points` [mm], M x 4 [m]; `resolution` is the squares' side [m]."""
    if not len(points):
        return np.empty((0, 4))
    side = resolution * 1000.0
    step = round(side)
    if step < 1 or abs(side - step) > 1e-9 * side:
        return _squares(points, side) / 1000.0
    cell = np.floor_divide(points, step)
    remainder = points - cell * step
    lattice = remainder[:, 0] * step + remainder[:, 1]
    low = cell.min(axis=0) - 1
    # A border of empty cells, so that neighbours never wrap around to the other side of the map.
    width, height = (int(n) for n in cell.max(axis=0) - low + 2)
    cell = cell - low
    across = _runs(lattice, cell[:, 1], cell[:, 0], height, width)
    upright = _runs(lattice, cell[:, 0], cell[:, 1], width, height)
    half = side / 2.0
    parts = []
    for (group, level, first, last), is_upright in ((across, False), (upright, True)):
        offset_x, offset_y = np.divmod(group, step)
        level_origin, run_origin = (offset_x, offset_y) if is_upright else (offset_y, offset_x)
        level_low, run_low = (low[0], low[1]) if is_upright else (low[1], low[0])
        height_mm = (level + level_low) * step + level_origin - half
        start = (first + run_low) * step + run_origin - half
        end = (last + run_low) * step + run_origin + half
        columns = (height_mm, start, height_mm, end) if is_upright else (start, height_mm, end, height_mm)
        parts.append(np.stack(columns, axis=1))
    return np.concatenate(parts) / 1000.0


def _runs(
    lattice: IntArray, row: IntArray, column: IntArray, rows: int, columns: int
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Find the free edges along rows: lattice, the row whose lower side they are, first and last column."""
    key = np.unique((lattice * rows + row) * columns + column)
    place = np.searchsorted(key, key + columns)
    has_above = key[np.minimum(place, len(key) - 1)] == key + columns
    has_below = np.zeros(len(key), np.bool_)
    has_below[place[has_above]] = True
    # The upper side of a cell is the lower side of the one above, so that edges of both kinds join where they meet.
    edge = np.sort(np.concatenate([key[~has_below], key[~has_above] + columns]))
    start = np.flatnonzero(np.diff(edge, prepend=edge[0] - 2) != 1)
    stop = np.append(start[1:], len(edge)) - 1
    group_row, first = np.divmod(edge[start], columns)
    group, level = np.divmod(group_row, rows)
    return group, level, first, first + (stop - start)


def _squares(points: IntArray, side: float) -> FloatArray:
    """Return four edges for each point; for resolutions that are not a whole number of millimetres."""
    centre = np.unique(points, axis=0).astype(np.float64)
    low, high = centre - side / 2.0, centre + side / 2.0
    (x1, y1), (x2, y2) = low.T, high.T
    edges = [(x1, y1, x2, y1), (x2, y1, x2, y2), (x2, y2, x1, y2), (x1, y2, x1, y1)]
    return np.concatenate([np.stack(edge, axis=1) for edge in edges])
