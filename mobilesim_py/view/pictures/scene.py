"""A map as a drawing: shapes in map metres with colours, before it becomes a PNG or SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mobilesim_py.geometry import Point, Polygon
from mobilesim_py.view.pictures.field import discs_of, field_areas
from mobilesim_py.view.pictures.shapes import Area, Colour, Discs
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.objects import MapObject, Shape
from mobilesim_py.world.obstacles import FloatArray, Made, Stops
from mobilesim_py.world.world import World

PAPER: Colour = (252, 252, 250)
INK: Colour = (38, 50, 66)
POINT_INK: Colour = (58, 84, 120)
GRID_FINE: Colour = (238, 240, 242)
GRID_COARSE: Colour = (222, 226, 230)
REFLECTOR: Colour = (205, 40, 190)
MARGIN = 0.8
"""Empty border around the map [m]; wider where objects lie outside it."""

_NAMED_COLOURS: dict[str, Colour] = {
    "light green": (168, 214, 150),
    "magenta": (226, 130, 214),
    "yellow": (245, 220, 90),
    "red": (214, 72, 62),
    "blue": (74, 120, 200),
    "green": (90, 170, 90),
}
_GOAL, _DOCK, _HOME, _FORBIDDEN, _PLAIN = (20, 140, 96), (196, 128, 0), (40, 98, 200), (204, 60, 50), (120, 120, 130)


@dataclass(frozen=True)
class Line:
    """A polyline; width in thousandths of the picture's longer side, dashes likewise."""

    points: Polygon
    colour: Colour
    width: float = 1.5
    dash: float = 0.0


@dataclass(frozen=True)
class Mark:
    """A round mark of a fixed size on the picture, with an arrow when it has a heading."""

    at: Point
    colour: Colour
    heading: float | None = None
    letter: str = ""


@dataclass(frozen=True)
class Label:
    """Text beside (or on) a place."""

    at: Point
    text: str
    colour: Colour
    is_centred: bool = False
    heading: float | None = None
    """Where the arrow of its mark points, which the text must not cover."""


@dataclass(frozen=True)
class Scene:
    """Everything to draw, from back to front. Walls and points are arrays, as there may be very many of them."""

    low: Point
    high: Point
    areas: tuple[Area, ...]
    walls: FloatArray
    points: FloatArray
    """Centres of the squares that points are, N x 2."""
    point_size: float
    reflectors: tuple[Line, ...]
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    labels: tuple[Label, ...]
    discs: tuple[Discs, ...] = ()
    """What stands in a field, drawn upon the areas."""

    @property
    def width(self) -> float:
        """Extent along x [m]."""
        return self.high[0] - self.low[0]

    @property
    def height(self) -> float:
        """Extent along y [m]."""
        return self.high[1] - self.low[1]


def scene_of(world: World) -> Scene:
    """Draw a world."""
    areas: list[Area] = []
    lines: list[Line] = []
    reflectors: list[Line] = []
    marks: list[Mark] = []
    labels: list[Label] = []
    box_kinds = {box.kind for box in world.boxes}
    for thing in world.objects:
        if thing.kind in box_kinds:
            continue
        if thing.shape is Shape.AREA:
            areas.append(_area(thing))
            if thing.name:
                labels.append(Label(_middle(thing.corners), thing.name, _colour_of(thing), is_centred=True))
        elif thing.shape is Shape.LINE:
            is_reflector = thing.kind.lower().endswith("reflector")
            (reflectors if is_reflector else lines).append(_line(thing))
            if thing.kind.lower() == "measure":
                length = math.dist(*thing.corners)
                labels.append(Label(_middle(thing.corners), f"{length:.2f} m", _colour_of(thing), is_centred=True))
        elif thing.kind.lower() == "label":
            labels.append(Label((thing.pose.x, thing.pose.y), thing.name, INK, is_centred=True))
        else:
            _add_place(thing, marks, labels)
    areas = field_areas(world) + areas + [_box(box) for box in world.boxes]
    low, high = _extent(world)
    walls = world.segments.of(Made.WALL, Made.OBSTACLE).ends
    return Scene(
        *(low, high, tuple(areas), walls, world.points, world.resolution),
        *(tuple(reflectors), tuple(lines), tuple(marks), tuple(labels), discs_of(world)),
    )


def scale_bar(width: float) -> float:
    """Choose a round length [m] of about a fifth of the picture."""
    wanted = max(width / 5.0, 1e-6)
    power = 10.0 ** math.floor(math.log10(wanted))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted)


def _extent(world: World) -> tuple[Point, Point]:
    bounds = world.bounds
    corners = [(bounds.min_x, bounds.min_y), (bounds.max_x, bounds.max_y)]
    corners += [corner for box in world.boxes for corner in box.corners]
    for thing in world.objects:
        corners += thing.corners or [(thing.pose.x, thing.pose.y)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    margin = max(MARGIN, 0.03 * max(max(xs) - min(xs), max(ys) - min(ys)))
    return (min(xs) - margin, min(ys) - margin), (max(xs) + margin, max(ys) + margin)


def _middle(corners: Polygon) -> Point:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _colour_of(thing: MapObject) -> Colour:
    kind = thing.kind.lower()
    for word, colour in (("forbidden", _FORBIDDEN), ("goal", _GOAL), ("dock", _DOCK), ("home", _HOME)):
        if word in kind:
            return colour
    if kind.endswith("reflector"):
        return REFLECTOR
    return parse_colour(thing.colour, _PLAIN)


def parse_colour(text: str, otherwise: Colour) -> Colour:
    """Read `0xrrggbb` or a known colour name."""
    word = text.strip().lower()
    if word in _NAMED_COLOURS:
        return _NAMED_COLOURS[word]
    try:
        number = int(word.removeprefix("0x").removeprefix("#"), 16)
    except ValueError:
        return otherwise
    return (number >> 16) & 255, (number >> 8) & 255, number & 255


def _area(thing: MapObject) -> Area:
    colour = _colour_of(thing)
    forbidden = "forbidden" in thing.kind.lower()
    return Area(thing.corners, colour, 0.10 if forbidden else 0.16, colour, hatched=forbidden)


def _line(thing: MapObject) -> Line:
    colour = _colour_of(thing)
    if thing.kind.lower().endswith("reflector"):
        return Line(thing.corners, colour, 3.0)
    return Line(thing.corners, colour, 1.4, 6.0 if "forbidden" in thing.kind.lower() else 0.0)


def _add_place(thing: MapObject, marks: list[Mark], labels: list[Label]) -> None:
    colour, kind = _colour_of(thing), thing.kind.lower()
    at = (thing.pose.x, thing.pose.y)
    letter = "D" if "dock" in kind else "H" if "home" in kind else ""
    heading = thing.pose.heading if thing.has_heading else None
    marks.append(Mark(at, colour, heading, letter))
    if thing.name:
        labels.append(Label(at, thing.name, colour, heading=heading))


def _box(box: Box) -> Area:
    """Draw a box in its colour; the fewer things notice it, the paler."""
    noticed = sum(1 for flag in (Stops.ROBOTS, Stops.SONAR, Stops.LASER) if box.stops & flag)
    edge = REFLECTOR if box.reflectance > 1 else INK
    return Area(box.corners, parse_colour(box.colour, _PLAIN), 0.15 + 0.25 * noticed, edge, hatched=noticed == 0)
