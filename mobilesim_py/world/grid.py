"""The spatial index of segments: a uniform grid in compressed sparse rows, with the clearance of every cell.

`clearance` is the chessboard distance, in cells, to the nearest cell that holds a segment (0 where the cell itself does).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mobilesim_py.errors import MapError
from mobilesim_py.world.changes import follow
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Segments, Stops
from mobilesim_py.world.sight import Sight, packed_strides, shortest_strides

CELL = 0.1
"""Preferred edge of a cell [m]."""
FARTHEST = 1e8
"""Coordinates beyond which nothing is laid out [m]; squares of them overflow long before the numbers do."""
MOST_CELLS = 4_000_000
MOST_CROSSINGS = 3_000_000
"""Limit of items in all cells together; many long lines get larger cells."""
OFF_LATTICE = 0.004
"""Points stand on a lattice; with the grid's lines beside it fewer of their edges lie in two cells at once [m]."""
MARGIN = 1e-7
"""A segment is also listed in the cells that it only just misses, so that rounding cannot hide it [m]."""


@dataclass(frozen=True, eq=False)
class Grid:
    """The segments of a world, indexed by place."""

    x0: float
    y0: float
    cell: float
    columns: int
    rows: int
    starts: npt.NDArray[np.int32]
    """First item of each cell (row by row), and one more for the end."""
    items: npt.NDArray[np.int32]
    """Segment numbers, cell by cell."""
    lines: FloatArray
    """For each item: x1, y1, x2 - x1, y2 - y1, in the order of `items`, so that a cell's data lie together."""
    kinds: npt.NDArray[np.uint16]
    """For each item: what it stops in the lower byte, its reflectance in the upper one."""
    clearance: ByteArray
    strides: npt.NDArray[np.int32]
    """How far rays may skip ahead, see `world.sight`; 0 in cells that hold a segment."""
    segments: Segments
    sights: dict[int, Sight] = field(default_factory=dict, repr=False)
    """Cache of sights by mask (see `sight`)."""

    def sight(self, mask: int) -> Sight:
        """Return the segments that stop this kind of ray, laid out for casting; built on first use (see `lay_out`)."""
        if mask not in self.sights:
            seen = (self.kinds & mask) != 0
            same = (sight for other, sight in self.sights.items() if np.array_equal(seen, (self.kinds & other) != 0))
            strides = self.strides if seen.all() else None
            self.sights[mask] = next(same, None) or Sight.build(
                self.columns, self.rows, self.starts, self.lines, self.kinds, seen, strides
            )
        return self.sights[mask]

    def lay_out(self) -> Grid:
        """Build what lasers and sonar need now, so that the first tick is no slower than others; return the grid itself."""
        self.sight(int(Stops.LASER))
        self.sight(int(Stops.SONAR))
        return self

    def follow(self, segments: Segments) -> Grid:
        """Return the grid of changed segments, updating only the cells that changed (see `world.changes`).

        This grid must not be used any more. Segments that lie outside of it, or that are others from the beginning on, make
        a new one.
        """
        followed = follow(self, segments)
        if followed is None:
            followed = Grid.build(segments)
            for mask in self.sights:
                followed.sight(mask)
        return followed

    def cells_of(self, ends: FloatArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return pairs (segment, cell) of every cell that one of the segments (N x 4) touches."""
        return cells_touched(ends, self.x0, self.y0, self.cell, self.columns, self.rows)

    def items_in(self, cells: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the item of each cell that is the segment of the number beside it."""
        first = self.starts[cells].astype(np.int64)
        last = self.starts[cells + 1].astype(np.int64) - 1
        pair = np.repeat(np.arange(len(cells)), last - first + 1)
        item = _counting(first, last)
        return np.asarray(item[self.items[item] == numbers[pair]])

    @classmethod
    def build(cls, segments: Segments, cell: float = CELL) -> Grid:
        """Return the index of segments."""
        ends = segments.ends
        if len(ends) == 0:
            strides = packed_strides(np.zeros((1, 1), np.bool_))
            clearance = shortest_strides(strides)
            starts, items = np.zeros(2, np.int32), np.zeros(0, np.int32)
            lines, kinds = np.zeros((0, 4)), np.zeros(0, np.uint16)
            return cls(0.0, 0.0, 1.0, 1, 1, starts, items, lines, kinds, clearance, strides, segments)
        if not (np.abs(ends) <= FARTHEST).all():
            raise MapError(f"it has walls that end more than {FARTHEST / 1000.0:,.0f} km from its origin; give metres")
        left, right = np.minimum(ends[:, 0], ends[:, 2]), np.maximum(ends[:, 0], ends[:, 2])
        low, high = np.minimum(ends[:, 1], ends[:, 3]), np.maximum(ends[:, 1], ends[:, 3])
        x0, y0 = float(left.min()) - cell - OFF_LATTICE, float(low.min()) - cell - OFF_LATTICE
        width, height = float(right.max()) + cell - x0, float(high.max()) + cell - y0
        crossed = float((right - left).sum() + (high - low).sum())
        cell = max(cell, (width * height / MOST_CELLS) ** 0.5, crossed / MOST_CROSSINGS)
        columns, rows = int(width / cell) + 1, int(height / cell) + 1
        segment, place = cells_touched(ends, x0, y0, cell, columns, rows)
        order = np.lexsort((segment, place))
        items = segment[order].astype(np.int32)
        counts = np.bincount(place, minlength=columns * rows)
        starts = np.zeros(columns * rows + 1, np.int32)
        np.cumsum(counts, out=starts[1:])
        kinds = (segments.stops + segments.reflectance * np.uint16(256)).astype(np.uint16)
        lines = np.empty((len(items), 4))
        lines[:, :2] = ends[items, :2]
        lines[:, 2:] = ends[items, 2:] - ends[items, :2]
        strides = packed_strides(counts.reshape(rows, columns) > 0)
        clearance = shortest_strides(strides)
        return cls(x0, y0, cell, columns, rows, starts, items, lines, kinds[items], clearance, strides, segments)


def cells_touched(
    ends: FloatArray, x0: float, y0: float, cell: float, columns: int, rows: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return pairs (segment, cell) of every cell that a segment touches."""
    swap = ends[:, 0] > ends[:, 2]
    xa, ya = np.where(swap, ends[:, 2], ends[:, 0]), np.where(swap, ends[:, 3], ends[:, 1])
    xb, yb = np.where(swap, ends[:, 0], ends[:, 2]), np.where(swap, ends[:, 1], ends[:, 3])
    first = np.clip(np.floor((xa - MARGIN - x0) / cell), 0, columns - 1).astype(np.int64)
    last = np.clip(np.floor((xb + MARGIN - x0) / cell), 0, columns - 1).astype(np.int64)
    segment = np.repeat(np.arange(len(ends)), last - first + 1)
    column = _counting(first, last)
    # The part of the segment inside the column bounds the rows that it can touch there.
    slope_run = np.where(xb > xa, xb - xa, 1.0)
    slope = np.where(xb > xa, (yb - ya) / slope_run, 0.0)
    from_x = np.maximum(xa[segment], x0 + column * cell - MARGIN)
    to_x = np.minimum(xb[segment], x0 + (column + 1) * cell + MARGIN)
    upright = (xb - xa)[segment] <= 2 * MARGIN
    from_y = np.where(upright, ya[segment], ya[segment] + slope[segment] * (from_x - xa[segment]))
    to_y = np.where(upright, yb[segment], ya[segment] + slope[segment] * (to_x - xa[segment]))
    bottom = np.clip(np.floor((np.minimum(from_y, to_y) - MARGIN - y0) / cell), 0, rows - 1).astype(np.int64)
    top = np.clip(np.floor((np.maximum(from_y, to_y) + MARGIN - y0) / cell), 0, rows - 1).astype(np.int64)
    heights = top - bottom + 1
    return np.repeat(segment, heights), _counting(bottom, top) * columns + np.repeat(column, heights)


def _counting(first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the numbers first..last of each pair, one after the other."""
    counts = last - first + 1
    ends = np.cumsum(counts)
    return np.asarray(np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts - first, counts))
