"""Boxes and reflectors of an ArMap: areas whose kind says `Sim.Obstacle`, and `Reflector` lines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mobilesim_py.formats.armap.armap import ArMap, Cairn, Info
from mobilesim_py.geometry import Pose, placed, rectangle
from mobilesim_py.names import unique_names
from mobilesim_py.world.boxes import BOX_COLOUR, Box
from mobilesim_py.world.obstacles import MOST_REFLECTANCE, ORDINARY_REFLECTANCE, Made, Segments, Stops

REFLECTOR_REFLECTANCE = 32
REFLECTOR_KINDS = ("Reflector", "Sim.Reflector")
BUILT_IN_BOX = "Sim.BoxObstacle"
"""Older maps use this kind of sector without a definition: an ordinary box."""
BOX_ATTRIBUTES = ("sim.obstacle", "sim.sonarreflect", "sim.laserreflect", "sim.pushable")

_YES = ("yes", "true", "1", "on")
_REFLECTOR_COLOUR = "magenta"


@dataclass(frozen=True)
class BoxKind:
    """The `MapInfo: SectorType` definition of a kind of box."""

    name: str
    stops: Stops
    reflectance: int
    colour: str
    pushable: bool = False


def boxes_of(armap: ArMap) -> tuple[Box, ...]:
    """Find the boxes that stand in a map, named `kind`, `kind-2` ... or as their cairns are."""
    kinds = box_kinds(armap)
    cairns = [cairn for cairn in armap.cairns if cairn.kind in kinds and cairn.is_placed and cairn.corners]
    names = unique_names(cairn.name or cairn.kind for cairn in cairns)
    return tuple(_box(name, kinds[cairn.kind], cairn) for name, cairn in zip(names, cairns, strict=True))


def box_kinds(armap: ArMap) -> dict[str, BoxKind]:
    """Read the definitions of boxes; the last of a name counts."""
    kinds = {BUILT_IN_BOX: BoxKind(BUILT_IN_BOX, Stops.ALL, ORDINARY_REFLECTANCE, BOX_COLOUR)}
    for info in armap.infos:
        kind = _box_kind(info)
        if kind is not None:
            kinds[kind.name] = kind
    return kinds


def reflectors_of(armap: ArMap) -> Segments:
    """Return the `Reflector` lines, which lasers see from both sides and which stop everything."""
    ends = [cairn.corners for cairn in armap.cairns_of(*REFLECTOR_KINDS) if cairn.corners]
    metres = np.array(ends, np.float64).reshape(-1, 4) / 1000.0
    return Segments.build(metres, Stops.ALL, REFLECTOR_REFLECTANCE, Made.REFLECTOR)


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
    colour = given.get("color0", _REFLECTOR_COLOUR if reflectance > ORDINARY_REFLECTANCE else BOX_COLOUR)
    stops = Stops.of(robots=obstacle, sonar=sonar, laser=reflectance > 0)
    return BoxKind(
        name, stops, max(reflectance, ORDINARY_REFLECTANCE), colour, given.get("sim.pushable", "no").lower() in _YES
    )


def _reflectance(text: str) -> int:
    """Read `Sim.LaserReflect`: a number, or yes and no; anything else is an ordinary wall."""
    word = text.lower()
    if word in ("no", "false", "off"):
        return 0
    try:
        return min(max(int(word, 10), 0), MOST_REFLECTANCE)
    except ValueError:
        return ORDINARY_REFLECTANCE


def _box(name: str, kind: BoxKind, cairn: Cairn) -> Box:
    """Return the box of an area: rotated about the map's origin, with its centre as the origin of its own frame."""
    x1, y1, x2, y2 = (value / 1000.0 for value in cairn.corners or (0.0, 0.0, 0.0, 0.0))
    outline = rectangle(abs(x2 - x1), abs(y2 - y1))
    heading = math.radians(cairn.heading)
    ((x, y),) = placed((((x1 + x2) / 2.0, (y1 + y2) / 2.0),), Pose(0.0, 0.0, heading))
    pose = Pose(x, y, heading)
    return Box(name, pose, outline, kind.stops, kind.reflectance, kind.colour, kind.name, pushable=kind.pushable)
