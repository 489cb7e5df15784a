"""What the map tells apart from walls: areas, lines and places, in metres and radians, for display and for GPS.

An area's corners are turned by the cairn's heading about the map's origin, as every client does; a line is not turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from mobilesim_py.formats.armap.armap import ArMap, Cairn
from mobilesim_py.geometry import Point, Polygon, Pose

BAD_GPS_KINDS = ("BadGPSSector", "SimBadGPSSector")


class Shape(Enum):
    """How an object is drawn."""

    PLACE = "place"
    LINE = "line"
    AREA = "area"


@dataclass(frozen=True)
class MapObject:
    """A cairn in the world's units; `corners` are a line's two ends or an area's four corners, turned as they lie."""

    kind: str
    name: str
    pose: Pose
    corners: Polygon = ()
    shape: Shape = Shape.PLACE
    has_heading: bool = False
    description: str = ""
    colour: str = ""
    """`0xrrggbb` of the definition of its kind, if there is one."""


def objects_of(armap: ArMap) -> tuple[MapObject, ...]:
    """Give all active cairns of a map, in the order of the file."""
    shapes, colours = _definitions(armap)
    return tuple(_object(cairn, shapes, colours) for cairn in armap.cairns if cairn.is_placed)


def area_corners(cairn: Cairn) -> Polygon:
    """Give the four corners [m] of an area, turned about the map's origin by its heading."""
    x1, y1, x2, y2 = cairn.corners or (0.0, 0.0, 0.0, 0.0)
    angle = math.radians(cairn.heading)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
    return tuple(((x * cos - y * sin) / 1000.0, (x * sin + y * cos) / 1000.0) for x, y in corners)


def line_ends(cairn: Cairn) -> Polygon:
    """Give the two ends [m] of a line."""
    x1, y1, x2, y2 = cairn.corners or (0.0, 0.0, 0.0, 0.0)
    return (x1 / 1000.0, y1 / 1000.0), (x2 / 1000.0, y2 / 1000.0)


def pose_of(cairn: Cairn) -> Pose:
    """Give the place of a cairn in metres and radians."""
    return Pose(cairn.x / 1000.0, cairn.y / 1000.0, math.radians(cairn.heading))


@dataclass(frozen=True)
class Sectors:
    """Areas that change what is sensed in them."""

    bad_gps: tuple[Polygon, ...] = ()

    def is_gps_bad(self, x: float, y: float) -> bool:
        """Tell whether a GPS receiver at this place [m] has no fix to be trusted."""
        return any(is_inside((x, y), area) for area in self.bad_gps)


def sectors_of(armap: ArMap) -> Sectors:
    """Find the areas of bad GPS reception."""
    return Sectors(tuple(area_corners(cairn) for cairn in armap.cairns_of(*BAD_GPS_KINDS) if cairn.corners))


def is_inside(point: Point, polygon: Iterable[Point]) -> bool:
    """Tell whether a point is inside a polygon, by the parity of the edges to its right."""
    x, y = point
    inside = False
    corners = list(polygon)
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


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
