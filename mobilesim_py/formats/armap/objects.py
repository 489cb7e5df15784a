"""Cairns of an ArMap as objects, ground areas and start places of a world.

An area's corners are turned by the cairn's heading about the map's origin, as every client does; a line is not turned.
"""

from __future__ import annotations

import math

from mobilesim_py.formats.armap.armap import ArMap, Cairn
from mobilesim_py.formats.armap.boxes import BOX_ATTRIBUTES, box_kinds
from mobilesim_py.formats.armap.words import read_number
from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.ground import BAD_GPS, GPS, Area
from mobilesim_py.world.objects import MapObject, Shape

BAD_GPS_KINDS = ("badgpssector", "simbadgpssector")
HOME_KINDS = ("RobotHome", "Home", "Dock")


def objects_of(armap: ArMap) -> tuple[MapObject, ...]:
    """Return all active cairns of a map, in the order of the file."""
    shapes, colours = _definitions(armap)
    return tuple(_object(cairn, shapes, colours) for cairn in armap.cairns if cairn.is_placed)


def homes_of(armap: ArMap) -> tuple[Pose, ...]:
    """Return the places that robots start from: homes of robots, other homes, docks."""
    return tuple(pose_of(cairn) for kind in HOME_KINDS for cairn in armap.cairns_of(kind))


def areas_of(armap: ArMap) -> tuple[Area, ...]:
    """Return the areas with ground values: no GPS, or `Sim.NAME=NUMBER` in the definition of their kind."""
    values = ground_values(armap)
    return tuple(
        Area(area_corners(cairn), cairn.kind, cairn.name, values[cairn.kind.lower()])
        for cairn in armap.cairns
        if cairn.is_placed and cairn.corners and cairn.kind.lower() in values
    )


def area_corners(cairn: Cairn) -> Polygon:
    """Return the four corners [m] of an area, turned about the map's origin by its heading."""
    x1, y1, x2, y2 = cairn.corners or (0.0, 0.0, 0.0, 0.0)
    angle = math.radians(cairn.heading)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
    return tuple(((x * cos - y * sin) / 1000.0, (x * sin + y * cos) / 1000.0) for x, y in corners)


def line_ends(cairn: Cairn) -> Polygon:
    """Return the two ends [m] of a line."""
    x1, y1, x2, y2 = cairn.corners or (0.0, 0.0, 0.0, 0.0)
    return (x1 / 1000.0, y1 / 1000.0), (x2 / 1000.0, y2 / 1000.0)


def pose_of(cairn: Cairn) -> Pose:
    """Return the place of a cairn in metres and radians."""
    return Pose(cairn.x / 1000.0, cairn.y / 1000.0, math.radians(cairn.heading))


def ground_values(armap: ArMap) -> dict[str, dict[str, float]]:
    """Read the ground values of each kind of area; boxes have none."""
    boxes = box_kinds(armap)
    values: dict[str, dict[str, float]] = {kind: {GPS: BAD_GPS} for kind in BAD_GPS_KINDS}
    for info in armap.infos:
        if info.keyword != "MapInfo:" or not info.arguments or info.arguments[0].lower() != "sectortype":
            continue
        given = info.attributes
        name = given.get("name", "")
        for key, text in given.items():
            number = read_number(text)
            if key.startswith("sim.") and key not in BOX_ATTRIBUTES and name and name not in boxes and number is not None:
                values.setdefault(name.lower(), {})[key.removeprefix("sim.")] = number
    return values


def _definitions(armap: ArMap) -> tuple[dict[str, Shape], dict[str, str]]:
    """Read from the MapInfo lines which kinds are areas or lines, and their colours."""
    shapes = {"forbiddenline": Shape.LINE, "reflector": Shape.LINE, "sim.reflector": Shape.LINE, "measure": Shape.LINE}
    colours: dict[str, str] = {}
    for info in armap.infos:
        if info.keyword != "MapInfo:" or not info.arguments:
            continue
        given = info.attributes
        name = given.get("name", "").lower()
        if info.arguments[0].lower() == "boundarytype":
            shapes[name] = Shape.LINE
        elif info.arguments[0].lower() == "sectortype":
            shapes[name] = Shape.AREA
        if "color0" in given:
            colours[name] = given["color0"]
    return shapes, colours


def _object(cairn: Cairn, shapes: dict[str, Shape], colours: dict[str, str]) -> MapObject:
    kind = cairn.kind.lower()
    shape = Shape.PLACE
    corners: Polygon = ()
    if cairn.corners:
        shape = shapes.get(kind, Shape.LINE if kind.endswith("line") else Shape.AREA)
        corners = line_ends(cairn) if shape is Shape.LINE else area_corners(cairn)
    has_heading = kind.endswith("withheading") or kind.startswith(("dock", "robothome", "home")) or cairn.heading != 0
    return MapObject(
        *(cairn.kind, cairn.name, pose_of(cairn), corners, shape),
        *(has_heading and not cairn.corners, cairn.description, colours.get(kind, "")),
    )
