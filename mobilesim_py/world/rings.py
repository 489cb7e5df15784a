"""Candidate places on growing rings around a pose, nearest first."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator

import numpy as np
import shapely

from mobilesim_py.geometry import BoolArray, FloatArray, Point
from mobilesim_py.world.surroundings import Surroundings

Choice = Callable[[FloatArray, FloatArray], BoolArray]
"""Tells which of many places are suitable."""
_FIRST_RINGS = 8
_FIRST_REACH = 40
"""Rings that the first search for a path covers: the path may be a long detour."""
_NEIGHBOUR = 1.6
"""How far apart places of neighbouring rings may be, in steps between rings."""


class Rings:
    """The suitable places on rings, found lazily ring by ring and cached."""

    def __init__(self, centre: Point, step: float, farthest: float, choice: Choice) -> None:
        self.centre, self.step = centre, step
        self._choice = choice
        self._last = int(farthest / step)
        self._done = 0
        self._found: list[Point] = []

    def __iter__(self) -> Iterator[Point]:
        """Go through the places, from the nearest on."""
        k = 0
        while k < len(self._found) or self._search():
            if k < len(self._found):
                yield self._found[k]
                k += 1

    def _search(self) -> bool:
        """Search more rings, about as many as so far; False when there are no more."""
        first, last = self._done + 1, min(max(_FIRST_RINGS, 2 * self._done), self._last)
        if first > last:
            return False
        x, y = ring_places(self.centre, self.step, first, last)
        chosen = self._choice(x, y)
        self._found += zip(x[chosen].tolist(), y[chosen].tolist(), strict=True)
        self._done = last
        return True


class ReachedRings(Rings):
    """The suitable places that a body can reach from the places in sight of the centre.

    On its way it needs less room than where it stays: it goes straight ahead, and `half_width` is free to both sides.
    """

    def __init__(
        self,
        surroundings: Surroundings,
        half_width: float,
        sight: float,
        step: float,
        farthest: float,
        choice: Choice,
        way: Choice,
    ) -> None:
        super().__init__(surroundings.centre, step, farthest, choice)
        self._surroundings, self._half_width, self._sight, self._way = surroundings, half_width, sight, way

    def _search(self) -> bool:
        """Search all rings again, up to twice as far: paths to near places may be long detours."""
        last = min(max(_FIRST_REACH, 2 * self._done), self._last)
        if last == self._done:
            return False
        x, y = ring_places(self.centre, self.step, 1, last)
        free = self._way(x, y)
        x, y = x[free], y[free]
        distance = np.hypot(x - self.centre[0], y - self.centre[1])
        near = distance <= self._sight
        near[near] = self._surroundings.seen(x[near], y[near])
        reached = reachable(self._surroundings, x, y, near, self._half_width, self.step)
        # Where no path comes near the last ring, none goes on beyond it: they all end in a closed room.
        ends_here = not (distance[reached] > (last + 1 - _NEIGHBOUR) * self.step - 1e-6).any()
        reached[reached] = self._choice(x[reached], y[reached])
        known = set(self._found)
        places = zip(x[reached].tolist(), y[reached].tolist(), strict=True)
        self._found += [place for place in places if place not in known]
        self._done = self._last if ends_here and last * self.step >= self._sight else last
        return True


def ring_places(centre: Point, step: float, first: int, last: int) -> tuple[FloatArray, FloatArray]:
    """Return the places on the rings `first` to `last`, six on the first one, counter-clockwise from below the centre."""
    ring = np.repeat(np.arange(first, last + 1), 6 * np.arange(first, last + 1))
    index = np.concatenate([np.arange(6 * n) for n in range(first, last + 1)])
    angle = -0.5 * math.pi + index * math.pi / (3.0 * ring)
    x = np.asarray(centre[0] + ring * step * np.cos(angle), np.float64)
    y = np.asarray(centre[1] + ring * step * np.sin(angle), np.float64)
    return x, y


def reachable(
    surroundings: Surroundings, x: FloatArray, y: FloatArray, is_start: BoolArray, radius: float, step: float
) -> BoolArray:
    """Tell which of many places a circle can reach from the start ones, going from neighbour to neighbour."""
    places = np.stack([x, y], axis=1)
    points = np.asarray(shapely.points(places), np.object_)
    longest = _NEIGHBOUR * step
    one, other = shapely.STRtree(points).query(points, predicate="dwithin", distance=longest)
    one, other = one[one < other], other[one < other]
    # Between places with this much clearance there can be no obstacle.
    airy = surroundings.clear(x, y, radius + longest)
    tight = np.flatnonzero(~(airy[one] | airy[other]))
    joined = np.ones(len(one), np.bool_)
    joined[tight] = surroundings.passable(np.concatenate([places[one[tight]], places[other[tight]]], axis=1), radius)
    neighbours: list[list[int]] = [[] for _ in range(len(x))]
    for a, b in zip(one[joined].tolist(), other[joined].tolist(), strict=True):
        neighbours[a].append(b)
        neighbours[b].append(a)
    reached = is_start.copy()
    coming = deque(np.flatnonzero(is_start).tolist())
    while coming:
        for place in neighbours[coming.popleft()]:
            if not reached[place]:
                reached[place] = True
                coming.append(place)
    return reached
