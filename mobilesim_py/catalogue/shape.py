"""Outlines: from the vertices of a worldfile to polygons in the robot's frame [m]."""

from __future__ import annotations

from collections.abc import Sequence

from mobilesim_py.catalogue.section import Section
from mobilesim_py.geometry import Point, Polygon, Pose, contains, placed

MAX_POLYGONS = 10_000
MAX_POINTS = 10_000


CENTRE = Pose()


def rectangle(size: tuple[float, float], pose: Pose = CENTRE) -> Polygon:
    """Make a rectangle centred on a pose."""
    x, y = size[0] / 2, size[1] / 2
    return placed(((x, y), (-x, y), (-x, -y), (x, -y)), pose)


def fit(polygons: Sequence[Polygon], size: tuple[float, float]) -> tuple[Polygon, ...]:
    """Centre polygons as a whole and scale them to a size: their vertices only give the form."""
    xs = [x for polygon in polygons for x, _ in polygon]
    ys = [y for polygon in polygons for _, y in polygon]
    if not xs:
        return ()
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    scale_x = size[0] / width if width > 0 else 0.0
    scale_y = size[1] / height if height > 0 else 0.0
    return tuple(tuple(((x - middle_x) * scale_x, (y - middle_y) * scale_y) for x, y in polygon) for polygon in polygons)


def written_polygons(section: Section) -> tuple[Polygon, ...]:
    """Read the polygons as written: `polygon[i].point[j]` (Stage 2) or `block ( point[j] )` (Stage 3 and later)."""
    polygons: list[Polygon] = []
    for index in range(section.integer("polygons", 0, 0, MAX_POLYGONS)):
        key = f"polygon[{index}]"
        section.get(f"{key}.filled")
        points = _points(section, f"{key}.points", f"{key}.point")
        if points:
            polygons.append(points)
    for child in section.children:
        if child.kind == "block":
            points = _points(child, "points", "point")
            if points:
                polygons.append(points)
    return tuple(polygons)


def _points(section: Section, count: str, name: str) -> Polygon:
    points: list[Point] = []
    for index in range(section.integer(count, 0, 0, MAX_POINTS)):
        found = section.get(f"{name}[{index}]")
        if found is None:
            raise section.error(f"{count} promises {section.integer(count)} points, but {name}[{index}] is missing")
        points.append((found.number(0) * found.units.length, found.number(1) * found.units.length))
    return tuple(points)


def sticks_out(part: Polygon, of: Sequence[Polygon]) -> bool:
    """Tell whether some corner of a part is outside all of the polygons."""
    return any(not any(contains(polygon, *corner) for polygon in of) for corner in part)
