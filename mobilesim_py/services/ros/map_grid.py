"""The world as an occupancy grid: 0 free, 100 obstacle, row 0 at the low y. Boxes are no part of it: they move."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.world.obstacles import FloatArray, Stops
from mobilesim_py.world.world import World

RESOLUTION = 0.05
"""Side of a cell, where that does not make too many of them [m]."""
MOST_CELLS = 1_000_000
"""As many as can be written as JSON within a step; a larger world gets larger cells."""
MARGIN = 1
"""Cells around the world's bounds, so that walls on them are in the grid."""
FREE, OCCUPIED = 0, 100

Cells = npt.NDArray[np.int8]


class MapGrid:
    """A world drawn into cells."""

    def __init__(self, world: World, loaded: Time) -> None:
        self.world = world
        self.loaded = loaded
        bounds = world.bounds
        self.resolution = RESOLUTION
        while (bounds.width / self.resolution) * (bounds.height / self.resolution) > MOST_CELLS:
            self.resolution *= 2.0
        self.width = max(1, math.ceil(bounds.width / self.resolution)) + 2 * MARGIN
        self.height = max(1, math.ceil(bounds.height / self.resolution)) + 2 * MARGIN
        self.origin = (bounds.min_x - MARGIN * self.resolution, bounds.min_y - MARGIN * self.resolution)

    @cached_property
    def cells(self) -> Cells:
        """The grid, height x width."""
        cells = np.full((self.height, self.width), FREE, np.int8)
        segments = self.world.segments
        ends = segments.ends[(segments.stops & int(Stops.ROBOTS | Stops.LASER)) > 0]
        for start in range(0, len(ends), 10_000):
            self._mark(cells, _places_along(ends[start : start + 10_000], self.resolution / 2.0))
        self._mark(cells, self.world.points)
        return cells

    def _mark(self, cells: Cells, places: FloatArray) -> None:
        columns = np.floor((places[:, 0] - self.origin[0]) / self.resolution).astype(np.int64)
        rows = np.floor((places[:, 1] - self.origin[1]) / self.resolution).astype(np.int64)
        inside = (columns >= 0) & (columns < self.width) & (rows >= 0) & (rows < self.height)
        cells[rows[inside], columns[inside]] = OCCUPIED

    @cached_property
    def metadata(self) -> Message:
        """Return a message of nav_msgs/MapMetaData."""
        x, y = self.origin
        return {
            "map_load_time": self.loaded,
            "resolution": self.resolution,
            "width": self.width,
            "height": self.height,
            "origin": {
                "position": {"x": x, "y": y, "z": 0.0},
                "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
            },
        }

    def message(self, header: Message) -> Message:
        """Return a message of nav_msgs/OccupancyGrid."""
        return {"header": header, "info": self.metadata, "data": self.cells.ravel()}


def _places_along(ends: FloatArray, step: float) -> FloatArray:
    """Return places on segments, N x 2, no farther apart than a step, with both ends."""
    lengths = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    counts = np.ceil(lengths / step).astype(np.int64) + 1
    which = np.repeat(np.arange(len(ends)), counts)
    number = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    share = number / np.maximum(counts - 1, 1)[which]
    first, last = ends[which, :2], ends[which, 2:]
    return np.asarray(first + (last - first) * share[:, None], np.float64)
