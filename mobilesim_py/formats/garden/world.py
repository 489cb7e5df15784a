"""Gardens as worlds: what stands in them is in the way, the ground is areas with labels."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path

import shapely

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import ArMap
from mobilesim_py.formats.field.world import map_of_world
from mobilesim_py.formats.format import Settings
from mobilesim_py.formats.garden.garden_file import garden_text, parse_garden
from mobilesim_py.formats.garden.xml_file import parse_xml, xml_text
from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.world.clearance import free_place_near, is_in_wall
from mobilesim_py.world.ground import Area
from mobilesim_py.world.objects import MapObject, Shape
from mobilesim_py.world.obstacles import Obstacle
from mobilesim_py.world.sketch import Sketch, is_drivable, kind_of
from mobilesim_py.world.world import Bounds, Problem, World

LARGEST_FILE = 4 * 1024 * 1024
DRIVABLE_VALUE = "drivable"
"""Name of the value of the ground that is 1 where vehicles drive, else 0."""
_COLOURS = {
    "grass": "0x5fa84a",
    "pavement": "0x9a9a98",
    "dirt": "0x8a6238",
    "gravel": "0xb0a89a",
    "mulch": "0x6e4a2c",
    "pebbles": "0xc0b8a8",
    "woodchips": "0xa87c4a",
    "hedge": "0x2c6e34",
    "topiary": "0x3c8c3c",
    "rose": "0xc83c5c",
    "obstacle": "0x606870",
    "background": "0x8890a0",
}
_OTHER_COLOUR = "0x787878"
_SOIL = "grass"
"""What cameras see on the ground, whatever its label: faces have no textures of their own."""
_VEHICLE, _ROOM = (0.7, 0.5), 1.1
"""Of the vehicle, and of a square in which it can turn [m]."""
LEAST_HEIGHT = 0.02
"""What is flatter is no obstacle [m]."""


class GardenFormat:
    """`.garden` files, and `.xml` files that are sketch maps."""

    endings = (".garden", ".xml")

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read a garden."""
        sketch, problems = read_sketch(Path(path), settings.scale)
        return world_of(sketch, os.fspath(path), problems)


FORMAT = GardenFormat()


def read_sketch(path: Path, scale: float | None = None) -> tuple[Sketch, tuple[Problem, ...]]:
    """Read a sketch of either form; with a scale its unit is so many metres."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise MapError(f"cannot read the garden ({error.strerror or error})", str(path)) from None
    return parse_sketch(data, str(path), path.stem, scale)


def parse_sketch(data: bytes, source: str, name: str, scale: float | None = None) -> tuple[Sketch, tuple[Problem, ...]]:
    """Read the bytes of a sketch of either form, which is told by its first character."""
    if len(data) > LARGEST_FILE:
        raise MapError(f"a garden has at most {LARGEST_FILE // 2**20} MB", source)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        sketch, problems = parse_xml(data, source, name)
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise MapError("this is no text", source) from None
        sketch, problems = parse_garden(text, source, name)
    if scale is not None:
        problems = tuple(problem for problem in problems if "another unit" not in problem.text)
    return (sketch if scale is None else scaled(sketch, scale)), problems


def scaled(sketch: Sketch, scale: float) -> Sketch:
    """Return a sketch whose unit was so many metres."""
    objects = tuple(
        replace(
            thing,
            x=thing.x * scale,
            y=thing.y * scale,
            z=thing.z * scale,
            size=(thing.size[0] * scale, thing.size[1] * scale, thing.size[2] * scale),
        )
        for thing in sketch.objects
    )
    vertices = tuple((x * scale, y * scale, z * scale) for x, y, z in sketch.vertices)
    return replace(sketch, vertices=vertices, objects=objects)


def save_sketch(sketch: Sketch, path: Path) -> None:
    """Write a sketch; the ending says in which form."""
    text = xml_text(sketch) if path.suffix.lower() == ".xml" else garden_text(sketch)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MapError(f"cannot write the garden ({error.strerror or error})", str(path)) from None


def world_of(sketch: Sketch, path: str = "", problems: tuple[Problem, ...] = ()) -> World:
    """Return the world of a sketch."""
    standing = [thing for thing in sketch.objects if sketch.is_in_the_way(thing) and thing.size[2] >= LEAST_HEIGHT]
    areas, objects, obstacles = [], [], []
    for number, face in enumerate(sketch.faces, start=1):
        outline = sketch.outline_of(face)
        values = {DRIVABLE_VALUE: float(is_drivable(face.label))}
        areas.append(Area(outline, face.label, f"face {number}", values))
        objects.append(MapObject(face.label, "", _middle(outline), outline, Shape.AREA, colour=colour_of(face.label)))
    for thing in standing:
        outline = thing.outline
        shape = shapely.make_valid(shapely.Polygon(outline))
        if shape.area <= 0.0:
            shape = shapely.LineString(outline)
        name = f"{thing.label} {thing.id}"
        obstacles.append(Obstacle(shape, name, thing.label, height=thing.size[2], colour=colour_of(thing.label)))
        objects.append(MapObject(thing.label, "", thing.pose, outline, Shape.AREA, colour=colour_of(thing.label)))
    world = World(
        name=Path(path).name or sketch.name,
        bounds=Bounds.about(sketch.places),
        areas=tuple(areas),
        objects=tuple(objects),
        obstacles=tuple(obstacles),
        problems=problems,
        path=path,
        soil=_SOIL,
        sketch=sketch,
    )
    return _with_home(world, sketch.start)


def _with_home(world: World, start: Pose | None) -> World:
    """Return a world with a start where the vehicle has room to turn: where the sketch has it, or else the nearest place."""
    if start is not None and not is_in_wall(world, [rectangle(*_VEHICLE)], start):
        return replace(world, homes=(start,))
    x, y = world.bounds.centre
    home = free_place_near(world, [rectangle(_ROOM, _ROOM)], start or Pose(x, y))
    if home is None:
        return world
    if start is None:
        return replace(world, homes=(home,))
    text = f"the vehicle stands in an obstacle at ({start.x:.2f}, {start.y:.2f}) m; it starts at ({home.x:g}, {home.y:g})"
    return replace(world, homes=(home,), problems=(*world.problems, Problem(0, text)))


def map_of_garden(path: Path) -> ArMap:
    """Return a garden as a map: outlines of what stands in it, and where the vehicle starts."""
    sketch, problems = read_sketch(path)
    return map_of_world(world_of(sketch, str(path), problems))


def colour_of(label: str) -> str:
    """Return the colour of a label, as map objects have it."""
    kind, what = kind_of(label), label.lower().rpartition("-")[2]
    return _COLOURS.get(what if kind == "ground" else kind, _OTHER_COLOUR)


def _middle(outline: tuple[tuple[float, float], ...]) -> Pose:
    return Pose(math.fsum(x for x, _ in outline) / len(outline), math.fsum(y for _, y in outline) / len(outline))
