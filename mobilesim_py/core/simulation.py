"""The simulation: everything that moves in one world, stepped by a fixed interval, without a clock of its own."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from mobilesim_py.catalogue.model import DeviceModel, DriveModel, RobotModel
from mobilesim_py.core.calibration import PLAIN, Calibration
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, ModelT, ReadingsT, UnitT
from mobilesim_py.core.devices.kinds import DEVICES
from mobilesim_py.core.devices.table import DeviceTable
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.engines.formulas import START_NOISE, draw_bits, draw_key, high_uniform, low_uniform, noise_source
from mobilesim_py.core.fields import Body, Drive
from mobilesim_py.core.grippers import Grippers
from mobilesim_py.core.hardship import Hardship
from mobilesim_py.core.power import Power
from mobilesim_py.core.pushing import Pushing
from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.core.scene import Scene
from mobilesim_py.core.shapes import Shapes
from mobilesim_py.core.trampling import Trampling
from mobilesim_py.geometry import AxisTriple, Polygon, Pose
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import FloatArray, Stops

if TYPE_CHECKING:
    from mobilesim_py.world.boxes import Box
    from mobilesim_py.world.world import World


class OdometryError(StrEnum):
    """When the share by which odometry errs is drawn."""

    RANDOM_INIT = "random_init"
    RANDOM_EACH_UPDATE = "random_each_update"
    CONSTANT = "constant"
    NONE = "none"


def _plain_engine() -> Engine:
    from mobilesim_py.core.engines.engine import NumpyEngine

    return NumpyEngine()


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
        self.engine = engine or _plain_engine()
        self.tick = 0
        self.world = world
        self.bodies: FloatArray = np.zeros((len(Body), 16))
        self.devices: dict[str, DeviceTable[Any, Any, Any]] = {
            kind.name: DeviceTable(kind, self) for kind in DEVICES.values()
        }
        """The devices of all robots by the names of their kinds."""
        self._tables = tuple(self.devices.values())
        self._timed: list[DeviceTable[Any, Any, Any]] = []
        """Those of them that have units which sense at ticks of their own."""
        self.shapes = Shapes()
        grid = grid or Grid.build(world.segments)
        self._scene = Scene(self.bodies, 0, dt, seed, 0, self.shapes.table, grid, copies=copies, world=world)
        self.things: list[Thing] = []
        """Every robot and box; `things[k].column == k`."""
        self.changes = 0
        """How often something came or went: columns stay as they are while this does."""
        self._next_serial = 1
        self.hardship = Hardship(self)
        """What the ground and stones do to robots."""
        self.trampling = Trampling(self)
        """What robots do to plants."""
        self.grippers = Grippers()
        """Those that move or hold something."""
        self.calibration = Calibration()
        """Robots whose clients have told them other factors of their odometry."""
        self.pushing = Pushing(self)
        """Boxes that can be pushed."""
        self.power = Power(self)
        """What batteries lose and gain."""
        self._world_at_first = world
        self._boxes_of_world: list[BoxBody] = []
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
        suffering = self.hardship.suffering()
        handled = bool(self.grippers.busy or self.calibration.robots or self.pushing.boxes)
        if self._timed or suffering or handled:
            for _ in range(ticks):
                if suffering:
                    self.hardship.before_step()
                if handled:
                    self._tick_by_hand()
                else:
                    self._advance(1)
                if suffering:
                    self.hardship.after_step()
                for table in self._timed:
                    table.pass_tick()
        else:
            self._advance(ticks)
        self.trampling.after_step()
        self.power.after_step()
        self.forget_readings()

    def _tick_by_hand(self) -> None:
        """Let a tick pass in which something happens that engines do not know: pushing, gripping, reckoning otherwise."""
        if self.pushing.boxes:
            self.pushing.before_tick()
        self.calibration.before_tick()
        self._advance(1)
        self.calibration.after_tick()
        self.grippers.after_tick(self.dt)

    def _advance(self, ticks: int) -> None:
        if self.things:
            self.engine.advance(self.scene, ticks)
        self.tick += ticks

    def rewind(self, seed: int) -> None:
        """Let time begin anew, with other noise; everything stays where it is."""
        self.tick, self.seed, self._scene.seed = 0, seed, seed
        for robot in self.robots:
            self._err(robot.column, robot.model.drive.odometry_error)
        for table in self._tables:
            table.start_over()

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
        wheels = wheels or _wheels_of(model.drive)
        robot = Robot(self, model, name, self._new_column(), start, wheels)
        self.things.append(robot)
        self._make(robot, start, copy)
        return robot

    def _make(self, robot: Robot, pose: Pose, copy: int) -> None:
        """Give a robot the body, the drive and the devices of its model."""
        model, wheels = robot.model, robot.wheels
        stops = (
            (Stops.ROBOTS if model.body.obstacle else 0)
            | (Stops.SONAR if model.body.sonar_return else 0)
            | (Stops.LASER if model.body.laser_return else 0)
        )
        self._shape(robot, model.body.outline, model.body.footprint, stops, model.body.laser_return, pose)
        column = robot.column
        self._put_into_copy(column, copy)
        self.bodies[Body.TRACK, column] = model.drive.track
        if wheels is not None:
            self.bodies[Body.DRIVE, column] = Drive.WHEELS
            self.bodies[Body.TRACK, column] = wheels.track
            self.bodies[Body.WHEEL_KEPT, column] = wheels.kept(self.dt)
            self.bodies[Body.WHEEL_NOISE, column] = wheels.noise if self.noise else 0.0
            self._scene.wheeled = True
        self.bodies[Body.MOTORS, column] = 1.0
        self._err(column, model.drive.odometry_error)
        for device in model.devices:
            self._add_device(robot, device)
        self._find_timed()
        robot.reset_limits()
        robot.trust_gyro(model.pioneer.gyro_share)

    def remodel(self, robot: Robot, model: RobotModel) -> None:
        """Make a robot one of another model: it stands where it is, with that model's body, drive and devices."""
        if self.grippers.busy:
            self.grippers.leaves(robot)
        for unit in robot.devices:
            self.devices[unit.kind.name].remove(unit)
        robot.devices.clear()
        robot.model = model
        robot.trust_gyro(1.0)
        robot.wheels = _wheels_of(model.drive)
        self.bodies[Body.DRIVE, robot.column] = Drive.AXES
        self._make(robot, robot.pose, robot.copy)
        self.changes += 1
        self.restore(robot)
        self.forget_readings()

    def restore(self, robot: Robot) -> None:
        """The robot as it was when new, but where it is: standing, motors on, devices reset, the model's limits."""
        robot.halt()
        self.calibration.set(robot, PLAIN)
        robot.trust_gyro(robot.model.pioneer.gyro_share)
        robot.wants_charge = False
        robot.motors = True
        robot.set_odometry()
        robot.reset_limits()
        for unit in robot.devices:
            unit.reset()

    def add_box(self, box: Box, *, copy: int = 0) -> BoxBody:
        """Add a movable box to one copy of the world."""
        body = BoxBody(self, box, self._new_column())
        self._put_into_copy(body.column, copy)
        self.things.append(body)
        self._shape(body, (box.outline,), (box.outline,), int(box.stops), box.reflectance, box.pose)
        return body

    def remove(self, thing: Thing) -> None:
        """Take a robot or a box out of the world; the last column moves into its place."""
        if self.grippers.busy:
            self.grippers.leaves(thing)
        if isinstance(thing, Robot):
            self.calibration.set(thing, PLAIN)
            for unit in thing.devices:
                self.devices[unit.kind.name].remove(unit)
            self._find_timed()
        last = self.things.pop()
        if last is not thing:
            self.things[thing.column] = last
            self.bodies[:, thing.column] = self.bodies[:, last.column]
            for table in self.devices.values():
                table.body_moved(last.column, thing.column)
            last.column = thing.column
        thing.column = -1
        self.changes += 1
        self.forget_readings()

    def replace_world(self, world: World, grid: Grid | None = None) -> None:
        """Another map: its walls and boxes; robots and boxes that were added stay where they are."""
        for box in self._boxes_of_world:
            if box.column >= 0:
                self.remove(box)
        self._boxes_of_world.clear()
        self.world = self._world_at_first = world
        self._scene = replace(self._scene, grid=grid or Grid.build(world.segments), world=world)
        self._add_boxes(world)
        self.forget_readings()

    def change_world(self, world: World) -> None:
        """Let obstacles vanish or come (see `World.without`): robots and boxes stay, and the grid is not built anew."""
        self.world = world
        self._scene = replace(self._scene, grid=self._scene.grid.follow(world.segments), world=world)
        self.forget_readings()

    def restore_world(self) -> None:
        """Let the world be as it was when it was loaded: what was trampled stands again."""
        if self.world is not self._world_at_first:
            self.change_world(self._world_at_first)
        self.trampling.count = 0

    # What they sense

    def table(self, kind: DeviceKind[ModelT, UnitT, ReadingsT]) -> DeviceTable[ModelT, UnitT, ReadingsT]:
        """Return the devices of one kind."""
        return self.devices[kind.name]

    def readings(self, kind: DeviceKind[ModelT, UnitT, ReadingsT]) -> ReadingsT:
        """Return what every device of a kind that is on senses at this tick; computed once, when first asked for."""
        return self.table(kind).readings

    def known_readings(self, kind: DeviceKind[ModelT, UnitT, ReadingsT]) -> ReadingsT | None:
        """Return what was sensed at this tick if somebody has asked for it; for those who only look on."""
        return self.table(kind).known

    def sense(self) -> None:
        """Let every device that is on sense now."""
        for table in self.devices.values():
            _ = table.readings

    @property
    def has_sensed(self) -> bool:
        """Whether anything was sensed at this tick."""
        return any(table.known is not None for table in self.devices.values())

    def forget_readings(self) -> None:
        """Sense anew when asked: time has passed, or something was changed by hand."""
        for table in self._tables:
            table.known = None

    # Inside

    def _new_column(self) -> int:
        column = len(self.things)
        if column == self.bodies.shape[1]:
            self.bodies = np.concatenate([self.bodies, np.zeros_like(self.bodies)], axis=1)
        self.bodies[:, column] = 0.0
        self.changes += 1
        self.bodies[Body.SERIAL, column] = self._next_serial
        self._next_serial += 1
        self.forget_readings()
        return column

    def _put_into_copy(self, column: int, copy: int) -> None:
        if not 0 <= copy < self._scene.copies:
            raise ValueError(f"there is no copy {copy} of the world: there are {self._scene.copies}, counted from 0")
        self.bodies[Body.COPY, column] = copy

    def _add_boxes(self, world: World) -> None:
        """Put the boxes of a world into every copy of it."""
        for copy in range(self._scene.copies):
            self._boxes_of_world += [self.add_box(box, copy=copy) for box in world.boxes]

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

    def _find_timed(self) -> None:
        self._timed = [table for table in self.devices.values() if table.is_timed]

    def _add_device(self, robot: Robot, model: DeviceModel) -> None:
        table = next((table for table in self.devices.values() if isinstance(model, table.kind.model)), None)
        if table is None:
            raise ValueError(f"{robot.model.name} carries a {type(model).__name__}, and no kind of device is made from one")
        if table.has_serials:
            self._next_serial += 1
        unit: DeviceUnit[Any] = table.add(model, robot.column, self._next_serial - 1)
        robot.devices.append(unit)


def _wheels_of(drive: DriveModel) -> WheelDrive | None:
    """Return how a model's wheels drive it; None for one that is driven along its axes."""
    return WheelDrive(drive.track, drive.rim_speed, drive.rim_lag) if drive.rim_speed > 0.0 else None
