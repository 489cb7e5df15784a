"""The simulation: everything that moves in one world, stepped by a fixed interval, without a clock of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mobilesim_py.catalogue.model import LaserModel, RobotModel, SonarModel
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.engines.formulas import START_NOISE, draw_bits, draw_key, high_uniform, low_uniform, noise_source
from mobilesim_py.core.fields import NO_TEMPERATURE, Body, Drive, Laser
from mobilesim_py.core.returns import reported_reflectance
from mobilesim_py.core.robot import NO_ECHOES, BoxBody, LaserUnit, Robot, Thing
from mobilesim_py.core.scene import Scene
from mobilesim_py.core.shapes import Shapes, SonarRings
from mobilesim_py.geometry import AxisTriple, Polygon, Pose
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Stops

if TYPE_CHECKING:
    from mobilesim_py.world.boxes import Box
    from mobilesim_py.world.world import World

STATE_OF_CHARGE_BATTERY = 2


class OdometryError(StrEnum):
    """When the share by which odometry errs is drawn."""

    RANDOM_INIT = "random_init"
    RANDOM_EACH_UPDATE = "random_each_update"
    CONSTANT = "constant"
    NONE = "none"


@dataclass(frozen=True)
class Scan:
    """One laser's readings in the order in which they are reported."""

    ranges: FloatArray
    reflectance: ByteArray


@dataclass
class _Readings:
    """What was sensed at one tick: rows in the order of `units` and `robots` (columns of the matrices)."""

    units: npt.NDArray[np.int64]
    ranges: FloatArray
    reflectance: ByteArray
    robots: npt.NDArray[np.int64]
    echoes: FloatArray


class Simulation:
    """Robots and boxes in a world. `step` moves them; `readings` says what they sense after that."""

    def __init__(
        self,
        world: World,
        *,
        dt: float = 0.1,
        seed: int = 0,
        noise: bool = True,
        odometry_error: OdometryError = OdometryError.RANDOM_EACH_UPDATE,
        engine: Engine | None = None,
        grid: Grid | None = None,
        copies: int = 1,
    ) -> None:
        self.dt = dt
        self.seed = seed
        self.noise = noise
        self.odometry_error = odometry_error if noise else OdometryError.NONE
        self.engine: Engine = engine or NumpyEngine()
        self.tick = 0
        self.world = world
        self.bodies: FloatArray = np.zeros((len(Body), 16))
        self.lasers: FloatArray = np.zeros((len(Laser), 16))
        self.shapes = Shapes()
        self.rings = SonarRings()
        grid = grid or Grid.build(world.segments)
        self._scene = Scene(self.bodies, 0, dt, seed, 0, self.shapes.table, grid, copies=copies)
        self.things: list[Thing] = []
        """Every robot and box; `things[k].column == k`."""
        self._units: list[LaserUnit] = []
        self._next_serial = 1
        self._readings: _Readings | None = None
        self._add_boxes(world)

    # Time

    @property
    def time(self) -> float:
        """Simulated seconds since the start."""
        return self.tick * self.dt

    @property
    def grid(self) -> Grid:
        """The walls of the world by place."""
        return self._scene.grid

    @property
    def scene(self) -> Scene:
        """What the engines work on: everything as it is now."""
        scene = self._scene
        scene.bodies, scene.population, scene.tick, scene.shapes = (
            self.bodies,
            len(self.things),
            self.tick,
            self.shapes.table,
        )
        return scene

    def step(self, ticks: int = 1) -> None:
        """Let some intervals pass."""
        self.engine.advance(self.scene, ticks)
        self.tick += ticks
        self._readings = None

    # Who is there

    @property
    def robots(self) -> list[Robot]:
        """All robots, in no particular order."""
        return [thing for thing in self.things if isinstance(thing, Robot)]

    @property
    def boxes(self) -> list[BoxBody]:
        """All movable boxes."""
        return [thing for thing in self.things if isinstance(thing, BoxBody)]

    def add_robot(
        self, model: RobotModel, name: str, pose: Pose | None = None, *, wheels: WheelDrive | None = None, copy: int = 0
    ) -> Robot:
        """Add a robot at a pose (or the origin), driven along its axes or by its wheels, in one copy of the world."""
        start = pose or Pose()
        robot = Robot(self, model, name, self._new_column(), start, wheels)
        self.things.append(robot)
        stops = (
            (Stops.ROBOTS if model.obstacle else 0)
            | (Stops.SONAR if model.sonar_return else 0)
            | (Stops.LASER if model.laser_return else 0)
        )
        self._shape(robot, model.body, model.footprint, stops, model.laser_return, start)
        column = robot.column
        self._put_into_copy(column, copy)
        self.bodies[Body.TRACK, column] = track_of(model)
        if wheels is not None:
            self.bodies[Body.DRIVE, column] = Drive.WHEELS
            self.bodies[Body.TRACK, column] = wheels.track
            self.bodies[Body.WHEEL_KEPT, column] = wheels.kept(self.dt)
            self.bodies[Body.WHEEL_NOISE, column] = wheels.noise if self.noise else 0.0
            self._scene.wheeled = True
        self.bodies[Body.MOTORS, column] = 1.0
        self.bodies[Body.SONAR, column] = self.rings.add(model.sonar if self.noise else _noiseless_sonar(model))
        self._err(column, model.odometry_error)
        for laser in model.lasers:
            robot.lasers.append(self._add_laser(laser, column))
        robot.reset_limits()
        self._restore_devices(robot)
        return robot

    def restore(self, robot: Robot) -> None:
        """The robot as it was when new, but where it is: standing, motors on, sensors off, the model's limits."""
        robot.halt()
        robot.motors = True
        robot.set_odometry()
        robot.reset_limits()
        robot.sonar_on = False
        for laser in robot.lasers:
            laser.reset()
        self._restore_devices(robot)

    def add_box(self, box: Box, *, copy: int = 0) -> BoxBody:
        """Add a movable box to one copy of the world."""
        body = BoxBody(self, box, self._new_column())
        self._put_into_copy(body.column, copy)
        self.things.append(body)
        self._shape(body, (box.outline,), (box.outline,), int(box.stops), box.reflectance, box.pose)
        self.bodies[Body.SONAR, body.column] = -1.0
        return body

    def remove(self, thing: Thing) -> None:
        """Take a robot or a box out of the world; the last column moves into its place."""
        if isinstance(thing, Robot):
            for unit in thing.lasers:
                self._remove_laser(unit)
        last = self.things.pop()
        if last is not thing:
            self.things[thing.column] = last
            self.bodies[:, thing.column] = self.bodies[:, last.column]
            carriers = self.lasers[Laser.BODY, : len(self._units)]
            carriers[carriers == last.column] = thing.column
            last.column = thing.column
        thing.column = -1
        self._readings = None

    def replace_world(self, world: World, grid: Grid | None = None) -> None:
        """Another map: its walls and boxes; robots stay where they are."""
        for box in self.boxes:
            self.remove(box)
        self.world = world
        self._scene = replace(self._scene, grid=grid or Grid.build(world.segments))
        self._add_boxes(world)
        self._readings = None

    # What they sense

    def forget_readings(self) -> None:
        """Something was changed by hand: sense anew when asked."""
        self._readings = None

    @property
    def readings(self) -> _Readings:
        """What every laser and sonar that is on senses at this tick; computed once, when first asked for."""
        if self._readings is None:
            count = len(self.things)
            units = np.flatnonzero(self.lasers[Laser.ON, : len(self._units)] > 0.0)
            robots = np.flatnonzero((self.bodies[Body.SONAR_ON, :count] > 0.0) & (self.bodies[Body.SONAR, :count] >= 0.0))
            scene = self.scene
            ranges, shine, slant = self.engine.scan(scene, self.lasers, units)
            if len(units) and int(shine.max(initial=0)) > 1:
                for row, unit in enumerate(units):
                    shine[row] = reported_reflectance(self._units[unit].model.rules, shine[row], ranges[row], slant[row])
            echoes = self.engine.ping(scene, self.rings.table, robots)
            for ring, (absent, farthest) in self.rings.gaps.items():
                rows = np.flatnonzero(self.bodies[Body.SONAR, robots] == ring)
                echoes[rows[:, None], absent] = farthest
            self._readings = _Readings(units, ranges, shine, robots, echoes)
        return self._readings

    @property
    def known_readings(self) -> _Readings | None:
        """What was sensed at this tick if somebody has asked for it; for those who only look on."""
        return self._readings

    def scan_of(self, unit: LaserUnit) -> Scan:
        """The readings of one laser; none when it is off."""
        readings = self.readings
        row = int(np.searchsorted(readings.units, unit.column))
        if row == len(readings.units) or readings.units[row] != unit.column:
            return Scan(NO_ECHOES, np.zeros(0, np.uint8))
        return Scan(readings.ranges[row, : unit.count], readings.reflectance[row, : unit.count])

    def echoes_of(self, robot: Robot) -> FloatArray:
        """The sonar ranges of one robot; none when its sonar is off."""
        readings = self.readings
        row = int(np.searchsorted(readings.robots, robot.column))
        if row == len(readings.robots) or readings.robots[row] != robot.column:
            return NO_ECHOES
        return readings.echoes[row, : len(robot.model.sonar.transducers)]

    # Inside

    def _new_column(self) -> int:
        column = len(self.things)
        if column == self.bodies.shape[1]:
            self.bodies = np.concatenate([self.bodies, np.zeros_like(self.bodies)], axis=1)
        self.bodies[:, column] = 0.0
        self.bodies[Body.SERIAL, column] = self._next_serial
        self._next_serial += 1
        self._readings = None
        return column

    def _put_into_copy(self, column: int, copy: int) -> None:
        if not 0 <= copy < self._scene.copies:
            raise ValueError(f"there is no copy {copy} of the world: there are {self._scene.copies}, counted from 0")
        self.bodies[Body.COPY, column] = copy

    def _add_boxes(self, world: World) -> None:
        """Put the boxes of a world into every copy of it."""
        for copy in range(self._scene.copies):
            for box in world.boxes:
                self.add_box(box, copy=copy)

    def _shape(
        self,
        thing: Thing,
        outline: tuple[Polygon, ...],
        footprint: tuple[Polygon, ...],
        stops: int,
        reflectance: int,
        pose: Pose,
    ) -> None:
        column = thing.column
        self.bodies[Body.OUTLINE, column] = self.shapes.add(outline)
        self.bodies[Body.FOOTPRINT, column] = self.shapes.add(footprint)
        self.bodies[Body.STOPS, column] = stops
        self.bodies[Body.REFLECTANCE, column] = reflectance
        Thing.place(thing, pose.x, pose.y, pose.heading)

    def _err(self, column: int, most: AxisTriple) -> None:
        """How the odometry of a new robot errs."""
        shares = np.array([most.forward, most.lateral, most.rotation])
        rows = [Body.FORWARD_ERROR, Body.LATERAL_ERROR, Body.ROTATION_ERROR]
        if self.odometry_error is OdometryError.NONE:
            return
        if self.odometry_error is OdometryError.CONSTANT:
            self.bodies[rows, column] = shares
        else:
            self.bodies[[Body.FORWARD_ERROR_MOST, Body.LATERAL_ERROR_MOST, Body.ROTATION_ERROR_MOST], column] = shares
            with np.errstate(over="ignore"):
                serial = np.uint64(self.bodies[Body.SERIAL, column])
                key = draw_key(np.uint64(self.seed), noise_source(serial, np.uint64(START_NOISE)), np.uint64(0))
                bits, more = draw_bits(key, np.uint64(0)), draw_bits(key, np.uint64(1))
            self.bodies[rows, column] = shares * [high_uniform(bits), low_uniform(bits), high_uniform(more)]
        self.bodies[Body.REDRAW_ERROR, column] = float(self.odometry_error is OdometryError.RANDOM_EACH_UPDATE)

    def _restore_devices(self, robot: Robot) -> None:
        soc = robot.model.battery_type == STATE_OF_CHARGE_BATTERY
        robot.battery = 0.0 if soc else robot.model.battery_voltage
        robot.charge = 100.0 if soc else 0.0
        robot.temperature = NO_TEMPERATURE
        robot.overheated = False
        robot.digital_out = 0xFF
        self.bodies[Body.DIGITAL_IN, robot.column] = 0xFF

    def _add_laser(self, model: LaserModel, body: int) -> LaserUnit:
        column = len(self._units)
        if column == self.lasers.shape[1]:
            self.lasers = np.concatenate([self.lasers, np.zeros_like(self.lasers)], axis=1)
        self.lasers[:, column] = 0.0
        for field, value in (
            (Laser.BODY, body),
            (Laser.X, model.pose.x),
            (Laser.Y, model.pose.y),
            (Laser.HEADING, model.pose.heading),
            (Laser.RANGE_MIN, model.range_min),
            (Laser.RANGE_MAX, model.range_max),
            (Laser.RANGE_NOISE, model.range_noise if self.noise else 0.0),
            (Laser.ANGLE_NOISE, model.angle_noise if self.noise else 0.0),
            (Laser.SERIAL, self._next_serial),
        ):
            self.lasers[field, column] = value
        self._next_serial += 1
        unit = LaserUnit(self, model, column)
        self._units.append(unit)
        unit.reset()
        return unit

    def _remove_laser(self, unit: LaserUnit) -> None:
        last = self._units.pop()
        if last is not unit:
            self._units[unit.column] = last
            self.lasers[:, unit.column] = self.lasers[:, last.column]
            last.column = unit.column
        unit.column = -1


def track_of(model: RobotModel) -> float:
    """Return the distance between the wheels of a Pioneer [m], as its factor for differences of wheel speeds has it."""
    factor = model.conversion.difference
    return 0.002 / factor if factor > 0.0 else 0.0


def _noiseless_sonar(model: RobotModel) -> SonarModel:
    return replace(model.sonar, noise=0.0)
