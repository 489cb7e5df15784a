"""Grippers: two paddles on a lift before a robot's front, with two light beams between them, that hold boxes.

A box that is held belongs to the robot's outline for as long as that lasts: others see and meet it there, it stops the robot
at walls, and it goes where the robot goes. So both engines carry it without knowing of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.accessories import GripperModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.engines.formulas import sincos
from mobilesim_py.core.fields import Body, Rows
from mobilesim_py.core.scene import NOTHING, IntArray, Rays, Scene
from mobilesim_py.geometry import Polygon, Pose, placed, relative
from mobilesim_py.world.obstacles import FloatArray, Stops

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.robot import BoxBody, Robot

    GripperTable = DeviceTable["GripperModel", "GripperUnit", "GripperReadings"]

USUAL_PRESSURE = 0.2
"""How long paddles go on pressing what they have met [s]."""
DOWN = 0.005
"""A lift that is no higher is down [m]."""
_FOR_ROBOTS = int(Stops.ROBOTS)


class Gripper(Rows):
    """Rows of the matrix of grippers."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    GAP = auto()
    """Between the paddles [m]."""
    LIFT = auto()
    """How high it is [m]."""
    BASE = auto()
    """Facts of the model."""
    OUTER = auto()
    INNER = auto()


@dataclass(frozen=True)
class GripperReadings(Readings):
    """What the beams of grippers see."""

    outer: FloatArray
    """1.0 where something breaks the beam near the tips of the paddles,"""
    inner: FloatArray
    """and the one near the palm."""


@dataclass(frozen=True)
class Held:
    """What a gripper holds, and where on the robot."""

    box: BoxBody
    place: Pose
    """Of the box, in the robot's frame."""
    outline: Polygon
    """As it stands there."""
    was_ghost: bool


class GripperUnit(DeviceUnit[GripperModel]):
    """The gripper of one robot. Directions are 1 to open or to lift, -1 to close or to lower, 0 to stand."""

    def __init__(self, table: GripperTable, model: GripperModel, column: int) -> None:
        super().__init__(table, model, column)
        self.paddles = 0
        """Where the paddles go now,"""
        self.lifting = 0
        """and the lift."""
        self.pressure = USUAL_PRESSURE
        """How long paddles go on pressing what they have met [s]."""
        self.held: Held | None = None
        self._press_left = math.inf
        """How long they still press [s]; infinite while they have met nothing."""
        self._lift_left = math.inf
        """How long the lift still goes [s]; infinite where its end decides."""

    # What it is told

    def open(self) -> None:
        """Open the paddles, and let go."""
        self._move_paddles(1)

    def close(self) -> None:
        """Close the paddles until they meet something, or each other."""
        self._move_paddles(-1)

    def halt_paddles(self) -> None:
        """Stop the paddles where they are."""
        self._move_paddles(0)

    def lift(self, direction: int, seconds: float = math.inf) -> None:
        """Move the lift up (1) or down (-1) for a time, or to its end; 0 stops it."""
        self.lifting, self._lift_left = direction, seconds
        self._keep_time()

    def halt(self) -> None:
        """Stop everything."""
        self.halt_paddles()
        self.lift(0)

    def reset(self) -> None:
        """Make it as new: open, down, empty."""
        self.release()
        self.paddles = self.lifting = 0
        self.pressure = USUAL_PRESSURE
        self._set(Gripper.GAP, self.model.opening)
        self._set(Gripper.LIFT, 0.0)
        self.on = True

    def _move_paddles(self, direction: int) -> None:
        if direction > 0:
            self.release()
        self.paddles, self._press_left = direction, math.inf
        self._keep_time()

    # What it is like

    @property
    def robot(self) -> Robot:
        """Whose it is."""
        from mobilesim_py.core.robot import Robot

        robot = self._table.simulation.things[int(self._get(Gripper.BODY))]
        assert isinstance(robot, Robot)
        return robot

    @property
    def gap(self) -> float:
        """Between the paddles [m]."""
        return self._get(Gripper.GAP)

    @property
    def height(self) -> float:
        """Of the lift [m]."""
        return self._get(Gripper.LIFT)

    @property
    def is_open(self) -> bool:
        """Whether the paddles are as far apart as they can be."""
        return self.gap >= self.model.opening

    @property
    def presses(self) -> bool:
        """Whether the paddles press on something, or on each other."""
        return self.held is not None or self.gap <= 0.0

    @property
    def is_closed(self) -> bool:
        """Whether they press, and have come to rest."""
        return self.presses and self.paddles == 0

    @property
    def is_up(self) -> bool:
        """Whether the lift is at its top."""
        return self.height >= self.model.lift

    @property
    def is_down(self) -> bool:
        """Whether the lift is at its bottom."""
        return self.height <= 0.0

    @property
    def beams(self) -> tuple[bool, bool]:
        """Whether the outer and the inner beam are broken now."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        return (False, False) if row is None else (bool(readings.outer[row]), bool(readings.inner[row]))

    # Time

    @property
    def is_busy(self) -> bool:
        """Whether something changes as time passes."""
        return bool(self.paddles or self.lifting or self.held)

    def _keep_time(self) -> None:
        self._table.forget()
        self._table.simulation.grippers.watch(self)

    def pass_time(self, seconds: float) -> None:
        """Move for a time, and carry what is held."""
        if self.lifting:
            self._move_lift(seconds)
        if self.paddles > 0:
            self._set_gap(self.gap + 2.0 * self.model.speed * seconds)
            if self.is_open:
                self.paddles = 0
        elif self.paddles < 0:
            self._close_by(2.0 * self.model.speed * seconds, seconds)
        self.follow()

    def _move_lift(self, seconds: float) -> None:
        way = min(seconds, self._lift_left) * self.model.speed * self.lifting
        self._lift_left -= seconds
        height = min(self.model.lift, max(0.0, self.height + way))
        self._table.matrix[Gripper.LIFT, self.column] = height
        if self._lift_left <= 0.0 or height == (self.model.lift if self.lifting > 0 else 0.0):
            self.lifting = 0

    def _set_gap(self, gap: float) -> None:
        self._table.matrix[Gripper.GAP, self.column] = min(self.model.opening, max(0.0, gap))

    def _close_by(self, way: float, seconds: float) -> None:
        """Close the paddles by a way, and grip what they meet."""
        if self._press_left < math.inf:
            self._press_left -= seconds
            if self._press_left <= 0.0:
                self.paddles = 0
            return
        found = self._between()
        if found is not None and self.gap - way <= found[1]:
            self._set_gap(found[1])
            self.hold(found[0])
        else:
            self._set_gap(self.gap - way)
        if self.presses:
            self._press_left = self.pressure

    # What it holds

    def _between(self) -> tuple[BoxBody, float] | None:
        """Return the widest box between the paddles that fits there, and its width, unless the lift is up."""
        if self.height > DOWN:
            return None
        robot, model, found = self.robot, self.model, None
        for box in self._table.simulation.boxes:
            place = relative(box.pose, robot.pose)
            near = model.base <= place.x <= model.base + model.depth and abs(place.y) <= 0.5 * model.opening
            if near and not box.ghost and box.copy == robot.copy:
                across = [y for _, y in placed(box.box.outline, place)]
                width = max(across) - min(across)
                if width <= self.gap + 1e-9 and (found is None or width > found[1]):
                    found = (box, width)
        return found

    def hold(self, box: BoxBody) -> None:
        """Hold a box where it is."""
        self.release()
        robot = self.robot
        seen = relative(box.pose, robot.pose)
        # Rounded, so that robots that grip all day have a bounded number of outlines.
        place = Pose(round(seen.x, 3), round(seen.y, 3), math.radians(round(math.degrees(seen.heading))))
        outline = placed(box.box.outline, place)
        self.held = Held(box, place, outline, box.ghost)
        box.ghost = True
        robot.carry((outline,))
        self._keep_time()
        self.follow()

    def release(self) -> None:
        """Let go of what is held: it stands where it is."""
        if self.held is None:
            return
        held, self.held = self.held, None
        self.follow(held)
        self.robot.carry(())
        if held.box.column >= 0:
            held.box.ghost = held.was_ghost
        self._table.forget()

    def follow(self, held: Held | None = None) -> None:
        """Put what is held where the robot has it."""
        held = held or self.held
        if held is None or held.box.column < 0:
            return
        pose = self.robot.pose
        sine, cosine = sincos(pose.heading)
        x = pose.x + float(held.place.x * cosine - held.place.y * sine)
        y = pose.y + float(held.place.x * sine + held.place.y * cosine)
        heading = math.remainder(pose.heading + held.place.heading, math.tau)
        bodies = self._table.simulation.bodies
        bodies[Body.X : Body.HEADING + 1, held.box.column] = (x, y, heading)


class GripperKind(DeviceKind[GripperModel, GripperUnit, GripperReadings]):
    """Grippers."""

    name = "gripper"
    model = GripperModel
    rows = Gripper
    unit = GripperUnit

    def column(self, model: GripperModel, table: GripperTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new gripper."""
        outer, inner = model.beams
        return {Gripper.GAP: model.opening, Gripper.BASE: model.base, Gripper.OUTER: outer, Gripper.INNER: inner}

    def sense(self, scene: Scene, units: IntArray, table: GripperTable, engine: Engine) -> GripperReadings:
        """Return which beams are broken: by what stands between the paddles of a lowered gripper, or is held."""
        grippers = table.matrix[:, units]
        carrier = grippers[Gripper.BODY].astype(np.int64)
        sine, cosine = sincos(scene.bodies[Body.HEADING, carrier])
        half, broken = 0.5 * grippers[Gripper.GAP], []
        for row in (Gripper.OUTER, Gripper.INNER):
            ahead = grippers[Gripper.BASE] + grippers[row]
            x = scene.bodies[Body.X, carrier] + ahead * cosine - half * sine
            y = scene.bodies[Body.Y, carrier] + ahead * sine + half * cosine
            # To the right, across the jaws.
            hits = engine.cast(scene, Rays(x, y, sine, -cosine, 2.0 * half, carrier), _FOR_ROBOTS)
            seen = (hits.body != NOTHING) & (grippers[Gripper.LIFT] <= DOWN) & (half > 0.0)
            for k, unit in enumerate(units.tolist()):
                held = table.units[unit].held
                seen[k] |= held is not None and _crosses(held.outline, float(ahead[k]))
            broken.append(seen.astype(np.float64))
        return GripperReadings(units, broken[0], broken[1])


GRIPPER = GripperKind()


def _crosses(outline: Polygon, ahead: float) -> bool:
    return min(x for x, _ in outline) <= ahead <= max(x for x, _ in outline)
