"""A moment of the simulation, taken out of it to be drawn elsewhere (in a thread, into a file) while it goes on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.robot import Robot
from mobilesim_py.geometry import Point, Polygon, Pose, placed
from mobilesim_py.view.colours import colour_of
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.world import World

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

Ray = tuple[Point, Point]


@dataclass(frozen=True)
class RobotLook:
    """One robot as it is drawn, in the world's coordinates."""

    name: str
    colour: str
    pose: Pose
    body: tuple[Polygon, ...]
    size: tuple[float, float]
    ghost: bool
    scans: tuple[Polygon, ...] = ()
    """The fields that its lasers sweep, from the laser along all ranges and back."""
    echoes: tuple[Ray, ...] = ()

    @property
    def nose(self) -> Polygon:
        """A triangle that points ahead."""
        length, width = self.size
        return placed(((0.38 * length, 0.0), (0.05 * length, 0.28 * width), (0.05 * length, -0.28 * width)), self.pose)


@dataclass(frozen=True)
class Mark:
    """A place to be pointed out."""

    place: Point
    colour: str


@dataclass(frozen=True)
class Moment:
    """Everything to draw."""

    world: World
    time: float
    robots: tuple[RobotLook, ...]
    boxes: tuple[Box, ...]
    labels: bool = True
    marks: tuple[Mark, ...] = ()

    def static_world(self) -> World:
        """The world without its boxes, which move."""
        kinds = {box.kind for box in self.world.boxes}
        objects = tuple(thing for thing in self.world.objects if thing.kind not in kinds)
        return replace(self.world, boxes=(), objects=objects)


def take(simulation: Simulation, *, laser: bool = True, sonar: bool = False, labels: bool = True) -> Moment:
    """Take the moment out of a simulation; sensors that are off, or that nobody has asked for yet, are not drawn."""
    laser = laser and simulation.known_readings(LASER) is not None
    sonar = sonar and simulation.known_readings(SONAR) is not None
    robots = tuple(_look(robot, laser, sonar) for robot in simulation.robots)
    boxes = tuple(body.box.moved(body.pose) for body in simulation.boxes)
    return Moment(simulation.world, simulation.time, robots, boxes, labels)


def take_copy(simulation: Simulation, copy: int, marks: tuple[Mark, ...] = ()) -> Moment:
    """Take the moment out of one copy of the world, with places to be pointed out and without names."""
    laser = simulation.known_readings(LASER) is not None
    robots = tuple(_look(robot, laser, False) for robot in simulation.robots if robot.copy == copy)
    boxes = tuple(body.box.moved(body.pose) for body in simulation.boxes if body.copy == copy)
    return Moment(simulation.world, simulation.time, robots, boxes, False, marks)


def _look(robot: Robot, laser: bool, sonar: bool) -> RobotLook:
    pose = robot.pose
    scans: list[Polygon] = []
    if laser:
        for unit in robot.lasers:
            ranges = unit.ranges
            if len(ranges):
                ((x, y),) = placed(((unit.model.pose.x, unit.model.pose.y),), pose)
                first = pose.heading + unit.model.pose.heading + unit.start
                angles = first + unit.increment * np.arange(len(ranges))
                ends = np.stack([x + ranges * np.cos(angles), y + ranges * np.sin(angles)], axis=1)
                scans.append(((x, y), *((px, py) for px, py in ends.tolist())))
    echoes: list[Ray] = []
    if sonar:
        for place, distance in zip(robot.model.sonar.transducers, robot.sonar.tolist(), strict=False):
            end = (place.x + distance * math.cos(place.heading), place.y + distance * math.sin(place.heading))
            start, stop = placed(((place.x, place.y), end), pose)
            echoes.append((start, stop))
    body = tuple(placed(polygon, pose) for polygon in robot.model.body.outline)
    size = robot.model.body.size
    return RobotLook(robot.name, colour_of(robot), pose, body, size, robot.ghost, tuple(scans), tuple(echoes))
