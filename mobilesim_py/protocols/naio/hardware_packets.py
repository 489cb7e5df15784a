"""The packets of the robot's hardware, in the layout that real clients speak."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from .kinds import Direction, Kind
from .layout import Packet
from .shorthand import blob8, f64, i8, i16, text, u8, u8s, u16s, u64
from .values import GpsQuality, GpsUnit, PadButton, PadShoulder

RAYS = 271
"""Rays of the lidar, one degree apart."""


@dataclass(frozen=True)
class HaMotors(Packet):
    """The powers of the two pairs of wheels."""

    kind: ClassVar[Kind] = Kind.HA_MOTORS
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    left: Annotated[int, i8("power of the left wheels, 127 is full ahead", "1/127")]
    right: Annotated[int, i8("power of the right wheels", "1/127")]


@dataclass(frozen=True)
class HaGps(Packet):
    """The GPS position."""

    kind: ClassVar[Kind] = Kind.HA_GPS
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    time: Annotated[int, u64("time of the position", "ms")]
    latitude: Annotated[float, f64("latitude, north positive", "deg")]
    longitude: Annotated[float, f64("longitude, east positive", "deg")]
    altitude: Annotated[float, f64("altitude", "m")]
    unit: Annotated[int, u8("unit of the altitude", values=GpsUnit)]
    satellites: Annotated[int, u8("satellites in use")]
    quality: Annotated[int, u8("how good the position is", values=GpsQuality)]
    speed: Annotated[float, f64("speed over ground", "m/s")]


@dataclass(frozen=True)
class HaOdo(Packet):
    """The tick of every wheel: it changes with every 6.465 cm of its way, whatever the direction."""

    kind: ClassVar[Kind] = Kind.HA_ODO
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    front_right: Annotated[int, u8("tick of the front right wheel, 0 or 1")]
    rear_right: Annotated[int, u8("tick of the rear right wheel")]
    rear_left: Annotated[int, u8("tick of the rear left wheel")]
    front_left: Annotated[int, u8("tick of the front left wheel")]


@dataclass(frozen=True)
class HaLidar(Packet):
    """One turn of the lidar."""

    kind: ClassVar[Kind] = Kind.HA_LIDAR
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    distances: Annotated[tuple[int, ...], u16s(RAYS, "distance seen by each ray, index 135 straight ahead", "mm")]
    albedos: Annotated[tuple[int, ...], u8s(RAYS, "brightness seen by each ray; to be ignored")] = (0,) * RAYS


@dataclass(frozen=True)
class HaDs4Remote(Packet):
    """The pad: sticks, buttons and its own motion."""

    kind: ClassVar[Kind] = Kind.HA_DS4_REMOTE
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    pad_type: Annotated[int, u8("always 2")] = field(default=2, init=False, repr=False)
    battery: Annotated[int, u8("charge of the pad", "%")] = 0
    left_x: Annotated[int, i8("left stick")] = 0
    left_y: Annotated[int, i8("left stick")] = 0
    right_x: Annotated[int, i8("right stick")] = 0
    right_y: Annotated[int, i8("right stick")] = 0
    buttons: Annotated[int, u8("bits of the buttons", values=PadButton)] = 0
    shoulders: Annotated[int, u8("bits of the other buttons", values=PadShoulder)] = 0
    l2: Annotated[int, u8("how far L2 is pressed")] = 0
    r2: Annotated[int, u8("how far R2 is pressed")] = 0
    accel_x: Annotated[int, i8("acceleration of the pad")] = 0
    accel_y: Annotated[int, i8("acceleration of the pad")] = 0
    accel_z: Annotated[int, i8("acceleration of the pad")] = 0
    gyro_x: Annotated[int, i8("turning of the pad")] = 0
    gyro_y: Annotated[int, i8("turning of the pad")] = 0
    gyro_z: Annotated[int, i8("turning of the pad")] = 0


@dataclass(frozen=True)
class HaAccelero(Packet):
    """The accelerometer."""

    kind: ClassVar[Kind] = Kind.HA_ACCELERO
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    x: Annotated[int, i16("acceleration ahead", "mG")]
    y: Annotated[int, i16("acceleration to the left", "mG")]
    z: Annotated[int, i16("gravity: about -1000 at rest, +1000 in the manual dialect", "mG")]


@dataclass(frozen=True)
class HaGyro(Packet):
    """The gyroscope; clockwise is positive, counter-clockwise in the manual dialect."""

    kind: ClassVar[Kind] = Kind.HA_GYRO
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    x: Annotated[int, i16("roll rate", "30.5 mdeg/s")]
    y: Annotated[int, i16("pitch rate", "30.5 mdeg/s")]
    z: Annotated[int, i16("yaw rate", "30.5 mdeg/s")]


@dataclass(frozen=True)
class HaMagneto(Packet):
    """The magnetometer."""

    kind: ClassVar[Kind] = Kind.HA_MAGNETO
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    x: Annotated[int, i16("100 times the cosine of the bearing")]
    y: Annotated[int, i16("100 times the sine of the bearing")]
    z: Annotated[int, i16("the field downwards: -23")]


@dataclass(frozen=True)
class HaKeypad(Packet):
    """The keys of the robot's panel."""

    kind: ClassVar[Kind] = Kind.HA_KEYPAD
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    keys: Annotated[int, u8("the keys that are down")]


@dataclass(frozen=True)
class HaScreen(Packet):
    """The two lines of the robot's screen."""

    kind: ClassVar[Kind] = Kind.HA_SCREEN
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    top: Annotated[str, text(16, "upper line")]
    bottom: Annotated[str, text(16, "lower line")]


@dataclass(frozen=True)
class HaSpeaker(Packet):
    """A beep."""

    kind: ClassVar[Kind] = Kind.HA_SPEAKER
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    constant_1: Annotated[int, u8("always 1")] = field(default=1, init=False, repr=False)
    constant_2: Annotated[int, u8("always 0")] = field(default=0, init=False, repr=False)
    duration: Annotated[int, u8("how long it is")]
    constant_3: Annotated[int, u8("always 0")] = field(default=0, init=False, repr=False)
    constant_4: Annotated[int, u8("always 0")] = field(default=0, init=False, repr=False)
    volume: Annotated[int, u8("how loud it is")]
    constant_5: Annotated[int, u8("always 0")] = field(default=0, init=False, repr=False)


@dataclass(frozen=True)
class HaActuator(Packet):
    """The tool's actuator, asked for or told."""

    kind: ClassVar[Kind] = Kind.HA_ACTUATOR
    direction: ClassVar[Direction] = Direction.BOTH

    is_request: Annotated[int, u8("1: the position is asked for")]
    is_position: Annotated[int, u8("1: the position is given")]
    position: Annotated[int, u8("position, 100 is down", "%")]


@dataclass(frozen=True)
class HaLed(Packet):
    """The light on the robot."""

    kind: ClassVar[Kind] = Kind.HA_LED
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    state: Annotated[int, u8("what it shows")]


@dataclass(frozen=True)
class HaCan(Packet):
    """A message on the robot's CAN bus."""

    kind: ClassVar[Kind] = Kind.HA_CAN
    direction: ClassVar[Direction] = Direction.BOTH

    data: Annotated[bytes, blob8(21, "the message")]


PACKETS: tuple[type[Packet], ...] = (
    HaMotors,
    HaGps,
    HaOdo,
    HaLidar,
    HaDs4Remote,
    HaAccelero,
    HaGyro,
    HaMagneto,
    HaKeypad,
    HaScreen,
    HaSpeaker,
    HaActuator,
    HaLed,
    HaCan,
)
"""All of them, in the order of their ids."""
