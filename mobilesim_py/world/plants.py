"""What stands in a field: leeks, cabbages, grass, rocks and stakes, as columns, for there may be a hundred thousand of them.

Each is a circle on the ground with a height. What is as high as a robot's lidar stops its rays; stakes and rocks stop
robots, plants do not: they are driven over, and lie flat then (`World.trampled`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.obstacles import ORDINARY_REFLECTANCE, ByteArray, Made, Segments, Stops

IntArray = npt.NDArray[np.int64]

CLIMBED = 0.07
"""Robots drive over rocks that are lower than this [m]."""
SCAN_HEIGHT = 0.135
"""Height of the plane in which lidars see [m]: that of the Oz robot. What is lower is not seen."""
_GOLDEN = 2.399963229728653
"""Each outline is turned by this against the one before [rad], so that none looks the same in a scan."""
_CELL = 0.5
"""Edge of a cell of the index by place [m]."""


class PlantKind(IntEnum):
    """What stands there."""

    LEEK = 0
    CABBAGE = 1
    GRASS = 2
    ROCK = 3
    STAKE = 4


class PlantFacts(NamedTuple):
    """What all of one kind have in common."""

    radius: float
    """Usual radius of what a lidar meets [m]."""
    height: float
    """Usual height above the ground [m]."""
    corners: int
    """Corners of the outline that rays and robots meet."""
    is_solid: bool
    """Whether it stops robots instead of lying down under them."""


FACTS = {
    PlantKind.LEEK: PlantFacts(0.02, 0.40, 4, False),
    PlantKind.CABBAGE: PlantFacts(0.10, 0.20, 6, False),
    PlantKind.GRASS: PlantFacts(0.03, 0.09, 4, False),
    PlantKind.ROCK: PlantFacts(0.03, 0.04, 6, True),
    PlantKind.STAKE: PlantFacts(0.0125, 0.60, 6, True),
}


_SOLID = np.array([kind for kind, facts in FACTS.items() if facts.is_solid], np.uint8)


@dataclass(frozen=True, eq=False)
class Plants:
    """N of them, as columns. Positions never change; trampling changes `stops` and `is_flat`."""

    x: FloatArray
    """[m]."""
    y: FloatArray
    radius: FloatArray
    height: FloatArray
    """Above the ground that it stands on [m]."""
    base: FloatArray
    """Height of the ground there, on a mound more than 0 [m]."""
    kind: ByteArray
    """Numbers of `PlantKind`."""
    stops: ByteArray
    """Bit sets of `Stops`."""
    is_flat: npt.NDArray[np.bool_]
    """Trampled."""
    edges: FloatArray = field(repr=False)
    """Outlines of those that stop anything when they stand, M x 4 (x1 y1 x2 y2) [m]."""
    first_edge: IntArray = field(repr=False)
    """Where the edges of each begin, and one more for the end."""

    def __len__(self) -> int:
        return len(self.x)

    @classmethod
    def none(cls) -> Plants:
        """Return no plants."""
        empty = np.zeros(0)
        return cls.build(empty, empty, np.zeros(0, np.uint8))

    @classmethod
    def build(
        cls,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        kind: npt.ArrayLike,
        radius: npt.ArrayLike | None = None,
        height: npt.ArrayLike | None = None,
        base: npt.ArrayLike = 0.0,
    ) -> Plants:
        """Return plants at places [m]; radius and height are the usual ones of their kinds where they are not given."""
        xs, ys = np.array(x, np.float64, ndmin=1), np.array(y, np.float64, ndmin=1)
        kinds = np.array(np.broadcast_to(np.asarray(kind, np.uint8), xs.shape))
        usual = np.array([FACTS[PlantKind(k)] for k in range(len(PlantKind))], np.float64)
        radii = _filled(usual[kinds, 0] if radius is None else radius, len(xs))
        heights = _filled(usual[kinds, 1] if height is None else height, len(xs))
        bases = _filled(base, len(xs))
        seen = bases + heights >= SCAN_HEIGHT
        hard = (usual[kinds, 3] > 0) & (heights >= CLIMBED)
        stops = np.where(seen, int(Stops.LASER | Stops.SONAR), 0) | np.where(hard, int(Stops.ROBOTS), 0)
        corners = np.where(stops > 0, usual[kinds, 2], 0).astype(np.int64)
        first = np.zeros(len(xs) + 1, np.int64)
        np.cumsum(corners, out=first[1:])
        return cls(
            xs, ys, radii, heights, bases, kinds, stops.astype(np.uint8), np.zeros(len(xs), np.bool_),
            _outlines(xs, ys, radii, corners, first), first,
        )  # fmt: skip

    @classmethod
    def join(cls, *parts: Plants) -> Plants:
        """Return all the parts' plants in order, standing."""
        columns = [
            np.concatenate([getattr(p, name) for p in parts]) for name in ("x", "y", "kind", "radius", "height", "base")
        ]
        return cls.build(*columns)

    def segments(self) -> Segments:
        """Return the outlines as segments."""
        count = np.diff(self.first_edge)
        return Segments(
            self.edges,
            np.repeat(self.stops, count),
            np.full(len(self.edges), ORDINARY_REFLECTANCE, np.uint8),
            np.full(len(self.edges), int(Made.PLANT), np.uint8),
            np.repeat(self.base + self.height, count).astype(np.float32),
        )

    # Trampling

    def trampled(self, numbers: IntArray) -> Plants:
        """Return the plants with these lying flat: they stop nothing any more. Rocks and stakes stay as they are."""
        soft = self.soft(numbers)
        stops, is_flat = self.stops.copy(), self.is_flat.copy()
        stops[soft] = int(Stops.NOTHING)
        is_flat[soft] = True
        plants = replace(self, stops=stops, is_flat=is_flat)
        plants.__dict__["_index"] = self._index
        return plants

    def soft(self, numbers: IntArray) -> IntArray:
        """Return those of some plants that can be trampled: not rocks and stakes."""
        return numbers[~np.isin(self.kind[numbers], _SOLID)]

    @property
    def trampled_crops(self) -> int:
        """How many leeks and cabbages lie flat."""
        return int((self.is_flat & (self.kind <= PlantKind.CABBAGE)).sum())

    @property
    def crops(self) -> int:
        """How many leeks and cabbages there are."""
        return int((self.kind <= PlantKind.CABBAGE).sum())

    def edges_of(self, numbers: IntArray) -> IntArray:
        """Return the numbers of the edges of some plants, among all edges."""
        count = self.first_edge[numbers + 1] - self.first_edge[numbers]
        ends = np.cumsum(count)
        return np.asarray(
            np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.first_edge[numbers] - ends + count, count)
        )

    # By place

    def near(self, x: float, y: float, distance: float) -> IntArray:
        """Return the numbers of the plants whose centres are within a distance of a place [m], rising."""
        found = self._in_cells(x - distance, y - distance, x + distance, y + distance)
        dx, dy = self.x[found] - x, self.y[found] - y
        return np.sort(found[dx * dx + dy * dy <= distance * distance])

    def under(self, x: float, y: float, heading: float, length: float, width: float) -> IntArray:
        """Return the standing plants whose centres are under a rectangle about a place, turned by a heading [m, rad]."""
        found = self.near(x, y, 0.5 * float(np.hypot(length, width)))
        found = found[~self.is_flat[found]]
        cos, sin = np.cos(heading), np.sin(heading)
        dx, dy = self.x[found] - x, self.y[found] - y
        inside = (np.abs(dx * cos + dy * sin) <= 0.5 * length) & (np.abs(dy * cos - dx * sin) <= 0.5 * width)
        return np.asarray(found[inside])

    @cached_property
    def _index(self) -> tuple[float, float, int, int, IntArray, IntArray]:
        """The plants by place: origin, columns and rows of cells, where each cell's plants begin, and their numbers."""
        if not len(self):
            return 0.0, 0.0, 1, 1, np.zeros(2, np.int64), np.zeros(0, np.int64)
        x0, y0 = float(self.x.min()), float(self.y.min())
        columns, rows = int((self.x.max() - x0) / _CELL) + 1, int((self.y.max() - y0) / _CELL) + 1
        cell = ((self.y - y0) / _CELL).astype(np.int64) * columns + ((self.x - x0) / _CELL).astype(np.int64)
        starts = np.zeros(columns * rows + 1, np.int64)
        np.cumsum(np.bincount(cell, minlength=columns * rows), out=starts[1:])
        return x0, y0, columns, rows, starts, np.argsort(cell, kind="stable")

    def _in_cells(self, left: float, low: float, right: float, high: float) -> IntArray:
        """Return the plants in all cells that a rectangle touches."""
        x0, y0, columns, rows, starts, order = self._index
        first, last = max(0, int((left - x0) // _CELL)), min(columns - 1, int((right - x0) // _CELL))
        bottom, top = max(0, int((low - y0) // _CELL)), min(rows - 1, int((high - y0) // _CELL))
        if last < first or top < bottom:
            return np.zeros(0, np.int64)
        spans = [order[starts[row * columns + first] : starts[row * columns + last + 1]] for row in range(bottom, top + 1)]
        return np.concatenate(spans)


@dataclass(frozen=True, eq=False)
class Mounds:
    """Ridges of earth that rows stand on: straight pieces of their crests, all of one profile."""

    crests: FloatArray = field(default_factory=lambda: np.empty((0, 4)))
    """M x 4: x1 y1 x2 y2 [m]."""
    half_width: float = 0.3
    """From the crest to the foot [m]."""
    height: float = 0.0
    """Of the crest above the ground [m]."""

    def __len__(self) -> int:
        return len(self.crests)


def mound_profile(share: FloatArray) -> FloatArray:
    """Return the height of a mound as a share of its crest's; `share` of the half width is how far the crest is."""
    rest = np.clip(1.0 - share * share, 0.0, 1.0)
    return np.asarray(rest * rest)


def _filled(values: npt.ArrayLike, count: int) -> FloatArray:
    return np.array(np.broadcast_to(np.asarray(values, np.float64), (count,)))


def _outlines(x: FloatArray, y: FloatArray, radius: FloatArray, corners: IntArray, first: IntArray) -> FloatArray:
    """Return the edges of regular polygons about places."""
    owner = np.repeat(np.arange(len(x)), corners)
    nth = np.arange(len(owner)) - first[owner]
    step = 2.0 * np.pi / np.maximum(corners, 1)[owner]
    angle = owner % 360 * _GOLDEN + nth * step
    r, cx, cy = radius[owner], x[owner], y[owner]
    ax, ay = cx + r * np.cos(angle), cy + r * np.sin(angle)
    after = np.arange(1, len(owner) + 1)
    last = nth == corners[owner] - 1
    after[last] = first[owner[last]]
    return np.stack([ax, ay, ax[after], ay[after]], axis=1)
