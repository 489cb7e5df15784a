"""Where robots begin.

The map's `RobotHome`, `Home` or `Dock`, in that order, or else its centre; or where `--start` says. The first robot
stands exactly there when a home or `--start` names the place: whoever drew it wanted that, even right at a wall.
Further robots stand 1 m lower in y each, as in the original, or, where that is not free, on the nearest free place
that can be seen from there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from mobilesim_py.errors import UsageError
from mobilesim_py.formats.armap.words import read_number
from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.room import Room, Taken, places_about
from mobilesim_py.world.sectors import pose_of
from mobilesim_py.world.world import World

HOME_KINDS = ("RobotHome", "Home", "Dock")
BESIDE = 1.0
"""Distance between robots that start one after the other [m]."""
OUTSIDE = 2.0
"""How far from the map `--start outside` is [m]."""
RANDOM_TRIES = 2000
_RING = 0.5
_AIR = 0.05
_SIGHT = 20.0
_FARTHEST = 200.0


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
        numbers = [read_number(part.strip()) for part in word.split(",")]
        if len(numbers) == 3 and all(number is not None and math.isfinite(number) for number in numbers):
            x, y, heading = (number for number in numbers if number is not None)
            if max(abs(x), abs(y)) <= 1e9:
                return cls(Where.FIXED, Pose(x / 1000.0, y / 1000.0, math.radians(heading)))
        raise UsageError(
            f"--start {text!a}: it must be x,y,th in millimetres and degrees (such as --start 200,4650,90), "
            "`outside` or `random`"
        )


def home_of(world: World) -> Pose | None:
    """Give the map's own starting place, if it has one."""
    if world.map is None:
        return None
    for kind in HOME_KINDS:
        homes = world.map.cairns_of(kind)
        if homes:
            return pose_of(homes[0])
    return None


def first_place(world: World, rule: StartRule) -> Pose:
    """Give where the first robot goes, unless places are chosen at random."""
    return _first_place(world, rule)[0]


def choose_start(
    world: World,
    rule: StartRule,
    footprint: Sequence[Polygon],
    taken: Sequence[Polygon] | Taken,
    rng: np.random.Generator,
    grid: Grid | None = None,
) -> Pose:
    """Choose the start of one more robot.

    `footprint` is its outline in its own frame, `taken` the outlines of the robots and boxes that are there already,
    in the world's frame [m]; `grid` the index of the world's walls, if there is one already.
    """
    there = taken if isinstance(taken, Taken) else Taken.by(tuple(taken))
    room = Room(world, grid or Grid.build(world.segments), tuple(footprint), there)
    if rule.where is Where.RANDOM:
        return _random_start(room, rng)
    pose, is_wanted = _first_place(world, rule)
    if room.has_no_robot(pose) and (is_wanted or room.is_free(pose)):
        return pose
    for k in range(1, int(_SIGHT / BESIDE) + 1):
        lower = Pose(pose.x, pose.y - k * BESIDE, pose.heading)
        if not room.has_no_robot(lower):
            continue
        if room.has_no_wall(lower) and room.sees(pose, lower):
            return lower
        break
    return _nearest_free(room, pose)


def _first_place(world: World, rule: StartRule) -> tuple[Pose, bool]:
    """Give where the first robot goes, and whether somebody wanted it exactly there."""
    if rule.where is Where.FIXED:
        return rule.pose, True
    if rule.where is Where.OUTSIDE:
        return Pose(world.bounds.min_x - OUTSIDE, world.bounds.max_y, 0.0), True
    home = home_of(world)
    return (home, True) if home else (Pose(*world.bounds.centre, 0.0), False)


def _nearest_free(room: Room, pose: Pose) -> Pose:
    """Search in rings about a pose: first what can be seen from it, then whatever is free."""
    # Beside others a robot needs some air, or it could not even turn away from them.
    for step, farthest, in_sight in ((_RING, _SIGHT, True), (max(_RING, room.radius), _FARTHEST, False)):
        x, y = places_about(room.world, room.grid, pose, room.radius + _AIR, step, farthest, in_sight)
        found = room.first_free(x, y, _AIR)
        if found >= 0:
            return Pose(float(x[found]), float(y[found]), pose.heading)
    return pose


def _random_start(room: Room, rng: np.random.Generator) -> Pose:
    """Give a free pose somewhere in the map, with any heading."""
    bounds = room.world.bounds
    for _ in range(RANDOM_TRIES):
        x, y = rng.uniform(bounds.min_x, bounds.max_x), rng.uniform(bounds.min_y, bounds.max_y)
        pose = Pose(float(x), float(y), float(rng.uniform(-math.pi, math.pi)))
        if room.is_free(pose):
            return pose
    return _nearest_free(room, Pose(*bounds.centre, 0.0))
