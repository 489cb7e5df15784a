"""Maps for measuring, written when they are needed, with places where robots can stand and turn.

The building is as large and as full as a map that a robot scanned: 24 x 48 m, some 480 lines and 60 000 loose points
along its walls. The hall has room for a thousand robots.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path

PlaceOnMap = tuple[int, int, int]
"""x [mm], y [mm] and heading [deg]."""
Line = tuple[int, int, int, int]
Point = tuple[int, int]

STANDING_ROOM = 650
"""Least distance at which robots can turn without touching each other [mm]."""
GRAIN = 20
"""Points of a scanned map lie on a lattice of this width [mm]."""


@dataclass(frozen=True)
class Ground:
    """A map file, and places on it that do not touch a wall or each other."""

    name: str
    map: Path
    places: tuple[PlaceOnMap, ...]
    lines: int
    points: int


def write_building(folder: Path, columns: int = 6, rows: int = 12, points: int = 60_000) -> Ground:
    """Write a map of rooms of 4 x 4 m with doors; every wall is drawn in pieces and has loose points all along it."""
    draw = random.Random(1)
    room = 4000
    walls: list[Line] = []
    for row in range(rows + 1):
        walls += [(c * room, row * room, (c + 1) * room, row * room) for c in range(columns)]
    for column in range(columns + 1):
        walls += [(column * room, r * room, column * room, (r + 1) * room) for r in range(rows)]
    lines = [piece for wall in walls for piece in _pieces(wall, columns * room, rows * room, draw)]
    scanned: set[Point] = set()
    while len(scanned) < points:
        x1, y1, x2, y2 = draw.choice(lines)
        share = draw.random()
        # Most lie within the thickness of the wall; some are furniture in front of it.
        aside = draw.gauss(0.0, draw.choices((12.0, 250.0), (98, 2))[0])
        aside = max(-700.0, min(700.0, aside))
        upright = x1 == x2
        x = x1 + (aside if upright else share * (x2 - x1))
        y = y1 + (share * (y2 - y1) if upright else aside)
        scanned.add((round(x / GRAIN) * GRAIN, round(y / GRAIN) * GRAIN))
    places = []
    for corner in range(3):
        for row in range(rows):
            for column in range(columns):
                angle = math.radians(120 * corner + 30)
                x = column * room + room // 2 + round(750 * math.cos(angle))
                y = row * room + room // 2 + round(750 * math.sin(angle))
                places.append((x, y, draw.randrange(360)))
    return _write(folder, "building", lines, sorted(scanned), places)


def _pieces(wall: Line, width: int, height: int, draw: random.Random) -> list[Line]:
    """Return a wall in pieces of unequal length, with a door in it unless it is an outer wall."""
    x1, y1, x2, y2 = wall
    outer = (x1 == x2 and x1 in (0, width)) or (y1 == y2 and y1 in (0, height))
    door = 0 if outer else draw.randrange(900, 1300)
    left = draw.randrange(600, 4000 - door - 600)
    cut = draw.randrange(200, left - 200)
    spans = [(0, cut), (cut, left), (left + door, 4000)]
    if x1 == x2:
        return [(x1, y1 + a, x1, y1 + b) for a, b in spans]
    return [(x1 + a, y1, x1 + b, y1) for a, b in spans]


def write_hall(folder: Path, columns: int = 40, rows: int = 25, bay: int = 2600) -> Ground:
    """Write a map of bays of 2.6 m, each with room for one robot, most with loose points or a low wall beside them."""
    draw = random.Random(2)
    width, height = columns * bay, rows * bay
    lines: list[Line] = [(0, 0, width, 0), (width, 0, width, height), (width, height, 0, height), (0, height, 0, 0)]
    points: list[Point] = []
    places = []
    for row in range(rows):
        for column in range(columns):
            x, y = column * bay, row * bay
            places.append((x + bay // 2, y + bay // 2, draw.randrange(360)))
            if (row + column) % 2:
                points += [(x, y + 100 + GRAIN * k) for k in range(120)]
            elif row % 2:
                lines.append((x + 600, y, x + 2000, y))
    return _write(folder, "hall", lines, points, places)


def crowd_in_one_room(ground: Ground, count: int) -> tuple[PlaceOnMap, ...]:
    """Return places in the middle of the hall, as close together as robots can turn."""
    side = math.ceil(math.sqrt(count))
    middle_x = sum(x for x, _, _ in ground.places) // len(ground.places)
    middle_y = sum(y for _, y, _ in ground.places) // len(ground.places)
    draw = random.Random(3)
    return tuple(
        (
            middle_x + (k % side - side // 2) * STANDING_ROOM,
            middle_y + (k // side - side // 2) * STANDING_ROOM,
            draw.randrange(360),
        )
        for k in range(count)
    )


def write_empty_room(folder: Path, width: int = 104_000, height: int = 65_000) -> Ground:
    """Write a map of four walls as far apart as the hall's: all robots see each other."""
    lines: list[Line] = [(0, 0, width, 0), (width, 0, width, height), (width, height, 0, height), (0, height, 0, 0)]
    places = [(x, y, 0) for y in range(1300, height, 2600) for x in range(1300, width, 2600)]
    return _write(folder, "empty room", lines, [], places)


def _write(folder: Path, name: str, lines: list[Line], points: list[Point], places: list[PlaceOnMap]) -> Ground:
    ends = [(x, y) for x1, y1, x2, y2 in lines for x, y in ((x1, y1), (x2, y2))] + points
    least = f"{min(x for x, _ in ends)} {min(y for _, y in ends)}"
    most = f"{max(x for x, _ in ends)} {max(y for _, y in ends)}"
    text = [
        "2D-Map",
        f"MinPos: {least}",
        f"MaxPos: {most}",
        f"NumPoints: {len(points)}",
        f"Resolution: {GRAIN}",
        f"LineMinPos: {least}",
        f"LineMaxPos: {most}",
        f"NumLines: {len(lines)}",
        "LINES",
        *(" ".join(map(str, line)) for line in lines),
        "DATA",
        *(" ".join(map(str, point)) for point in points),
        "",
    ]
    path = folder / f"{name.replace(' ', '-')}.map"
    path.write_text("\n".join(text))
    return Ground(name, path, tuple(places), len(lines), len(points))
