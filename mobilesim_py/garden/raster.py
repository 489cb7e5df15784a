"""Where the cells of a grid lie: row by row from the lower left corner, on multiples of the cell's side."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mobilesim_py.geometry import FloatArray

IntArray = npt.NDArray[np.int64]

CELL = 0.05
"""Side of a cell [m]."""
BLOCK = 40
"""Grids begin and end at multiples of so many cells, so that they seldom grow."""
MOST_CELLS = 4_000_000


def cell_for(width: float, height: float) -> float:
    """Return the side of cells for a place of this size [m]: larger ones where there would be too many."""
    cell = CELL
    while width / cell * (height / cell) > MOST_CELLS:
        cell *= 2.0
    return cell


@dataclass(frozen=True)
class Raster:
    """The cells of a rectangle; `column0` and `row0` count from the map's zero point."""

    column0: int
    row0: int
    columns: int
    rows: int
    cell: float = CELL

    @classmethod
    def about(cls, min_x: float, min_y: float, max_x: float, max_y: float, cell: float = CELL) -> Raster:
        """Return the blocks that a rectangle touches [m]."""
        side = cell * BLOCK
        left, low = math.floor(min_x / side), math.floor(min_y / side)
        right, high = math.floor(max_x / side) + 1, math.floor(max_y / side) + 1
        return cls(left * BLOCK, low * BLOCK, (right - left) * BLOCK, (high - low) * BLOCK, cell)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def x0(self) -> float:
        """The left edge [m]."""
        return self.column0 * self.cell

    @property
    def y0(self) -> float:
        """The lower edge [m]."""
        return self.row0 * self.cell

    def joined(self, other: Raster) -> Raster:
        """Return the raster that covers both; cells must be of one size."""
        left, low = min(self.column0, other.column0), min(self.row0, other.row0)
        right = max(self.column0 + self.columns, other.column0 + other.columns)
        high = max(self.row0 + self.rows, other.row0 + other.rows)
        return Raster(left, low, right - left, high - low, self.cell)

    def window_of(self, inner: Raster) -> tuple[slice, slice]:
        """Return where the cells of a raster are in this one, as far as they are."""
        row, column = inner.row0 - self.row0, inner.column0 - self.column0
        return (
            slice(max(row, 0), max(min(row + inner.rows, self.rows), 0)),
            slice(max(column, 0), max(min(column + inner.columns, self.columns), 0)),
        )

    def cells_of(self, x: FloatArray, y: FloatArray) -> tuple[IntArray, IntArray]:
        """Return rows and columns of places, which may lie outside."""
        rows = np.floor(y / self.cell).astype(np.int64) - self.row0
        columns = np.floor(x / self.cell).astype(np.int64) - self.column0
        return rows, columns

    def inside(self, rows: IntArray, columns: IntArray) -> npt.NDArray[np.bool_]:
        """Tell which cells are in the raster."""
        return np.asarray((rows >= 0) & (rows < self.rows) & (columns >= 0) & (columns < self.columns))

    def middles(self, rows: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the middles of cells, x and y [m]."""
        x, y = (self.column0 + columns + 0.5) * self.cell, (self.row0 + rows + 0.5) * self.cell
        return np.asarray(x, np.float64), np.asarray(y, np.float64)
