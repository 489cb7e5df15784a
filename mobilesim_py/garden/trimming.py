"""Where to stand for trimming an object: in front of it, facing it, reachable, at the right distance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from mobilesim_py.garden.ground_plan import Snapshot
from mobilesim_py.geometry import BoolArray, FloatArray, Point, Polygon, Pose
from mobilesim_py.navigation.costmap import Costmap
from mobilesim_py.navigation.search import Searcher, find_path, room_to_start

STANDOFF = 0.25
"""From the vehicle's front to the object when it trims [m]."""
AHEAD = 0.5
"""How much farther away it is where the approach begins [m]."""
ARM = 1.0
"""Farther away from its front the object cannot be trimmed [m]."""
APART = 0.2
"""From one place that is looked at to the next one [m]."""
TRIED = 12
"""So many of the nearest places are compared by the ways to them."""
_STEP = 0.05
_MARGIN = 0.1
"""So near to the object's outline its own cells are [m]."""


@dataclass(frozen=True)
class Body:
    """The vehicle's outline: a rectangle about its middle, as points no farther apart than a cell."""

    length: float
    width: float

    @property
    def front(self) -> float:
        """From its middle to its front [m]."""
        return self.length / 2.0

    def points(self) -> FloatArray:
        """Return points all over it, N x 2, in its own frame [m]."""
        x = np.linspace(-self.length / 2.0, self.length / 2.0, math.ceil(self.length / _STEP) + 1)
        y = np.linspace(-self.width / 2.0, self.width / 2.0, math.ceil(self.width / _STEP) + 1)
        return np.stack([part.reshape(-1) for part in np.meshgrid(x, y)], axis=1)


@dataclass(frozen=True)
class TrimmingPosition:
    """A place to trim from."""

    start: Pose
    """Where the approach begins, facing the object."""
    end: Pose
    """Where it ends."""
    aim: Point
    """The place on the object that it faces."""

    @property
    def gap(self) -> float:
        """From the middle of the vehicle to the object at the end [m]."""
        return math.dist((self.end.x, self.end.y), self.aim)


def find_position(
    ground: Snapshot, costmap: Costmap, here: Point, outline: Polygon, body: Body, searches: Searcher
) -> TrimmingPosition | str:
    """Return the best place, which is the one with the cheapest way to it; a sentence where there is none."""
    thing = shapely.make_valid(shapely.Polygon(outline))
    places = list(_places(thing, body, costmap))
    if not places:
        return "there is no room in front of it"
    reached = _reached(costmap, here, searches)
    if reached is None:
        return "the vehicle is where it has no room, and nothing near has"
    reachable = [place for place in places if reached[costmap.cell_of(place.x, place.y) or (0, 0)]]
    if not reachable:
        return "no way leads to where it could be trimmed"
    reachable.sort(key=lambda place: math.dist(here, (place.x, place.y)))
    found = [position for place in reachable if (position := _approach(ground, thing, place, body)) is not None]
    if not found:
        return f"its front would stay more than {ARM:g} m away, or something else is in between"
    # The nearest to the object first, then the cheapest to get to.
    least = min(position.gap for position in found)
    close = [position for position in found if position.gap <= least + 0.1][:TRIED]
    return min(close, key=lambda position: _price(costmap, here, position.start, searches))


def _places(thing: shapely.Geometry, body: Body, costmap: Costmap) -> Iterator[Pose]:
    """Go through places around an object with room for the vehicle, at growing distances."""
    for distance in (STANDOFF + AHEAD, ARM, ARM + 0.4):
        ring = shapely.buffer(thing, body.front + distance).exterior
        count = max(8, math.ceil(ring.length / APART))
        for point in shapely.line_interpolate_point(ring, np.linspace(0.0, 1.0, count, endpoint=False), normalized=True):
            x, y = float(shapely.get_x(point)), float(shapely.get_y(point))
            if costmap.is_free(x, y):
                aim = shapely.get_point(shapely.shortest_line(point, thing), 1)
                yield Pose(x, y, math.atan2(float(shapely.get_y(aim)) - y, float(shapely.get_x(aim)) - x))


def _reached(costmap: Costmap, here: Point, searches: Searcher) -> BoolArray | None:
    begin = room_to_start(costmap, here)
    return searches.reach(costmap.cost, begin).reshape(costmap.shape) if begin is not None else None


def _approach(ground: Snapshot, thing: shapely.Geometry, place: Pose, body: Body) -> TrimmingPosition | None:
    """Go straight at the object until the right distance, or as far as the ground allows; None if that is too far."""
    x, y = place.x, place.y
    aim = shapely.get_point(shapely.shortest_line(shapely.Point(x, y), thing), 1)
    ax, ay = float(shapely.get_x(aim)), float(shapely.get_y(aim))
    whole = math.hypot(ax - x, ay - y)
    points = body.points()
    cos, sin = math.cos(place.heading), math.sin(place.heading)
    way = 0.0
    while whole - way - _STEP >= body.front + STANDOFF - 1e-9:
        there = way + _STEP
        px = x + cos * there + points[:, 0] * cos - points[:, 1] * sin
        py = y + sin * there + points[:, 0] * sin + points[:, 1] * cos
        if ground.is_blocked_at(px, py):
            break
        way = there
    if whole - way > body.front + ARM:
        return None
    between = np.arange(way + body.front, whole - _MARGIN, _STEP / 2.0)
    if ground.has_standing_at(x + cos * between, y + sin * between):
        return None  # there is something else in between
    return TrimmingPosition(place, Pose(x + cos * way, y + sin * way, place.heading), (ax, ay))


def _price(costmap: Costmap, here: Point, place: Pose, searches: Searcher) -> float:
    """Return how long the way to a place is [m]."""
    path = find_path(costmap, here, (place.x, place.y), searches)
    return sum(math.dist(a, b) for a, b in pairwise(path)) if path else math.inf
