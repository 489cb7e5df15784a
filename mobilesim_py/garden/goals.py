"""What the vehicle may be asked for: a place, an object to trim, several objects in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mobilesim_py.geometry import Polygon
from mobilesim_py.world.sketch import Sketch, SketchObject, SketchShape

FARTHEST = 1e5
"""No goal is farther from the map's zero point [m]."""
LARGEST = 200.0
"""No object is larger [m]."""
MOST_OBJECTS = 1000
"""In one list."""


@dataclass(frozen=True)
class SimpleGoal:
    """A place to drive to."""

    x: float
    y: float
    heading: float | None = None
    """None for any [rad]."""

    @property
    def problem(self) -> str:
        """Why nobody could drive there; empty if that is not so."""
        return _problem((self.x, self.y, self.heading or 0.0))

    def __str__(self) -> str:
        heading = "" if self.heading is None else f" facing {math.degrees(self.heading):.0f} degrees"
        return f"({self.x:.2f}, {self.y:.2f}){heading}"


@dataclass(frozen=True)
class ObjectGoal:
    """An object to be trimmed."""

    id: int
    label: str
    outline: Polygon
    """What it covers of the ground, in the map [m]."""

    @classmethod
    def of(cls, thing: SketchObject) -> ObjectGoal:
        """Return the goal of trimming an object of the sketch."""
        return cls(thing.id, thing.label, thing.outline)

    @property
    def problem(self) -> str:
        """Why nobody could trim it; empty if that is not so."""
        if len(self.outline) < 3:
            return "the object has no form"
        found = _problem([value for corner in self.outline for value in corner])
        return found or ("the object has no size" if _extent(self.outline) <= 0.0 else "")

    def __str__(self) -> str:
        return f"{self.label or 'object'} {self.id}"


def object_goal(
    sketch: Sketch | None, number: int, shape: int, place: tuple[float, float, float], size: Sequence[float]
) -> ObjectGoal:
    """Return the goal that a message asks for: our own copy of the object counts if we have one.

    User interfaces are known that tell headings in the wrong unit, so what a message says of an object of the sketch is
    not used. `place` is x, y and heading.
    """
    known = sketch.by_id.get(number) if sketch is not None else None
    if known is not None:
        return ObjectGoal.of(known)
    x, y, heading = place
    if not all(math.isfinite(value) for value in (*place, *size[:2])) or max(map(abs, size[:2])) > LARGEST:
        return ObjectGoal(number, "", ((math.nan, math.nan),) * 3)
    kind = SketchShape(shape) if shape in set(SketchShape) else SketchShape.CUBOID
    return ObjectGoal.of(SketchObject(number, "object", kind, x, y, 0.0, (abs(size[0]), abs(size[1]), 1.0), heading))


def _problem(values: Sequence[float]) -> str:
    if not all(map(math.isfinite, values)):
        return "the goal has a number in it that is none"
    return "the goal is too far away" if max(map(abs, values)) > FARTHEST else ""


def _extent(outline: Polygon) -> float:
    xs, ys = zip(*outline, strict=True)
    return float(max(max(xs) - min(xs), max(ys) - min(ys)))
