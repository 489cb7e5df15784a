"""The places of the recordings, written anew for the tests; the large ones can be lent by a directory of field maps.

Recordings name the map that they were made with. Four small ones are squares with something in them. Of the large ones
a stand-in gives what every client sees of them (home, georeference); comparing what sensors see there needs the maps
themselves, from the directory that the environment variable MOBILESIM_FIELD_MAPS names.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FIELD_MAPS = "MOBILESIM_FIELD_MAPS"
LARGE_MAPS = ("columbia.map", "AMROffice.map")


def square(half: int, *extra: str, points: tuple[tuple[int, int], ...] = ()) -> str:
    """Write a square room about the origin with walls at +-half [mm], and what else there is."""
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    walls = [f"{a[0]} {a[1]} {b[0]} {b[1]}" for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    head = ["2D-Map", f"LineMinPos: {-half} {-half}", f"LineMaxPos: {half} {half}", "NumLines: 4"]
    if points:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        head += [f"MinPos: {min(xs)} {min(ys)}", f"MaxPos: {max(xs)} {max(ys)}", f"NumPoints: {len(points)}"]
    data = [f"{x} {y}" for x, y in points]
    return "\n".join([*head, "Resolution: 20", *extra, "LINES", *walls, "DATA", *data, ""])


def cairn(kind: str, x: int, y: int, heading: float) -> str:
    """Write a place with a heading [mm, degrees]."""
    return f'Cairn: {kind} {x} {y} {heading:f} "" ICON ""'


def area(kind: str, x1: int, y1: int, x2: int, y2: int, turn: float = 0.0) -> str:
    """Write a line or a rectangle, turned about the origin [mm, degrees]."""
    return f'Cairn: {kind} 0 0 {turn:f} "" ICON "" {x1} {y1} {x2} {y2}'


_KINDS = (
    "MapInfo: SectorType Name=BoxObstacle Label=Box Sim.Obstacle=yes",
    "MapInfo: SectorType Name=ReflectiveBoxObstacle Label=Mirror Sim.Obstacle=yes Sim.LaserReflect=32",
    "MapInfo: SectorType Name=InvisibleBox Label=Glass Sim.Obstacle=yes Sim.LaserReflect=0 Sim.SonarReflect=no",
    "MapInfo: SectorType Name=MarkerBox Label=Marker Sim.Obstacle=no Sim.LaserReflect=0 Sim.SonarReflect=no",
    "MapInfo: SectorType Name=NoSonarBox Label=Felt Sim.LaserReflect=1 Sim.SonarReflect=no Sim.Obstacle=yes",
)
OBJECTS = (
    *_KINDS,
    cairn("RobotHome", 0, 0, 0),
    area("Reflector", 3000, -500, 3000, 500),
    area("BoxObstacle", -500, 2500, 500, 3000),
    area("ReflectiveBoxObstacle", -3000, -500, -2500, 500),
    area("InvisibleBox", -500, -2500, 500, -2000),
    area("MarkerBox", 1500, 1500, 1800, 1800),
    area("NoSonarBox", 2000, -3000, 2500, -2500, 30),
)
STONES = tuple((2000 + 20 * i, 2000) for i in range(20))
ORIGIN = "OriginLatLongAlt: 42.8 -71.1 100"

SMALL = {
    "room.map": square(5000, cairn("RobotHome", 0, 0, 0)),
    "dock.map": square(5000, cairn("Goal", 100, 100, 0), cairn("Dock", -2000, -2000, 45)),
    "robothome.map": square(5000, cairn("Dock", -2000, -2000, 45), cairn("RobotHome", 1000, 2000, 90)),
    "objects.map": square(5000, *OBJECTS, points=STONES),
}
STAND_INS = {
    "columbia.map": square(25000, ORIGIN, cairn("RobotHome", -182, 176, 0)),
    "AMROffice.map": square(24000, cairn("Dock", -5157, 8727, -91.9)),
}


def write_maps(directory: Path) -> Path:
    """Write the small maps and the stand-ins into a directory."""
    for name, text in (SMALL | STAND_INS).items():
        (directory / name).write_text(text)
    return directory


def field_maps() -> Path:
    """The directory with the large maps; the test is skipped when there is none."""
    directory = os.environ.get(FIELD_MAPS)
    if not directory or not all((Path(directory) / name).is_file() for name in LARGE_MAPS):
        pytest.skip(f"needs {' and '.join(LARGE_MAPS)} in the directory that {FIELD_MAPS} names")
    return Path(directory)
