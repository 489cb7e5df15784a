"""Boxes that robots push before them: before each tick, those in the way of a robot's step make room, if they can.

Only boxes that say so are pushed. It is worked out here, before the engine's step, and so is the same for both engines.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mobilesim_py.geometry import Polygon, Pose, compose, overlaps, placed, radius_of, relative
from mobilesim_py.world.obstacles import Stops

if TYPE_CHECKING:
    from mobilesim_py.core.robot import BoxBody, Robot, Thing
    from mobilesim_py.core.simulation import Simulation

_MARGIN = 0.002
"""So much room more than it needs a robot gets [m]."""


class Pushing:
    """The boxes of one simulation that can be pushed."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._known = -1
        self._boxes: list[BoxBody] = []

    @property
    def boxes(self) -> list[BoxBody]:
        """The boxes that can be pushed."""
        if self._known != self._simulation.changes:
            self._known = self._simulation.changes
            self._boxes = [body for body in self._simulation.boxes if body.box.pushable]
        return self._boxes

    def before_tick(self) -> None:
        """Let boxes make room for what robots will do in this tick."""
        for robot in self._simulation.robots:
            step = robot.coming_step
            if step != (0.0, 0.0, 0.0) and not robot.ghost:
                self._push_with(robot, Pose(*step))

    def _push_with(self, robot: Robot, step: Pose) -> None:
        length = math.hypot(step.x, step.y)
        ahead = Pose(step.x * (1.0 + _MARGIN / length), step.y * (1.0 + _MARGIN / length), step.heading) if length else step
        before, after = robot.pose, compose(robot.pose, ahead)
        footprint = robot.footprint
        reach = radius_of(footprint) + length + 0.01
        for box in self.boxes:
            pose = box.pose
            near = reach + radius_of((box.box.outline,))
            if math.hypot(pose.x - before.x, pose.y - before.y) > near or not _can_meet(robot, box):
                continue
            if overlaps(_at(footprint, after), _at((box.box.outline,), pose)):
                self._move(robot, box, compose(after, relative(pose, before)))

    def _move(self, robot: Robot, box: BoxBody, pose: Pose) -> None:
        outline = (box.box.outline,)
        if not self._simulation.world.fits(outline, pose):
            return
        there = _at(outline, pose)
        for other in self._simulation.things:
            if other is robot or other is box or not _can_meet(other, box):
                continue
            if overlaps(_at(other.footprint, other.pose), there):
                return
        box.shift(pose)


def _can_meet(thing: Thing, box: BoxBody) -> bool:
    """Tell whether both are there for each other, and the box is an obstacle at all."""
    return not thing.ghost and not box.ghost and thing.copy == box.copy and bool(box.box.stops & Stops.ROBOTS)


def _at(outline: tuple[Polygon, ...], pose: Pose) -> list[Polygon]:
    return [placed(polygon, pose) for polygon in outline]
