"""Where there is room: which poses are free for an outline, one exactly or many at once by their circles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from mobilesim_py.core.engines.numpy import casting as sweep
from mobilesim_py.core.engines.numpy.expand import IntArray, any_by_owner, runs
from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.boxes import placed
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import FloatArray, Stops
from mobilesim_py.world.overlap import BoolArray, is_in_sight, overlaps, radius_of, touches
from mobilesim_py.world.world import World


class Taken:
    """What stands in the world already: a circle about each thing [m], and its outlines when they are asked for."""

    def __init__(
        self, x: FloatArray, y: FloatArray, radius: FloatArray, outlines: Callable[[int], Sequence[Polygon]]
    ) -> None:
        self.x, self.y, self.radius = x, y, radius
        self.outlines = outlines
        """The polygons of thing number k, as they stand in the world."""

    @classmethod
    def by(cls, polygons: Sequence[Polygon]) -> Taken:
        """Polygons as they stand in the world."""
        circles = np.array([_circle(polygon) for polygon in polygons], dtype=np.float64).reshape(-1, 3)
        return cls(circles[:, 0], circles[:, 1], circles[:, 2], lambda k: (polygons[k],))


class Room:
    """Tells which poses are free for one footprint."""

    def __init__(self, world: World, grid: Grid, footprint: tuple[Polygon, ...], taken: Taken) -> None:
        self.world = world
        self.grid = grid
        self.footprint = footprint
        self.taken = taken
        self.radius = radius_of(footprint)

    def is_free(self, pose: Pose) -> bool:
        """Tell whether the footprint at a pose touches nothing."""
        return self.has_no_robot(pose) and self.has_no_wall(pose)

    def has_no_robot(self, pose: Pose) -> bool:
        """Tell whether the footprint at a pose overlaps nothing that stands there already."""
        taken = self.taken
        close = np.flatnonzero(np.hypot(taken.x - pose.x, taken.y - pose.y) <= taken.radius + self.radius)
        bodies = [placed(polygon, pose) for polygon in self.footprint]
        return not any(overlaps(body, other) for k in close.tolist() for other in taken.outlines(k) for body in bodies)

    def has_no_wall(self, pose: Pose) -> bool:
        """Tell whether the footprint at a pose touches no wall, no point and no box."""
        bodies = [placed(polygon, pose) for polygon in self.footprint]
        for obstacles in (self._walls_near(pose.x, pose.y, self.radius), self._points_near(pose)):
            if any(touches(body, obstacles) for body in bodies):
                return False
        boxes = [box.corners for box in self.world.boxes if box.stops & Stops.ROBOTS]
        return not any(overlaps(body, box) for body in bodies for box in boxes)

    def sees(self, start: Pose, end: Pose) -> bool:
        """Tell whether no wall is between two poses."""
        distance = math.hypot(start.x - end.x, start.y - end.y) / 2.0
        walls = self._walls_near((start.x + end.x) / 2.0, (start.y + end.y) / 2.0, distance)
        return is_in_sight((start.x, start.y), (end.x, end.y), walls)

    def first_free(self, x: FloatArray, y: FloatArray, air: float) -> int:
        """Give the first of many places whose circle, with some air, meets nothing that stands there; -1 if none."""
        taken = self.taken
        reach = taken.radius + self.radius + air
        for begin in range(0, len(x), 256):
            part = slice(begin, begin + 256)
            apart = (taken.x - x[part, None]) ** 2 + (taken.y - y[part, None]) ** 2 > reach * reach
            free = np.flatnonzero(apart.all(axis=1))
            if len(free):
                return begin + int(free[0])
        return -1

    def _walls_near(self, x: float, y: float, distance: float) -> FloatArray:
        _, item = _items_about(self.grid, np.array([x]), np.array([y]), distance)
        item = np.unique(self.grid.items[item[(self.grid.kinds[item] & int(Stops.ROBOTS)) != 0]])
        return np.asarray(self.grid.segments.ends[item])

    def _points_near(self, pose: Pose) -> FloatArray:
        """The points as segments of no length: a footprint in the midst of a solid block meets no outline, but points."""
        points = _points_by_x(self.world)
        low, high = np.searchsorted(points[:, 0], [pose.x - self.radius, pose.x + self.radius])
        points = points[low:high]
        points = points[np.abs(points[:, 1] - pose.y) <= self.radius]
        return np.concatenate([points, points], axis=1)


@lru_cache(maxsize=8)
def places_about(
    world: World, grid: Grid, centre: Pose, radius: float, step: float, farthest: float, in_sight: bool
) -> tuple[FloatArray, FloatArray]:
    """Give the places on ever larger rings about a pose whose circle is clear of walls and, if so wanted, in sight of it."""
    ring, index = runs(np.zeros(int(farthest / step), np.int64), 6 * np.arange(1, int(farthest / step) + 1))
    angle = -0.5 * math.pi + index * math.pi / (3.0 * (ring + 1))
    x = np.asarray(centre.x + (ring + 1) * step * np.cos(angle), np.float64)
    y = np.asarray(centre.y + (ring + 1) * step * np.sin(angle), np.float64)
    if in_sight:
        distance = np.hypot(x - centre.x, y - centre.y)
        seen, _ = sweep.cast(
            grid, np.full(len(x), centre.x), np.full(len(x), centre.y), (x - centre.x) / distance,
            (y - centre.y) / distance, distance, int(Stops.ROBOTS),
        )  # fmt: skip
        x, y = x[seen >= distance], y[seen >= distance]
    clear = _clear_of_walls(grid, x, y, radius)
    for box in world.boxes:
        if box.stops & Stops.ROBOTS:
            bx, by, reach = _circle(box.corners)
            clear &= np.hypot(x - bx, y - by) > reach + radius
    return x[clear], y[clear]


def _clear_of_walls(grid: Grid, x: FloatArray, y: FloatArray, radius: float) -> BoolArray:
    """Tell which circles meet no segment that blocks robots."""
    owner, item = _items_about(grid, x, y, radius)
    blocking = (grid.kinds[item] & int(Stops.ROBOTS)) != 0
    owner, item = owner[blocking], item[blocking]
    ax, ay, ex, ey = grid.lines[item].T
    length = np.maximum(ex * ex + ey * ey, 1e-18)
    share = np.clip(((x[owner] - ax) * ex + (y[owner] - ay) * ey) / length, 0.0, 1.0)
    gx, gy = ax + share * ex - x[owner], ay + share * ey - y[owner]
    return ~any_by_owner(owner, gx * gx + gy * gy < radius * radius, len(x))


def _items_about(grid: Grid, x: FloatArray, y: FloatArray, distance: float) -> tuple[IntArray, IntArray]:
    """For each place the grid's items in the square about it: numbers of places, and items."""
    low_i = np.clip(np.floor((x - distance - grid.x0) / grid.cell), 0, grid.columns).astype(np.int64)
    high_i = np.clip(np.floor((x + distance - grid.x0) / grid.cell), -1, grid.columns - 1).astype(np.int64)
    low_j = np.clip(np.floor((y - distance - grid.y0) / grid.cell), 0, grid.rows).astype(np.int64)
    high_j = np.clip(np.floor((y + distance - grid.y0) / grid.cell), -1, grid.rows - 1).astype(np.int64)
    rows = np.where(high_i >= low_i, np.maximum(0, high_j - low_j + 1), 0)
    place, j = runs(low_j, rows)
    start = grid.starts[j * grid.columns + low_i[place]]
    end = grid.starts[j * grid.columns + high_i[place] + 1]
    line, item = runs(start, end - start)
    return place[line], item


@lru_cache(maxsize=2)
def _points_by_x(world: World) -> FloatArray:
    points = world.map.points / 1000.0 if world.map is not None and len(world.map.points) else np.empty((0, 2))
    return np.asarray(points[np.argsort(points[:, 0], kind="stable")])


def _circle(polygon: Polygon) -> tuple[float, float, float]:
    """Give a circle about a polygon: centre and radius."""
    corners = np.asarray(polygon, np.float64)
    x, y = (float(value) for value in (corners.min(axis=0) + corners.max(axis=0)) / 2.0)
    return x, y, float(np.hypot(corners[:, 0] - x, corners[:, 1] - y).max())
