"""The sketch of a garden: a terrain of labelled faces, and labelled objects of simple shapes. Metres and radians.

Where a vehicle may drive is a question of labels, which are told by name: files number them each in their own way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

from mobilesim_py.geometry import Point, Polygon, Pose, compose, placed, rectangle

_KINDS = {
    "Ground": ("Generic", "Grass", "Dirt", "Gravel", "Mulch", "Pebbles", "WoodChips", "Pavement"),
    "Hedge": ("Generic", "Box", "Ivy", "Post"),
    "Topiary": ("Generic", "Cuboid", "Ellipsoid", "Cylinder", "Cone"),
    "Rose": ("Generic", "Stem", "Branch", "Leaf", "Bud", "Flower"),
    "Obstacle": (
        *("Generic", "Bench", "Tree", "Fence", "Steps", "FlowerPot"),
        *("Stone", "Water", "Wall", "Post", "Trunk", "Human"),
    ),
    "Robot": ("Base", "Vehicle", "Arm"),
    "Background": ("Generic", "Road", "House", "Sky"),
}
STANDARD_LABELS = ("Unknown", *(f"{kind}-{name}" for kind, names in _KINDS.items() for name in names))
"""What things in gardens are called."""
DRIVABLE = frozenset({"grass", "pavement"})
"""Kinds of ground that carry a vehicle; all other ground is an obstacle."""
VEHICLE = "Robot-Vehicle"
"""An object with this label is no obstacle but where the vehicle starts."""
_OLD_KINDS = {
    "grass": "ground",
    "dirt": "ground",
    "gravel": "ground",
    "mulch": "ground",
    "pebbles": "ground",
    "boxwood": "hedge",
    "bench": "obstacle",
    "tree": "obstacle",
    "fence": "obstacle",
}
"""Labels of the first files, which did not say what kind of thing they are."""
_ROUND_CORNERS = 24
OVERHEAD = 0.6
"""What begins this high above the ground, such as the crown of a tree, is driven under [m]."""


class SketchShape(IntEnum):
    """The simple shapes."""

    CUBOID = 1
    ELLIPSOID = 2
    CYLINDER = 3
    CONE = 4
    PLANE = 5
    PROFILE = 6


_ROUND = frozenset({SketchShape.ELLIPSOID, SketchShape.CYLINDER, SketchShape.CONE})


def kind_of(label: str) -> str:
    """Return what kind of thing a label names: ground, hedge, topiary, rose, obstacle, robot, background, unknown."""
    word = label.partition("-")[0].lower()
    known = _OLD_KINDS.get(word, word)
    return "rose" if known.startswith("rose") else known


def is_drivable(label: str) -> bool:
    """Tell whether ground with this label carries a vehicle."""
    kind, _, what = label.lower().partition("-")
    return (what if kind == "ground" else label.lower()) in DRIVABLE


@dataclass(frozen=True)
class SketchFace:
    """A piece of the terrain."""

    label: str
    corners: tuple[int, ...]
    """Numbers of its vertices, from 0."""


@dataclass(frozen=True)
class SketchObject:
    """A thing that stands in the garden."""

    id: int
    label: str
    shape: SketchShape
    x: float
    y: float
    z: float
    """The middle of its foot."""
    size: tuple[float, float, float]
    """Along its own axes, and its height."""
    turn: float = 0.0
    """About the vertical [rad]."""
    tilt: tuple[float, float] = (0.0, 0.0)
    """About its other axes [rad], which only pictures would need."""

    @property
    def pose(self) -> Pose:
        """Where it stands."""
        return Pose(self.x, self.y, self.turn)

    @property
    def outline(self) -> Polygon:
        """What it covers of the ground."""
        length, width, _ = self.size
        if self.shape not in _ROUND:
            return placed(rectangle(length, width), self.pose)
        angles = (math.tau * k / _ROUND_CORNERS for k in range(_ROUND_CORNERS))
        return placed(tuple((length / 2.0 * math.cos(a), width / 2.0 * math.sin(a)) for a in angles), self.pose)

    @property
    def is_trimmable(self) -> bool:
        """Whether it is something that is trimmed."""
        return kind_of(self.label) in ("hedge", "topiary", "rose")


@dataclass(frozen=True)
class Sketch:
    """A garden as it was drawn."""

    name: str
    vertices: tuple[tuple[float, float, float], ...] = ()
    faces: tuple[SketchFace, ...] = ()
    objects: tuple[SketchObject, ...] = ()
    labels: tuple[str, ...] = STANDARD_LABELS
    """All labels of its file, in the order of their numbers there."""
    model: str = ""
    """The scan that it was drawn upon, if its file names one."""
    transform: tuple[float, ...] = ()
    """Of that scan, 16 numbers row by row."""

    def outline_of(self, face: SketchFace) -> Polygon:
        """Return a face as it lies on the ground."""
        return tuple(self.vertices[corner][:2] for corner in face.corners)

    @cached_property
    def by_id(self) -> dict[int, SketchObject]:
        """The objects by their numbers; the first of a number counts."""
        found: dict[int, SketchObject] = {}
        for thing in self.objects:
            found.setdefault(thing.id, thing)
        return found

    def is_in_the_way(self, thing: SketchObject) -> bool:
        """Tell whether a vehicle meets an object: not if that is a robot, or begins high above the ground."""
        return kind_of(thing.label) != "robot" and thing.z - self.ground_near(thing.x, thing.y) < OVERHEAD

    def ground_near(self, x: float, y: float) -> float:
        """Return the height of the terrain at the vertex nearest to a place [m]."""
        used = self._ground
        return min(used, key=lambda vertex: (vertex[0] - x) ** 2 + (vertex[1] - y) ** 2)[2] if used else 0.0

    @cached_property
    def _ground(self) -> list[tuple[float, float, float]]:
        return [self.vertices[k] for k in sorted({corner for face in self.faces for corner in face.corners})]

    @property
    def start(self) -> Pose | None:
        """Where the vehicle starts, if the sketch has it in it."""
        return next((thing.pose for thing in self.objects if thing.label == VEHICLE), None)

    @property
    def places(self) -> list[Point]:
        """All corners of terrain and objects."""
        used = {corner for face in self.faces for corner in face.corners}
        found: list[Point] = [self.vertices[k][:2] for k in sorted(used)]
        for thing in self.objects:
            found += thing.outline
        return found

    def label_number(self, label: str) -> int:
        """Return the number of a label in the file, from 1; 0 for one that it does not have."""
        return self.labels.index(label) + 1 if label in self.labels else 0

    def moved(self, by: Pose) -> Sketch:
        """Return the sketch turned about the origin and shifted."""
        vertices = [(*placed(((x, y),), by)[0], z) for x, y, z in self.vertices]
        return replace(self, vertices=tuple(vertices), objects=tuple(_moved(thing, by) for thing in self.objects))

    def with_labels_of(self, used: Iterable[str]) -> Sketch:
        """Return the sketch with more labels behind its own ones, where those are missing."""
        more = tuple(dict.fromkeys(label for label in used if label not in self.labels))
        return replace(self, labels=(*self.labels, *more)) if more else self


def _moved(thing: SketchObject, by: Pose) -> SketchObject:
    there = compose(by, thing.pose)
    return replace(thing, x=there.x, y=there.y, turn=math.remainder(there.heading, math.tau))
