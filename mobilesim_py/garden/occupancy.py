"""The occupancy grid of the localisation: what the vehicle's cameras have seen free and occupied. Metres and radians.

Every cell keeps evidence: below zero it was seen free, above zero occupied, zero is unseen. What is hit counts more than
what is looked across, since a ray that passes an obstacle's corner goes through cells in which the obstacle is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.garden.raster import CELL, MOST_CELLS, Raster
from mobilesim_py.geometry import BoolArray, FloatArray
from mobilesim_py.world.world import World

EvidenceArray = npt.NDArray[np.int8]

HIT, MOST_OCCUPIED, MOST_FREE = 4, 20, 10
_INTO = 0.025
"""How far behind the surface that was hit the cell is that becomes occupied [m]."""
_BEFORE = 1.0
"""So many cells before the surface are not told free, for the surface may be in them."""
_EDGE = 1e-4
LARGEST = 4 * MOST_CELLS
"""Cells; a grid that would need more grows no further."""


class Occupancy:
    """A grid that grows as more is seen."""

    def __init__(self, x: float, y: float, cell: float = CELL, around: float = 1.0) -> None:
        """Begin around a place."""
        self.raster = Raster.about(x - around, y - around, x + around, y + around, cell)
        self.evidence: EvidenceArray = np.zeros(self.raster.shape, np.int8)
        self.changes = 0
        """How often something was seen."""

    def see(self, x: float, y: float, angles: FloatArray, ranges: FloatArray, reach: float) -> None:
        """Take ranges measured from a place in directions of the map; `reach` and more is nothing met."""
        far = float(min(reach, ranges.max(initial=0.0))) + self.raster.cell
        self._grow(x - far, y - far, x + far, y + far)
        raster, cell = self.raster, self.raster.cell
        cosine, sine = np.cos(angles), np.sin(angles)
        steps = np.arange(0.25 * cell, reach, cell)
        ray, step = np.nonzero(steps < (np.minimum(ranges, reach) - _BEFORE * cell)[:, None])
        passed = _marked(raster, x + cosine[ray] * steps[step], y + sine[ray] * steps[step])
        met = ranges < reach
        deep = ranges[met] + _INTO
        hit = _marked(raster, x + cosine[met] * deep, y + sine[met] * deep)
        passed &= ~hit
        self._weigh(hit, passed, raster.window_of(Raster.about(x - far, y - far, x + far, y + far, cell)))
        self.changes += 1

    def _weigh(self, hit: BoolArray, passed: BoolArray, window: tuple[slice, slice]) -> None:
        evidence, hit, passed = self.evidence[window], hit[window], passed[window]
        more = np.minimum(np.maximum(evidence, 0) + HIT, MOST_OCCUPIED)
        less = evidence - np.int8(1)
        less = np.where(less == 0, np.int8(-1), np.maximum(less, -MOST_FREE))
        self.evidence[window] = np.where(hit, more, np.where(passed, less, evidence))

    def _grow(self, min_x: float, min_y: float, max_x: float, max_y: float) -> None:
        wider = self.raster.joined(Raster.about(min_x, min_y, max_x, max_y, self.raster.cell))
        if wider == self.raster or wider.rows * wider.columns > LARGEST:
            return
        evidence = np.zeros(wider.shape, np.int8)
        evidence[wider.window_of(self.raster)] = self.evidence
        self.raster, self.evidence = wider, evidence

    def know(self, world: World) -> None:
        """Take everything from the world, as if it had all been seen."""
        bounds = world.bounds
        self._grow(bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)
        self.evidence[:] = -MOST_FREE
        self.evidence[true_cells(world, self.raster)] = MOST_OCCUPIED
        self.changes += 1

    @property
    def occupied(self) -> BoolArray:
        """The cells that were seen occupied."""
        return np.asarray(self.evidence > 0)

    @property
    def seen(self) -> BoolArray:
        """The cells that were seen at all."""
        return np.asarray(self.evidence != 0)


def _marked(raster: Raster, x: FloatArray, y: FloatArray) -> BoolArray:
    """Return the cells of a raster that places are in."""
    cells = np.zeros(raster.shape, np.bool_)
    rows, columns = raster.cells_of(x, y)
    inside = raster.inside(rows, columns)
    cells.reshape(-1)[rows[inside] * raster.columns + columns[inside]] = True
    return cells


def true_cells(world: World, raster: Raster) -> BoolArray:
    """Return the cells that something in the world is in: walls, and all that an obstacle covers a part of."""
    import shapely

    from mobilesim_py.geometry import ends_of
    from mobilesim_py.world.grid import cells_touched
    from mobilesim_py.world.obstacles import Stops

    walls = world.walls
    ends = [walls.ends[(walls.stops & int(Stops.LASER | Stops.ROBOTS)) != 0]]
    # What only touches the edge of a cell is not in it.
    ends += [
        ends_of(shapely.buffer(obstacle.geometry, -_EDGE, join_style="mitre"))
        for obstacle in world.obstacles
        if obstacle.stops & (Stops.LASER | Stops.ROBOTS)
    ]
    cells = np.zeros(raster.shape, np.bool_)
    parts = np.concatenate([part for part in ends if len(part)] or [np.empty((0, 4))])
    _, place = cells_touched(parts, raster.x0, raster.y0, raster.cell, raster.columns, raster.rows)
    cells.reshape(-1)[place] = True
    for obstacle in world.obstacles:
        if obstacle.stops & (Stops.LASER | Stops.ROBOTS):
            x1, y1, x2, y2 = shapely.bounds(obstacle.geometry)
            (low, high), (left, right) = raster.cells_of(np.array([x1, x2]), np.array([y1, y2]))
            rows = np.arange(max(low, 0), min(high + 1, raster.rows))
            columns = np.arange(max(left, 0), min(right + 1, raster.columns))
            x, y = raster.middles(rows, columns)
            inside = shapely.contains_xy(obstacle.geometry, *np.meshgrid(x, y))
            cells[rows[:, None], columns[None, :]] |= inside
    return cells
