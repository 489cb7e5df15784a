"""Shapes as arrays: the outlines of bodies and the rings of sonar transducers, each kept once however many share it."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from mobilesim_py.catalogue.model import SonarModel
from mobilesim_py.geometry import Polygon
from mobilesim_py.world.obstacles import FloatArray


class Shapes:
    """Outlines of closed polygons in their own frame.

    `edges` is K x 4 (x1 y1, x2 - x1, y2 - y1; anticlockwise), `starts` says where each shape's edges begin (one more for
    the end), `radius` how far a shape reaches from its origin, `stride` how far it may move without jumping over a line.
    """

    def __init__(self) -> None:
        self.edges: FloatArray = np.zeros((0, 4))
        self.starts: npt.NDArray[np.int32] = np.zeros(1, np.int32)
        self.radius: FloatArray = np.zeros(0)
        self.stride: FloatArray = np.zeros(0)
        self._known: dict[tuple[Polygon, ...], int] = {}

    def add(self, polygons: tuple[Polygon, ...]) -> int:
        """The number of this outline, new or known."""
        if polygons in self._known:
            return self._known[polygons]
        rows: list[tuple[float, float, float, float]] = []
        for polygon in polygons:
            ring = list(polygon) if _area(polygon) >= 0 else list(reversed(polygon))
            for (xa, ya), (xb, yb) in zip(ring, ring[1:] + ring[:1], strict=True):
                rows.append((xa, ya, xb - xa, yb - ya))
        points = [point for polygon in polygons for point in polygon]
        number = len(self.radius)
        self.edges = np.concatenate([self.edges, np.array(rows, dtype=np.float64).reshape(-1, 4)])
        self.starts = np.append(self.starts, np.int32(len(self.edges)))
        self.radius = np.append(self.radius, max((math.hypot(x, y) for x, y in points), default=0.0))
        self.stride = np.append(self.stride, max(0.02, 0.5 * min(_thickness(p) for p in polygons)) if polygons else 1e9)
        self._known[polygons] = number
        return number


def _area(polygon: Polygon) -> float:
    return 0.5 * sum(xa * yb - xb * ya for (xa, ya), (xb, yb) in zip(polygon, polygon[1:] + polygon[:1], strict=True))


def _thickness(polygon: Polygon) -> float:
    """The smaller side of the polygon's box: no line fits between two of its places closer than that."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(max(xs) - min(xs), max(ys) - min(ys))


class SonarRings:
    """Rings of sonar rays: `rays` is K x 3 (x y angle on the robot) and `starts` where each ring begins.

    `reach` is R x 3 for each ring: smallest and largest range and noise [m]; `spread` the number of rays per transducer.
    """

    def __init__(self) -> None:
        self.rays: FloatArray = np.zeros((0, 3))
        self.starts: npt.NDArray[np.int32] = np.zeros(1, np.int32)
        self.reach: FloatArray = np.zeros((0, 3))
        self.spread: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        self.gaps: dict[int, tuple[list[int], float]] = {}
        """Numbers in a ring where there is no transducer, and the range that is reported for them [m]."""
        self._known: dict[SonarModel, int] = {}

    def add(self, sonar: SonarModel) -> int:
        """The number of this ring, or -1 when there is no transducer."""
        if not sonar.transducers:
            return -1
        if sonar in self._known:
            return self._known[sonar]
        rays = max(1, sonar.rays)
        # From edge to edge of the cone; a single ray is its centre.
        shares = [k / (rays - 1) - 0.5 for k in range(rays)] if rays > 1 else [0.0]
        rows = [(place.x, place.y, place.heading + sonar.cone * share) for place in sonar.transducers for share in shares]
        number = len(self.reach)
        self.rays = np.concatenate([self.rays, np.array(rows, dtype=np.float64)])
        self.starts = np.append(self.starts, np.int32(len(self.rays)))
        self.reach = np.concatenate([self.reach, [[sonar.range_min, sonar.range_max, sonar.noise]]])
        self.spread = np.append(self.spread, np.int32(rays))
        if sonar.absent:
            self.gaps[number] = (list(sonar.absent), sonar.range_max)
        self._known[sonar] = number
        return number
