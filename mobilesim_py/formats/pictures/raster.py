"""Occupancy grids: which cells are occupied, the size of a cell, and the pose of the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import ArMap
from mobilesim_py.geometry import FloatArray, Pose, placed_points

Cells = npt.NDArray[np.bool_]

MOST_CELLS = 150_000_000
TRACED = "TracedOutlines"
"""CustomInfo of a map whose lines are closed outlines of solid areas, each with the solid on its left."""


@dataclass(frozen=True, eq=False)
class Raster:
    """Occupied cells; row 0 is the lowest y, and the origin is the outer corner of cell (0, 0)."""

    occupied: Cells
    resolution: float
    """Side of a cell [m]."""
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    """How far the picture is turned about its origin [rad]."""

    def to_world(self, cells: FloatArray) -> FloatArray:
        """Turn places in cells (column, row) into metres."""
        return placed_points(cells * self.resolution, Pose(self.x, self.y, self.yaw))


def rasterize(armap: ArMap, resolution: float, margin: float = 0.0) -> Raster:
    """Draw a map's lines and points into cells: every cell that a line passes through, or that a point is in."""
    bounds = armap.data_bounds or (0, 0, 0, 0)
    low = np.floor((np.array(bounds[:2]) / 1000.0 - margin) / resolution + 1e-6)
    high = np.ceil((np.array(bounds[2:]) / 1000.0 + margin) / resolution - 1e-6)
    width, height = (max(1, int(n)) for n in high - low)
    if width * height > MOST_CELLS:
        raise MapError(f"{width} x {height} cells of {resolution:g} m are too many; choose a coarser --resolution")
    occupied = np.zeros((height, width), np.bool_)
    lines = armap.lines.reshape(-1, 2, 2) / 1000.0 / resolution - low
    if is_traced(armap):
        _fill(occupied, lines)
        _mark(occupied, _inner_side(lines))
    else:
        _mark(occupied, lines)
    points = armap.points / 1000.0 / resolution - low
    _mark(occupied, np.stack([points, points], axis=1))
    return Raster(occupied, resolution, float(low[0] * resolution), float(low[1] * resolution))


def is_traced(armap: ArMap) -> bool:
    """Tell whether a map's lines are outlines of solid areas, made by this program."""
    return any(info.keyword == "CustomInfo:" and info.arguments[:1] == (TRACED,) for info in armap.infos)


def _mark(occupied: Cells, lines: FloatArray) -> None:
    """Mark the cells along lines (N x 2 x 2, in cells), in steps of at most half a cell."""
    height, width = occupied.shape
    steps = np.maximum(1, np.ceil(2.0 * np.abs(lines[:, 1] - lines[:, 0]).max(axis=1))).astype(np.int64)
    for count in np.unique(steps):
        chosen = lines[steps == count]
        share = np.linspace(0.0, 1.0, int(count) + 1)[None, :, None]
        places = (chosen[:, None, 0] * (1.0 - share) + chosen[:, None, 1] * share).reshape(-1, 2)
        cells = np.floor(places + 1e-9).astype(np.int64)
        # A line on the far border of the picture belongs to the last cell.
        column, row = np.clip(cells[:, 0], 0, width - 1), np.clip(cells[:, 1], 0, height - 1)
        occupied[row, column] = True


def _inner_side(lines: FloatArray) -> FloatArray:
    """Shift outlines by a little less than half a cell to their left, where the solid is."""
    along = lines[:, 1] - lines[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])
    keep = length > 1e-9
    lines, along, length = lines[keep], along[keep], length[keep]
    inward = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None] * 0.45
    # Shortened too, so that corners do not reach into the next cell.
    inset = along * np.minimum(0.45, 0.45 / length)[:, None]
    return np.stack([lines[:, 0] + inset + inward, lines[:, 1] - inset + inward], axis=1)


def _fill(occupied: Cells, lines: FloatArray) -> None:
    """Mark the cells whose centres are inside closed outlines (holes are outlines too), by the even-odd rule."""
    height, width = occupied.shape
    toggles = np.zeros((height, width + 1), np.int32)
    for (x1, y1), (x2, y2) in lines:
        if y1 == y2:
            continue
        first, last = math.ceil(min(y1, y2) - 0.5), math.ceil(max(y1, y2) - 0.5)
        rows = np.arange(max(first, 0), min(last, height))
        crossing = x1 + (rows + 0.5 - y1) * (x2 - x1) / (y2 - y1)
        toggles[rows, np.clip(np.ceil(crossing - 0.5).astype(np.int64), 0, width)] += 1
    occupied |= (np.cumsum(toggles, axis=1)[:, :width] % 2) == 1
