"""What a robot tells, in metres, radians, seconds and volts: SIPs and laser scans as a client understands them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos.laser import LaserPacket
from mobilesim_py.protocols.arcos.layout import structure
from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.sip import HEAD, NO_TEMPERATURE, READING, SIP_MOVING, TAIL, WireSip, unpack_sip

WRAP = 0x8000
"""Odometry has 15 bits; bit 15 means nothing."""
_NAMES = [field.name for field in TAIL]


@dataclass(frozen=True)
class Units:
    """What one unit of the wire is, which differs from model to model: mm, mm/s, mm, rad and rad/mm."""

    distance: float = 1.0
    velocity: float = 1.0
    range: float = 1.0
    angle: float = math.tau / 4096.0
    difference: float = 0.0056
    """Turns half the difference of the wheels' speeds into a rotational speed."""
    vel2_divisor: float = 20.0


@dataclass(frozen=True)
class Sip:
    """What a robot tells of itself, ten times a second."""

    pose: Pose
    """Odometry: where its wheels say that it is."""
    forward: float
    """Speed [m/s]."""
    lateral: float
    rotation: float
    """[rad/s]"""
    left: float
    """Speed of the left wheel [m/s]."""
    right: float
    moving: bool
    """Whether the robot says that it moves."""
    stalled: tuple[bool, bool]
    """Left and right motor."""
    front_bumpers: int
    """A bit for each that is pressed."""
    rear_bumpers: int
    motors: bool
    sonar_on: bool
    emergency_stop: bool
    battery: float
    """[V]"""
    charge: float | None
    """Share of the battery's charge, 0 to 1, if the robot knows it."""
    temperature: float | None
    """[degrees C]"""
    sonar: Mapping[int, float]
    """New echoes [m] by the number of the transducer; each SIP brings some of them."""
    digital_in: int
    digital_out: int
    wire: WireSip
    """All fields as they came."""

    @property
    def is_still(self) -> bool:
        """Whether no wheel turns and nothing else moves."""
        return not (self.left or self.right or self.lateral or self.rotation)


class Odometer:
    """Follows odometry over the ends of its 15 bits."""

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None
        self._total = (0, 0)

    def follow(self, x: int, y: int) -> tuple[int, int]:
        """Return the position [units] without jumps."""
        if self._last is None:
            self._total = (_shortest(x), _shortest(y))
        else:
            self._total = (self._total[0] + _shortest(x - self._last[0]), self._total[1] + _shortest(y - self._last[1]))
        self._last = (x, y)
        return self._total


def read_sip(packet: Packet, units: Units, odometer: Odometer) -> Sip:
    """Understand a SIP; what older robots leave out at its end is reckoned from the rest."""
    sip = unpack_sip(packet)
    x, y = odometer.follow(sip.x, sip.y)
    told = _told(packet)
    left, right = (speed * units.velocity / 1000.0 for speed in (sip.left_speed, sip.right_speed))
    reckoned = (right - left) * 1000.0 / 2.0 * units.difference
    volts = sip.battery_voltage if "battery_voltage" in told and sip.battery_voltage else sip.battery
    return Sip(
        pose=Pose(
            x * units.distance / 1000.0,
            y * units.distance / 1000.0,
            math.remainder(sip.heading * units.angle, math.tau),
        ),
        forward=(left + right) / 2.0,
        lateral=sip.lateral_speed / 1000.0,
        rotation=math.radians(sip.rotation_speed / 10.0) if "rotation_speed" in told else reckoned,
        left=left,
        right=right,
        moving=packet.id == SIP_MOVING,
        stalled=(bool(sip.stall_and_bumpers & 1), bool(sip.stall_and_bumpers & 0x100)),
        front_bumpers=sip.stall_and_bumpers >> 9,
        rear_bumpers=sip.stall_and_bumpers >> 1 & 0x7F,
        motors=bool(sip.flags & 1),
        sonar_on=bool(sip.flags & 0x1E),
        emergency_stop=bool(sip.flags & 0x20),
        battery=volts / 10.0,
        charge=sip.state_of_charge / 100.0 if sip.state_of_charge else None,
        temperature=None if "temperature" not in told or sip.temperature <= NO_TEMPERATURE else float(sip.temperature),
        sonar={index: distance * units.range / 1000.0 for index, distance in sip.sonar},
        digital_in=sip.digital_in,
        digital_out=sip.digital_out,
        wire=sip,
    )


@dataclass(frozen=True, eq=False)
class LaserScan:
    """One scan of a laser."""

    ranges: NDArray[np.float64]
    """[m], in the order of the readings."""
    reflectance: NDArray[np.uint8]
    """0 and 1 ordinary, more for reflectors; empty if it is not told."""
    device: int = 0
    """Which of the robot's lasers, from 0."""
    start: float | None = None
    """Angle of the first reading [rad], if this client has asked for one."""
    increment: float | None = None
    """Angle from one reading to the next [rad]."""

    @property
    def angles(self) -> NDArray[np.float64]:
        """Directions of the readings [rad], positive to the left; half a turn from right to left if none was asked for."""
        count = len(self.ranges)
        if self.start is None or self.increment is None:
            return np.linspace(-math.pi / 2.0, math.pi / 2.0, count, dtype=np.float64)
        return self.start + self.increment * np.arange(count, dtype=np.float64)


class ScanAssembler:
    """Puts scans together from their packets; a scan of which a packet is missing is dropped."""

    def __init__(self) -> None:
        self._parts: dict[int, list[LaserPacket]] = {}

    def take(self, packet: LaserPacket) -> LaserScan | None:
        """Take the next packet, and return the scan if it is complete."""
        parts = self._parts.setdefault(packet.device, []) if packet.first else []
        expected = sum(len(part.ranges) for part in parts)
        end = packet.first + len(packet.ranges)
        fits = packet.first == expected and (not parts or parts[0].total == packet.total)
        if not fits or not packet.ranges or end > packet.total:
            self._parts.pop(packet.device, None)
            return None
        parts.append(packet)
        self._parts[packet.device] = parts
        if end < packet.total:
            return None
        del self._parts[packet.device]
        ranges = np.array([value for part in parts for value in part.ranges], np.float64) / 1000.0
        reflectance = np.array([value for part in parts for value in part.reflectance], np.uint8)
        return LaserScan(ranges, reflectance, packet.device)


def _shortest(difference: int) -> int:
    """Return the shortest way round from one 15-bit number to another."""
    return (difference + WRAP // 2) % WRAP - WRAP // 2


def _told(packet: Packet) -> frozenset[str]:
    """Return the names of the fields after the sonar readings that are wholly there."""
    start = structure(HEAD).size
    count = packet.data[start - 1] if len(packet.data) >= start else 0
    left = len(packet.data) - start - count * structure(READING).size
    told = [name for number, name in enumerate(_NAMES, 1) if structure(TAIL[:number]).size <= left]
    return frozenset(told)
