"""Who is in the world: robots and boxes, what they are called, and where they start."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from mobilesim_py import messages
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.core.fields import Body
from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.formats.stage.box_models import box_of_model
from mobilesim_py.geometry import Polygon, Pose, placed
from mobilesim_py.log import Log
from mobilesim_py.names import unique_name
from mobilesim_py.world.room import Taken
from mobilesim_py.world.start import StartRule, Where, choose_start, first_place

_START_TEXTS = {Where.FIXED: messages.START_GIVEN, Where.OUTSIDE: messages.START_OUTSIDE}


class Roster:
    """Adds robots and boxes to a simulation, each under a name of its own and where there is room for it."""

    def __init__(self, simulation: Simulation, start: StartRule, seed: int = 0) -> None:
        self._simulation = simulation
        self._start = start
        self._seed = seed

    def tell_start(self, log: Log) -> None:
        """Log where robots start, as far as the map or the options say."""
        if self._start.where is Where.RANDOM:
            log.info(messages.START_RANDOM)
            return
        pose = first_place(self._simulation.world, self._start)
        text = _START_TEXTS.get(self._start.where, messages.START_HOME)
        log.info(text.format(x=pose.x * 1000.0, y=pose.y * 1000.0, th=math.degrees(pose.heading)))

    def add(self, model: RobotModel, name: str, pose: Pose | None = None) -> Thing:
        """Add a robot or box at a pose, or where the start rule has room for it."""
        start = pose or self.start_pose(model)
        if model.is_box:
            return self._simulation.add_box(box_of_model(model, name, start))
        return self._simulation.add_robot(model, name, start)

    def remove(self, thing: Thing) -> None:
        """Take something out of the world, unless it is gone already."""
        if thing.column >= 0:
            self._simulation.remove(thing)

    def start_pose(self, model: RobotModel) -> Pose:
        """Return where one more robot of this model would start."""
        simulation = self._simulation
        things = simulation.things
        bodies = simulation.bodies[:, : len(things)]
        radius = simulation.shapes.radius[bodies[Body.OUTLINE].astype(np.int64)]
        taken = Taken(bodies[Body.X], bodies[Body.Y], radius, lambda k: _outlines(things[k]))
        rng = self._random if self._start.where is Where.RANDOM else None
        return choose_start(simulation.world, self._start, model.body.footprint, taken, rng)

    @cached_property
    def _random(self) -> np.random.Generator:
        # Few need it, and numpy.random takes its time to import.
        return np.random.default_rng(self._seed)

    def unique_name(self, name: str) -> str:
        """Return the name, or the name with a number behind it if it is taken."""
        return unique_name(name, {thing.name for thing in self._simulation.things})


def _outlines(thing: Thing) -> list[Polygon]:
    """Return the outlines of a robot or box as they stand in the world."""
    shapes: tuple[Polygon, ...] = ()
    if isinstance(thing, Robot):
        shapes = thing.model.body.outline
    elif isinstance(thing, BoxBody):
        shapes = (thing.box.outline,)
    return [placed(polygon, thing.pose) for polygon in shapes]
