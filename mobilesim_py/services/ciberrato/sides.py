"""The sides of walls as arrays: how far they are from points, and which of them a ray meets first."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.formats.lab import Point, Wall
from mobilesim_py.services.ciberrato import exact

FloatArray = NDArray[np.float64]

GRAZING = 1e-9
"""Rays that pass a corner nearer than this, and walls that a ray starts on, are left to the exact formulas."""
_MARGIN = 1e-6


class Sides:
    """The sides of some walls, from a corner a to the next corner b."""

    def __init__(self, walls: list[Wall]) -> None:
        self.polygons = [wall.corners for wall in walls]
        starts: list[Point] = []
        ends: list[Point] = []
        after: list[int] = []
        for corners in self.polygons:
            first = len(starts)
            starts += [corners[i - 1] for i in range(len(corners))]
            ends += list(corners)
            after += [first + (i + 1) % len(corners) for i in range(len(corners))]
        a = np.array(starts, dtype=np.float64).reshape(-1, 2)
        b = np.array(ends, dtype=np.float64).reshape(-1, 2)
        self._ends = list(zip(starts, ends, strict=True))
        self.ax, self.ay, self.bx, self.by = (
            np.ascontiguousarray(column) for column in (a[:, 0], a[:, 1], b[:, 0], b[:, 1])
        )
        self.ex, self.ey = self.bx - self.ax, self.by - self.ay
        self.after = np.array(after, dtype=np.intp)
        length = np.sqrt((self.ax - self.bx) * (self.ax - self.bx) + (self.ay - self.by) * (self.ay - self.by))
        self.nx, self.ny = self.ex / length, self.ey / length

    def distances(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the distance of each point to each side, points down and sides across."""
        dx, dy = x[:, None] - self.ax, y[:, None] - self.ay
        ox, oy = x[:, None] - self.bx, y[:, None] - self.by
        result: FloatArray = np.abs(self.ny * dx - self.nx * dy)
        before = self.nx * dx + self.ny * dy < 0.0
        behind = self.nx * ox + self.ny * oy > 0.0
        behind &= ~before
        if before.any():
            result[before] = np.sqrt(dx * dx + dy * dy)[before]
        if behind.any():
            result[behind] = np.sqrt(ox * ox + oy * oy)[behind]
        return result

    def cast(self, x: float, y: float, heading: float) -> tuple[float, int | None]:
        """Return how far the first side is from a point along a heading, or `exact.NOTHING`, and which one if known."""
        dx, dy = math.cos(heading), math.sin(heading)
        rx, ry = self.ax - x, self.ay - y
        aside = rx * dy - ry * dx
        other = aside[self.after]
        crossed = np.nonzero(aside * other < 0.0)[0]
        along = (rx[crossed] * self.ey[crossed] - ry[crossed] * self.ex[crossed]) / (aside[crossed] - other[crossed])
        if (np.abs(aside) < GRAZING).any() or (np.abs(along) < GRAZING).any():
            return exact.ray_distance(x, y, heading, self.polygons), None
        along[along < 0.0] = np.inf
        if not len(along):
            return exact.NOTHING, None
        nearest = int(along.argmin())
        distance = float(along[nearest])
        return (distance, int(crossed[nearest])) if distance < math.inf else (exact.NOTHING, None)

    def clearly_between(self, side: int, x: float, y: float, to_x: float, to_y: float) -> bool:
        """Return whether a side crosses the straight way between two points, nowhere near the ends of either."""
        (ax, ay), (bx, by) = self._ends[side]
        dx, dy, ex, ey = to_x - x, to_y - y, bx - ax, by - ay
        rx, ry = ax - x, ay - y
        slant = dx * ey - dy * ex
        if abs(slant) < GRAZING:
            return False
        along, across = (rx * ey - ry * ex) / slant, (rx * dy - ry * dx) / slant
        return _MARGIN < along < 1.0 - _MARGIN and _MARGIN < across < 1.0 - _MARGIN
