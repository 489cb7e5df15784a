"""What is around a robot of a simulation, as navigation wants to know it: walls, boxes, other robots."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.fields import Body
from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.geometry import FloatArray, Point, Polygon, Pose, edges_of, placed, radius_of
from mobilesim_py.navigation.ground import Scenery, Walls
from mobilesim_py.world.obstacles import Stops

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

NEAR = 3.0
"""A robot on its way to a goal of its own will be elsewhere soon: farther away than this it is not planned around [m]."""
CREEPING = 0.05
"""Who is slower than this is taken to stand [m/s]."""
NOTHING: FloatArray = np.empty((0, 4))
"""No edges."""


class Neighbour:
    """Another thing at this moment; its edges are placed when somebody comes so near that they matter."""

    def __init__(self, thing: Thing, pose: Pose, outlines: tuple[Polygon, ...], radius: float) -> None:
        self.thing = thing
        self.pose = pose
        self.outlines = outlines
        self.radius = radius
        """Of the circle about its middle that holds its outlines [m]."""
        self._edges: list[FloatArray] | None = None

    @property
    def moves(self) -> bool:
        """Whether it is a robot that drives."""
        return isinstance(self.thing, Robot) and math.hypot(*self.thing.velocity[:2]) > CREEPING

    def middle_after(self, seconds: float) -> Point:
        """Return where its middle will be if it goes on as it does [m]."""
        if not isinstance(self.thing, Robot):
            return self.pose.x, self.pose.y
        forward, lateral, _ = self.thing.velocity
        cos, sin = math.cos(self.pose.heading), math.sin(self.pose.heading)
        x, y = cos * forward - sin * lateral, sin * forward + cos * lateral
        return self.pose.x + seconds * x, self.pose.y + seconds * y

    @property
    def edges(self) -> list[FloatArray]:
        """The edges of each of its outlines, N x 4 [m]."""
        if self._edges is None:
            self._edges = [edges_of(placed(outline, self.pose)) for outline in self.outlines]
        return self._edges


class Surroundings:
    """Looks about in a simulation; walls that are still the same are remembered."""

    def __init__(self, simulation: Simulation, is_on_its_way: Callable[[Robot], bool]) -> None:
        self._simulation = simulation
        self._is_on_its_way = is_on_its_way
        self._walls: Walls | None = None
        self._ends: FloatArray | None = None
        self._digest = 0
        self._moment: _Moment | None = None

    def ground(self, robot: Robot) -> Scenery:
        """Return what a robot has to plan around now."""
        things: list[FloatArray] = []
        passing: list[FloatArray] = []
        here = robot.pose
        for other in self._look().others(robot, math.inf):
            pose, thing = other.pose, other.thing
            if not isinstance(thing, Robot) or not (self._is_on_its_way(thing) or any(thing.velocity)):
                things += other.edges
            elif not self._is_on_its_way(thing) or math.hypot(pose.x - here.x, pose.y - here.y) <= NEAR:
                passing += other.edges
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

    def near(self, robot: Robot, reach: float) -> list[Neighbour]:
        """Return the other things whose circles are as near to a robot's middle as this [m]."""
        return list(self._look().others(robot, reach))

    def walls_near(self, pose: Pose, reach: float) -> FloatArray:
        """Return the walls that may be as near to a place as this [m]."""
        ends = self.walls().segments
        x, y = ends[:, 0::2] - pose.x, ends[:, 1::2] - pose.y
        is_near = (x.max(axis=1) >= -reach) & (x.min(axis=1) <= reach) & (y.max(axis=1) >= -reach) & (y.min(axis=1) <= reach)
        return np.asarray(ends[is_near])

    def _look(self) -> _Moment:
        """Return all things as they are now, looked at once for all who ask."""
        simulation = self._simulation
        places = simulation.bodies[_PLACE, : len(simulation.things)].tobytes()
        if self._moment is None or self._moment.changes != simulation.changes or self._moment.places != places:
            self._moment = _Moment(simulation, places)
        return self._moment


_PLACE = [Body.X, Body.Y, Body.HEADING, Body.GHOST]


class _Moment:
    def __init__(self, simulation: Simulation, places: bytes) -> None:
        self.changes = simulation.changes
        self.places = places
        self._simulation = simulation
        count = len(simulation.things)
        self._x, self._y, _, ghost = simulation.bodies[_PLACE, :count]
        self._copy = simulation.bodies[Body.COPY, :count].copy()
        things = sorted(simulation.things, key=lambda thing: thing.column)
        outlines = [_outlines(thing) for thing in things]
        self._radius = np.array([radius_of(each) for each in outlines])
        self._is_there = np.array([bool(each) for each in outlines], np.bool_) & (ghost <= 0.0)
        self._things, self._outlines = things, outlines
        self._known: dict[int, Neighbour] = {}

    def others(self, robot: Robot, reach: float) -> Iterator[Neighbour]:
        me = robot.column
        near = self._is_there & (self._copy == self._copy[me])
        if math.isfinite(reach):
            away = np.hypot(self._x - self._x[me], self._y - self._y[me])
            near &= away <= self._radius + reach
        for column in np.flatnonzero(near).tolist():
            if column != me:
                yield self._neighbour(column)

    def _neighbour(self, column: int) -> Neighbour:
        found = self._known.get(column)
        if found is None:
            thing = self._things[column]
            found = Neighbour(thing, thing.pose, self._outlines[column], float(self._radius[column]))
            self._known[column] = found
        return found


def _outlines(thing: Thing) -> tuple[Polygon, ...]:
    if isinstance(thing, Robot):
        return thing.model.body.outline
    return (thing.box.outline,) if isinstance(thing, BoxBody) and thing.box.stops & Stops.ROBOTS else ()
