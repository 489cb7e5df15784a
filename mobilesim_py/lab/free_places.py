"""Where a robot can be in a world, as many places to draw from."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from mobilesim_py.errors import UsageError
from mobilesim_py.geometry import BoolArray, FloatArray
from mobilesim_py.world.obstacles import Stops
from mobilesim_py.world.start import home_of
from mobilesim_py.world.world import World

RASTER = 0.1
"""Distance between places [m]; a large world has them farther apart."""
MOST_ACROSS = 1000


class FreePlaces:
    """The places of one room, or of rooms with open doors between them: a robot gets from each to each."""

    def __init__(self, world: World, clearance: float) -> None:
        """Find the places this far from everything [m], in the part of the world where its home is, or in the largest."""
        bounds = world.bounds
        step = max(RASTER, max(bounds.width, bounds.height) / MOST_ACROSS)
        xs = np.arange(bounds.min_x + 0.5 * step, bounds.max_x, step)
        ys = np.arange(bounds.min_y + 0.5 * step, bounds.max_y, step)
        ground = _ground(world, clearance)
        shapely.prepare(ground)
        x, y = np.meshgrid(xs, ys)
        self.raster: BoolArray = np.asarray(shapely.contains_xy(ground, x, y))
        self.places: FloatArray = np.stack([x[self.raster], y[self.raster]], axis=1)
        """N x 2 [m]."""
        self._low = np.array([bounds.min_x, bounds.min_y])
        self._step = step
        if len(self.places) < 2:
            raise UsageError(f"{world.name}: there is no room for a robot that keeps {clearance:g} m from everything.")

    def contains(self, x: FloatArray, y: FloatArray) -> BoolArray:
        """Tell which places are free; outside of the world none is."""
        column = np.floor((x - self._low[0]) / self._step).astype(np.intp)
        row = np.floor((y - self._low[1]) / self._step).astype(np.intp)
        rows, columns = self.raster.shape
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        return np.asarray(inside & self.raster[np.where(inside, row, 0), np.where(inside, column, 0)])

    def is_straight(self, start: FloatArray, end: FloatArray) -> BoolArray:
        """Tell between which places (N x 2) the straight way is free, as far as the raster knows."""
        longest = float(np.hypot(*(end - start).T).max(initial=0.0))
        shares = np.linspace(0.0, 1.0, int(2.0 * longest / self._step) + 2)[:, None, None]
        way = start + shares * (end - start)
        return np.asarray(self.contains(way[..., 0], way[..., 1]).all(axis=0))


@lru_cache(maxsize=8)
def free_places(world: World, clearance: float) -> FreePlaces:
    """Return the free places of a world, found once."""
    return FreePlaces(world, clearance)


def _ground(world: World, clearance: float) -> shapely.Geometry:
    parts = list(getattr(world.free_space(clearance, Stops.ROBOTS), "geoms", [world.free_space(clearance, Stops.ROBOTS)]))
    home = home_of(world)
    here = shapely.Point(home.x, home.y) if home else None
    parts.sort(key=lambda part: (here is not None and not part.contains(here), -part.area))
    return parts[0] if parts else shapely.Polygon()
