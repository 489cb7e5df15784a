"""Rings of bumper segments in front and behind: which of them touch something that is in the robot's way.

A segment is pressed when a step met something there, and stays so while something is within a centimetre.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.accessories import BumperModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Drawing, Readings
from mobilesim_py.core.engines.formulas import sincos
from mobilesim_py.core.fields import Body, Rows
from mobilesim_py.core.scene import IntArray, Rays, Scene
from mobilesim_py.world.obstacles import FloatArray, Stops

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine

    BumperTable = DeviceTable["BumperModel", "BumperUnit", "BumperReadings"]

ARC = math.radians(135.0)
"""How far the segments in front reach around the robot, half of it to either side; behind likewise."""
BORDER = 0.015
"""So near to the border between two segments both are pressed [m]."""
TRAVEL = 0.010
"""A pressed bumper is let go when what presses it is so much farther away than when they touched [m]."""
_INWARDS = 0.030
"""Feeling for what presses begins so far inside the robot [m],"""
_FEELERS = np.radians([-40.0, -20.0, 0.0, 20.0, 40.0])
"""in these directions, counted from that of the place that was touched,"""
_REACH = 0.5
"""and so far [m]."""
_FOR_ROBOTS = int(Stops.ROBOTS)


class Bumper(Rows):
    """Rows of the matrix of bumpers."""

    BODY = auto()
    """Column of the robot that carries them."""
    ON = auto()
    FRONT = auto()
    """How many segments are in front,"""
    REAR = auto()
    """and behind."""
    HELD = auto()
    """Whether something pressed when they were felt last,"""
    X = auto()
    """and where, in the robot's frame."""
    Y = auto()
    FAR = auto()
    """How far what pressed was then from where feeling begins [m]."""


@dataclass(frozen=True)
class BumperReadings(Readings):
    """Which segments are pressed."""

    front: IntArray
    """Bit i is segment i, counted from the left."""
    rear: IntArray
    """The same, counted from the robot's right."""


class BumperUnit(DeviceUnit[BumperModel]):
    """The bumpers of one robot."""

    @property
    def pressed(self) -> tuple[int, int]:
        """Bits of the segments in front, from the left, and behind, from the robot's right, that are pressed now."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        return (0, 0) if row is None else (int(readings.front[row]), int(readings.rear[row]))

    def reset(self) -> None:
        """Feel: bumpers cannot be switched off."""
        self.on = True


class BumperKind(DeviceKind[BumperModel, BumperUnit, BumperReadings]):
    """Bumpers."""

    name = "bumper"
    model = BumperModel
    rows = Bumper
    unit = BumperUnit
    drawing = Drawing.MARKS

    def column(self, model: BumperModel, table: BumperTable) -> Mapping[int, float]:
        """Return what stands in the rows of new bumpers."""
        return {Bumper.FRONT: model.front, Bumper.REAR: model.rear}

    def sense(self, scene: Scene, units: IntArray, table: BumperTable, engine: Engine) -> BumperReadings:
        """Return which segments are pressed."""
        matrix = table.matrix
        front, rear = np.zeros(len(units), np.int64), np.zeros(len(units), np.int64)
        carrier = matrix[Bumper.BODY, units].astype(np.int64)
        touches = (scene.bodies[Body.CONTACT, carrier] > 0.0) & (scene.bodies[Body.GHOST, carrier] <= 0.0)
        new = units[touches]
        matrix[Bumper.X, new], matrix[Bumper.Y, new] = scene.bodies[Body.CONTACT_X : Body.CONTACT_Y + 1, carrier[touches]]
        held = units[~touches & (matrix[Bumper.HELD, units] > 0.0)]
        matrix[Bumper.HELD, new] = 1.0
        if len(new) + len(held):
            both = np.concatenate([new, held])
            far = _feel(scene, matrix[:, both], engine)
            matrix[Bumper.FAR, new] = far[: len(new)]
            matrix[Bumper.HELD, held] = far[len(new) :] <= matrix[Bumper.FAR, held] + TRAVEL
        for row in np.flatnonzero(matrix[Bumper.HELD, units] > 0.0).tolist():
            x, y, n, m = (float(matrix[k, units[row]]) for k in (Bumper.X, Bumper.Y, Bumper.FRONT, Bumper.REAR))
            front[row], rear[row] = segments_at(x, y, int(n)), segments_at(-x, -y, int(m))
        return BumperReadings(units, front, rear)


BUMPER = BumperKind()


def segments_at(x: float, y: float, count: int) -> int:
    """Return the bits of the segments, of `count` about the axis ahead, that a touch at a place presses."""
    if count <= 0:
        return 0
    bearing, margin = math.atan2(y, x), BORDER / max(BORDER, math.hypot(x, y))
    share = ARC / count
    bits = 0
    for place in (bearing - margin, bearing, bearing + margin):
        number = math.floor((0.5 * ARC - place) / share)
        if 0 <= number < count and abs(bearing) <= 0.5 * ARC:
            bits |= 1 << number
    return bits


def _feel(scene: Scene, bumpers: FloatArray, engine: Engine) -> FloatArray:
    """Return how far things are near the places where bumpers were pressed, from where feeling begins."""
    carrier = bumpers[Bumper.BODY].astype(np.int64)
    px, py = bumpers[Bumper.X], bumpers[Bumper.Y]
    far = np.sqrt(px * px + py * py)
    begin = np.maximum(0.0, far - _INWARDS) / np.maximum(far, 1e-9)
    sine, cosine = sincos(scene.bodies[Body.HEADING, carrier])
    x = scene.bodies[Body.X, carrier] + begin * (px * cosine - py * sine)
    y = scene.bodies[Body.Y, carrier] + begin * (px * sine + py * cosine)
    ahead = np.arctan2(py, px) + scene.bodies[Body.HEADING, carrier]
    sine, cosine = sincos(ahead[:, None] + _FEELERS)
    count = len(_FEELERS)
    directions = np.cos(_FEELERS)
    hits = engine.cast(
        scene,
        Rays(
            np.repeat(x, count),
            np.repeat(y, count),
            cosine.ravel(),
            sine.ravel(),
            np.tile(_REACH / directions, len(x)),
            np.repeat(carrier, count),
        ),
        _FOR_ROBOTS,
    )
    # What lies across the way is as near in every direction.
    nearest: FloatArray = (hits.distance.reshape(len(x), count) * directions).min(axis=1)
    return nearest
