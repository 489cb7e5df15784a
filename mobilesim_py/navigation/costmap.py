"""Where the middle of a robot may be, as a raster: how far the nearest obstacle is, and what driving there costs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from mobilesim_py.geometry import BoolArray, FloatArray, Point
from mobilesim_py.world.grid import cells_touched
from mobilesim_py.world.world import Bounds

CostArray = npt.NDArray[np.float32]

CELL = 0.05
"""Preferred edge of a cell [m]."""
MOST_CELLS = 1_000_000
"""A world that would need more gets larger cells."""
MARGIN = 1.0
"""How far the raster goes beyond the bounds [m]."""
FEAR, FADING = 6.0, 6.0
"""Price of being as near to an obstacle as is allowed, in addition to 1, and how quickly it fades with distance [1/m]."""
FAR = 1.0
"""Distance beyond the allowed one from which on an obstacle does not matter [m]."""


@dataclass(frozen=True, eq=False)
class Costmap:
    """A raster of cells, row by row from the lower left corner."""

    x0: float
    y0: float
    cell: float
    radius: float
    """How far from every obstacle the robot's middle must be [m]: with cells above CELL more than was asked for."""
    distance: CostArray
    """From the middle of each cell to the nearest obstacle [m]; beyond `radius` + FAR it is that."""
    cost: CostArray
    """Price of driving a metre in each cell; infinite where the robot must not be."""

    @classmethod
    def build(cls, bounds: Bounds, obstacles: FloatArray, radius: float, cell: float = CELL) -> Costmap:
        """Return the raster of a rectangle with obstacles in it (segments, N x 4 [m]) for a robot of this radius."""
        width, height = bounds.width + 2.0 * MARGIN, bounds.height + 2.0 * MARGIN
        cell = max(cell, math.sqrt(width * height / MOST_CELLS))
        x0, y0 = bounds.min_x - MARGIN, bounds.min_y - MARGIN
        columns, rows = math.ceil(width / cell), math.ceil(height / cell)
        occupied = np.zeros(rows * columns, np.bool_)
        right, top = x0 + columns * cell, y0 + rows * cell
        x, y = obstacles[:, 0::2], obstacles[:, 1::2]
        within = (x.max(axis=1) >= x0) & (x.min(axis=1) <= right) & (y.max(axis=1) >= y0) & (y.min(axis=1) <= top)
        # Clipped to the raster's edge, what leaves it would seem to be inside.
        _, place = cells_touched(obstacles[within], x0 - cell, y0 - cell, cell, columns + 2, rows + 2)
        column, row = place % (columns + 2) - 1, place // (columns + 2) - 1
        inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        occupied[row[inside] * columns + column[inside]] = True
        return cls.of_cells(occupied.reshape(rows, columns), x0, y0, cell, radius)

    @classmethod
    def of_cells(cls, occupied: BoolArray, x0: float, y0: float, cell: float, radius: float) -> Costmap:
        """Return the raster whose obstacles are known as cells, rows from low to high y, for a robot of this radius."""
        # An obstacle may be anywhere in its cell.
        radius += max(0.0, math.sqrt(0.5) * (cell - CELL))
        distance = distances(occupied, cell, radius + FAR)
        return cls(x0, y0, cell, radius, distance, prices(distance, radius))

    def with_more(self, outlines: Iterable[FloatArray]) -> Costmap:
        """Return the raster with further obstacles in it: closed outlines, each as its edges (N x 4 [m])."""
        distance, cost = self.distance.copy(), self.cost.copy()
        farthest = self.radius + FAR
        for edges in outlines:
            window = self._window(edges, farthest)
            near = distance[window]
            if not near.size:
                continue
            rows, columns = (np.arange(part.start, part.stop) + 0.5 for part in window)
            x, y = np.meshgrid(self.x0 + columns * self.cell, self.y0 + rows * self.cell)
            np.minimum(near, distances_to(edges, x, y).astype(np.float32), out=near)
            cost[window] = prices(near, self.radius)
        return replace(self, distance=distance, cost=cost)

    def _window(self, edges: FloatArray, around: float) -> tuple[slice, slice]:
        """Return the rows and columns about edges."""
        parts = []
        for axis, (first, count) in enumerate(((self.x0, self.shape[1]), (self.y0, self.shape[0]))):
            low = math.floor((float(edges[:, axis::2].min()) - around - first) / self.cell)
            high = math.ceil((float(edges[:, axis::2].max()) + around - first) / self.cell)
            parts.append(slice(min(max(low, 0), count), min(max(high, 0), count)))
        return parts[1], parts[0]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.cost.shape

    def cell_of(self, x: float, y: float) -> tuple[int, int] | None:
        """Return row and column of a place; None outside."""
        rows, columns = self.shape
        if not (math.isfinite(x) and math.isfinite(y)):
            return None
        row, column = math.floor((y - self.y0) / self.cell), math.floor((x - self.x0) / self.cell)
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def middle_of(self, row: int, column: int) -> Point:
        """Return the middle of a cell [m]."""
        return self.x0 + (column + 0.5) * self.cell, self.y0 + (row + 0.5) * self.cell

    def clearance(self, x: float, y: float) -> float:
        """Return how far the nearest obstacle is [m]; 0 outside of the raster."""
        cell = self.cell_of(x, y)
        return float(self.distance[cell]) if cell is not None else 0.0

    def is_free(self, x: float, y: float) -> bool:
        """Whether the robot's middle may be there."""
        cell = self.cell_of(x, y)
        return cell is not None and math.isfinite(self.cost[cell])

    def prices_along(self, x: FloatArray, y: FloatArray) -> CostArray:
        """Return the prices of many places inside of the raster."""
        rows, columns = self.shape
        row = np.clip(np.floor((y - self.y0) / self.cell).astype(np.int64), 0, rows - 1)
        column = np.clip(np.floor((x - self.x0) / self.cell).astype(np.int64), 0, columns - 1)
        return np.asarray(self.cost[row, column])


def distances(occupied: BoolArray, cell: float, farthest: float) -> CostArray:
    """Return how far the middle of each cell is from that of the nearest occupied one, at most `farthest` [m].

    The square of the distance is the least sum of a way along the column and one along the row, squared: two passes.
    """
    reach = math.ceil(farthest / cell)
    most = np.float32(reach * reach)
    squares = np.where(occupied, np.float32(0.0), most)
    for axis in (0, 1):
        squares = _least_along(squares, axis, reach)
    return np.minimum(np.sqrt(squares) * np.float32(cell), np.float32(farthest))


def distances_to(edges: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return how far places are from a closed outline (edges, N x 4) [m]; inside of it 0."""
    least = np.full(x.shape, np.inf)
    inside = np.zeros(x.shape, np.bool_)
    for ax, ay, bx, by in edges.tolist():
        dx, dy = bx - ax, by - ay
        share = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
        np.minimum(least, np.hypot(x - ax - share * dx, y - ay - share * dy), out=least)
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * dx / dy)
    least[inside] = 0.0
    return least


def _least_along(squares: CostArray, axis: int, reach: int) -> CostArray:
    """Return the least of squares[k +- n] + n * n along an axis."""
    found = squares.copy()
    length = squares.shape[axis]
    for n in range(1, min(reach, length - 1) + 1):
        far, near = [slice(None)] * 2, [slice(None)] * 2
        far[axis], near[axis] = slice(n, None), slice(None, length - n)
        moved = squares + np.float32(n * n)
        for here, there in ((near, far), (far, near)):
            part = found[tuple(here)]
            np.minimum(part, moved[tuple(there)], out=part)
    return found


def prices(distance: CostArray, radius: float) -> CostArray:
    """Return the price of each cell: 1 in the open, more near obstacles, infinite where there is no room."""
    fear = np.float32(FEAR) * np.exp(np.float32(-FADING) * (distance - np.float32(radius)))
    return np.where(distance < radius, np.float32(np.inf), np.float32(1.0) + fear)
