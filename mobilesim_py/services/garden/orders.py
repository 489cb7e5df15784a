"""What people may order at the panel of garden robots, or by the API: one function for each order."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mobilesim_py.errors import MobileSimError
from mobilesim_py.formats.garden.garden_file import SHAPES
from mobilesim_py.formats.garden.world import parse_sketch
from mobilesim_py.garden.goals import MOST_OBJECTS, ObjectGoal, SimpleGoal
from mobilesim_py.garden.localisation import Quality
from mobilesim_py.geometry import Pose
from mobilesim_py.services.garden.vehicle import Vehicle
from mobilesim_py.services.panelled import OrderError, number_in
from mobilesim_py.world.sketch import Sketch, SketchFace, SketchObject

if TYPE_CHECKING:
    from mobilesim_py.services.garden.service import GardenService

Wish = Mapping[str, Any]
Order = Callable[["GardenService", Wish], None]
FARTHEST = 1000.0
"""Nothing is drawn farther from the map's zero point [m]."""
LARGEST = 100.0
MOST_CORNERS = 200
MOST_TEXT = 4_000_000


def _number(wish: Wish, name: str, least: float, most: float, default: float | None = None) -> float:
    value = wish.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise OrderError(f"{name} must be a number from {least:g} to {most:g}.")
    return float(value)


def _label(wish: Wish) -> str:
    value = wish.get("label")
    if not isinstance(value, str) or not value.strip() or len(value) > 60 or not value.isprintable():
        raise OrderError("label must be a word of at most 60 characters.")
    return value.strip()


def _vehicle(service: GardenService, wish: Wish) -> Vehicle:
    if not service.vehicles:
        raise OrderError("There is no garden robot.")
    if wish.get("robot") is None:
        return next(iter(service.vehicles.values()))
    serial = number_in(wish, "robot")
    found = next((vehicle for robot, vehicle in service.vehicles.items() if robot.serial == serial), None)
    if found is None:
        raise OrderError(f"There is no garden robot {serial}.")
    return found


def _sketch(service: GardenService) -> Sketch:
    return service.board.sketch or Sketch("garden")


# Goals


def _go(service: GardenService, wish: Wish) -> None:
    heading = None if wish.get("heading") is None else _number(wish, "heading", -10.0, 10.0)
    goal = SimpleGoal(_number(wish, "x", -1e5, 1e5), _number(wish, "y", -1e5, 1e5), heading)
    _vehicle(service, wish).gardener.go(goal)


def _trim(service: GardenService, wish: Wish) -> None:
    numbers = wish.get("objects")
    if not isinstance(numbers, Sequence) or isinstance(numbers, str) or not 0 < len(numbers) <= MOST_OBJECTS:
        raise OrderError(f"objects must be a list of 1 to {MOST_OBJECTS} numbers of objects.")
    known = _sketch(service).by_id
    missing = [number for number in numbers if not isinstance(number, int) or number not in known]
    if missing:
        raise OrderError(f"There is no object {str(missing[0])[:20]} in the sketch.")
    _vehicle(service, wish).gardener.trim([ObjectGoal.of(known[number]) for number in numbers])


def _cancel(service: GardenService, wish: Wish) -> None:
    if not _vehicle(service, wish).gardener.cancel():
        raise OrderError("There is no goal to cancel.")


# How the vehicle works


def _cover(service: GardenService, wish: Wish) -> None:
    _vehicle(service, wish).localisation.is_covered = wish.get("on") is True


def _tune(service: GardenService, wish: Wish) -> None:
    vehicle = _vehicle(service, wish)
    setup = vehicle.setup
    quality, manner = setup.quality, setup.manner
    quality = Quality(
        _number(wish, "noise", 0.0, 10.0, quality.noise),
        math.radians(_number(wish, "turn_noise", 0.0, 180.0, math.degrees(quality.turn_noise))),
        _number(wish, "delay", 0.0, 10.0, quality.delay),
        _number(wish, "outage_every", 0.0, 1e6, quality.outage_every),
        _number(wish, "outage", 0.0, 1e6, quality.outage),
    )
    manner = replace(
        manner,
        trim_time=_number(wish, "trim_time", 0.0, 3600.0, manner.trim_time),
        slack=_number(wish, "slack", 0.0, 100.0, manner.slack),
    )
    slip = (_number(wish, "slip_left", -0.5, 0.5, setup.slip[0]), _number(wish, "slip_right", -0.5, 0.5, setup.slip[1]))
    vehicle.use(replace(setup, quality=quality, manner=manner, slip=slip))


# Drawing


def _draw_object(service: GardenService, wish: Wish) -> None:
    """Change an object, or add one where no `id` is given."""
    sketch = _sketch(service)
    known = sketch.by_id.get(number_in(wish, "id")) if wish.get("id") is not None else None
    if wish.get("id") is not None and known is None:
        raise OrderError(f"There is no object {wish['id']} in the sketch.")
    shape = wish.get("shape", known.shape.name.lower() if known else "cuboid")
    if shape not in SHAPES:
        raise OrderError(f"shape must be one of {', '.join(SHAPES)}.")
    size = known.size if known else (1.0, 1.0, 1.0)
    sides = [_number(wish, name, 0.01, LARGEST, size[k]) for k, name in enumerate(("length", "width", "height"))]
    drawn = SketchObject(
        known.id if known else max((thing.id for thing in sketch.objects), default=0) + 1,
        _label(wish) if "label" in wish or known is None else known.label,
        SHAPES[shape],
        _number(wish, "x", -FARTHEST, FARTHEST, known.x if known else None),
        _number(wish, "y", -FARTHEST, FARTHEST, known.y if known else None),
        known.z if known else 0.0,
        (sides[0], sides[1], sides[2]),
        math.radians(_number(wish, "turn", -360.0, 360.0, math.degrees(known.turn) if known else 0.0)),
        known.tilt if known else (0.0, 0.0),
    )
    objects = tuple(drawn if thing is known else thing for thing in sketch.objects) if known else (*sketch.objects, drawn)
    service.board.draw(replace(sketch, objects=objects).with_labels_of([drawn.label]))


def _remove_object(service: GardenService, wish: Wish) -> None:
    sketch, number = _sketch(service), number_in(wish, "id")
    if number not in sketch.by_id:
        raise OrderError(f"There is no object {number} in the sketch.")
    service.board.draw(replace(sketch, objects=tuple(thing for thing in sketch.objects if thing.id != number)))


def _draw_face(service: GardenService, wish: Wish) -> None:
    """Change the label of a face, or add a face with corners."""
    sketch, label = _sketch(service), _label(wish)
    if wish.get("face") is not None:
        number = number_in(wish, "face")
        if not 0 <= number < len(sketch.faces):
            raise OrderError(f"There is no face {number}.")
        faces = list(sketch.faces)
        faces[number] = replace(faces[number], label=label)
        service.board.draw(replace(sketch, faces=tuple(faces)).with_labels_of([label]))
        return
    corners = wish.get("corners")
    if not isinstance(corners, list) or not 3 <= len(corners) <= MOST_CORNERS:
        raise OrderError(f"corners must be a list of 3 to {MOST_CORNERS} places [x, y].")
    vertices = list(sketch.vertices)
    index: dict[tuple[float, float, float], int] = {}
    for number, vertex in enumerate(vertices):
        index.setdefault(vertex, number)
    chosen = []
    for corner in corners:
        if not isinstance(corner, list) or len(corner) != 2:
            raise OrderError("Every corner must be a place [x, y].")
        x, y = (_number({"corner": value}, "corner", -FARTHEST, FARTHEST) for value in corner)
        if (x, y, 0.0) not in index:
            index[x, y, 0.0] = len(vertices)
            vertices.append((x, y, 0.0))
        chosen.append(index[x, y, 0.0])
    drawn = replace(sketch, vertices=tuple(vertices), faces=(*sketch.faces, SketchFace(label, tuple(chosen))))
    service.board.draw(drawn.with_labels_of([label]))


def _remove_face(service: GardenService, wish: Wish) -> None:
    sketch, number = _sketch(service), number_in(wish, "face")
    if not 0 <= number < len(sketch.faces):
        raise OrderError(f"There is no face {number}.")
    faces = sketch.faces[:number] + sketch.faces[number + 1 :]
    service.board.draw(replace(sketch, faces=faces))


def _move_vertex(service: GardenService, wish: Wish) -> None:
    sketch, number = _sketch(service), number_in(wish, "vertex")
    if not 0 <= number < len(sketch.vertices):
        raise OrderError(f"There is no vertex {number}.")
    x, y = _number(wish, "x", -FARTHEST, FARTHEST), _number(wish, "y", -FARTHEST, FARTHEST)
    vertices = list(sketch.vertices)
    vertices[number] = (x, y, vertices[number][2])
    service.board.draw(replace(sketch, vertices=tuple(vertices)))


def _undo(service: GardenService, wish: Wish) -> None:
    if not service.board.undo():
        raise OrderError("There is nothing to undo.")


def _load(service: GardenService, wish: Wish) -> None:
    """Take another sketch, of either form, as text."""
    text = wish.get("text")
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise OrderError("text must be the text of a sketch.")
    try:
        sketch, _ = parse_sketch(text.encode("utf-8", "replace"), "the sketch", "garden")
    except MobileSimError as error:
        raise OrderError(str(error)) from None
    service.board.draw(sketch)


def _reset(service: GardenService, wish: Wish) -> None:
    """Take the sketch that the world was made from."""
    service.board.draw(service.stage.simulation.world.sketch)


def _shift(service: GardenService, wish: Wish) -> None:
    """Turn the sketch about the zero point and shift it, as if it had been drawn elsewhere."""
    x, y = _number(wish, "x", -FARTHEST, FARTHEST, 0.0), _number(wish, "y", -FARTHEST, FARTHEST, 0.0)
    turn = math.radians(_number(wish, "turn", -360.0, 360.0, 0.0))
    service.board.draw(_sketch(service).moved(Pose(x, y, turn)))


def _register(service: GardenService, wish: Wish) -> None:
    service.board.register(_vehicle(service, wish))


def _build(service: GardenService, wish: Wish) -> None:
    service.board.build()


ORDERS: dict[str, Order] = {
    "go": _go,
    "trim": _trim,
    "cancel": _cancel,
    "cover": _cover,
    "tune": _tune,
    "object": _draw_object,
    "remove-object": _remove_object,
    "face": _draw_face,
    "remove-face": _remove_face,
    "vertex": _move_vertex,
    "undo": _undo,
    "load": _load,
    "reset": _reset,
    "shift": _shift,
    "register": _register,
    "build": _build,
}
"""By name."""
