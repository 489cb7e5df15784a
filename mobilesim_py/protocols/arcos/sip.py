"""The server information packet: what the robot tells its client every 100 ms, for one robot or for all at once.

The id is 0x32 while the robot stands and 0x33 while it moves. Between the two blocks of fields are the sonar readings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.catalogue.model import Conversion
from mobilesim_py.protocols.arcos.batch import CHECKSUM, FRAME, columns, cut, new_packets, seal, whole
from mobilesim_py.protocols.arcos.layout import Field, structure
from mobilesim_py.protocols.arcos.packet import Packet, encode

SIP_STOPPED = 0x32
SIP_MOVING = 0x33
NO_TEMPERATURE = -127
"""What the temperature field says where there is no thermometer [degrees C]."""
MOTORS_FLAG = 0x0001
SONAR_FLAGS = 0x001E
ESTOP_FLAG = 0x0020
TEMPERATURE_FAULT = 0x0002
MAX_READINGS = 50
"""Sonar readings for which a packet has room, and the length byte is legal for every client."""

STANDARD_CONVERSION = Conversion()
_TURN = 2.0 * math.pi
_DEGREES = 180.0 / math.pi

HEAD = (
    Field("x", "h", "odometry, in units of DistConvFactor mm; wraps"),
    Field("y", "h", "the same"),
    Field("heading", "h", "odometry, in units of AngleConvFactor rad, -180 to 180 degrees"),
    Field("left_speed", "h", "left wheel, in units of VelConvFactor mm/s"),
    Field("right_speed", "h", "right wheel, the same"),
    Field("battery", "B", "voltage [1/10 V]; 0 on robots that tell their state of charge"),
    Field("stall_and_bumpers", "H", "bit 0 left stall, bits 1-7 rear bumpers, bit 8 right stall, bits 9-15 front bumpers"),
    Field("control", "h", "0"),
    Field("flags", "H", "bit 0 motors on, bits 1-4 sonar on, bit 5 emergency stop"),
    Field("compass", "B", "0"),
    Field("sonar_count", "B", "number of sonar readings that follow"),
)
READING = (
    Field("index", "B", "number of the transducer"),
    Field("range", "H", "in units of RangeConvFactor mm"),
)
TAIL = (
    Field("gripper", "B", "gripper state"),
    Field("analog_port", "B", "0"),
    Field("analog", "B", "0"),
    Field("digital_in", "B", "digital inputs"),
    Field("digital_out", "B", "digital outputs"),
    Field("battery_voltage", "h", "voltage [1/10 V]; 0 on robots that tell their state of charge"),
    Field("charge_state", "B", "0 not charging, 1 bulk, 2 overcharge, 3 float"),
    Field("rotation_speed", "h", "[1/10 deg/s]"),
    Field("faults", "H", "bit 1 temperature warning"),
    Field("lateral_speed", "h", "[mm/s]"),
    Field("temperature", "b", "[degrees C]; -127 without a thermometer"),
    Field("state_of_charge", "B", "[%]; 0 on robots that tell their voltage"),
)


@dataclass(frozen=True)
class Sip:
    """What one robot tells, in metres, radians, seconds and volts."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    forward_speed: float = 0.0
    lateral_speed: float = 0.0
    rotation_speed: float = 0.0
    battery: float = 13.0
    """[V]; 0 on robots that tell their state of charge."""
    state_of_charge: float = 0.0
    """[%]."""
    temperature: float = NO_TEMPERATURE
    """[degrees C]."""
    stall_left: bool = False
    stall_right: bool = False
    front_bumpers: int = 0
    """Bit 0 is the first bumper."""
    rear_bumpers: int = 0
    motors_on: bool = True
    sonar_on: bool = True
    estop: bool = False
    flags: int = 0
    """Further flag bits."""
    sonar_ranges: tuple[float, ...] = ()
    """Ranges in this packet [m]."""
    sonar_first: int = 0
    """Number of the transducer of the first of them; the others follow."""
    gripper: int = 0
    digital_in: int = 0xFF
    digital_out: int = 0xFF
    charge_state: int = 0
    faults: int = 0
    tells_motion: bool = True
    """Whether the id tells motion. On a line that does not hang up (serial) it must not: there ARIA finds out that an
    earlier session is still open by the id 0x32 only, and closes it."""
    conversion: Conversion = STANDARD_CONVERSION


@dataclass(frozen=True)
class SipBatch:
    """What N robots tell: the same as `Sip`, with arrays of length N (a number stands for all robots)."""

    x: NDArray[Any]
    y: NDArray[Any]
    heading: NDArray[Any]
    forward_speed: NDArray[Any]
    lateral_speed: NDArray[Any]
    rotation_speed: NDArray[Any]
    sonar_ranges: NDArray[Any]
    """N x (most transducers of any robot): all ranges of each ring [m]; the rest of a row is not looked at."""
    sonar_first: NDArray[Any]
    """Number of the transducer of the first reading in each packet."""
    sonar_count: NDArray[Any]
    """How many readings are in each packet, from `sonar_first` on."""
    battery: Any = 13.0
    state_of_charge: Any = 0.0
    temperature: Any = NO_TEMPERATURE
    stall_left: Any = False
    stall_right: Any = False
    front_bumpers: Any = 0
    rear_bumpers: Any = 0
    motors_on: Any = True
    sonar_on: Any = True
    estop: Any = False
    flags: Any = 0
    gripper: Any = 0
    digital_in: Any = 0xFF
    digital_out: Any = 0xFF
    charge_state: Any = 0
    faults: Any = 0
    tells_motion: Any = True
    distance_factor: Any = 1.0
    """The five conversion factors of `catalogue.model.Conversion`."""
    velocity_factor: Any = 1.0
    range_factor: Any = 1.0
    angle_factor: Any = 0.001534
    difference_factor: Any = 0.0056


@dataclass(frozen=True)
class WireSip:
    """The fields of a SIP in the wire's units; `HEAD`, `READING` and `TAIL` say what they mean."""

    id: int
    x: int
    y: int
    heading: int
    left_speed: int
    right_speed: int
    battery: int
    stall_and_bumpers: int
    control: int
    flags: int
    compass: int
    sonar: tuple[tuple[int, int], ...]
    """Number of the transducer and range, for each reading."""
    gripper: int
    analog_port: int
    analog: int
    digital_in: int
    digital_out: int
    battery_voltage: int
    charge_state: int
    rotation_speed: int
    faults: int
    lateral_speed: int
    temperature: int
    state_of_charge: int

    def encode(self) -> bytes:
        """Return the packet."""
        readings = b"".join(_READING.pack(index, distance) for index, distance in self.sonar)
        head = _HEAD.pack(*_head_values(self), len(self.sonar))
        return encode(self.id, head + readings + _TAIL.pack(*_tail_values(self)))


_HEAD, _READING, _TAIL = structure(HEAD), structure(READING), structure(TAIL)
_head_values = attrgetter(*(field.name for field in HEAD[:-1]))
_tail_values = attrgetter(*(field.name for field in TAIL))


def unpack_sip(packet: Packet) -> WireSip:
    """Read a SIP; what is missing at its end reads as zero."""
    data = packet.data.ljust(_HEAD.size, b"\0")
    *head, count = _HEAD.unpack_from(data)
    end = _HEAD.size + count * _READING.size
    readings = data[_HEAD.size : end]
    readings = readings[: len(readings) - len(readings) % _READING.size]
    tail = _TAIL.unpack(data[end : end + _TAIL.size].ljust(_TAIL.size, b"\0"))
    sonar: Any = tuple(_READING.iter_unpack(readings))
    return WireSip(*(packet.id, *head, sonar, *tail))


def pack_sip(sip: Sip) -> bytes:
    """Return the packet of one robot."""
    factor = sip.conversion
    forward = sip.forward_speed * 1000.0
    difference = sip.rotation_speed / factor.difference if factor.difference > 0.0 else 0.0
    left = _whole((forward - difference) / factor.velocity, -0x8000, 0x7FFF)
    right = _whole((forward + difference) / factor.velocity, -0x8000, 0x7FFF)
    lateral = _whole(sip.lateral_speed * 1000.0, -0x8000, 0x7FFF)
    rotation = _whole(sip.rotation_speed * _DEGREES * 10.0, -0x8000, 0x7FFF)
    turns = round(sip.heading / _TURN)
    decivolts = _whole(sip.battery * 10.0, -0x8000, 0x7FFF)
    first = sip.sonar_first
    return WireSip(
        id=SIP_MOVING if sip.tells_motion and (left or right or lateral or rotation) else SIP_STOPPED,
        x=_wrap(round(sip.x * 1000.0) / factor.distance),
        y=_wrap(round(sip.y * 1000.0) / factor.distance),
        heading=_heading((sip.heading - turns * _TURN) / factor.angle),
        left_speed=left,
        right_speed=right,
        battery=decivolts & 0xFF,
        stall_and_bumpers=_bump_word(sip.stall_left, sip.stall_right, sip.front_bumpers, sip.rear_bumpers),
        control=0,
        flags=sip.flags & 0xFFFF | sip.motors_on * MOTORS_FLAG | sip.sonar_on * SONAR_FLAGS | sip.estop * ESTOP_FLAG,
        compass=0,
        sonar=tuple(
            ((first + i) & 0xFF, _whole(distance * 1000.0 / factor.range, 0, 0xFFFF))
            for i, distance in enumerate(sip.sonar_ranges[:MAX_READINGS])
        ),
        gripper=sip.gripper & 0xFF,
        analog_port=0,
        analog=0,
        digital_in=sip.digital_in & 0xFF,
        digital_out=sip.digital_out & 0xFF,
        battery_voltage=decivolts,
        charge_state=sip.charge_state & 0xFF,
        rotation_speed=rotation,
        faults=sip.faults & 0xFFFF,
        lateral_speed=lateral,
        temperature=_whole(sip.temperature, -128, 127),
        state_of_charge=_whole(sip.state_of_charge, 0, 255),
    ).encode()


def pack_sips(batch: SipBatch) -> list[bytes]:
    """Return the packets of all robots, in their order."""
    fields = _wire_columns(batch)
    counts = np.minimum(batch.sonar_count, MAX_READINGS)
    packets: list[bytes] = [b""] * len(counts)
    for count in np.unique(counts).tolist():
        robots = np.flatnonzero(counts == count)
        sips = new_packets(len(robots), _dtype(count), SIP_STOPPED)
        for name, values in fields.items():
            sips[name] = values[robots] if values.ndim else values
        sips["sonar_count"] = count
        if count:
            index = batch.sonar_first[robots, None] + np.arange(count)
            factor = np.broadcast_to(batch.range_factor, counts.shape)[robots, None]
            sips["sonar"]["index"] = index & 0xFF
            sips["sonar"]["range"] = whole(batch.sonar_ranges[robots[:, None], index] * 1000.0 / factor, 0, 0xFFFF)
        for robot, packet in zip(robots.tolist(), cut(seal(sips)), strict=True):
            packets[robot] = packet
    return packets


def _wire_columns(batch: SipBatch) -> dict[str, NDArray[Any]]:
    """Return every field but the sonar readings, for all robots at once."""
    forward = batch.forward_speed * 1000.0
    usable = np.where(np.asarray(batch.difference_factor) > 0.0, batch.difference_factor, np.inf)
    difference = batch.rotation_speed / usable
    left = whole((forward - difference) / batch.velocity_factor, -0x8000, 0x7FFF)
    right = whole((forward + difference) / batch.velocity_factor, -0x8000, 0x7FFF)
    lateral = whole(batch.lateral_speed * 1000.0, -0x8000, 0x7FFF)
    rotation = whole(batch.rotation_speed * _DEGREES * 10.0, -0x8000, 0x7FFF)
    heading = batch.heading - np.rint(batch.heading / _TURN) * _TURN
    decivolts = whole(np.asarray(batch.battery) * 10.0, -0x8000, 0x7FFF)
    on = {MOTORS_FLAG: batch.motors_on, SONAR_FLAGS: batch.sonar_on, ESTOP_FLAG: batch.estop}
    flags = np.asarray(batch.flags) & 0xFFFF
    for bits, is_on in on.items():
        flags = flags | np.where(is_on, bits, 0)
    return {
        "id": np.where(batch.tells_motion & ((left | right | lateral | rotation) != 0), SIP_MOVING, SIP_STOPPED),
        "x": np.trunc(np.rint(batch.x * 1000.0) / batch.distance_factor).astype(np.int64).astype(np.int16),
        "y": np.trunc(np.rint(batch.y * 1000.0) / batch.distance_factor).astype(np.int64).astype(np.int16),
        "heading": _headings(heading / batch.angle_factor),
        "left_speed": left,
        "right_speed": right,
        "battery": decivolts & 0xFF,
        "stall_and_bumpers": np.asarray(
            _bump_word(batch.stall_left, batch.stall_right, batch.front_bumpers, batch.rear_bumpers)
        ),
        "flags": flags,
        "gripper": np.asarray(batch.gripper) & 0xFF,
        "digital_in": np.asarray(batch.digital_in) & 0xFF,
        "digital_out": np.asarray(batch.digital_out) & 0xFF,
        "battery_voltage": decivolts,
        "charge_state": np.asarray(batch.charge_state) & 0xFF,
        "rotation_speed": rotation,
        "faults": np.asarray(batch.faults) & 0xFFFF,
        "lateral_speed": lateral,
        "temperature": whole(batch.temperature, -128, 127),
        "state_of_charge": whole(batch.state_of_charge, 0, 255),
    }


@lru_cache(maxsize=MAX_READINGS + 1)
def _dtype(count: int) -> np.dtype[Any]:
    readings: list[Any] = [("sonar", columns(READING), (count,))] if count else []
    return np.dtype(FRAME + columns(HEAD) + readings + columns(TAIL) + CHECKSUM)


def _bump_word(stall_left: Any, stall_right: Any, front_bumpers: Any, rear_bumpers: Any) -> Any:
    """Return stall flags and bumpers as one word; of numbers a number, of arrays an array."""
    return stall_left * 1 | (rear_bumpers & 0x7F) << 1 | (stall_right * 1) << 8 | (front_bumpers & 0x7F) << 9


def _heading(units: float) -> int:
    """Round a heading; one that is not zero is never told as zero.

    A client that adds up differences, as ARIA does, finds itself a hair below zero when a heading returns to exactly
    where it began, and counts that as a full turn: AriaCoda's sectors then abort the client.
    """
    rounded = _whole(units, -0x8000, 0x7FFF)
    return rounded or (units > 0.0) - (units < 0.0)


def _headings(units: NDArray[Any]) -> NDArray[Any]:
    """`_heading` for all robots."""
    rounded = whole(units, -0x8000, 0x7FFF)
    return np.where(rounded == 0, np.sign(units).astype(np.int64), rounded)


def _whole(value: float, low: int, high: int) -> int:
    return round(min(max(low, value), high))


def _wrap(value: float) -> int:
    """Cut to a whole number and keep the low 16 bits, as clients expect of a position."""
    return (int(value) + 0x8000 & 0xFFFF) - 0x8000
