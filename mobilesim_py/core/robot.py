"""Thin views of one column of the core's matrices: a robot, its lasers, a movable box. Metres, radians, seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.core.devices.battery import BATTERY, BatteryUnit
from mobilesim_py.core.devices.device import NO_RANGES, DeviceKind, DeviceUnit, UnitT
from mobilesim_py.core.devices.draws import fixed_draws
from mobilesim_py.core.devices.laser import LASER, LaserUnit
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.fields import Body, Touch
from mobilesim_py.core.reality import Reality
from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.world.boxes import Box


class Thing:
    """What has a place in the world and can be picked up and put down."""

    def __init__(self, simulation: Simulation, name: str, column: int) -> None:
        self._simulation = simulation
        self.name = name
        self.column = column
        """Changes when others are removed."""

    def _get(self, field: Body) -> float:
        return float(self._simulation.bodies[field, self.column])

    def _set(self, field: Body, value: float) -> None:
        self._simulation.bodies[field, self.column] = value

    @property
    def serial(self) -> int:
        """A number that nothing else in this simulation ever has."""
        return int(self._get(Body.SERIAL))

    @property
    def pose(self) -> Pose:
        """Where it truly is."""
        return Pose(self._get(Body.X), self._get(Body.Y), self._get(Body.HEADING))

    def place(self, x: float, y: float, heading: float) -> None:
        """Pick it up and put it down elsewhere: the true pose changes, odometry does not."""
        self._set(Body.X, x)
        self._set(Body.Y, y)
        self._set(Body.HEADING, math.remainder(heading, math.tau))
        self._set(Body.STALLED, 0.0)
        self._set(Body.CONTACT, 0.0)
        if self._simulation.grippers.busy:
            self._simulation.grippers.moved(self)
        self._simulation.forget_readings()

    def shift(self, pose: Pose) -> None:
        """Move it a little within a step: nobody has picked it up."""
        self._set(Body.X, pose.x)
        self._set(Body.Y, pose.y)
        self._set(Body.HEADING, math.remainder(pose.heading, math.tau))

    @property
    def footprint(self) -> tuple[Polygon, ...]:
        """The outlines that collide, in its own frame."""
        return ()

    @property
    def ghost(self) -> bool:
        """Neither seen nor bumped into."""
        return self._get(Body.GHOST) > 0.0

    @ghost.setter
    def ghost(self, value: bool) -> None:
        self._set(Body.GHOST, float(value))
        self._simulation.forget_readings()

    @property
    def contact(self) -> Contact | None:
        """What it touches now, and where."""
        touch = self._get(Body.CONTACT)
        if touch == Touch.NOTHING:
            return None
        serial = int(self._get(Body.CONTACT_WITH))
        thing = next((other for other in self._simulation.things if other.serial == serial), None) if serial else None
        return Contact(self._get(Body.CONTACT_X), self._get(Body.CONTACT_Y), touch == Touch.WALL, thing)

    @property
    def copy(self) -> int:
        """Number of the copy of the world that it lives in."""
        return int(self._get(Body.COPY))


@dataclass(frozen=True)
class Contact:
    """What a thing touches."""

    x: float
    """Where, in the thing's own frame [m]: ahead,"""
    y: float
    """and to the left."""
    wall: bool
    """Whether it is a wall; otherwise it is another thing."""
    thing: Thing | None
    """The other thing; None for a wall, and for a thing that has left the world since."""

    @property
    def bearing(self) -> float:
        """Direction from the thing's middle [rad], 0 ahead, positive to the left."""
        return math.atan2(self.y, self.x)

    @property
    def side(self) -> str:
        """Which side touches: front, left, back or right, each a quarter of a turn wide."""
        return ("front", "left", "back", "right")[round(self.bearing / (math.pi / 2.0)) % 4]


class BoxBody(Thing):
    """A movable box."""

    def __init__(self, simulation: Simulation, box: Box, column: int) -> None:
        super().__init__(simulation, box.name, column)
        self.box = box

    @property
    def footprint(self) -> tuple[Polygon, ...]:
        """The outlines that collide, in its own frame."""
        return (self.box.outline,)


class Robot(Thing):
    """One robot: what it is told to do and what it senses."""

    def __init__(
        self,
        simulation: Simulation,
        model: RobotModel,
        name: str,
        column: int,
        start: Pose,
        wheels: WheelDrive | None = None,
    ) -> None:
        super().__init__(simulation, name, column)
        self.model = model
        self.wheels = wheels
        """How its wheels drive it, unless it is driven along its axes."""
        self.start = start
        self.devices: list[DeviceUnit[Any]] = []
        """All that it carries, in the order of its model."""
        self._reality = Reality()
        self._load: tuple[Polygon, ...] = ()
        """Outlines of what it carries, in its frame."""
        self._gyro_share = 1.0
        self.wants_charge = False
        """Whether its contacts are out, with which it charges at a dock."""
        self.carried = False
        """Set when it was put down elsewhere; whoever reports that clears it."""

    def place(self, x: float, y: float, heading: float) -> None:
        """Pick it up and put it down elsewhere: the true pose changes, odometry does not."""
        super().place(x, y, heading)
        self.carried = True

    @property
    def footprint(self) -> tuple[Polygon, ...]:
        """The outlines that collide, with those of what it carries, in its own frame."""
        return self.model.body.footprint + self._load

    def carry(self, load: tuple[Polygon, ...]) -> None:
        """Let these outlines, in its frame, belong to it: others see and meet them, and they stop it."""
        self._load = load
        shapes = self._simulation.shapes
        self._set(Body.OUTLINE, shapes.add(self.model.body.outline + load))
        self._set(Body.FOOTPRINT, shapes.add(self.footprint))
        self._simulation.forget_readings()

    @property
    def coming_step(self) -> tuple[float, float, float]:
        """Way ahead and to the left [m], and turn [rad], of the next tick: what it wants, and its ramps allow, at most."""
        dt = self._simulation.dt
        driven = self.motors and self._get(Body.STOPPING) <= 0.0
        if self.on_wheels:
            left, right = self._get(Body.LEFT_WANTED), self._get(Body.RIGHT_WANTED)
            wanted = (0.5 * (left + right), 0.0, (right - left) / max(1e-9, self._get(Body.TRACK)))
            now = self.velocity
            return _farthest(now[0], wanted[0] * driven) * dt, 0.0, _farthest(now[2], wanted[2] * driven) * dt
        way = []
        for axis, (limit, up, _) in enumerate(_LIMIT_ROWS):
            speed, target, most = self.velocity[axis], self._get(_TARGETS[axis]), self._get(limit)
            if self._get(_ARE_WAYS[axis]) > 0.0:
                target = math.copysign(most, target)
            target = max(-most, min(most, target)) * driven
            ramp = self._get(up) * dt
            if ramp > 0.0:
                target = max(speed - ramp, min(speed + ramp, target))
            way.append(_farthest(speed, target) * dt)
        return way[0], way[1], way[2]

    @property
    def reality(self) -> Reality:
        """What makes its life hard."""
        return self._reality

    @reality.setter
    def reality(self, reality: Reality) -> None:
        self._reality = reality
        self.set_slip(0.0, 0.0)
        if self.wheels is not None:
            self.limit_rims(self.wheels.top_speed)
        for unit in self.devices:
            unit.disturb(reality)
        self._simulation.hardship.settle(self)

    # What it is told

    @property
    def refuses(self) -> bool:
        """Whether motion commands are ignored now: motors off, or an emergency stop under way."""
        return self._get(Body.MOTORS) <= 0.0 or self._get(Body.STOPPING) > 0.0

    def _aim(self, field: Body, is_distance: Body | None, value: float, distance: bool = False) -> bool:
        if self.refuses or not math.isfinite(value):
            return False
        self._set(field, value)
        if is_distance is not None:
            self._set(is_distance, float(distance and value != 0.0))
        return True

    def drive(self, velocity: float) -> bool:
        """Drive forward at a velocity; False, as from all wishes, if it is refused: motors off, or no number."""
        return self._aim(Body.FORWARD_TARGET, Body.FORWARD_IS_MOVE, velocity)

    def slide(self, velocity: float) -> bool:
        """Drive sideways, to the left when positive; only omnidirectional robots do."""
        return self.model.drive.omnidirectional and self._aim(Body.LATERAL_TARGET, None, velocity)

    def turn(self, velocity: float) -> bool:
        """Turn at an angular velocity."""
        return self._aim(Body.ROTATION_TARGET, Body.ROTATION_IS_TURN, velocity)

    def move(self, distance: float) -> bool:
        """Drive a distance and stop there."""
        return self._aim(Body.FORWARD_TARGET, Body.FORWARD_IS_MOVE, distance, distance=True)

    def turn_by(self, angle: float) -> bool:
        """Turn by an angle and stop there."""
        return self._aim(Body.ROTATION_TARGET, Body.ROTATION_IS_TURN, angle, distance=True)

    def head(self, heading: float) -> bool:
        """Turn the shorter way to a heading of the odometry."""
        return self.turn_by(math.remainder(heading - self._get(Body.ODOMETRY_HEADING), math.tau))

    def roll(self, left: float, right: float) -> bool:
        """Let the rims of the wheels turn at these speeds [m/s]; only for a robot that is driven by its wheels."""
        if self.refuses or not self.on_wheels or not math.isfinite(left + right):
            return False
        weaker, weak = self._weakness
        self._set(Body.LEFT_WANTED, left * weaker)
        self._set(Body.RIGHT_WANTED, right * weak)
        return True

    @property
    def _weakness(self) -> tuple[float, float]:
        """Shares of their full speeds that the left and the right motors have."""
        if self._reality.asymmetry <= 0.0:
            return 1.0, 1.0
        draw = float(fixed_draws(self._simulation.seed, self.serial, 1)[0])
        lost = self._reality.asymmetry * abs(draw)
        return (1.0 - lost, 1.0) if draw < 0.0 else (1.0, 1.0 - lost)

    @property
    def on_wheels(self) -> bool:
        """Whether it is driven by its wheels, rather than along its axes."""
        return self.wheels is not None

    @property
    def rim_speeds(self) -> tuple[float, float]:
        """Speeds of the rims of a robot that is driven by its wheels, left and right [m/s]."""
        return self._get(Body.LEFT_SPEED), self._get(Body.RIGHT_SPEED)

    @property
    def wheel_ways(self) -> tuple[float, float]:
        """Ways that the wheels have rolled since the robot was made, left and right [m]; backwards counts negative."""
        return self._get(Body.LEFT_WAY), self._get(Body.RIGHT_WAY)

    def set_slip(self, left: float, right: float) -> None:
        """Let the wheels lose a share of their rims' speed on the ground."""
        self._set(Body.LEFT_SLIP, left)
        self._set(Body.RIGHT_SLIP, right)

    def block_wheels(self, left: int, right: int) -> None:
        """Block wheels forwards (1), backwards (-1) or not (0), until they are driven the other way."""
        self._set(Body.LEFT_BLOCKED, float(left))
        self._set(Body.RIGHT_BLOCKED, float(right))

    def block_wheel(self, side: int, direction: int) -> None:
        """Block the left (0) or the right (1) wheel as `block_wheels` does."""
        self._set(_BLOCKED[side], float(direction))

    def limit_rims(self, speed: float) -> None:
        """Let the rims of a robot that is driven by its wheels be no faster than this [m/s]."""
        self._set(Body.FORWARD_LIMIT, speed)

    def stop(self) -> None:
        """Come to a stop at the usual deceleration."""
        for field in _WISHES:
            self._set(field, 0.0)

    def emergency_stop(self) -> None:
        """Stop as hard as can be; commands are refused until it stands."""
        self.stop()
        self._set(Body.STOPPING, 1.0)

    def halt(self) -> None:
        """Stand still at once."""
        self.stop()
        for field in _MOTION:
            self._set(field, 0.0)

    @property
    def motors(self) -> bool:
        """Whether the motors are enabled."""
        return self._get(Body.MOTORS) > 0.0

    @motors.setter
    def motors(self, on: bool) -> None:
        if not on:
            self.stop()
        self._set(Body.MOTORS, float(on))

    # Limits, until `reset_limits`

    def reset_limits(self) -> None:
        """Speeds and ramps as the model has them."""
        drive = self.model.drive
        for (limit, up, down), axis in zip(_LIMIT_ROWS, ("forward", "lateral", "rotation"), strict=True):
            self._set(limit, getattr(drive.max_speed, axis))
            self._set(up, getattr(drive.acceleration, axis))
            self._set(down, getattr(drive.deceleration, axis))
        if self.wheels is not None:
            self._set(Body.FORWARD_LIMIT, self.wheels.top_speed)

    def limit_speed(self, axis: int, speed: float) -> None:
        """At most this speed on an axis (0 forward, 1 lateral, 2 rotation), never more than the model allows."""
        top = self.model.drive.max_speed
        most = (top.forward, top.lateral, top.rotation)[axis]
        self._set(_LIMIT_ROWS[axis][0], min(most, speed))

    def speed_limit(self, axis: int) -> float:
        """The largest speed on an axis at present."""
        return self._get(_LIMIT_ROWS[axis][0])

    def set_ramp(self, axis: int, *, acceleration: float | None = None, deceleration: float | None = None) -> None:
        """How fast speeds change on an axis; zero is at once."""
        if acceleration is not None:
            self._set(_LIMIT_ROWS[axis][1], acceleration)
        if deceleration is not None:
            self._set(_LIMIT_ROWS[axis][2], deceleration)

    def ramp(self, axis: int) -> tuple[float, float]:
        """Acceleration and deceleration on an axis at present."""
        return self._get(_LIMIT_ROWS[axis][1]), self._get(_LIMIT_ROWS[axis][2])

    # What it knows of itself

    @property
    def velocity(self) -> tuple[float, float, float]:
        """Forward, lateral [m/s] and rotation [rad/s]."""
        return self._get(Body.FORWARD), self._get(Body.LATERAL), self._get(Body.ROTATION)

    @property
    def stalled(self) -> bool:
        """Whether it pushes against something."""
        return self._get(Body.STALLED) > 0.0

    @property
    def odometry(self) -> Pose:
        """Where its wheels say that it is."""
        return Pose(self._get(Body.ODOMETRY_X), self._get(Body.ODOMETRY_Y), self._get(Body.ODOMETRY_HEADING))

    def set_odometry(self, x: float = 0.0, y: float = 0.0, heading: float = 0.0) -> None:
        """Let odometry say this from now on."""
        self._set(Body.ODOMETRY_X, x)
        self._set(Body.ODOMETRY_Y, y)
        self._set(Body.ODOMETRY_HEADING, math.remainder(heading, math.tau))

    @property
    def odometry_error(self) -> tuple[float, float, float]:
        """Share by which odometry is wrong at present: forward, lateral, rotation."""
        return self._get(Body.FORWARD_ERROR), self._get(Body.LATERAL_ERROR), self._get(Body.ROTATION_ERROR)

    def trust_gyro(self, share: float) -> None:
        """Let its gyro reduce the errors of odometry's heading to this share."""
        factor, self._gyro_share = share / self._gyro_share, share
        if factor != 1.0:
            for row in (Body.ROTATION_ERROR, Body.ROTATION_ERROR_MOST):
                self._set(row, self._get(row) * factor)

    # What it carries

    def units(self, kind: DeviceKind[Any, UnitT, Any]) -> list[UnitT]:
        """Return its devices of one kind."""
        mine: list[Any] = [unit for unit in self.devices if unit.kind is kind]
        return mine

    @property
    def lasers(self) -> list[LaserUnit]:
        """Its lasers."""
        return self.units(LASER)

    @property
    def laser(self) -> FloatArray:
        """The scan of its first laser at this moment [m]; empty when that is off, or when there is none."""
        return next((laser.ranges for laser in self.lasers), NO_RANGES)

    @property
    def battery(self) -> BatteryUnit | None:
        """Its battery, if it has one."""
        return next(iter(self.units(BATTERY)), None)

    @property
    def sonar_on(self) -> bool:
        """Whether its sonar is switched on."""
        return any(unit.on for unit in self.units(SONAR))

    @sonar_on.setter
    def sonar_on(self, value: bool) -> None:
        for unit in self.units(SONAR):
            unit.on = value

    @property
    def sonar(self) -> FloatArray:
        """The ranges of this moment, one for each transducer [m]; empty when the sonar is off."""
        return next((unit.ranges for unit in self.units(SONAR)), NO_RANGES)


_LIMIT_ROWS = (
    (Body.FORWARD_LIMIT, Body.FORWARD_ACCELERATION, Body.FORWARD_DECELERATION),
    (Body.LATERAL_LIMIT, Body.LATERAL_ACCELERATION, Body.LATERAL_DECELERATION),
    (Body.ROTATION_LIMIT, Body.ROTATION_ACCELERATION, Body.ROTATION_DECELERATION),
)
_TARGETS = (Body.FORWARD_TARGET, Body.LATERAL_TARGET, Body.ROTATION_TARGET)
_ARE_WAYS = (Body.FORWARD_IS_MOVE, Body.LATERAL_IS_MOVE, Body.ROTATION_IS_TURN)
_BLOCKED = (Body.LEFT_BLOCKED, Body.RIGHT_BLOCKED)
_WISHES = (
    *(Body.FORWARD_TARGET, Body.LATERAL_TARGET, Body.ROTATION_TARGET, Body.FORWARD_IS_MOVE, Body.ROTATION_IS_TURN),
    *(Body.LEFT_WANTED, Body.RIGHT_WANTED),
)
_MOTION = (
    *(Body.FORWARD, Body.LATERAL, Body.ROTATION, Body.LEFT_SPEED, Body.RIGHT_SPEED),
    *(Body.STOPPING, Body.STALLED, Body.CONTACT),
)


def _farthest(now: float, wanted: float) -> float:
    """Return the one of two speeds that goes farther."""
    return now if abs(now) > abs(wanted) else wanted
