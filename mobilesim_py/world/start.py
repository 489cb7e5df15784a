"""Where robots begin.

The map's `RobotHome`, `Home` or `Dock`, in that order, or else its centre; or where `--start` says. The first robot
stands exactly there when a home or `--start` names the place: whoever drew it wanted that, even right at a wall.
Further robots stand 1 m lower in y each, as in the original, or, where that is not free, on the nearest free place
that can be seen from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from mobilesim_py.catalogue.model import Polygon, Pose
from mobilesim_py.errors import UsageError
from mobilesim_py.world.boxes import placed
from mobilesim_py.world.mapwords import read_number
from mobilesim_py.world.obstacles import FloatArray, Stops
from mobilesim_py.world.overlap import is_in_sight, near, overlaps, radius_of, touches
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
_FARTHEST = 2000.0


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


def choose_start(
    world: World,
    rule: StartRule,
    footprint: Sequence[Polygon],
    taken: Sequence[Polygon],
    rng: np.random.Generator,
) -> Pose:
    """Choose the start of one more robot.

    `footprint` is its outline in its own frame, `taken` the outlines of the robots and boxes that are there already,
    in the world's frame [m].
    """
    room = _Room(world, tuple(footprint), tuple(taken))
    if rule.where is Where.RANDOM:
        return _random_start(room, rng)
    pose, is_wanted = _first_place(world, rule)
    if room.has_no_robot(pose) and (is_wanted or room.is_free(pose)):
        return pose
    lower = pose
    while not room.has_no_robot(lower):
        lower = Pose(lower.x, lower.y - BESIDE, lower.heading)
        if room.is_free(lower) and room.sees(pose, lower):
            return lower
        if not room.has_no_wall(lower) or pose.y - lower.y > _SIGHT:
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


class _Room:
    """Tells which poses are free for one footprint."""

    def __init__(self, world: World, footprint: tuple[Polygon, ...], taken: tuple[Polygon, ...]) -> None:
        self.world = world
        self.footprint = footprint
        self.taken = taken
        self.radius = radius_of(footprint)
        blocking = (world.segments.stops & int(Stops.ROBOTS)) != 0
        self.walls: FloatArray = world.segments.ends if bool(blocking.all()) else world.segments.ends[blocking]
        self.boxes = tuple(box.corners for box in world.boxes if box.stops & Stops.ROBOTS)
        points = world.map.points if world.map is not None else np.empty((0, 2), np.int64)
        # Points as segments of no length: a footprint in the midst of a solid block meets no outline, but points.
        self.points = np.concatenate([points, points], axis=1) / 1000.0
        self.taken_reach = tuple(_circle(polygon) for polygon in taken)

    def bodies(self, pose: Pose) -> tuple[Polygon, ...]:
        return tuple(placed(polygon, pose) for polygon in self.footprint)

    def is_free(self, pose: Pose) -> bool:
        return self.has_no_robot(pose) and self.has_no_wall(pose)

    def has_no_robot(self, pose: Pose) -> bool:
        bodies = self.bodies(pose)
        for other, (x, y, reach) in zip(self.taken, self.taken_reach, strict=True):
            if math.hypot(pose.x - x, pose.y - y) > reach + self.radius:
                continue
            if any(overlaps(body, other) for body in bodies):
                return False
        return True

    def has_no_wall(self, pose: Pose) -> bool:
        bodies = self.bodies(pose)
        for obstacles in (self.walls, self.points):
            close = near(obstacles, pose.x, pose.y, self.radius)
            if any(touches(body, close) for body in bodies):
                return False
        return not any(overlaps(body, box) for body in bodies for box in self.boxes)

    def sees(self, start: Pose, end: Pose) -> bool:
        middle = ((start.x + end.x) / 2.0, (start.y + end.y) / 2.0)
        distance = math.hypot(start.x - end.x, start.y - end.y) / 2.0
        return is_in_sight((start.x, start.y), (end.x, end.y), near(self.walls, *middle, distance))


def _circle(polygon: Polygon) -> tuple[float, float, float]:
    """Give a circle about a polygon: centre and radius."""
    corners = np.asarray(polygon, np.float64)
    x, y = (float(value) for value in (corners.min(axis=0) + corners.max(axis=0)) / 2.0)
    return x, y, float(np.hypot(corners[:, 0] - x, corners[:, 1] - y).max())


def _nearest_free(room: _Room, pose: Pose) -> Pose:
    """Search in rings about a pose: first what can be seen from it, then whatever is free; far away all is free."""
    # Beside others a robot needs some air, or it could not even turn away from them.
    circle = tuple((math.cos(angle), math.sin(angle)) for angle in np.linspace(0.0, math.tau, 12, endpoint=False))
    wide = tuple((x * (room.radius + _AIR), y * (room.radius + _AIR)) for x, y in circle)
    roomy = _Room(room.world, (wide,), room.taken)
    for place in (roomy, room):
        for candidate in _rings(pose, _RING, _SIGHT):
            if place.is_free(candidate) and room.sees(pose, candidate):
                return candidate
    step = max(_RING, room.radius)
    for candidate in _rings(pose, step, _FARTHEST):
        if room.is_free(candidate):
            return candidate
    return pose


def _rings(centre: Pose, step: float, farthest: float) -> Iterator[Pose]:
    """Give the centre, then poses on ever larger rings about it, each ring from below on."""
    yield centre
    for ring in range(1, int(farthest / step) + 1):
        for index in range(6 * ring):
            angle = -math.pi / 2.0 + index * math.pi / (3.0 * ring)
            x, y = ring * step * math.cos(angle), ring * step * math.sin(angle)
            yield Pose(centre.x + x, centre.y + y, centre.heading)


def _random_start(room: _Room, rng: np.random.Generator) -> Pose:
    """Give a free pose somewhere in the map, with any heading."""
    bounds = room.world.bounds
    for _ in range(RANDOM_TRIES):
        x, y = rng.uniform(bounds.min_x, bounds.max_x), rng.uniform(bounds.min_y, bounds.max_y)
        pose = Pose(float(x), float(y), float(rng.uniform(-math.pi, math.pi)))
        if room.is_free(pose):
            return pose
    return _nearest_free(room, Pose(*bounds.centre, 0.0))
