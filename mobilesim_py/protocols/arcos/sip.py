"""The server information packet: what the robot tells its client every 100 ms.

`WireSip` is the table of it: a row there is a field on the wire, in both packers, in `unpack_sip` and in the documentation.
The id is 0x32 while the robot stands and 0x33 while it moves. The sonar readings are in the middle of the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.protocols.arcos import quantities
from mobilesim_py.protocols.arcos.batch import CHECKSUM, FRAME, columns, cut, new_packets, seal
from mobilesim_py.protocols.arcos.layout import Field, fields_of, structure, wire
from mobilesim_py.protocols.arcos.packet import Packet, encode
from mobilesim_py.protocols.arcos.quantities import Factor, State

SIP_STOPPED = 0x32
SIP_MOVING = 0x33
NO_TEMPERATURE = -127
"""What the temperature field says where there is no thermometer [degrees C]."""
MAX_READINGS = 50
"""Sonar readings for which a packet has room, and the length byte is legal for every client."""


@dataclass(frozen=True)
class WireSip:
    """The fields of a SIP in the wire's units, and how each is made of what a robot measures."""

    id: int
    x: int = wire(
        "h",
        "odometry, in units of DistConvFactor mm; wraps",
        lambda s, f: quantities.position(s[State.X], f[Factor.DISTANCE]),
    )
    y: int = wire("h", "the same", lambda s, f: quantities.position(s[State.Y], f[Factor.DISTANCE]))
    heading: int = wire(
        "h",
        "odometry, in units of AngleConvFactor rad, -180 to 180 degrees",
        lambda s, f: quantities.heading(s[State.HEADING], f[Factor.ANGLE]),
    )
    left_speed: int = wire("h", "left wheel, in units of VelConvFactor mm/s", quantities.left_speed)
    right_speed: int = wire("h", "right wheel, the same", quantities.right_speed)
    battery: int = wire(
        "B",
        "voltage [1/10 V]; 0 on robots that tell their state of charge",
        lambda s, f: quantities.low_byte(quantities.decivolts(s, f)),
    )
    stall_and_bumpers: int = wire(
        "H",
        "bit 0 left stall, bits 1-7 rear bumpers from the right, bit 8 right stall, bits 9-15 front bumpers from the left",
        quantities.stall_word,
    )
    control: int = wire("h", "0")
    flags: int = wire(
        "H",
        "bit 0 motors on, 1-4 sonar on, 5 emergency stop, 7 far and 8 near ledge, 9 button of the joystick, 10 power of the "
        "charger",
        quantities.flags,
    )
    compass: int = wire(
        "B",
        "clockwise from north [2 degrees], 180 for north; 0 without a compass",
        lambda s, f: quantities.low_byte(s[State.COMPASS]),
    )
    sonar: tuple[tuple[int, int], ...] = ()
    """Number of the transducer and range, for each reading; their count stands before them."""
    gripper: int = wire(
        "B",
        "bit 0 paddles open, 1 closed, 2 moving, 3 error, bit 4 lift up, 5 down, 6 moving, 7 error; 0 without a gripper",
        lambda s, f: quantities.low_byte(s[State.GRIPPER]),
    )
    analog_port: int = wire(
        "B",
        "port that ADSEL chose; the gripper's state again until then",
        lambda s, f: quantities.low_byte(s[State.ANALOG_PORT]),
    )
    analog: int = wire(
        "B",
        "voltage at that port, 255 for 5 V",
        lambda s, f: quantities.low_byte(s[State.ANALOG]),
    )
    digital_in: int = wire("B", "digital inputs", lambda s, f: quantities.low_byte(s[State.DIGITAL_IN]))
    digital_out: int = wire("B", "digital outputs", lambda s, f: quantities.low_byte(s[State.DIGITAL_OUT]))
    battery_voltage: int = wire("h", "voltage [1/10 V]; 0 on robots that tell their state of charge", quantities.decivolts)
    charge_state: int = wire(
        "B",
        "0 not charging, 1 bulk, 2 overcharge, 3 float",
        lambda s, f: quantities.low_byte(s[State.CHARGING]),
    )
    rotation_speed: int = wire("h", "[1/10 deg/s]", quantities.rotation_speed)
    faults: int = wire(
        "H",
        "bit 1 temperature warning, 3 undervoltage, 4 gyro failed",
        quantities.fault_flags,
    )
    lateral_speed: int = wire("h", "[mm/s]", quantities.lateral_speed)
    temperature: int = wire(
        "b",
        "[degrees C]; -127 without a thermometer",
        lambda s, f: quantities.whole(s[State.TEMPERATURE], -128, 127),
    )
    state_of_charge: int = wire(
        "B",
        "[%]; 0 on robots that tell their voltage",
        lambda s, f: quantities.unsigned_byte(s[State.CHARGE]),
    )

    def encode(self) -> bytes:
        """Return the packet."""
        readings = b"".join(_READING.pack(index, distance) for index, distance in self.sonar)
        head = _HEAD.pack(*_head_values(self), len(self.sonar))
        return encode(self.id, head + readings + _TAIL.pack(*_tail_values(self)))


_ROWS = fields_of(WireSip)
_AFTER_SONAR = list(WireSip.__dataclass_fields__).index("sonar") - 1
HEAD = (*_ROWS[:_AFTER_SONAR], Field("sonar_count", "B", "number of sonar readings that follow"))
READING = (
    Field("index", "B", "number of the transducer"),
    Field("range", "H", "in units of RangeConvFactor mm"),
)
TAIL = _ROWS[_AFTER_SONAR:]
FORMULAS = {row.name: row.formula for row in _ROWS if row.formula}

_HEAD, _READING, _TAIL = structure(HEAD), structure(READING), structure(TAIL)
_head_values = attrgetter(*(field.name for field in HEAD[:-1]))
_tail_values = attrgetter(*(field.name for field in TAIL))


@dataclass(frozen=True)
class SipBatch:
    """What N robots tell in their SIPs."""

    state: NDArray[np.float64]
    """`State` x N."""
    factors: NDArray[np.float64]
    """`Factor` x N."""
    tells_motion: NDArray[np.bool_]
    """Whether the id tells motion. On a line that does not hang up (serial) it must not: there ARIA finds out that an
    earlier session is still open by the id 0x32 only, and closes it."""
    sonar_ranges: NDArray[np.float64]
    """N x (most transducers of any robot): all ranges of each ring [m]; the rest of a row is not looked at."""
    sonar_first: NDArray[np.int64]
    """Number of the transducer of the first reading in each packet."""
    sonar_count: NDArray[np.int64]
    """How many readings are in each packet, from `sonar_first` on."""


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


def pack_sips(batch: SipBatch) -> list[bytes]:
    """Return the packets of all robots, in their order."""
    state, factors = batch.state, batch.factors
    fields = {name: formula(state, factors) for name, formula in FORMULAS.items()}
    fields["id"] = np.where(batch.tells_motion & quantities.moves(state, factors), SIP_MOVING, SIP_STOPPED)
    counts = np.minimum(batch.sonar_count, MAX_READINGS)
    packets: list[bytes] = [b""] * len(counts)
    for count in np.unique(counts).tolist():
        robots = np.flatnonzero(counts == count)
        sips = new_packets(len(robots), _dtype(count), SIP_STOPPED)
        for name, values in fields.items():
            sips[name] = values[robots]
        sips["sonar_count"] = count
        if count:
            index = batch.sonar_first[robots, None] + np.arange(count)
            ranges = batch.sonar_ranges[robots[:, None], index]
            sips["sonar"]["index"] = index & 0xFF
            sips["sonar"]["range"] = quantities.range_units(ranges, factors[Factor.RANGE][robots, None])
        for robot, packet in zip(robots.tolist(), cut(seal(sips)), strict=True):
            packets[robot] = packet
    return packets


@lru_cache(maxsize=MAX_READINGS + 1)
def _dtype(count: int) -> np.dtype[Any]:
    readings: list[Any] = [("sonar", columns(READING), (count,))] if count else []
    return np.dtype(FRAME + columns(HEAD) + readings + columns(TAIL) + CHECKSUM)
