"""`.garden` files: a sketch in YAML, in metres and degrees.

name: lawn
terrain:
  - {label: Ground-Grass, corners: [[0, 0], [12, 0], [12, 8], [0, 8]]}
objects:
  - {id: 1, label: Topiary-Ellipsoid, shape: ellipsoid, at: [4, 3], size: [1, 1, 1.2], turn: 30}
  - {id: 2, label: Robot-Vehicle, at: [2, 2], size: [0.7, 0.5, 0.3], turn: 90}   # where the vehicle starts

Corners and places may have a third number, their height; `turn` may be three angles. `labels`, `model` and `transform` are
there for files that were something else before.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import yaml

from mobilesim_py.errors import MapError
from mobilesim_py.formats.garden.checking import MOST_FACES, MOST_OBJECTS, Checker
from mobilesim_py.formats.garden.matrices import LARGEST, number_text
from mobilesim_py.world.sketch import STANDARD_LABELS, Sketch, SketchFace, SketchObject, SketchShape
from mobilesim_py.world.world import Problem

LARGEST_FILE = 4_000_000
MOST_NODES = 400_000
"""Of the tree of a file; references to what stands elsewhere in it count each time."""
SHAPES = {shape.name.lower(): shape for shape in SketchShape}
_ROOT_WORDS = ("name", "terrain", "objects", "labels", "model", "transform")
_OBJECT_WORDS = ("id", "label", "shape", "at", "size", "turn")


def parse_garden(text: str, source: str, name: str) -> tuple[Sketch, tuple[Problem, ...]]:
    """Read a sketch; MapError with the line of what cannot be read."""
    if len(text) > LARGEST_FILE:
        raise MapError(f"a garden has at most {LARGEST_FILE} characters", source)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(text, loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise MapError(f"this is no YAML ({error.problem or error.context})", source, line) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise MapError(f"this is no YAML ({str(error)[:100] or 'nested too deep'})", source) from None
    if not isinstance(root, yaml.MappingNode):
        raise MapError("a garden begins with words such as `terrain:` and `objects:`", source, 1)
    return _Reader(source, name).read(root)


class _Reader:
    def __init__(self, source: str, name: str) -> None:
        self._source = source
        self._name = name
        self._problems: list[Problem] = []
        self._left = MOST_NODES

    def _error(self, node: yaml.Node, text: str) -> MapError:
        return MapError(text, self._source, node.start_mark.line + 1)

    def read(self, root: yaml.MappingNode) -> tuple[Sketch, tuple[Problem, ...]]:
        parts = self._mapping(root, _ROOT_WORDS, "a garden")
        numbers: dict[tuple[float, float, float], int] = {}
        terrain = self._items(parts.get("terrain"), MOST_FACES, "terrain")
        faces = tuple(self._face(node, numbers) for node in terrain)
        things = self._items(parts.get("objects"), MOST_OBJECTS, "objects")
        objects = tuple(self._object(node, place) for place, node in enumerate(things, start=1))
        labels = tuple(self._text(node) for node in self._items(parts.get("labels"), MOST_FACES, "labels"))
        transform = [self._number(node) for node in self._items(parts.get("transform"), 16, "transform")]
        if transform and len(transform) != 16:
            raise self._error(parts["transform"], "`transform` needs 16 numbers")
        sketch = Sketch(
            self._text(parts["name"]) if "name" in parts else self._name,
            tuple(numbers),
            faces,
            objects,
            labels or STANDARD_LABELS,
            self._text(parts["model"]) if "model" in parts else "",
            tuple(transform),
        )
        sketch = sketch.with_labels_of([*(face.label for face in faces), *(thing.label for thing in objects)])
        Checker(self._source, self._problems).check(sketch)
        return sketch, tuple(self._problems)

    def _mapping(self, node: yaml.Node, words: tuple[str, ...], what: str) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self._error(node, f"{what} has words such as `{words[0]}: ...`")
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            self._count(key)
            word = self._text(key)
            if word in words:
                found[word] = value
            else:
                text = f'"{word[:30]}" is no word of {what} and is passed over; known are {", ".join(words)}'
                self._problems.append(Problem(key.start_mark.line + 1, text))
        return found

    def _count(self, node: yaml.Node) -> None:
        self._left -= 1
        if self._left < 0:
            raise self._error(node, f"the garden has more than {MOST_NODES} parts")

    def _items(self, node: yaml.Node | None, most: int, what: str) -> list[yaml.Node]:
        if node is None or (isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null")):
            return []
        if not isinstance(node, yaml.SequenceNode):
            raise self._error(node, f"`{what}` is a list")
        if len(node.value) > most:
            raise self._error(node, f"`{what}` has {len(node.value)} items, and {most} is the most")
        for item in node.value:
            self._count(item)
        return list(node.value)

    def _text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or len(node.value) > 200 or not node.value.isprintable():
            raise self._error(node, "here must be a word of at most 200 characters")
        return str(node.value)

    def _number(self, node: yaml.Node) -> float:
        try:
            value = float(node.value.replace("_", "?")) if isinstance(node, yaml.ScalarNode) else math.nan
        except ValueError:
            value = math.nan
        if not abs(value) <= LARGEST:
            shown = str(node.value)[:20] if isinstance(node, yaml.ScalarNode) else "this"
            raise self._error(node, f"{shown} is not a number from -{LARGEST:g} to {LARGEST:g}")
        return value

    def _numbers(self, node: yaml.Node, least: int, most: int, what: str) -> list[float]:
        items = self._items(node, most, what)
        if len(items) < least:
            count = str(least) if least == most else f"{least} or {most}"
            raise self._error(node, f"`{what}` needs {count} numbers")
        return [self._number(item) for item in items]

    def _face(self, node: yaml.Node, numbers: dict[tuple[float, float, float], int]) -> SketchFace:
        parts = self._mapping(node, ("label", "corners"), "a piece of terrain")
        for word in ("label", "corners"):
            if word not in parts:
                raise self._error(node, f"this piece of terrain has no `{word}`")
        places = [self._numbers(item, 2, 3, "corners") for item in self._items(parts["corners"], 10_000, "corners")]
        if len(places) < 3:
            raise self._error(parts["corners"], "a piece of terrain needs three corners, such as [[0, 0], [2, 0], [2, 3]]")
        corners = [(place[0], place[1], place[2] if len(place) == 3 else 0.0) for place in places]
        return SketchFace(self._text(parts["label"]), tuple(numbers.setdefault(corner, len(numbers)) for corner in corners))

    def _object(self, node: yaml.Node, place: int) -> SketchObject:
        parts = self._mapping(node, _OBJECT_WORDS, "an object")
        for word in ("label", "at", "size"):
            if word not in parts:
                raise self._error(node, f"object {place} has no `{word}`")
        at = self._numbers(parts["at"], 2, 3, "at")
        dx, dy, dz = self._numbers(parts["size"], 3, 3, "size")
        if min(dx, dy, dz) < 0.0 or max(dx, dy) <= 0.0:
            raise self._error(parts["size"], f"object {place} has the size {dx:g} x {dy:g} x {dz:g}")
        turns = self._turns(parts.get("turn"))
        number = self._number(parts["id"]) if "id" in parts else float(place)
        if not (number.is_integer() and 0 <= number < 2**32):
            raise self._error(parts["id"], f"the `id` of an object is a whole number, not {number:g}")
        shape = self._text(parts["shape"]).lower() if "shape" in parts else "cuboid"
        if shape not in SHAPES:
            raise self._error(parts["shape"], f"`{shape}` is no shape; known are {', '.join(SHAPES)}")
        z = at[2] if len(at) == 3 else 0.0
        label = self._text(parts["label"])
        return SketchObject(int(number), label, SHAPES[shape], at[0], at[1], z, (dx, dy, dz), turns[0], (turns[1], turns[2]))

    def _turns(self, node: yaml.Node | None) -> list[float]:
        if node is None:
            return [0.0, 0.0, 0.0]
        degrees = [self._number(node), 0.0, 0.0] if isinstance(node, yaml.ScalarNode) else self._numbers(node, 3, 3, "turn")
        return [math.radians(angle) for angle in degrees]


def garden_text(sketch: Sketch) -> str:
    """Return a sketch as YAML."""
    lines = [f"name: {_quoted(sketch.name)}"]
    if sketch.labels != STANDARD_LABELS:
        lines.append(f"labels: [{', '.join(map(_quoted, sketch.labels))}]")
    if sketch.model:
        lines.append(f"model: {_quoted(sketch.model)}")
    if sketch.transform:
        lines.append(f"transform: {_list(sketch.transform)}")
    lines.append("terrain:" if sketch.faces else "terrain: []")
    for face in sketch.faces:
        corners = ", ".join(_place(*sketch.vertices[corner]) for corner in face.corners)
        lines.append(f"  - {{label: {_quoted(face.label)}, corners: [{corners}]}}")
    lines.append("objects:" if sketch.objects else "objects: []")
    lines += [f"  - {{{_object_text(thing)}}}" for thing in sketch.objects]
    return "\n".join([*lines, ""])


def _object_text(thing: SketchObject) -> str:
    turns = [round(math.degrees(angle), 9) for angle in (thing.turn, *thing.tilt)]
    words: list[tuple[str, str]] = [
        ("id", str(thing.id)),
        ("label", _quoted(thing.label)),
        ("shape", thing.shape.name.lower()),
        ("at", _place(thing.x, thing.y, thing.z)),
        ("size", _list(thing.size)),
    ]
    if any(turns):
        words.append(("turn", _list(turns) if any(turns[1:]) else number_text(turns[0])))
    return ", ".join(f"{word}: {text}" for word, text in words)


def _place(x: float, y: float, z: float) -> str:
    return _list([x, y, z] if z else [x, y])


def _list(numbers: Any) -> str:
    return f"[{', '.join(map(number_text, numbers))}]"


def _quoted(text: str) -> str:
    """Return a text as YAML has it within braces: plain if it is a plain word."""
    is_plain: Callable[[str], bool] = lambda word: word.replace("-", "").replace("_", "").isalnum() and word[:1].isalpha()  # noqa: E731
    if is_plain(text) and text.lower() not in ("true", "false", "null", "yes", "no", "on", "off"):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
