"""Obstacles: line segments as arrays for the engines, and shapely geometries with properties.

A wall of a map is one row of `Segments`; there may be a hundred thousand of them, so they become geometries only when
somebody asks a question of place. An `Obstacle` is a thing with a name and a form (a door, a plant, a block of a lab):
it can vanish and come back while the simulation runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mobilesim_py.geometry import FloatArray, ends_of

if TYPE_CHECKING:
    import shapely

__all__ = ["ByteArray", "FloatArray", "Made", "Obstacle", "Segments", "Stops"]

ByteArray = npt.NDArray[np.uint8]
HeightArray = npt.NDArray[np.float32]

WALL_HEIGHT = 2.0
"""Default height of walls and obstacles [m]."""
ORDINARY_REFLECTANCE = 1
MOST_REFLECTANCE = 255


class Stops(IntFlag):
    """What a segment is an obstacle for."""

    NOTHING = 0
    ROBOTS = 1
    SONAR = 2
    LASER = 4
    ALL = 7

    @classmethod
    def of(cls, *, robots: bool, sonar: bool, laser: bool) -> Stops:
        """Return the flags of what something stops."""
        return cls(cls.ROBOTS * robots | cls.SONAR * sonar | cls.LASER * laser)


class Made(IntEnum):
    """The origin of a segment."""

    WALL = 0
    POINT = 1
    """An edge of the squares that a map's points are."""
    REFLECTOR = 2
    OBSTACLE = 3
    """An edge of an `Obstacle`."""
    PLANT = 4
    """An edge of what stands in a field, see `world.plants`."""


@dataclass(frozen=True, eq=False)
class Segments:
    """M line segments, as columns.

    Reflectance is what lasers report of a segment: 1 of an ordinary wall, more of a reflector. What lasers do not see lacks
    `Stops.LASER`.
    """

    ends: FloatArray
    """M x 4: x1 y1 x2 y2 [m]."""
    stops: ByteArray
    """Bit sets of `Stops`."""
    reflectance: ByteArray
    made: ByteArray
    """Numbers of `Made`."""
    height: HeightArray
    """How high the wall is [m]."""

    def __len__(self) -> int:
        return len(self.ends)

    @classmethod
    def build(
        cls,
        ends: npt.ArrayLike,
        stops: int = Stops.ALL,
        reflectance: int = ORDINARY_REFLECTANCE,
        made: Made = Made.WALL,
        height: float = WALL_HEIGHT,
    ) -> Segments:
        """Return segments that are all of one kind."""
        array = np.ascontiguousarray(np.asarray(ends, dtype=np.float64).reshape(-1, 4))
        count = len(array)
        return cls(
            array,
            np.full(count, int(stops), np.uint8),
            np.full(count, reflectance, np.uint8),
            np.full(count, int(made), np.uint8),
            np.full(count, height, np.float32),
        )

    @classmethod
    def empty(cls) -> Segments:
        """Return an empty set of segments."""
        return cls.build(np.empty((0, 4)))

    @classmethod
    def join(cls, *parts: Segments) -> Segments:
        """Return all the parts' segments in order."""
        return cls(
            np.concatenate([p.ends for p in parts]),
            np.concatenate([p.stops for p in parts]),
            np.concatenate([p.reflectance for p in parts]),
            np.concatenate([p.made for p in parts]),
            np.concatenate([p.height for p in parts]),
        )

    def of(self, *made: Made) -> Segments:
        """Return the segments of these origins."""
        return self[np.isin(self.made, made)]

    def __getitem__(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.int64] | slice) -> Segments:
        """Return some of the segments."""
        return Segments(self.ends[rows], self.stops[rows], self.reflectance[rows], self.made[rows], self.height[rows])


@dataclass(frozen=True, eq=False)
class Obstacle:
    """One thing that is in the way: a shapely geometry (lines or polygons) with properties."""

    geometry: shapely.Geometry
    name: str = ""
    kind: str = "wall"
    stops: Stops = Stops.ALL
    reflectance: int = ORDINARY_REFLECTANCE
    height: float = WALL_HEIGHT
    """How high it is [m]."""
    colour: str = ""
    """`0xrrggbb`, as cameras see it; that of all obstacles if empty."""

    def with_stops(self, stops: Stops) -> Obstacle:
        """Return the same obstacle with other flags."""
        return replace(self, stops=stops)

    def segments(self) -> Segments:
        """Return its lines, or the edges of its polygons, as segments."""
        return Segments.build(ends_of(self.geometry), self.stops, self.reflectance, Made.OBSTACLE, self.height)
