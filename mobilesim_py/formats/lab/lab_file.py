"""Lab files: `<Lab>` with beacons, targets, walls as polygons and rows of characters."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from mobilesim_py.formats.lab.elements import Element, Warn, ignore, read_elements, read_file
from mobilesim_py.formats.lab.facts import (
    DEFAULT_BEACON_HEIGHT,
    DEFAULT_NAME,
    DEFAULT_SIDE,
    DEFAULT_TARGET_RADIUS,
    DEFAULT_WALL_HEIGHT,
    Beacon,
    Lab,
    Point,
    Target,
    Wall,
)
from mobilesim_py.formats.lab.rows import WALL_WIDTH, row_walls

MAX_SIDE = 1000.0
MAX_WALLS = 10_000
FULL_TURN_TOLERANCE = 0.001

_KNOWN: dict[str, frozenset[str]] = {
    "Lab": frozenset({"Name", "Height", "Width"}),
    "Beacon": frozenset({"X", "Y", "Height"}),
    "Target": frozenset({"X", "Y", "Radius"}),
    "Wall": frozenset({"Height"}),
    "Corner": frozenset({"X", "Y"}),
    "Row": frozenset({"Pos", "Pattern", "Height"}),
}


def read_lab(path: str | Path, wall_width: float = WALL_WIDTH, warn: Warn = ignore) -> Lab:
    """Read a lab file; walls of rows get the given width."""
    return lab_of(read_file(path, "Lab"), wall_width, warn)


def parse_lab(data: bytes, source: str = "lab", wall_width: float = WALL_WIDTH, warn: Warn = ignore) -> Lab:
    """Return the lab in a document or in a Lab message."""
    return lab_of(read_elements(data, source, "Lab"), wall_width, warn)


class _Parts:
    """The parts of a lab read so far."""

    def __init__(self, width: float, height: float, wall_width: float, warn: Warn) -> None:
        self.width, self.height, self.wall_width, self.warn = width, height, wall_width, warn
        self.beacons: list[Beacon] = []
        self.targets: list[Target] = []
        self.walls: list[Wall] = []

    def inside(self, element: Element, x: float, y: float) -> None:
        if not (0.0 <= x <= self.width and 0.0 <= y <= self.height):
            size = f"{self.width:g} x {self.height:g}"
            self.warn(element.warning(f"<{element.tag}> at ({x:g}, {y:g}) lies outside the lab of {size}", "move it inside"))


def lab_of(root: Element, wall_width: float = WALL_WIDTH, warn: Warn = ignore) -> Lab:
    """Return the lab that an element describes."""
    root.heard(_KNOWN["Lab"], warn)
    width, height = (_side(root, name) for name in ("Width", "Height"))
    parts = _Parts(width, height, wall_width, warn)
    for child in root.children:
        read = _READERS.get(child.tag)
        if read is None:
            warn(child.warning(f"<{child.tag}> means nothing in a lab", f"a lab has {', '.join(_READERS)}; remove it"))
            continue
        child.heard(_KNOWN[child.tag], warn)
        read(child, parts)
        if len(parts.walls) > MAX_WALLS:
            raise child.error(f"the lab has more than {MAX_WALLS} walls", "leave some out")
    name = root.attributes.get("Name", DEFAULT_NAME)
    return Lab(name, width, height, tuple(parts.beacons), tuple(parts.targets), tuple(parts.walls))


def _side(root: Element, name: str) -> float:
    side = root.number(name, DEFAULT_SIDE)
    if not 0.0 < side <= MAX_SIDE:
        raise root.error(f'{name}="{side:g}" is no size of a lab', f"give a number above 0 and at most {MAX_SIDE:g}")
    return side


def _beacon(element: Element, parts: _Parts) -> None:
    x, y = element.number("X"), element.number("Y")
    parts.inside(element, x, y)
    parts.beacons.append(Beacon(x, y, element.number("Height", DEFAULT_BEACON_HEIGHT)))


def _target(element: Element, parts: _Parts) -> None:
    x, y = element.number("X"), element.number("Y")
    radius = element.number("Radius", DEFAULT_TARGET_RADIUS)
    if radius <= 0.0:
        raise element.error(
            f'Radius="{radius:g}" of <Target> is not above 0', "a robot fits into a target of radius 0.5 and more"
        )
    parts.inside(element, x, y)
    parts.targets.append(Target(x, y, radius))


def _wall(element: Element, parts: _Parts) -> None:
    height = element.number("Height", DEFAULT_WALL_HEIGHT)
    corners: list[Point] = []
    for child in element.children:
        if child.tag != "Corner":
            parts.warn(child.warning(f"<{child.tag}> means nothing in a wall", "a wall has <Corner> elements; remove it"))
            continue
        child.heard(_KNOWN["Corner"], parts.warn)
        corners.append((child.number("X"), child.number("Y")))
    ordered = anticlockwise(corners)
    if ordered is None:
        advice = "give at least three corners in order around it, none twice, without crossing sides"
        parts.warn(element.warning("the wall is not a simple polygon and is left out", advice))
        return
    parts.walls.append(Wall(ordered, height))


def _row(element: Element, parts: _Parts) -> None:
    position = element.whole("Pos", 0)
    height = element.number("Height", DEFAULT_WALL_HEIGHT)
    pattern = element.attributes.get("Pattern")
    if pattern is None:
        raise element.error("<Row> has no Pattern", 'add Pattern="..." with |, -, + and blanks')
    walls, unended = row_walls(position, pattern, height, parts.wall_width)
    if unended is not None:
        advice = "put two blanks after it, or write the row with all its 41 columns"
        parts.warn(
            element.warning(f"the wall from column {unended} on has no end; it is kept to the end of the pattern", advice)
        )
    for wall in walls:
        parts.walls.append(wall)


_READERS: dict[str, Callable[[Element, _Parts], None]] = {"Beacon": _beacon, "Target": _target, "Wall": _wall, "Row": _row}


def anticlockwise(corners: list[Point]) -> tuple[Point, ...] | None:
    """Return the corners of a simple polygon in anti-clockwise order, or None if the polygon is not simple.

    The turns from side to side of a simple polygon add up to one full turn, to the left or to the right.
    """
    count = len(corners)
    if count < 3 or any(corners[i] == corners[i - 1] for i in range(count)):
        return None
    sides = [(corners[i][0] - corners[i - 1][0], corners[i][1] - corners[i - 1][1]) for i in range(count)]
    turned = sum(
        math.atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1])
        for before, after in zip(sides, sides[1:] + sides[:1], strict=True)
    )
    if abs(turned - math.tau) < FULL_TURN_TOLERANCE:
        return tuple(corners)
    if abs(turned + math.tau) < FULL_TURN_TOLERANCE:
        return tuple(reversed(corners))
    return None
