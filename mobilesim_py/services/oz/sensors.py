"""What an Oz tells of itself more rarely than it feels and looks: packets in the words of the protocol."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.devices.gps import GPS
from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.core.devices.ticker import TICKER
from mobilesim_py.protocols.naio import Dialect, Packet
from mobilesim_py.protocols.naio.api_packets import ApiStatus
from mobilesim_py.protocols.naio.hardware_packets import HaMagneto
from mobilesim_py.protocols.naio.units import MAGNETO_DOWN, MAGNETO_GAIN, GpsFix, gps_packet
from mobilesim_py.protocols.naio.values import GpsQuality
from mobilesim_py.world.geodesy import Georeference

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.services.oz.oz import Oz

REFERENCE = Georeference(43.5195488, 1.5361782, 152.0)
"""Where the origin of a world without a place on Earth is; there x points north and y west."""
EPOCH_MS = 1_451_606_400_000.0
"""When simulated time begins, for clients that want milliseconds since the epoch: 2016-01-01."""
_INT16 = 0x7FFF


def gps(oz: Oz, simulation: Simulation, dialect: Dialect) -> Packet | None:
    """Return the position; None without a receiver."""
    readings = simulation.readings(GPS)
    units = oz.robot.units(GPS)
    row = readings.row_of(units[0].column) if units else None
    if row is None:
        return None
    x, y, speed, fixed = (float(a[row]) for a in (readings.x, readings.y, readings.speed, readings.fixed))
    georeference = simulation.world.georeference
    place = georeference.at(x, y) if georeference is not None else REFERENCE.at(-y, x)
    milliseconds = simulation.time * 1000.0 + (EPOCH_MS if dialect is Dialect.MANUAL else 0.0)
    quality = GpsQuality.FIX_3D if fixed else GpsQuality.NO_FIX
    return gps_packet(GpsFix(milliseconds, *place, speed, 3 if fixed else 0, quality), dialect)


def magneto(oz: Oz, simulation: Simulation) -> HaMagneto:
    """Return the magnetic field."""
    readings = simulation.readings(IMU)
    units = oz.robot.units(IMU)
    row = readings.row_of(units[0].column) if units else None
    cosine, sine = readings.field[row].tolist() if row is not None else (0.0, 0.0)
    # A bearing runs clockwise from north, which is x or, with a place on Earth, y.
    north, east = (cosine, -sine) if simulation.world.georeference is None else (sine, cosine)
    return HaMagneto(_held(north * MAGNETO_GAIN), _held(east * MAGNETO_GAIN), MAGNETO_DOWN)


def status(oz: Oz, simulation: Simulation) -> ApiStatus:
    """Return what the robot knows of itself."""
    robot = oz.robot
    pose = robot.odometry
    readings = simulation.readings(TICKER)
    units = robot.units(TICKER)
    row = readings.row_of(units[0].column) if units else None
    counts = readings.counts[row] if row is not None else np.zeros(4)
    front_left, front_right, rear_left, rear_right = (int(count) for count in counts)
    left, right = (now - before for now, before in zip(robot.wheel_ways, oz.ways, strict=True))
    field = magneto(oz, simulation)
    return ApiStatus(
        imu_reset=int(oz.imu_was_reset),
        theta=pose.heading,
        odo_front_right=front_right,
        odo_rear_right=rear_right,
        odo_rear_left=rear_left,
        odo_front_left=front_left,
        x=pose.x,
        y=pose.y,
        distance=(left + right) / 2.0,
        actuator=oz.tool_percent,
        battery=oz.battery_percent,
        magneto_x=field.x,
        magneto_y=field.y,
        magneto_z=field.z,
    )


def _held(value: float) -> int:
    return max(-_INT16 - 1, min(_INT16, math.floor(value + 0.5)))
