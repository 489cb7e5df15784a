"""Shapes as arrays: the outlines of bodies, each kept once however many share it."""

from __future__ import annotations

import math

import numpy as np

from mobilesim_py.core.scene import ShapeTable
from mobilesim_py.geometry import Polygon
from mobilesim_py.world.obstacles import FloatArray


class Shapes:
    """Outlines of closed polygons in their own frame, each with a number; `table` is what the engines read."""

    def __init__(self) -> None:
        self.table = ShapeTable(np.zeros((0, 4)), np.zeros(1, np.int32), np.zeros(0), np.zeros(0))
        self._known: dict[tuple[Polygon, ...], int] = {}

    @property
    def radius(self) -> FloatArray:
        """How far each shape reaches from its origin [m]."""
        return self.table.radius

    def add(self, polygons: tuple[Polygon, ...]) -> int:
        """Return the number of this outline, new or known."""
        if polygons in self._known:
            return self._known[polygons]
        rows: list[tuple[float, float, float, float]] = []
        for polygon in polygons:
            ring = list(polygon) if _area(polygon) >= 0 else list(reversed(polygon))
            for (xa, ya), (xb, yb) in zip(ring, ring[1:] + ring[:1], strict=True):
                rows.append((xa, ya, xb - xa, yb - ya))
        points = [point for polygon in polygons for point in polygon]
        known = self.table
        number = len(known.radius)
        edges = np.concatenate([known.edges, np.array(rows, dtype=np.float64).reshape(-1, 4)])
        stride = max(0.02, 0.5 * min(_thickness(polygon) for polygon in polygons)) if polygons else 1e9
        self.table = ShapeTable(
            edges,
            np.append(known.starts, np.int32(len(edges))),
            np.append(known.radius, max((math.hypot(x, y) for x, y in points), default=0.0)),
            np.append(known.stride, stride),
        )
        self._known[polygons] = number
        return number


def _area(polygon: Polygon) -> float:
    return 0.5 * sum(xa * yb - xb * ya for (xa, ya), (xb, yb) in zip(polygon, polygon[1:] + polygon[:1], strict=True))


def _thickness(polygon: Polygon) -> float:
    """The smaller side of the polygon's box: no line fits between two of its places closer than that."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(max(xs) - min(xs), max(ys) - min(ys))
