"""Many robots of one model, each alone in its own copy of a world, told and asked as arrays.

A row of every array is one robot. All of them move and sense in one call of the engine, whatever their number.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.model import DeviceModel, LaserModel, RobotModel, SonarModel
from mobilesim_py.core.devices.device import DeviceKind
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import IntArray
from mobilesim_py.geometry import BoolArray, FloatArray, radius_of
from mobilesim_py.lab.simulation import Simulation
from mobilesim_py.world.world import World

Rows = npt.NDArray[np.intp] | Sequence[int]
_POSE = [Body.X, Body.Y, Body.HEADING]
_VELOCITY = [Body.FORWARD, Body.LATERAL, Body.ROTATION]


class Ensemble:
    """Robots side by side that do not meet. Metres, radians and seconds."""

    def __init__(
        self,
        world: World | str | os.PathLike[str] | None,
        model: RobotModel | str = "p3dx",
        count: int = 1,
        *,
        laser: bool = True,
        sonar: bool = False,
        beams: int | None = None,
        dt: float = 0.1,
        noise: bool = True,
        engine: Engine | str | None = None,
        catalogue: Catalogue | None = None,
    ) -> None:
        """Add `count` robots that carry only the devices that are asked for, all at the origin.

        `beams` is how many readings the laser has within its field of view, unless the model's number is good.
        """
        if count < 1:
            raise ValueError(f"there must be at least one robot, not {count}")
        self.simulation = Simulation(world, dt=dt, noise=noise, engine=engine, copies=count, catalogue=catalogue)
        # Plants that one robot tramples would lie flat for all.
        self.simulation.change_world(replace(self.simulation.world, trampling=False))
        facts = self.simulation.catalogue.find(model) if isinstance(model, str) else model
        lasers, sonars = facts.lasers[:1] if laser else (), [facts.sonar] if sonar and facts.sonar.transducers else ()
        if beams is not None:
            lasers = tuple(replace(device, samples=beams) for device in lasers)
        self.model = replace(facts, devices=tuple(_at_once(device) for device in (*lasers, *sonars)))
        self.count = count
        first = len(self.simulation.things)
        for copy in range(count):
            self.simulation.add_robot(self.model, f"{facts.name}_{copy + 1:03d}", (0.0, 0.0), copy=copy)
        self._columns = slice(first, first + count)
        self._boxes = {copy: [box for box in self.simulation.boxes if box.copy == copy] for copy in range(count)}
        self._new = self.simulation.bodies[:, self._columns].copy()

    @property
    def radius(self) -> float:
        """How far a robot reaches from its middle [m]."""
        return radius_of(self.model.body.footprint)

    # What they are told

    def drive(self, forward: FloatArray, rotation: FloatArray) -> None:
        """Let each drive with its own velocities [m/s, rad/s]."""
        if self.simulation.robots[0].on_wheels:
            half = 0.5 * self.model.drive.track
            self.roll(forward - rotation * half, forward + rotation * half)
            return
        self._set(Body.FORWARD_TARGET, forward)
        self._set(Body.ROTATION_TARGET, rotation)

    def roll(self, left: FloatArray, right: FloatArray) -> None:
        """Let the wheels of each turn at their own speeds [m/s]."""
        if self.simulation.robots[0].on_wheels:
            self._set(Body.LEFT_WANTED, left)
            self._set(Body.RIGHT_WANTED, right)
            return
        self.drive(0.5 * (left + right), (right - left) / self.model.drive.track)

    def restore(self, rows: Rows, poses: FloatArray, *, sense: bool = True) -> None:
        """Put robots elsewhere (a row of x, y, heading for each), as they were when new; their boxes are put back.

        They sense there at once, unless time passes before anybody asks.
        """
        columns = np.asarray(rows, np.intp)
        bodies = self.simulation.bodies
        bodies[:, columns + self._columns.start] = self._new[:, columns]
        bodies[np.array(_POSE)[:, None], columns + self._columns.start] = np.asarray(poses, np.float64).T
        for row in columns.tolist() if self._boxes[0] else ():
            for box in self._boxes[row]:
                box.place(box.box.pose.x, box.box.pose.y, box.box.pose.heading)
        if sense:
            self._sense_again(columns)
        else:
            self.simulation.forget_readings()

    def step(self, ticks: int = 1) -> None:
        """Let time pass for all."""
        self.simulation.step(ticks)

    def rewind(self, seed: int) -> None:
        """Let time begin anew, with other noise."""
        self.simulation.rewind(seed)
        self._new[:, :] = np.where(_ERRORS[:, None], self.simulation.bodies[:, self._columns], self._new)

    # What they know

    @property
    def poses(self) -> FloatArray:
        """Where they truly are: rows of x, y, heading."""
        return self._rows(_POSE)

    @property
    def velocities(self) -> FloatArray:
        """Rows of forward, lateral [m/s] and rotation [rad/s]."""
        return self._rows(_VELOCITY)

    @property
    def odometry(self) -> FloatArray:
        """Where their wheels say that they are: rows of x, y, heading."""
        return self._rows([Body.ODOMETRY_X, Body.ODOMETRY_Y, Body.ODOMETRY_HEADING])

    @property
    def stalled(self) -> BoolArray:
        """Which of them push against something."""
        return self.simulation.bodies[Body.STALLED, self._columns] > 0.0

    @property
    def laser(self) -> FloatArray:
        """A scan in each row [m]; rows without readings if they have no laser."""
        return self._ranges(LASER)

    @property
    def sonar(self) -> FloatArray:
        """The echoes of a ring in each row [m]; rows without readings if they have no sonar."""
        return self._ranges(SONAR)

    # Inside

    def _set(self, field: Body, values: FloatArray) -> None:
        self.simulation.bodies[field, self._columns] = values

    def _rows(self, which: list[Body]) -> FloatArray:
        return self.simulation.bodies[which, self._columns].T

    def _ranges(self, kind: DeviceKind[Any, Any, Any]) -> FloatArray:
        ranges: FloatArray = self.simulation.readings(kind).ranges
        return ranges if len(ranges) else np.zeros((self.count, 0))

    def _sense_again(self, columns: IntArray) -> None:
        """Let robots that were put elsewhere sense there; what others have sensed stands."""
        for table in self.simulation.devices.values():
            known = table.known
            if known is None or not len(known.units) or not len(columns):
                continue
            anew = table.kind.sense(self.simulation.scene, known.units[columns], table, self.simulation.engine)
            for field in fields(known):
                getattr(known, field.name)[columns] = getattr(anew, field.name)


_ERRORS = np.isin(np.arange(len(Body)), [Body.FORWARD_ERROR, Body.LATERAL_ERROR, Body.ROTATION_ERROR])


def _at_once(device: DeviceModel) -> LaserModel | SonarModel:
    """Return a device that senses whenever it is asked: a robot in training is asked once a step."""
    known = replace(device, period=0.0, delay=0.0)
    assert isinstance(known, LaserModel | SonarModel)
    return known
