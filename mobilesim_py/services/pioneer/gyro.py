"""Gyros: one whose readings clients get (type 1), one that the controller uses itself (2), an inertial unit (4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mobilesim_py.catalogue.pioneer import FUSED_SHARE, OWN_USE
from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.core.devices.imu_rows import Felt
from mobilesim_py.protocols.arcos.device_packets import pack_gyro, pack_imu
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.streams import ALWAYS, ONCE, makes

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.services.pioneer.session import EmulatorSession

TELLS_CLIENTS, IMU_TYPE = 1, 4
READING_SECONDS = 0.025
REST, MOST = 512, 1023
UNIT = math.radians(5.0 / 1023.0 * 300.0 / 2.5 * 1.626)
"""Turning rate of one unit of a reading [rad/s], by the GyroScaler of the parameter files."""
COLD, WARMER, WARMING_SECONDS = 20.0, 10.0, 600.0
"""Temperature when it is switched on, by how much it gets warmer [degrees C], and how fast [s]."""
IMU_UNIT = math.radians(0.07326)
IMU_DEGREE, IMU_ZERO = 0.1453, 25.0
ALONE_SHARE = 0.2
"""Share of the heading's errors that is left where odometry uses the gyro alone."""


class GyroClock:
    """What one client was told of the gyro last."""

    def __init__(self) -> None:
        self.told = 0
        """Readings that were due until then, since the beginning of time."""
        self.heading = 0.0

    def begin(self, robot: Robot, now: float) -> None:
        """Begin now."""
        self.told, self.heading = _due(now), robot.pose.heading

    def advance(self, robot: Robot, now: float) -> tuple[int, float]:
        """Return how many readings are due, and the turning rate of the time that they cover [rad/s]."""
        count = _due(now) - self.told
        turned = math.remainder(robot.pose.heading - self.heading, math.tau)
        self.begin(robot, now)
        _, _, rotation = robot.velocity
        if count <= 0:
            return 0, rotation
        rate = turned / (count * READING_SECONDS)
        # Whoever is picked up and put down elsewhere has not turned.
        return count, rate if abs(rate) <= 2.0 * max(robot.speed_limit(2), abs(rotation)) else rotation


def _due(now: float) -> int:
    return math.floor(now / READING_SECONDS + 1e-6)


@handles("GYRO")
def gyro(session: EmulatorSession, instruction: Instruction) -> None:
    """Begin or end the stream of readings, or let the controller use encoders, gyro or both."""
    robot, value = session.robot, instruction.magnitude(1)
    kind = robot.model.pioneer.gyro_type
    if kind == TELLS_CLIENTS:
        session.gyro_clock.begin(robot, session.host.simulation.time)
        session.streams.ask("GYRO", ALWAYS if value == ONCE else value)
    elif kind >= OWN_USE:
        robot.trust_gyro({0: 1.0, 1: FUSED_SHARE}.get(value, ALONE_SHARE))


def noise_of(robot: Robot) -> float:
    """Return by how much the turning rate that is felt now is off [rad/s]."""
    unit = robot.units(IMU)[0]
    if not unit.on:
        unit.on = True
    felt = unit.felt
    _, _, rotation = robot.velocity
    return 0.0 if felt is None else float(felt[Felt.RATE_Z]) - rotation


@makes("GYRO")
def gyro_packet(session: EmulatorSession) -> bytes:
    """Return the readings since the last packet, one for each 25 ms."""
    robot, now = session.robot, session.host.simulation.time
    count, rate = session.gyro_clock.advance(robot, now)
    if session.equipment.gyro_failed:
        return b""
    raw = max(0, min(MOST, round(REST - (rate + noise_of(robot)) / UNIT)))
    warmth = round(COLD + WARMER * (1.0 - math.exp(-now / WARMING_SECONDS)))
    return pack_gyro([(raw, warmth)] * count) if count else b""


@makes("IMUREQUEST")
def imu_packet(session: EmulatorSession) -> bytes:
    """Return the packet of the inertial unit, of a robot that has one."""
    robot = session.robot
    if robot.model.pioneer.gyro_type != IMU_TYPE:
        return b""
    _, _, rotation = robot.velocity
    rate = max(-0x8000, min(0x7FFF, round((rotation + noise_of(robot)) / IMU_UNIT)))
    return pack_imu(round(session.host.sip_cycle * 1000.0) & 0xFF, [(rate, round((COLD - IMU_ZERO) / IMU_DEGREE))])
