"""What is around a robot of a simulation, as navigation wants to know it: walls, boxes, other robots."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.geometry import FloatArray, Polygon, Pose, edges_of, placed, radius_of
from mobilesim_py.navigation.ground import Scenery, Walls
from mobilesim_py.world.obstacles import Stops

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

NEAR = 3.0
"""A robot on its way to a goal of its own will be elsewhere soon: farther away than this it is not planned around [m]."""
NOTHING: FloatArray = np.empty((0, 4))
"""No edges."""


class Surroundings:
    """Looks about in a simulation; walls that are still the same are remembered."""

    def __init__(self, simulation: Simulation, is_on_its_way: Callable[[Robot], bool]) -> None:
        self._simulation = simulation
        self._is_on_its_way = is_on_its_way
        self._walls: Walls | None = None
        self._ends: FloatArray | None = None
        self._digest = 0

    def ground(self, robot: Robot) -> Scenery:
        """Return what a robot has to plan around now."""
        things: list[FloatArray] = []
        passing: list[FloatArray] = []
        here = robot.pose
        for thing in self._others(robot):
            pose = thing.pose
            edges = [edges_of(placed(outline, pose)) for outline in _outlines(thing)]
            if not isinstance(thing, Robot):
                things += edges
            elif not self._is_on_its_way(thing) or math.hypot(pose.x - here.x, pose.y - here.y) <= NEAR:
                passing += edges
        return Scenery(self.walls(), things, passing)

    def walls(self) -> Walls:
        """Return the walls of the world in force."""
        world = self._simulation.world
        segments = world.segments
        # Plants that are trampled make another world with the same segments, some of which stop nobody any more.
        solid = (segments.stops & int(Stops.ROBOTS)) != 0
        digest = zlib.crc32(solid.tobytes())
        if self._walls is None or segments.ends is not self._ends or digest != self._digest:
            self._walls = Walls(world.bounds, segments.ends[solid])
            self._ends, self._digest = segments.ends, digest
        return self._walls

    def edges_near(self, robot: Robot, reach: float) -> FloatArray:
        """Return the edges of other things that are as near to a robot's middle as this [m]."""
        here = robot.pose
        found: list[FloatArray] = []
        for thing in self._others(robot):
            pose = thing.pose
            outlines = _outlines(thing)
            if outlines and math.hypot(pose.x - here.x, pose.y - here.y) <= reach + radius_of(outlines):
                found += [edges_of(placed(outline, pose)) for outline in outlines]
        return np.concatenate(found) if found else NOTHING

    def walls_near(self, pose: Pose, reach: float) -> FloatArray:
        """Return the walls that may be as near to a place as this [m]."""
        ends = self.walls().segments
        x, y = ends[:, 0::2] - pose.x, ends[:, 1::2] - pose.y
        is_near = (x.max(axis=1) >= -reach) & (x.min(axis=1) <= reach) & (y.max(axis=1) >= -reach) & (y.min(axis=1) <= reach)
        return np.asarray(ends[is_near])

    def _others(self, robot: Robot) -> Iterator[Thing]:
        copy = robot.copy
        for thing in self._simulation.things:
            if thing is not robot and not thing.ghost and thing.copy == copy:
                yield thing


def _outlines(thing: Thing) -> tuple[Polygon, ...]:
    if isinstance(thing, Robot):
        return thing.model.body.outline
    return (thing.box.outline,) if isinstance(thing, BoxBody) and thing.box.stops & Stops.ROBOTS else ()
