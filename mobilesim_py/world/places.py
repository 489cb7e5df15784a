"""Spatial queries: everything in a world as shapely geometries with an STRtree.

The geometries of walls and points are built all at once, and only for the first query.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import shapely

from mobilesim_py.geometry import lines_of
from mobilesim_py.world.obstacles import ByteArray, Made, Stops

if TYPE_CHECKING:
    from mobilesim_py.world.world import World

Geometries = npt.NDArray[np.object_]
Indices = npt.NDArray[np.int64]

ROUND = 4
"""Corners of a quarter circle in the buffer around obstacles."""


@dataclass(frozen=True, eq=False)
class Feature:
    """One thing of the world and its geometry."""

    kind: str
    """`wall`, `point`, `reflector`, or the kind of the obstacle, box, area or object."""
    geometry: shapely.Geometry
    name: str = ""
    stops: Stops = Stops.NOTHING
    thing: Any = None
    """The `Obstacle`, `Box`, `Area` or `MapObject`; of a wall the number of its segment, of a point its own."""


class Places:
    """The geometries of a world, in this order: walls, points, obstacles, boxes, areas, objects."""

    def __init__(self, world: World) -> None:
        self.world = world
        # A point is its whole square; with the outline of the square among the walls it would be counted twice.
        self._walls = np.flatnonzero(world.walls.made != Made.POINT)
        walls = lines_of(world.walls.ends[self._walls])
        half = world.resolution / 2.0
        x, y = world.points.T
        squares = np.asarray(shapely.box(x - half, y - half, x + half, y + half), np.object_)
        box_kinds = {box.kind for box in world.boxes}
        self._things: list[Any] = [
            *world.obstacles,
            *world.boxes,
            *world.areas,
            *(thing for thing in world.objects if thing.kind not in box_kinds),
        ]
        others = np.empty(len(self._things), np.object_)
        others[:] = [thing.geometry for thing in self._things]
        self.geometries: Geometries = np.concatenate([walls, squares, others])
        stops = [int(getattr(thing, "stops", Stops.NOTHING)) for thing in self._things]
        solid = np.full(len(squares), int(Stops.ALL), np.uint8)
        self.stops: ByteArray = np.concatenate([world.walls.stops[self._walls], solid, np.array(stops, np.uint8)])
        self.tree = shapely.STRtree(self.geometries)
        self._solid_trees: dict[int, tuple[Indices, shapely.STRtree]] = {}
        self._free: dict[tuple[float, int], shapely.Geometry] = {}

    def feature(self, number: int) -> Feature:
        """Return the thing whose geometry has this number."""
        geometry, stops = self.geometries[number], Stops(int(self.stops[number]))
        squares = len(self._walls)
        others = squares + len(self.world.points)
        if number < squares:
            row = int(self._walls[number])
            return Feature(Made(int(self.world.walls.made[row])).name.lower(), geometry, stops=stops, thing=row)
        if number < others:
            return Feature(Made.POINT.name.lower(), geometry, stops=stops, thing=number - squares)
        thing = self._things[number - others]
        return Feature(thing.kind, geometry, thing.name, stops, thing)

    def meeting(self, shape: shapely.Geometry) -> list[Feature]:
        """Return what intersects a shape."""
        return self._features(self.tree.query(shape, predicate="intersects"))

    def within(self, shape: shapely.Geometry) -> list[Feature]:
        """Return what lies wholly inside a shape."""
        return self._features(self.tree.query(shape, predicate="covers"))

    def nearest(self, shape: shapely.Geometry, stops: Stops) -> tuple[Feature, float] | None:
        """Return the obstacle nearest to a shape, of those that stop any of this, and how far away it is [m]."""
        numbers, tree = self._solids(stops)
        found, distance = tree.query_nearest(shape, return_distance=True, all_matches=False)
        return (self.feature(int(numbers[found[0]])), float(distance[0])) if len(found) else None

    def is_clear(self, shape: shapely.Geometry, clearance: float, stops: Stops) -> bool:
        """Tell whether nothing that stops any of this is within the clearance of a shape."""
        _, tree = self._solids(stops)
        return not len(tree.query(shape, predicate="dwithin", distance=clearance))

    def free_space(self, clearance: float, stops: Stops) -> shapely.Geometry:
        """Return the bounds minus obstacles and the clearance around them; cached."""
        key = (clearance, int(stops))
        if key not in self._free:
            bounds = self.world.bounds
            ground = shapely.box(bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)
            numbers, _ = self._solids(stops)
            # Lines without clearance have no area; a tiny buffer separates their two sides.
            solid = shapely.buffer(self.geometries[numbers], max(clearance, 1e-6), quad_segs=ROUND)
            self._free[key] = ground.difference(shapely.union_all(solid))
        return self._free[key]

    def _solids(self, stops: Stops) -> tuple[Indices, shapely.STRtree]:
        """Return the numbers of what stops any of this, and an index of it."""
        if int(stops) not in self._solid_trees:
            numbers = np.flatnonzero(self.stops & int(stops))
            tree = self.tree if len(numbers) == len(self.geometries) else shapely.STRtree(self.geometries[numbers])
            self._solid_trees[int(stops)] = numbers, tree
        return self._solid_trees[int(stops)]

    def _features(self, numbers: Indices) -> list[Feature]:
        return [self.feature(int(number)) for number in np.sort(numbers)]
