"""The sketch map of the public user interface, as XML. Vertices, faces and labels are numbered from 1 there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from mobilesim_py.errors import MapError
from mobilesim_py.formats.garden.checking import MOST_FACES, MOST_OBJECTS, Checker
from mobilesim_py.formats.garden.matrices import matrix_text, number_text, read_matrix, read_vector
from mobilesim_py.formats.lab.elements import Element, read_elements
from mobilesim_py.world.sketch import Sketch, SketchFace, SketchObject, SketchShape
from mobilesim_py.world.world import Problem

ROOT = "GardenMap"
_UNKNOWN = "Unknown"


def parse_xml(data: bytes, source: str, name: str) -> tuple[Sketch, tuple[Problem, ...]]:
    """Read a sketch; MapError with the line of what cannot be read, problems for what was passed over."""
    return _Reader(source, name).read(read_elements(data, source, ROOT))


class _Reader:
    def __init__(self, source: str, name: str) -> None:
        self._source = source
        self._name = name
        self._problems: list[Problem] = []
        self._labels: tuple[str, ...] = ()

    def read(self, root: Element) -> tuple[Sketch, tuple[Problem, ...]]:
        parts = {child.tag: child for child in root.children}
        if "Labels" not in parts:
            raise MapError("the garden has no <Labels>, so nobody knows what its things are", self._source, root.line)
        self._labels = tuple(item.text.strip() or _UNKNOWN for item in parts["Labels"].children)
        vertices, faces = self._terrain(parts.get("Terrain"))
        objects = self._objects(parts.get("Objects"))
        model, transform = self._model(parts.get("Model"))
        sketch = Sketch(self._name, vertices, faces, objects, self._labels, model, transform)
        checker = Checker(self._source, self._problems)
        checker.check(sketch, root.line)
        return sketch, tuple(self._problems)

    def _matrix(self, parent: Element, tag: str) -> tuple[list[list[float]], int]:
        element = next((child for child in parent.children if child.tag == tag), None)
        if element is None:
            raise MapError(f"<{parent.tag}> has no <{tag}>", self._source, parent.line)
        try:
            return read_matrix(element.text), element.line
        except ValueError as error:
            raise MapError(f"<{tag}> is no matrix such as [1 2;3 4]: {error}", self._source, element.line) from None

    def _terrain(self, terrain: Element | None) -> tuple[tuple[tuple[float, float, float], ...], tuple[SketchFace, ...]]:
        if terrain is None:
            return (), ()
        rows, line = self._matrix(terrain, "Vertices")
        if not all(len(row) in (2, 3) for row in rows):
            raise MapError("every vertex needs two or three numbers", self._source, line)
        vertices = tuple((row[0], row[1], row[2] if len(row) == 3 else 0.0) for row in rows)
        faces, line = self._matrix(terrain, "Faces")
        labels, label_line = self._matrix(terrain, "FaceLabels")
        numbers = [number for row in labels for number in row]
        if len(faces) > MOST_FACES:
            raise MapError(f"a garden has at most {MOST_FACES} faces, and this one {len(faces)}", self._source, line)
        if len(numbers) < len(faces):
            text = f"there are {len(faces)} faces and only {len(numbers)} labels for them"
            raise MapError(text, self._source, label_line)
        found = []
        for place, (face, number) in enumerate(zip(faces, numbers, strict=False), start=1):
            if not face:
                continue  # a face that was taken away leaves a row of NaN
            if not all(corner.is_integer() and 1 <= corner <= len(vertices) for corner in face):
                text = f"face {place} names a vertex that there is not; they are numbered 1 to {len(vertices)}"
                raise MapError(text, self._source, line)
            if len(face) < 3:
                self._problems.append(Problem(line, f"face {place} has fewer than three corners and is passed over"))
                continue
            found.append(SketchFace(self._label(number, label_line, f"face {place}"), tuple(int(k) - 1 for k in face)))
        return vertices, tuple(found)

    def _label(self, number: float, line: int, what: str) -> str:
        if number.is_integer() and 1 <= number <= len(self._labels):
            return self._labels[int(number) - 1]
        text = f"{what} has label {number:g}, and there are {len(self._labels)}; it is taken as {_UNKNOWN}"
        self._problems.append(Problem(line, text))
        return _UNKNOWN

    def _objects(self, objects: Element | None) -> tuple[SketchObject, ...]:
        if objects is None:
            return ()
        if len(objects.children) > MOST_OBJECTS:
            text = f"a garden has at most {MOST_OBJECTS} objects, and this one {len(objects.children)}"
            raise MapError(text, self._source, objects.line)
        return tuple(self._object(item, place) for place, item in enumerate(objects.children, start=1))

    def _object(self, item: Element, place: int) -> SketchObject:
        fields = {child.tag: child for child in item.children}

        def vector(tag: str, count: int, default: Sequence[float] | None = None) -> Sequence[float]:
            field = fields.get(tag)
            if field is None:
                if default is not None:
                    return default
                raise MapError(f"object {place} has no <{tag}>", self._source, item.line)
            try:
                return read_vector(field.text, count)
            except ValueError as error:
                raise MapError(f"<{tag}> of object {place}: {error}", self._source, field.line) from None

        x, y, z = vector("pos", 3)
        dx, dy, dz = vector("diam", 3)
        yaw, pitch, roll = vector("orient", 3, (0.0, 0.0, 0.0))
        (label,), (number,), (shape,) = vector("label", 1), vector("id", 1, (float(place),)), vector("shape", 1, (1.0,))
        if min(dx, dy, dz) < 0.0 or max(dx, dy) <= 0.0:
            raise MapError(f"object {place} has the size {dx:g} x {dy:g} x {dz:g}", self._source, item.line)
        if shape not in set(SketchShape):
            text = f"object {place} has shape {shape:g}, which is none of 1 to {len(SketchShape)}; it is taken as a cuboid"
            self._problems.append(Problem(item.line, text))
            shape = 1.0
        if not (number.is_integer() and 0 <= number < 2**32):
            raise MapError(f"object {place} has the number {number:g}; it is a whole one", self._source, item.line)
        return SketchObject(
            int(number),
            self._label(label, item.line, f"object {place}"),
            SketchShape(int(shape)),
            *(x, y, z),
            (dx, dy, dz),
            math.radians(yaw),
            (math.radians(pitch), math.radians(roll)),
        )

    def _model(self, model: Element | None) -> tuple[str, tuple[float, ...]]:
        if model is None:
            return "", ()
        path = next((child.text.strip() for child in model.children if child.tag == "Path"), "")
        if not any(child.tag == "Transform" and child.text.strip() for child in model.children):
            return path, ()
        rows, line = self._matrix(model, "Transform")
        numbers = tuple(number for row in rows for number in row)
        if len(numbers) != 16:
            raise MapError("<Transform> needs 4 rows of 4 numbers", self._source, line)
        return path, numbers


def xml_text(sketch: Sketch) -> str:
    """Return a sketch as XML; version 2 where it has a model."""
    sketch = sketch.with_labels_of([*(face.label for face in sketch.faces), *(thing.label for thing in sketch.objects)])
    places = sketch.places or [(0.0, 0.0)]
    heights = [z for _, _, z in sketch.vertices] + [thing.z for thing in sketch.objects] or [0.0]
    tops = heights + [thing.z + thing.size[2] for thing in sketch.objects]
    spans = [
        (min(x for x, _ in places), max(x for x, _ in places)),
        (min(y for _, y in places), max(y for _, y in places)),
        (min(heights), max(tops)),
    ]
    has_model = bool(sketch.model or sketch.transform)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f"<{ROOT}>",
        f"   <Version>{2 if has_model else 1}</Version>",
        f"   <Range>{matrix_text(spans)}</Range>",
        "   <Labels>",
        *(f"      <item>{escape(label)}</item>" for label in sketch.labels),
        "   </Labels>",
        "   <Terrain>",
        f"      <Vertices>{matrix_text(sketch.vertices)}</Vertices>",
        f"      <Faces>{matrix_text([[corner + 1 for corner in face.corners] for face in sketch.faces])}</Faces>",
        f"      <FaceLabels>{matrix_text([[sketch.label_number(face.label)] for face in sketch.faces])}</FaceLabels>",
        "   </Terrain>",
        "   <Objects>",
        *(_object_text(sketch, thing) for thing in sketch.objects),
        "   </Objects>",
    ]
    if has_model:
        transform = [sketch.transform[k : k + 4] for k in range(0, len(sketch.transform), 4)]
        lines += [
            "   <Model>",
            f"      <Path>{escape(sketch.model)}</Path>",
            f"      <Transform>{matrix_text(transform)}</Transform>",
            "   </Model>",
        ]
    return "\n".join([*lines, f"</{ROOT}>", ""])


def _object_text(sketch: Sketch, thing: SketchObject) -> str:
    turns = [_degrees(angle) for angle in (thing.turn, *thing.tilt)]
    fields = [
        ("diam", matrix_text([thing.size])),
        ("pos", matrix_text([(thing.x, thing.y, thing.z)])),
        ("orient", matrix_text([turns])),
        ("label", number_text(sketch.label_number(thing.label))),
        ("id", number_text(thing.id)),
        ("shape", number_text(thing.shape)),
    ]
    inside = "\n".join(f"         <{tag}>{text}</{tag}>" for tag, text in fields)
    return f"      <item>\n{inside}\n      </item>"


def _degrees(angle: float) -> float:
    return round(math.degrees(angle), 9)
