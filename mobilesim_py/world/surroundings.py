"""Obstacles to robots around a place: a spatial index of what is near, which grows with the distances queried.

A robot that starts beside another one needs a few metres; the rest of a large map need not become geometries for that.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import shapely

from mobilesim_py.geometry import BoolArray, FloatArray, circle_of, lines_of
from mobilesim_py.world.obstacles import Stops

if TYPE_CHECKING:
    from mobilesim_py.geometry import Point
    from mobilesim_py.world.world import World

_FIRST, _GROWTH = 4.0, 6.0
"""The least distance that is covered [m], and the factor by which the index grows when it is rebuilt."""
_WIDEST = 1.5
"""How far walls are looked for about a place [m]: most robots need less."""
_PIECE = 1.0
"""A line of sight is followed in pieces of this length [m]: the rectangle about a short one holds few walls."""


class Surroundings:
    """Walls, points, obstacles and boxes that stop robots, about a centre."""

    def __init__(self, world: World, centre: Point) -> None:
        self.centre = centre
        self._covered = 0.0
        segments = world.segments
        self._ends = segments.ends[(segments.stops & int(Stops.ROBOTS)) != 0]
        self._points = world.points[np.argsort(world.points[:, 0], kind="stable")]
        # Slightly more than half: touching squares leave no gap.
        self._half = world.resolution / 2.0 + 1e-6
        solids = [box.geometry for box in world.boxes if box.stops & Stops.ROBOTS]
        solids += [obstacle.geometry for obstacle in world.obstacles if obstacle.stops & Stops.ROBOTS]
        self._solids = shapely.STRtree(solids)
        circles = [circle_of(box.corners) for box in world.boxes if box.stops & Stops.ROBOTS]
        self._box_circles = np.array(circles, np.float64).reshape(-1, 3)
        self._box_centres = shapely.STRtree(np.asarray(shapely.points(self._box_circles[:, :2]), np.object_))
        self._walls = shapely.STRtree([])
        self._in_sight: dict[Point, bool] = {}
        self._clearance: dict[Point, float] = {}
        self._widest = _WIDEST

    def cover(self, distance: float) -> None:
        """Make sure that everything up to this distance from the centre is in the index."""
        if distance <= self._covered:
            return
        self._covered = max(distance, _GROWTH * self._covered, _FIRST)
        x, y, far = *self.centre, self._covered
        x1, y1, x2, y2 = self._ends.T
        near = (np.minimum(x1, x2) <= x + far) & (np.maximum(x1, x2) >= x - far)
        near &= (np.minimum(y1, y2) <= y + far) & (np.maximum(y1, y2) >= y - far)
        if near.all():
            self._covered = math.inf
        self._walls = shapely.STRtree(lines_of(self._ends[near]))

    def meets(self, shape: shapely.Geometry) -> bool:
        """Tell whether a shape touches anything."""
        left, low, right, high = shapely.bounds(shape).tolist()
        x, y = self.centre
        self.cover(max(abs(left - x), abs(right - x), abs(low - y), abs(high - y)))
        if any(len(tree.query(shape, predicate="intersects")) for tree in (self._walls, self._solids)):
            return True
        # What meets no outline is wholly outside of solid blocks of points, or wholly inside.
        corner = shapely.get_coordinates(shape)[:1]
        return bool(self._is_solid(corner[:, 0], corner[:, 1])[0])

    def clear(self, x: FloatArray, y: FloatArray, radius: float) -> BoolArray:
        """Tell which circles meet no wall, and not the circle about any box."""
        free = self._distances(x, y, radius) > radius
        places = shapely.points(x, y)
        free &= ~_any(self._solids.query(places, predicate="dwithin", distance=radius), len(x))
        place, box = self._box_centres.query(
            places, predicate="dwithin", distance=float(self._box_circles[:, 2].max(initial=0.0)) + radius
        )
        bx, by, reach = self._box_circles[box].T
        free[place[np.hypot(x[place] - bx, y[place] - by) <= reach + radius]] = False
        free[free] = ~self._is_solid(x[free], y[free])
        return free

    def _distances(self, x: FloatArray, y: FloatArray, radius: float) -> FloatArray:
        """Return how far the nearest wall is from each place [m], infinity beyond the radius; asked once for each place."""
        if radius > self._widest:
            self._widest = _GROWTH * radius
            self._clearance.clear()
        self._cover_all(x, y, self._widest)
        places = list(zip(x.tolist(), y.tolist(), strict=True))
        new = [k for k, place in enumerate(places) if place not in self._clearance]
        found = np.full(len(new), np.inf)
        if new and len(self._walls):
            pairs, distances = self._walls.query_nearest(
                shapely.points(x[new], y[new]), max_distance=self._widest, return_distance=True, all_matches=False
            )
            found[pairs[0]] = distances
        self._clearance.update(zip((places[k] for k in new), found.tolist(), strict=True))
        return np.array([self._clearance[place] for place in places])

    def seen(self, x: FloatArray, y: FloatArray) -> BoolArray:
        """Tell which places are in line of sight of the centre; what was asked before is remembered."""
        places = list(zip(x.tolist(), y.tolist(), strict=True))
        new = np.array([place not in self._in_sight for place in places], np.bool_)
        for k, is_seen in zip(np.flatnonzero(new).tolist(), self._look(x[new], y[new]).tolist(), strict=True):
            self._in_sight[places[k]] = is_seen
        return np.array([self._in_sight[place] for place in places], np.bool_)

    def _look(self, x: FloatArray, y: FloatArray) -> BoolArray:
        """Follow the lines of sight from the centre piece by piece; tell which come to their ends."""
        self._cover_all(x, y, 0.0)
        distance = np.hypot(x - self.centre[0], y - self.centre[1])
        per = np.maximum(distance, 1e-12)
        along = np.stack([(x - self.centre[0]) / per, (y - self.centre[1]) / per], axis=1)
        result = np.zeros(len(x), np.bool_)
        rays = np.arange(len(x))
        way = 0.0
        while len(rays):
            start = np.minimum(way, distance[rays])[:, None] * along[rays] + self.centre
            way += _PIECE
            end = np.minimum(way, distance[rays])[:, None] * along[rays] + self.centre
            pieces = lines_of(np.concatenate([start, end], axis=1))
            rays = rays[~_any(self._walls.query(pieces, predicate="intersects"), len(rays))]
            arrived = distance[rays] <= way
            result[rays[arrived]] = True
            rays = rays[~arrived]
        return result

    def passable(self, ends: FloatArray, radius: float) -> BoolArray:
        """Tell along which of the lines (N x 4) a circle of this radius meets nothing."""
        self._cover_all(ends[:, ::2].reshape(-1), ends[:, 1::2].reshape(-1), radius)
        lines = lines_of(ends)
        free = ~_any(self._walls.query(lines, predicate="dwithin", distance=radius), len(ends))
        return free & ~_any(self._solids.query(lines, predicate="dwithin", distance=radius), len(ends))

    def _is_solid(self, x: FloatArray, y: FloatArray) -> BoolArray:
        """Tell which places are in the square of a point."""
        low = np.searchsorted(self._points[:, 0], x - self._half)
        high = np.searchsorted(self._points[:, 0], x + self._half, side="right")
        rows = zip(low.tolist(), high.tolist(), y.tolist(), strict=True)
        return np.array([bool((np.abs(self._points[a:b, 1] - v) <= self._half).any()) for a, b, v in rows], np.bool_)

    def _cover_all(self, x: FloatArray, y: FloatArray, radius: float) -> None:
        if len(x):
            self.cover(float(max(np.abs(x - self.centre[0]).max(), np.abs(y - self.centre[1]).max())) + radius)


def _any(pairs: np.ndarray[tuple[int, ...], np.dtype[np.int64]], count: int) -> BoolArray:
    """Tell which of `count` shapes were found to meet anything."""
    found = np.zeros(count, np.bool_)
    found[pairs[0]] = True
    return found
