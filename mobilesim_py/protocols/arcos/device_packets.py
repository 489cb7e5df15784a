"""Packets of a robot's devices beside its sonar and lasers: encoders, I/O, gripper, battery, gyro, joystick and so on.

Each is asked for with a command of its own, and streams are 0 stop, 1 once, 2 with every SIP.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from mobilesim_py.protocols.arcos.layout import Field, fields_of, structure, wire, wire_string
from mobilesim_py.protocols.arcos.packet import MAX_DATA, encode

ENCODER, GYRO, IMU, ARM, ARM_INFO = 0x90, 0x98, 0x9A, 0xA0, 0xA1
AUX = {1: 0xB0, 2: 0xB8, 3: 0xC8}
"""Bytes from each of the serial ports."""
COMPASS, PLAYLIST, GRIPPER, IO, JOYSTICK, BATTERY = 0xC0, 0xD0, 0xE0, 0xF0, 0xF8, 0xFA
CENTRE = 512
"""What an axis of a joystick says in its middle."""
MOST_READINGS = (MAX_DATA - 1) // 3
NO_ARM = "No arm"


@dataclass(frozen=True)
class Encoders:
    """Ticks since the robot was switched on; they wrap."""

    left: int = wire("i", "ticks of the left wheel; wraps")
    right: int = wire("i", "the same, right")


@dataclass(frozen=True)
class GripperState:
    """The gripper, in the layout that ARIA reads."""

    type: int = wire("B", "0 no gripper, 1 on the user's I/O port")
    switches: int = wire("B", "bits 0-5 as the digital inputs of a gripper, 6 lift moving, 7 paddles moving")
    grasp_time: int = wire("B", "how long the paddles go on pressing [20 ms]")


@dataclass(frozen=True)
class Joystick:
    """A joystick at the robot's own port."""

    button_1: int = wire("B", "0 or 1")
    button_2: int = wire("B", "0 or 1")
    x: int = wire("H", "0 right, 512 middle, 1023 left", default=CENTRE)
    y: int = wire("H", "0 back, 512 middle, 1023 ahead", default=CENTRE)
    throttle: int = wire("H", "0 to 1023", default=1023)


@dataclass(frozen=True)
class Compass:
    """The answer of a TCM2 compass."""

    heading: int = wire("H", "clockwise from magnetic north [1/10 degree]")
    pitch: int = wire("h", "[1/10 degree]")
    roll: int = wire("h", "[1/10 degree]")
    field_x: int = wire("h", "[1/100 uT]")
    field_y: int = wire("h", "the same")
    field_z: int = wire("h", "the same")
    temperature: int = wire("h", "[1/10 degree C]")
    errors: int = wire("H", "0")
    horizontal_score: int = wire("B", "of the last calibration, 0 to 9")
    vertical_score: int = wire("B", "the same")
    magnitude_score: int = wire("h", "the same [1/100]")


@dataclass(frozen=True)
class Sound:
    """A stored sound."""

    number: int = wire("B", "its number; in the first packet of all how many there are")
    on: int = wire("B", "1")
    name: bytes = wire("16s", "name, filled up with NUL", default=b"")
    offset: int = wire("I", "0")
    length: int = wire("I", "length")


ENCODER_FIELDS, GRIPPER_FIELDS, JOYSTICK_FIELDS = fields_of(Encoders), fields_of(GripperState), fields_of(Joystick)
COMPASS_FIELDS, SOUND_FIELDS = fields_of(Compass), fields_of(Sound)
IO_FIELDS = (
    Field("inputs", "B", "4"),
    Field("digital_in", "B", "digital inputs"),
    Field("front_bumpers", "B", "bit i is segment i + 1, 0 where it is pressed"),
    Field("rear_bumpers", "B", "the same"),
    Field("infrared", "B", "bit i is sensor i, 0 where something is there"),
    Field("outputs", "B", "1"),
    Field("digital_out", "B", "digital outputs"),
    Field("analogs", "B", "number of analog inputs that follow"),
)
ANALOG_FIELDS = (Field("analog", "H", "0 to 1023 for 0 to 5 V"),)
BATTERY_FIELDS = (Field("batteries", "B", "how many follow"), Field("bytes", "B", "5, for each"))
EACH_BATTERY = (
    *(Field(f"flags_{k}", "B", "0") for k in (1, 2, 3)),
    Field("relative_charge", "B", "[%]"),
    Field("absolute_charge", "B", "[%]"),
)
GYRO_FIELDS = (Field("readings", "B", "how many follow, one for each 25 ms"),)
GYRO_READING = (
    Field("rate", "H", "about 512 at rest, less the faster it turns to the left"),
    Field("temperature", "B", "[degrees C]"),
)
IMU_FIELDS = (Field("time", "B", "time that the readings took [ms]"), Field("readings", "B", "how many follow"))
IMU_READING = (
    Field("axes", "B", "1: of the vertical axis only"),
    Field("range", "B", "1: units of 0.07326 deg/s"),
    Field("rate", "h", "turning rate"),
    Field("acceleration_axes", "B", "0"),
    Field("temperature_axes", "B", "1"),
    Field("temperature", "h", "units of 0.1453 degrees C, from 25"),
)
AUX_FIELDS = (Field("data", "*", "what the device said, as many bytes as were asked for"),)
ARM_INFO_FIELDS = (Field("version", "s", NO_ARM), Field("joints", "B", "0"))

_ENCODERS, _GRIPPER, _JOYSTICK = structure(ENCODER_FIELDS), structure(GRIPPER_FIELDS), structure(JOYSTICK_FIELDS)
_COMPASS, _SOUND, _IO, _IMU = (
    structure(COMPASS_FIELDS),
    structure(SOUND_FIELDS),
    structure(IO_FIELDS),
    structure(IMU_READING),
)


def pack_encoders(encoders: Encoders) -> bytes:
    """Return the ENCODERpac; counts of any size wrap at 32 bits."""
    return encode(ENCODER, _ENCODERS.pack(_wrapped(encoders.left), _wrapped(encoders.right)))


def pack_io(inputs: Sequence[int], digital_out: int, analog: Sequence[int]) -> bytes:
    """Return the IOpac: digital inputs, front and rear bumpers and infrared sensors, outputs, and analog inputs."""
    head = _IO.pack(len(inputs), *(value & 0xFF for value in inputs), 1, digital_out & 0xFF, len(analog))
    return encode(IO, head + struct.pack(f"<{len(analog)}H", *analog))


def pack_gripper(gripper: GripperState) -> bytes:
    """Return the GRIPPERpac."""
    return encode(GRIPPER, _GRIPPER.pack(*astuple(gripper)))


def pack_battery(batteries: Sequence[Sequence[int]]) -> bytes:
    """Return the BATTERYpac: of each battery three bytes of flags, its relative and its absolute charge [%]."""
    return encode(BATTERY, bytes((len(batteries), len(EACH_BATTERY))) + b"".join(map(bytes, batteries)))


def pack_gyro(readings: Sequence[tuple[int, int]]) -> bytes:
    """Return the GYROpac of rates and temperatures; only the last ones where there are too many for a packet."""
    told = readings[-MOST_READINGS:]
    return encode(GYRO, bytes((len(told),)) + b"".join(struct.pack("<HB", *reading) for reading in told))


def pack_imu(time: int, readings: Sequence[tuple[int, int]]) -> bytes:
    """Return the packet of an inertial unit with turning rates about the vertical axis, and temperatures."""
    each = b"".join(_IMU.pack(1, 1, rate, 0, 1, temperature) for rate, temperature in readings)
    return encode(IMU, bytes((time, len(readings))) + each)


def pack_joystick(joystick: Joystick) -> bytes:
    """Return the JOYSTICKpac."""
    return encode(JOYSTICK, _JOYSTICK.pack(*astuple(joystick)))


def pack_compass(compass: Compass) -> bytes:
    """Return the TCM2pac."""
    return encode(COMPASS, _COMPASS.pack(*astuple(compass)))


def pack_aux(port: int, data: bytes) -> bytes:
    """Return the SERAUXpac of a port."""
    return encode(AUX[port], data)


def pack_sound(sound: Sound) -> bytes:
    """Return the packet that names a stored sound."""
    return encode(PLAYLIST, _SOUND.pack(*astuple(sound)))


def pack_no_arm() -> bytes:
    """Return the ARMINFOpac of a robot without an arm."""
    return encode(ARM_INFO, wire_string(NO_ARM) + b"\0")


def _wrapped(count: int) -> int:
    """Return a count as 32 bits with a sign hold it."""
    return (count + 0x80000000) % 0x100000000 - 0x80000000
