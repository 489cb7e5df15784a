"""The place that robots are in: obstacles, boxes, ground areas and objects with their properties, in metres and radians.

A world knows no file: readers (`mobilesim_py.formats`) make one, and so may programs:

    hall = World("hall", Bounds(0, 0, 20, 10), Segments.build([[0, 0, 20, 0], [0, 10, 20, 10]]))
    hall.fits([robot.outline], Pose(3, 2)), hall.nearest(3, 2), hall.inside(some_polygon), hall.free_space(0.3)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, overload

import numpy as np

from mobilesim_py.geometry import FloatArray, Point, Polygon, Pose, placed, shape_of
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.geodesy import Georeference
from mobilesim_py.world.ground import GOOD_GPS, GPS, Area, value_at
from mobilesim_py.world.objects import MapObject
from mobilesim_py.world.obstacles import Obstacle, Segments, Stops
from mobilesim_py.world.plants import IntArray, Mounds, Plants

if TYPE_CHECKING:
    import shapely

    from mobilesim_py.world.places import Feature, Places
    from mobilesim_py.world.sketch import Sketch

RESOLUTION = 0.02
"""Side of the square that a point of the map is [m]."""
EMPTY_SIZE = 200.0


@dataclass(frozen=True)
class Bounds:
    """A rectangle [m]."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.max_x - self.min_x

    @property
    def height(self) -> float:
        """Extent along y."""
        return self.max_y - self.min_y

    @property
    def centre(self) -> Point:
        """The middle."""
        return (self.min_x + self.max_x) / 2.0, (self.min_y + self.max_y) / 2.0

    @classmethod
    def about(cls, places: Sequence[Point] | FloatArray) -> Bounds:
        """Return the rectangle about places (N x 2); about none of them that of the empty world."""
        array = np.asarray(places, np.float64).reshape(-1, 2)
        if not len(array):
            return cls(-EMPTY_SIZE / 2, -EMPTY_SIZE / 2, EMPTY_SIZE / 2, EMPTY_SIZE / 2)
        return cls(*(float(value) for value in (*array.min(axis=0), *array.max(axis=0))))


@dataclass(frozen=True)
class Problem:
    """A line of a file that was skipped or not taken as written, and why."""

    line: int
    text: str
    path: str = ""
    """Of the file that the line is in, when it is not the world's own (an included one)."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True, eq=False)
class World:
    """Everything static, and the boxes at their initial poses."""

    name: str
    bounds: Bounds
    walls: Segments = field(default_factory=Segments.empty)
    """Walls, outlines of points, reflectors: single segments without names."""
    boxes: tuple[Box, ...] = ()
    georeference: Georeference | None = None
    objects: tuple[MapObject, ...] = ()
    areas: tuple[Area, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    """Obstacles with names and shapes, which may vanish and come back."""
    homes: tuple[Pose, ...] = ()
    """Where robots are meant to start, the best place first."""
    points: FloatArray = field(default_factory=lambda: np.empty((0, 2)))
    """Centres of solid squares, N x 2 [m], whose outlines are among the walls."""
    resolution: float = RESOLUTION
    """Side of those squares [m]."""
    plants: Plants = field(default_factory=Plants.none)
    """What stands in a field: plants, grass, rocks and stakes."""
    mounds: Mounds = field(default_factory=Mounds)
    soil: str = ""
    """What the ground is made of, for pictures: `sand`, `dirt`, `grass`, `heightmap`; a plain floor if empty."""
    trampling: bool = True
    """Whether plants that are driven over lie flat; else they rise again."""
    sketch: Sketch | None = None
    """Of a garden, what obstacles and areas were made from."""
    problems: tuple[Problem, ...] = ()
    """Warnings of the reader."""
    path: str = ""
    has_map: bool = True
    """False in the empty world."""

    # Obstacles as arrays

    @cached_property
    def segments(self) -> Segments:
        """All segments except those of the movable boxes: walls, then outlines of plants, then the obstacles' edges."""
        if not self.obstacles and not len(self.plants):
            return self.walls
        return Segments.join(self.walls, self.plants.segments(), *(obstacle.segments() for obstacle in self.obstacles))

    @cached_property
    def _first_edges(self) -> list[int]:
        """Where the edges of each obstacle begin among the segments, and one more for the end."""
        counts = [len(obstacle.segments()) for obstacle in self.obstacles]
        return list(accumulate(counts, initial=len(self.walls) + len(self.plants.edges)))

    # Obstacles that change: the numbers of all other segments stay, so that a grid can follow (see `Grid.follow`)

    def without(self, *names: str) -> World:
        """Return the world in which these obstacles stop nothing: trampled plants, open doors; KeyError if there is none."""
        return self._with_stops(dict.fromkeys(self._numbers(names), Stops.NOTHING))

    def with_again(self, *names: str, stops: Stops = Stops.ALL) -> World:
        """Return the world in which these obstacles are in the way (again)."""
        return self._with_stops(dict.fromkeys(self._numbers(names), stops))

    def with_more(self, *obstacles: Obstacle) -> World:
        """Return the world with further obstacles."""
        return replace(self, obstacles=(*self.obstacles, *obstacles))

    def trampled(self, plants: IntArray) -> World:
        """Return the world in which the plants of these numbers lie flat; see `Plants.under` for those under a robot."""
        if not self.trampling:
            return self
        world = replace(self, plants=self.plants.trampled(plants))
        segments = self.segments
        stops = segments.stops.copy()
        edges = self.plants.edges_of(plants)
        owner = np.repeat(plants, self.plants.first_edge[plants + 1] - self.plants.first_edge[plants])
        stops[len(self.walls) + edges] = world.plants.stops[owner]
        world.__dict__["segments"] = replace(segments, stops=stops)
        world.__dict__["_first_edges"] = self._first_edges
        return world

    def _numbers(self, names: Iterable[str]) -> list[int]:
        known = {obstacle.name: number for number, obstacle in enumerate(self.obstacles)}
        return [known[name] for name in names]

    def _with_stops(self, changed: dict[int, Stops]) -> World:
        obstacles = list(self.obstacles)
        segments = self.segments
        stops = segments.stops.copy()
        for number, wanted in changed.items():
            obstacles[number] = obstacles[number].with_stops(wanted)
            stops[self._first_edges[number] : self._first_edges[number + 1]] = int(wanted)
        world = replace(self, obstacles=tuple(obstacles))
        # Reuse the known offsets: recomputing them for each door would be slow.
        world.__dict__["segments"] = replace(segments, stops=stops)
        world.__dict__["_first_edges"] = self._first_edges
        return world

    # Spatial queries (see `Places`)

    @cached_property
    def places(self) -> Places:
        """Everything as shapely geometries with an index; built on first use."""
        from mobilesim_py.world.places import Places

        return Places(self)

    def at(self, x: float, y: float) -> list[Feature]:
        """Return what is at a place: boxes, obstacles, solid squares, areas, objects; walls that go through it."""
        return self.places.meeting(shape_of([((x, y),)]))

    def inside(self, polygon: Polygon | shapely.Geometry) -> list[Feature]:
        """Return what lies wholly inside a polygon."""
        return self.places.within(shape_of([polygon]) if isinstance(polygon, tuple) else polygon)

    def nearest(self, x: float, y: float, stops: Stops = Stops.ALL) -> tuple[Feature, float] | None:
        """Return the obstacle nearest to a place, of those that stop any of this, and how far away it is [m]."""
        return self.places.nearest(shape_of([((x, y),)]), stops)

    def fits(
        self, outline: Sequence[Polygon], pose: Pose = Pose(), clearance: float = 0.0, stops: Stops = Stops.ROBOTS
    ) -> bool:
        """Tell whether a body's outline, placed at a pose, keeps its distance from all that stops it (touching does not)."""
        return self.places.is_clear(shape_of([placed(polygon, pose) for polygon in outline]), clearance, stops)

    def free_space(self, clearance: float = 0.0, stops: Stops = Stops.ROBOTS) -> shapely.Geometry:
        """Return where the centre of something this wide may be: the bounds but for obstacles and what is near."""
        return self.places.free_space(clearance, stops)

    @overload
    def value_at(self, name: str, x: float, y: float, otherwise: float = 0.0) -> float: ...
    @overload
    def value_at(self, name: str, x: FloatArray, y: FloatArray, otherwise: float = 0.0) -> FloatArray: ...

    def value_at(
        self, name: str, x: float | FloatArray, y: float | FloatArray, otherwise: float = 0.0
    ) -> float | FloatArray:
        """Return the value of this name of the ground areas at one place or many, or `otherwise`."""
        return value_at(self.areas, name, x, y, otherwise)  # type: ignore[arg-type]

    def is_gps_bad(self, x: float, y: float) -> bool:
        """Tell whether a GPS receiver at this place [m] has no valid fix."""
        return self.value_at(GPS, x, y, GOOD_GPS) <= 0.0


def empty_world(size: float = EMPTY_SIZE) -> World:
    """Return a world without a map: nothing in it, `size` metres square about the origin."""
    half = size / 2.0
    return World("no map", Bounds(-half, -half, half, half), has_map=False)
