"""From physical units to the numbers in packets and back, where need be by dialect.

Axes of the body are x ahead, y to the left, z up; turning is counter-clockwise positive. Values that do not fit
are held at the largest that do, as a sensor does at the end of its range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .hardware_packets import HaAccelero, HaGps, HaGyro, HaMagneto
from .kinds import Dialect
from .manual_packets import ManualGps
from .values import GpsQuality, GpsUnit

FULL_POWER = 127
TICK_METRES = 0.06465
"""The way of a wheel's rim from one tick to the next [m]."""
GYRO_DEGREES_PER_SECOND = 30.5 / 1000
"""What one unit of the gyroscope is."""
GRAVITY = 9.81
"""What one G is [m/s2]."""
MAGNETO_GAIN = 100
MAGNETO_DOWN = -23
KMH = 3.6
"""km/h in one m/s."""

_GYRO_SIGN = {Dialect.SIMULATOZ: -1, Dialect.MANUAL: 1}
_GRAVITY_SIGN = {Dialect.SIMULATOZ: -1, Dialect.MANUAL: 1}
_INT16 = (-0x8000, 0x7FFF)

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class GpsFix:
    """A GPS position in physical units."""

    time_ms: float
    latitude_deg: float
    longitude_deg: float
    altitude_m: float
    speed_mps: float = 0.0
    satellites: int = 3
    quality: int = GpsQuality.FIX_3D


def motor_power(power: int) -> float:
    """Return the share of full speed, -1 to 1, of a power on the wire; -128 is full astern as -127 is."""
    return max(power, -FULL_POWER) / FULL_POWER


def motor_raw(share: float) -> int:
    """Return the power on the wire of a share of full speed."""
    return _held(share * FULL_POWER, -FULL_POWER, FULL_POWER)


def gyro_packet(rates_deg: Vector, dialect: Dialect) -> HaGyro:
    """Return the packet of turning rates about x, y and z [deg/s]."""
    scale = _GYRO_SIGN[dialect] / GYRO_DEGREES_PER_SECOND
    x, y, z = rates_deg
    return HaGyro(_held(x * scale, *_INT16), _held(y * scale, *_INT16), _held(z * scale, *_INT16))


def gyro_rates(packet: HaGyro, dialect: Dialect) -> Vector:
    """Return the turning rates about x, y and z [deg/s]."""
    scale = _GYRO_SIGN[dialect] * GYRO_DEGREES_PER_SECOND
    return packet.x * scale, packet.y * scale, packet.z * scale


def accelero_packet(forces: Vector, dialect: Dialect) -> HaAccelero:
    """Return the packet of the specific force along x, y and z [m/s2]: at rest z is +9.81."""
    scale = 1000 / GRAVITY
    x, y, z = forces
    up = _GRAVITY_SIGN[dialect] * z
    return HaAccelero(_held(x * scale, *_INT16), _held(y * scale, *_INT16), _held(up * scale, *_INT16))


def accelero_forces(packet: HaAccelero, dialect: Dialect) -> Vector:
    """Return the specific force along x, y and z [m/s2]."""
    scale = GRAVITY / 1000
    return packet.x * scale, packet.y * scale, _GRAVITY_SIGN[dialect] * packet.z * scale


def magneto_packet(bearing_deg: float) -> HaMagneto:
    """Return the packet of a bearing: degrees from north."""
    bearing = math.radians(bearing_deg)
    return HaMagneto(round(MAGNETO_GAIN * math.cos(bearing)), round(MAGNETO_GAIN * math.sin(bearing)), MAGNETO_DOWN)


def magneto_bearing(packet: HaMagneto) -> float:
    """Return the bearing, 0 to 360 degrees from north."""
    return math.degrees(math.atan2(packet.y, packet.x)) % 360.0


def gps_packet(fix: GpsFix, dialect: Dialect) -> HaGps | ManualGps:
    """Return the packet of a position; its time is what the dialect wants: since the start, or since the epoch."""
    place = (fix.latitude_deg, fix.longitude_deg, fix.altitude_m, GpsUnit.METRES, fix.satellites, fix.quality)
    if dialect is Dialect.MANUAL:
        return ManualGps(fix.time_ms, *place, fix.speed_mps * KMH)
    return HaGps(round(fix.time_ms), *place, fix.speed_mps)


def gps_fix(packet: HaGps | ManualGps) -> GpsFix:
    """Return the position of a packet."""
    speed = packet.speed / KMH if isinstance(packet, ManualGps) else packet.speed
    place = (packet.latitude, packet.longitude, packet.altitude)
    return GpsFix(packet.time, *place, speed, packet.satellites, packet.quality)


def _held(value: float, least: int, most: int) -> int:
    return least if value < least else most if value > most else round(value)
