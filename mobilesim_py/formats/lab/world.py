"""Labs and worlds: a maze of the contest as a place for any robot, and any map with a start and a target as a maze.

One unit of a lab is one metre. A map's walls have no thickness; those of the lab made from it are as thick as its points.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

import shapely

from mobilesim_py.formats.format import Settings, load_world
from mobilesim_py.formats.lab.elements import LabFileError, Warn, ignore
from mobilesim_py.formats.lab.facts import Beacon, Grid, Lab, Point, StartPlace, Target, Wall
from mobilesim_py.formats.lab.grid_file import read_grid
from mobilesim_py.formats.lab.lab_file import MAX_SIDE, read_lab
from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.objects import MapObject, Shape
from mobilesim_py.world.obstacles import Obstacle, Segments, Stops
from mobilesim_py.world.world import Bounds, Problem, World

CIRCLE_CORNERS = 32
LINE_COLOUR, TARGET_COLOUR = "0x404040", "0xe0a000"
NO_GRID = Grid()
MARGIN = 0.5
"""Room between the outermost walls of a map and the border of the lab made from it [m]."""
LINE_WIDTH = 0.02
"""Thickness of a wall made from a line of a map [m]."""
MOST_MAP_WALLS = 300
"""Lines of a map that is to be a lab: the ways of a disc around all their ends are found before a run."""
TARGET_KINDS = ("Goal", "GoalWithHeading", "Target")


class LabFormat:
    """Lab files of the CiberRato contest."""

    endings = (".xml",)

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read a lab; robots start where the grid file beside it says, if there is one (`x_lab.xml`, `x_grid.xml`)."""
        warnings: list[str] = []
        where = Path(path)
        lab = read_lab(where, warn=warnings.append)
        beside = where.with_name(where.name.replace("lab", "grid"))
        grid = read_grid(beside, warnings.append) if beside != where and beside.is_file() else Grid()
        return world_of(lab, grid, os.fspath(path), tuple(Problem(0, text) for text in warnings))


FORMAT = LabFormat()


def world_of(lab: Lab, grid: Grid = NO_GRID, path: str = "", problems: tuple[Problem, ...] = ()) -> World:
    """Return the world of a lab: walls as obstacles with heights, lines, targets and beacons as objects."""
    border = lab.border.corners
    sides = [(*a, *b) for a, b in zip(border, border[1:] + border[:1], strict=True)]
    solid = [wall for wall in lab.walls if wall.height > 0.0]
    return World(
        name=Path(path).name or lab.name,
        bounds=Bounds(0.0, 0.0, lab.width, lab.height),
        walls=Segments.build(sides, height=lab.border.height),
        obstacles=tuple(
            Obstacle(shapely.Polygon(wall.corners), f"wall {number}", height=wall.height)
            for number, wall in enumerate(solid, start=1)
        ),
        objects=(*_lines(lab), *_targets(lab), *_beacons(lab)),
        homes=tuple(Pose(place.x, place.y, place.heading) for place in grid.places),
        problems=problems,
        path=path,
    )


def _lines(lab: Lab) -> list[MapObject]:
    lines = [wall for wall in lab.walls if wall.height <= 0.0]
    return [
        MapObject("Line", f"line {number}", Pose(*_middle(line.corners)), line.corners, Shape.AREA, colour=LINE_COLOUR)
        for number, line in enumerate(lines, start=1)
    ]


def _targets(lab: Lab) -> list[MapObject]:
    return [
        MapObject(
            "Target",
            f"target {number}",
            Pose(target.x, target.y),
            _circle(target.x, target.y, target.radius),
            Shape.AREA,
            colour=TARGET_COLOUR,
        )
        for number, target in enumerate(lab.targets)
    ]


def _beacons(lab: Lab) -> list[MapObject]:
    return [MapObject("Beacon", f"beacon {n}", Pose(beacon.x, beacon.y)) for n, beacon in enumerate(lab.beacons)]


def _circle(x: float, y: float, radius: float) -> Polygon:
    angles = (math.tau * k / CIRCLE_CORNERS for k in range(CIRCLE_CORNERS))
    return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)


def _middle(corners: Polygon) -> Point:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def lab_from_map(path: str | os.PathLike[str], warn: Warn = ignore) -> tuple[Lab, Grid]:
    """Return a map as a lab with its start places; `LabFileError` if it names no start or no target."""
    name = os.fspath(path)
    world = load_world(path)
    for problem in world.problems:
        warn(f"{name}:{problem.line}: {problem.text}")
    homes = world.homes
    targets = [thing for thing in world.objects if thing.kind in TARGET_KINDS]
    if not homes:
        raise LabFileError(name, 1, "names no start", "a map is a lab when it has a RobotHome, where robot 1 starts")
    if not targets:
        raise LabFileError(
            name, 1, "names no target", f"a map is a lab when it has a {TARGET_KINDS[0]}, which is its target"
        )
    bounds = world.bounds
    dx, dy = MARGIN - bounds.min_x, MARGIN - bounds.min_y
    width, height = bounds.width + 2.0 * MARGIN, bounds.height + 2.0 * MARGIN
    if max(width, height) > MAX_SIDE:
        raise LabFileError(name, 1, f"is {width:.0f} x {height:.0f} m large", f"a lab has at most {MAX_SIDE:g} m a side")
    stops = world.segments
    ends = stops.ends[(stops.stops & Stops.ROBOTS) > 0]
    if len(ends) > MOST_MAP_WALLS:
        advice = f"a lab has at most {MOST_MAP_WALLS}; use a map of long lines instead of points"
        raise LabFileError(name, 1, f"has {len(ends)} pieces of wall", advice)
    lab = Lab(
        Path(name).stem,
        width,
        height,
        tuple(Beacon(goal.pose.x + dx, goal.pose.y + dy) for goal in targets),
        tuple(Target(goal.pose.x + dx, goal.pose.y + dy) for goal in targets),
        tuple(Wall(_thick(x1 + dx, y1 + dy, x2 + dx, y2 + dy)) for x1, y1, x2, y2 in ends.tolist()),
    )
    return lab, Grid(tuple(StartPlace(home.x + dx, home.y + dy, home.heading) for home in homes))


def _thick(x1: float, y1: float, x2: float, y2: float) -> tuple[Point, ...]:
    """Return the rectangle about a line, anti-clockwise."""
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length * LINE_WIDTH / 2.0, (y2 - y1) / length * LINE_WIDTH / 2.0
    return (
        (x1 - ux + uy, y1 - uy - ux),
        (x2 + ux + uy, y2 + uy - ux),
        (x2 + ux - uy, y2 + uy + ux),
        (x1 - ux - uy, y1 - uy + ux),
    )
