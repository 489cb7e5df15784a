"""Map points as obstacles: squares of one resolution about each point, merged into outlines.

Points of one lattice (the same remainder when divided by the resolution) share cells: edges between touching squares
vanish, and edges in one line become one. Squares of different lattices may overlap; each lattice keeps its own outline,
so what is occupied is exactly the union of all squares.

Points of very many lattices share hardly an edge: a million of them would be four million edges. Such points are put on
one raster, as the original does with all points, and on a coarser one if that is not enough.
"""

from __future__ import annotations

import numpy as np

from mobilesim_py.formats.armap.data import IntArray
from mobilesim_py.geometry import FloatArray

MOST_EDGES = 300_000
"""What the outlines of all points of a map may have; with more of them a world would need more than 300 MB."""


def fit(points: IntArray, resolution: float) -> tuple[IntArray, float]:
    """Return points [mm] whose squares have at most `MOST_EDGES` edges, and the side of the squares [m].

    They are those given where that is so already; otherwise they are put on the finest raster on which it is.
    """
    if _count_edges(points, resolution) <= MOST_EDGES:
        return points, resolution
    step = max(1, round(resolution * 1000.0))
    points = _on_raster(points, step)
    while _count_edges(points, step / 1000.0) > MOST_EDGES:
        step *= 2
        points = _on_raster(points, step)
    return points, step / 1000.0


def _on_raster(points: IntArray, step: int) -> IntArray:
    """Return the centres of the cells of a raster that hold a point, each once."""
    cell = np.floor_divide(points, step)
    low = cell.min(axis=0)
    cell -= low
    width = int(cell[:, 0].max()) + 1
    row, column = np.divmod(_distinct(cell[:, 1] * width + cell[:, 0]), width)
    return np.asarray(np.stack([column + low[0], row + low[1]], axis=1) * step + step // 2)


def _count_edges(points: IntArray, resolution: float) -> int:
    """Count the edges that `outlines` returns; an upper bound where that is low enough, or not worth counting."""
    side = resolution * 1000.0
    step = round(side)
    if len(points) * 4 <= MOST_EDGES or step < 1 or abs(side - step) > 1e-9 * side:
        return len(points) * 4
    lattice, cell, _ = _cells(points, step)
    width, height = (int(n) for n in cell.max(axis=0) + 2)
    across = _edges(lattice, cell[:, 1], cell[:, 0], height, width)
    upright = _edges(lattice, cell[:, 0], cell[:, 1], width, height)
    return sum(int(np.count_nonzero(np.diff(edge) != 1)) + 1 for edge in (across, upright))


def outlines(points: IntArray, resolution: float) -> FloatArray:
    """Return the edges of the squares about `points` [mm], M x 4 [m]; `resolution` is the squares' side [m]."""
    if not len(points):
        return np.empty((0, 4))
    side = resolution * 1000.0
    step = round(side)
    if step < 1 or abs(side - step) > 1e-9 * side:
        return _squares(points, side) / 1000.0
    lattice, cell, low = _cells(points, step)
    width, height = (int(n) for n in cell.max(axis=0) + 2)
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


def _cells(points: IntArray, step: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the lattice of each point, its cell there (from 1 on), and the cell that is (0, 0)."""
    cell = np.floor_divide(points, step)
    remainder = points - cell * step
    lattice = remainder[:, 0] * step + remainder[:, 1]
    # A border of empty cells, so that neighbours never wrap around to the other side of the map.
    low = cell.min(axis=0) - 1
    cell -= low
    return lattice, cell, low


def _runs(
    lattice: IntArray, row: IntArray, column: IntArray, rows: int, columns: int
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Find the free edges along rows: lattice, the row whose lower side they are, first and last column."""
    edge = _edges(lattice, row, column, rows, columns)
    start = np.flatnonzero(np.diff(edge, prepend=edge[0] - 2) != 1)
    stop = np.append(start[1:], len(edge)) - 1
    group_row, first = np.divmod(edge[start], columns)
    group, level = np.divmod(group_row, rows)
    return group, level, first, first + (stop - start)


def _edges(lattice: IntArray, row: IntArray, column: IntArray, rows: int, columns: int) -> IntArray:
    """Return the free edges along rows, one for each cell, as sorted numbers of lattice, row and column."""
    key = _distinct((lattice * rows + row) * columns + column)
    place = np.searchsorted(key, key + columns)
    has_above = key[np.minimum(place, len(key) - 1)] == key + columns
    has_below = np.zeros(len(key), np.bool_)
    has_below[place[has_above]] = True
    # The upper side of a cell is the lower side of the one above, so that edges of both kinds join where they meet.
    return np.asarray(np.sort(np.concatenate([key[~has_below], key[~has_above] + columns])))


def _distinct(values: IntArray) -> IntArray:
    """Return the values in order, each once; they are sorted in place, which is five times as fast as `np.unique`."""
    values.sort()
    fresh = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=fresh[1:])
    return values[fresh]


def _squares(points: IntArray, side: float) -> FloatArray:
    """Return four edges for each point; for resolutions that are not a whole number of millimetres."""
    centre = np.unique(points, axis=0).astype(np.float64)
    low, high = centre - side / 2.0, centre + side / 2.0
    (x1, y1), (x2, y2) = low.T, high.T
    edges = [(x1, y1, x2, y1), (x2, y1, x2, y2), (x2, y2, x1, y2), (x1, y2, x1, y1)]
    return np.concatenate([np.stack(edge, axis=1) for edge in edges])
