"""Where robots begin.

The map's home, or else its centre; or where `--start` says. The first robot stands exactly there when a home or `--start`
names the place: whoever drew it wanted that, even right at a wall. Further robots stand 1 m lower in y each, as in the
original, or, where that is not free, on the nearest free place that can be seen from there, or else be reached from there.
All of them stay inside the map, unless the first one is outside already or there is no room left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from mobilesim_py.errors import UsageError
from mobilesim_py.geometry import BoolArray, FloatArray, Polygon, Pose, placed
from mobilesim_py.world.world import Bounds, World

if TYPE_CHECKING:
    from mobilesim_py.world.rings import Rings
    from mobilesim_py.world.room import Taken
    from mobilesim_py.world.surroundings import Surroundings

BESIDE = 1.0
"""Distance between robots that start one after the other [m]."""
OUTSIDE = 2.0
"""How far from the map `--start outside` is [m]."""
RANDOM_TRIES = 2000
AIR = 0.05
"""Clearance between robots [m], so that they can turn away from each other."""
_RING = 0.5
_SIGHT = 20.0
_FARTHEST = 200.0
_LARGEST = 1e9
"""Largest coordinate that `--start` accepts [mm]."""


class Where(Enum):
    """The ways to choose a start."""

    HOME = "home"
    FIXED = "fixed"
    OUTSIDE = "outside"
    RANDOM = "random"


@dataclass(frozen=True)
class StartRule:
    """What `--start` asks for."""

    where: Where = Where.HOME
    pose: Pose = field(default_factory=Pose)

    @classmethod
    def parse(cls, text: str | None) -> StartRule:
        """Read the value of `--start`: `x,y,th` [mm, mm, degrees], `outside`, `random`, or None for the map's home."""
        if text is None:
            return cls()
        word = text.strip().lower()
        if word in (Where.OUTSIDE.value, Where.RANDOM.value):
            return cls(Where(word))
        try:
            x, y, heading = (float(part) for part in word.replace("_", "?").split(","))
        except ValueError:
            x = y = heading = math.nan
        # Written so that NaN is refused, too.
        if abs(x) <= _LARGEST and abs(y) <= _LARGEST and math.isfinite(heading):
            return cls(Where.FIXED, Pose(x / 1000.0, y / 1000.0, math.radians(heading)))
        raise UsageError(
            f"--start {text!a}: it must be x,y,th in millimetres and degrees (such as --start 200,4650,90), "
            "`outside` or `random`"
        )


def home_of(world: World) -> Pose | None:
    """Return the map's own starting place, if it has one."""
    return world.homes[0] if world.homes else None


def first_place(world: World, rule: StartRule) -> Pose:
    """Return where the first robot starts, unless places are chosen at random."""
    return _first_place(world, rule)[0]


def choose_start(
    world: World,
    rule: StartRule,
    footprint: Sequence[Polygon],
    taken: Sequence[Polygon] | Taken,
    rng: np.random.Generator | None = None,
) -> Pose:
    """Choose the start of one more robot.

    `footprint` is its outline in its own frame, `taken` the outlines of the robots and boxes that are there already,
    in the world's frame [m]; `rng` is for rules that choose at random. A search goes on where the last one in this world
    ended, as long as nobody has left.
    """
    pose, is_wanted = _first_place(world, rule)
    if not len(taken) and is_wanted and rule.where is not Where.RANDOM:
        return pose
    from mobilesim_py.world.room import Taken

    there = taken if isinstance(taken, Taken) else Taken.by(tuple(taken))
    search = _search_of(world, rule, tuple(footprint))
    return search.random(there, rng) if rule.where is Where.RANDOM and rng is not None else search.next(there)


def _first_place(world: World, rule: StartRule) -> tuple[Pose, bool]:
    """Return where the first robot starts, and whether that place was asked for exactly."""
    if rule.where is Where.FIXED:
        return rule.pose, True
    if rule.where is Where.OUTSIDE:
        return Pose(world.bounds.min_x - OUTSIDE, world.bounds.max_y, 0.0), True
    home = home_of(world)
    return (home, True) if home else (Pose(*world.bounds.centre, 0.0), False)


class StartSearch:
    """Looks for places for robots with one footprint, one after the other, in one world."""

    def __init__(self, world: World, rule: StartRule, footprint: tuple[Polygon, ...], surroundings: Surroundings) -> None:
        from mobilesim_py.world.room import Room

        self._bounds = world.bounds
        self._first, self._is_wanted = _first_place(world, rule)
        self._surroundings = surroundings
        self._room = Room(surroundings, footprint)
        # Where there are no walls, the bounds are those of whatever else is there, and mean nothing.
        self._has_inside = bool(len(world.segments)) and _holds(world.bounds, self._first.x, self._first.y)
        self._rings: dict[str, Rings] = {}
        self._taken: Taken
        self._known: FloatArray = np.empty((3, 0))
        self._places = self._all_places()
        self._last: tuple[Pose, bool] | None = None

    def next(self, taken: Taken) -> Pose:
        """Return the first free place; places taken in an earlier search are not tried again."""
        circles = taken.circles
        if not np.array_equal(circles[:, : self._known.shape[1]], self._known):
            self._places, self._last = self._all_places(), None
        self._known, self._taken = circles, taken
        while self._last is None or not self._is_vacant(*self._last):
            self._last = next(self._places, None)
            if self._last is None:
                return self._first
        return self._last[0]

    def random(self, taken: Taken, rng: np.random.Generator) -> Pose:
        """Return a free pose somewhere in the map, with any heading."""
        self._surroundings.cover(math.inf)
        bounds = self._bounds
        for _ in range(RANDOM_TRIES):
            x, y = rng.uniform(bounds.min_x, bounds.max_x), rng.uniform(bounds.min_y, bounds.max_y)
            pose = Pose(float(x), float(y), float(rng.uniform(-math.pi, math.pi)))
            if self._room.is_free(pose, taken):
                return pose
        return self.next(taken)

    def _is_vacant(self, pose: Pose, with_air: bool) -> bool:
        if with_air:
            return self._room.has_air(pose.x, pose.y, AIR, self._taken)
        return self._room.is_vacant(pose, self._taken)

    def _all_places(self) -> Iterator[tuple[Pose, bool]]:
        """Iterate over all places free of walls, and whether a robot there needs clearance."""
        if self._is_wanted or self._room.is_clear(self._first):
            yield self._first, False
        for inside in (True, False) if self._has_inside else (False,):
            yield from ((pose, False) for pose in self._below(inside))
            for ways in ("seen", "reached") if inside else ("seen", "anywhere"):
                for x, y in self._ring(ways, inside):
                    yield Pose(x, y, self._first.heading), True

    def _below(self, inside: bool) -> Iterator[Pose]:
        """Go down in steps, past robots that are there, until an obstacle is in the way."""
        first = self._first
        for k in range(1, int(_SIGHT / BESIDE) + 1):
            lower = Pose(first.x, first.y - k * BESIDE, first.heading)
            if not self._room.is_vacant(lower, self._taken):
                continue
            is_seen = self._surroundings.seen(np.array([lower.x]), np.array([lower.y]))[0]
            corners = [corner for outline in self._room.footprint for corner in placed(outline, lower)]
            if not (is_seen and self._room.is_clear(lower)) or (
                inside and not all(_holds(self._bounds, x, y) for x, y in corners)
            ):
                return
            yield lower

    def _ring(self, ways: str, inside: bool) -> Rings:
        """Return the rings around the first place: places in sight of it, reachable from it, or just free."""
        from mobilesim_py.world.rings import ReachedRings, Rings

        key = f"{ways} {inside}"
        if key not in self._rings:
            radius, centre = self._room.radius, (self._first.x, self._first.y)

            def free(x: FloatArray, y: FloatArray, room: float) -> BoolArray:
                found = np.ones(len(x), np.bool_)
                if inside:
                    found = _holds_circles(self._bounds, x, y, radius)
                # Most rays end at a near wall, which is cheaper to find than whether their far ends are free.
                if ways == "seen":
                    found[found] = self._surroundings.seen(x[found], y[found])
                found[found] = self._surroundings.clear(x[found], y[found], room)
                return found

            def choice(x: FloatArray, y: FloatArray) -> BoolArray:
                return free(x, y, radius + AIR)

            far = max(_RING, radius), _FARTHEST, choice
            if ways == "seen":
                self._rings[key] = Rings(centre, _RING, _SIGHT, choice)
            elif ways == "reached":
                width = self._room.half_width
                self._rings[key] = ReachedRings(self._surroundings, width, _SIGHT, *far, lambda x, y: free(x, y, width))
            else:
                self._rings[key] = Rings(centre, *far)
        return self._rings[key]


@dataclass
class _Searches:
    """The searches under way in one world."""

    surroundings: dict[StartRule, Surroundings] = field(default_factory=dict)
    by_footprint: dict[tuple[StartRule, tuple[Polygon, ...]], StartSearch] = field(default_factory=dict)


_searches: WeakKeyDictionary[World, _Searches] = WeakKeyDictionary()


def _search_of(world: World, rule: StartRule, footprint: tuple[Polygon, ...]) -> StartSearch:
    from mobilesim_py.world.surroundings import Surroundings

    searches = _searches.setdefault(world, _Searches())
    if rule not in searches.surroundings:
        first = first_place(world, rule)
        searches.surroundings[rule] = Surroundings(world, (first.x, first.y))
    if (rule, footprint) not in searches.by_footprint:
        searches.by_footprint[rule, footprint] = StartSearch(world, rule, footprint, searches.surroundings[rule])
    return searches.by_footprint[rule, footprint]


def _holds(bounds: Bounds, x: float, y: float) -> bool:
    return bounds.min_x <= x <= bounds.max_x and bounds.min_y <= y <= bounds.max_y


def _holds_circles(bounds: Bounds, x: FloatArray, y: FloatArray, radius: float) -> BoolArray:
    """Tell which circles are inside the bounds."""
    free = (x >= bounds.min_x + radius) & (x <= bounds.max_x - radius)
    free &= (y >= bounds.min_y + radius) & (y <= bounds.max_y - radius)
    return free
