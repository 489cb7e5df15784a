"""Boxes: things that stand in the world, can be moved while it runs, and are obstacles to some and not to others."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.formats.armap.armap import ArMap, Cairn, Info
from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.obstacles import Segments, Stops

ORDINARY_REFLECTANCE = 1
REFLECTOR_REFLECTANCE = 32
MOST_REFLECTANCE = 255
REFLECTOR_KINDS = ("Reflector", "Sim.Reflector")
BUILT_IN_BOX = "Sim.BoxObstacle"
"""Older maps use this kind of sector without saying what it does: an ordinary box."""

_YES = ("yes", "true", "1", "on")
_BOX_COLOUR = "light green"
_REFLECTOR_COLOUR = "magenta"


@dataclass(frozen=True)
class Box:
    """A box at a pose; the outline is in its own frame [m]."""

    name: str
    pose: Pose
    outline: Polygon
    stops: Stops = Stops.ALL
    reflectance: int = ORDINARY_REFLECTANCE
    colour: str = _BOX_COLOUR
    kind: str = BUILT_IN_BOX

    @property
    def corners(self) -> Polygon:
        """The outline as it stands in the world [m]."""
        return placed(self.outline, self.pose)

    def moved(self, pose: Pose) -> Box:
        """Give the same box at another pose."""
        return replace(self, pose=pose)

    def segments(self) -> Segments:
        """Give the edges as obstacles."""
        corners = self.corners
        ends = [(*a, *b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
        return Segments.build(np.array(ends), self.stops, self.reflectance)


@dataclass(frozen=True)
class BoxKind:
    """What a `MapInfo: SectorType` definition says about the boxes of its name."""

    name: str
    stops: Stops
    reflectance: int
    colour: str


def placed(outline: Polygon, pose: Pose) -> Polygon:
    """Give an outline of a body's own frame as it lies in the world when the body is at `pose`."""
    cos, sin = math.cos(pose.heading), math.sin(pose.heading)
    return tuple((pose.x + x * cos - y * sin, pose.y + x * sin + y * cos) for x, y in outline)


def boxes_of(armap: ArMap) -> tuple[Box, ...]:
    """Find the boxes that stand in a map, named `kind`, `kind-2` ... or as their cairns are."""
    kinds = box_kinds(armap)
    boxes: list[Box] = []
    names: set[str] = set()
    for cairn in armap.cairns:
        kind = kinds.get(cairn.kind)
        if kind is None or not cairn.is_placed or not cairn.corners:
            continue
        wanted, name, number = cairn.name or cairn.kind, cairn.name or cairn.kind, 1
        while name in names:
            number += 1
            name = f"{wanted}-{number}"
        names.add(name)
        boxes.append(_box(name, kind, cairn))
    return tuple(boxes)


def box_kinds(armap: ArMap) -> dict[str, BoxKind]:
    """Read the definitions of boxes; the last of a name counts."""
    kinds = {BUILT_IN_BOX: BoxKind(BUILT_IN_BOX, Stops.ALL, ORDINARY_REFLECTANCE, _BOX_COLOUR)}
    for info in armap.infos:
        kind = _box_kind(info)
        if kind is not None:
            kinds[kind.name] = kind
    return kinds


def reflectors_of(armap: ArMap) -> Segments:
    """Give the `Reflector` lines, which shine back at lasers from both sides and stop everything."""
    ends = [cairn.corners for cairn in armap.cairns_of(*REFLECTOR_KINDS) if cairn.corners]
    return Segments.build(np.array(ends, np.float64).reshape(-1, 4) / 1000.0, Stops.ALL, REFLECTOR_REFLECTANCE)


def box_of_model(model: RobotModel, name: str, pose: Pose) -> Box:
    """Give the box that a model such as `box-nolaser` describes."""
    half_length, half_width = model.size[0] / 2.0, model.size[1] / 2.0
    outline = (
        model.body[0]
        if model.body
        else (
            *((-half_length, -half_width), (half_length, -half_width)),
            *((half_length, half_width), (-half_length, half_width)),
        )
    )
    stops = _stops(model.obstacle, model.sonar_return, model.laser_return > 0)
    return Box(name, pose, outline, stops, max(model.laser_return, ORDINARY_REFLECTANCE), model.colour, model.name)


def _stops(robots: bool, sonar: bool, laser: bool) -> Stops:
    """Put together what a box is an obstacle for."""
    flags = ((robots, Stops.ROBOTS), (sonar, Stops.SONAR), (laser, Stops.LASER))
    stops = Stops.NOTHING
    for wanted, flag in flags:
        stops |= flag if wanted else Stops.NOTHING
    return stops


def _box_kind(info: Info) -> BoxKind | None:
    """Read one info line; only a SectorType that says something about `Sim.Obstacle` defines a box."""
    if info.keyword != "MapInfo:" or not info.arguments or info.arguments[0].lower() != "sectortype":
        return None
    given = info.attributes
    name = given.get("name", "")
    if not name or ("sim.obstacle" not in given and name != BUILT_IN_BOX):
        return None
    obstacle = given.get("sim.obstacle", "yes").lower() in _YES
    # The attribute without a value stands for `no`: saying nothing at all means `yes` already.
    sonar = given.get("sim.sonarreflect", "yes").lower() in _YES
    reflectance = _reflectance(given.get("sim.laserreflect", "1"))
    colour = given.get("color0", _REFLECTOR_COLOUR if reflectance > ORDINARY_REFLECTANCE else _BOX_COLOUR)
    return BoxKind(name, _stops(obstacle, sonar, reflectance > 0), max(reflectance, ORDINARY_REFLECTANCE), colour)


def _reflectance(text: str) -> int:
    """Read `Sim.LaserReflect`: a number, or yes and no; what is neither is an ordinary wall."""
    word = text.lower()
    if word in ("no", "false", "off"):
        return 0
    try:
        return min(max(int(word, 10), 0), MOST_REFLECTANCE)
    except ValueError:
        return ORDINARY_REFLECTANCE


def _box(name: str, kind: BoxKind, cairn: Cairn) -> Box:
    """Make the box of an area: turned about the map's origin, with its centre as its own frame's."""
    x1, y1, x2, y2 = (value / 1000.0 for value in cairn.corners or (0.0, 0.0, 0.0, 0.0))
    half_length, half_width = abs(x2 - x1) / 2.0, abs(y2 - y1) / 2.0
    outline = (
        *((-half_length, -half_width), (half_length, -half_width)),
        *((half_length, half_width), (-half_length, half_width)),
    )
    heading = math.radians(cairn.heading)
    ((x, y),) = placed((((x1 + x2) / 2.0, (y1 + y2) / 2.0),), Pose(0.0, 0.0, heading))
    return Box(name, Pose(x, y, heading), outline, kind.stops, kind.reflectance, kind.colour, kind.name)
