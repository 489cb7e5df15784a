"""What a robot moves in at one moment, from which costmaps are made: segments with things in between, or cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mobilesim_py.geometry import BoolArray, FloatArray, Point
from mobilesim_py.navigation.costmap import Costmap
from mobilesim_py.world.world import Bounds

ELBOW_ROOM = 5.0
"""How far about start and goal ways are looked for where no wall bounds the world [m]."""
MOST_REMEMBERED = 8
"""Costmaps of the same walls, for robots of different size, that are kept."""


class Ground(Protocol):
    """What is around."""

    def costmap(self, radius: float, places: Sequence[Point]) -> Costmap:
        """Return the costmap for a robot of this radius [m] that goes from one of the places to another."""

    def without_passing(self) -> Ground | None:
        """Return the same without what will go away by itself, such as robots; None if there is nothing like that."""


class Walls:
    """What stands still: the same for many plans, so its costmaps are remembered."""

    def __init__(self, bounds: Bounds, segments: FloatArray) -> None:
        """`segments` are N x 4 [m]."""
        self.bounds = bounds
        self.segments = segments
        self._costmaps: dict[float, Costmap] = {}

    def costmap(self, radius: float, places: Sequence[Point]) -> Costmap:
        """Return the costmap for a robot of this radius [m]."""
        if not len(self.segments):
            return Costmap.build(_about(places), self.segments, radius)
        if radius not in self._costmaps:
            while len(self._costmaps) >= MOST_REMEMBERED:
                del self._costmaps[next(iter(self._costmaps))]
            self._costmaps[radius] = Costmap.build(self.bounds, self.segments, radius)
        return self._costmaps[radius]


@dataclass(frozen=True, eq=False)
class Scenery:
    """Walls, and things between them: outlines as edges, N x 4 each."""

    walls: Walls
    things: Sequence[FloatArray] = ()
    """What stays where it is, such as boxes."""
    passing: Sequence[FloatArray] = ()
    """What is in the way now and may be elsewhere soon, such as robots."""

    def costmap(self, radius: float, places: Sequence[Point]) -> Costmap:
        """Return the costmap for a robot of this radius [m]."""
        found = self.walls.costmap(radius, places)
        return found.with_more([*self.things, *self.passing]) if self.things or self.passing else found

    def without_passing(self) -> Scenery | None:
        """Return the same without what passes by."""
        return Scenery(self.walls, self.things) if self.passing else None


@dataclass(frozen=True, eq=False)
class Cells:
    """A raster that somebody else made, such as an occupancy grid; rows from low to high y."""

    occupied: BoolArray
    x0: float
    """The lower left corner [m],"""
    y0: float
    cell: float
    """and the edge of a cell [m]."""
    things: Sequence[FloatArray] = field(default=())
    """Outlines on top of it, as edges, N x 4 each."""

    def costmap(self, radius: float, places: Sequence[Point]) -> Costmap:
        """Return the costmap for a robot of this radius [m]."""
        found = Costmap.of_cells(self.occupied, self.x0, self.y0, self.cell, radius)
        return found.with_more(self.things) if self.things else found

    def without_passing(self) -> None:
        """Return None: cells do not go away."""


def _about(places: Sequence[Point]) -> Bounds:
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return Bounds(min(xs) - ELBOW_ROOM, min(ys) - ELBOW_ROOM, max(xs) + ELBOW_ROOM, max(ys) + ELBOW_ROOM)
