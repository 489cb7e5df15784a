"""What CONFIG tells of a model and of what a client has set."""

from __future__ import annotations

import math

from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.geometry import AxisTriple
from mobilesim_py.protocols.arcos.config import UNLIMITED, Config


def config_of(
    model: RobotModel,
    speed: AxisTriple | None = None,
    acceleration: AxisTriple | None = None,
    deceleration: AxisTriple | None = None,
) -> Config:
    """Return the CONFIG of a model with what SETV, SETA and so on have set; None is the model's own.

    Speeds, accelerations and decelerations are in m/s, rad/s, m/s2 and rad/s2.
    """
    drive, facts = model.drive, model.pioneer
    speed = speed or drive.max_speed
    acceleration = acceleration or drive.acceleration
    deceleration = deceleration or drive.deceleration
    return Config(
        robot_class=facts.robot_class,
        subclass=facts.subclass,
        rotation_speed_top=_degrees(drive.max_speed.rotation) or UNLIMITED,
        speed_top=_millimetres(drive.max_speed.forward) or UNLIMITED,
        has_gripper=int(facts.has_gripper),
        front_sonar=int(facts.front_sonar),
        rear_sonar=int(facts.rear_sonar),
        watchdog=_millimetres(facts.watchdog),
        rotation_speed_max=_degrees(speed.rotation),
        speed_max=_millimetres(speed.forward),
        rotation_acceleration=_degrees(acceleration.rotation),
        rotation_deceleration=_degrees(deceleration.rotation),
        acceleration=_millimetres(acceleration.forward),
        deceleration=_millimetres(deceleration.forward),
        front_bumpers=facts.front_bumpers,
        rear_bumpers=facts.rear_bumpers,
        charger=facts.charger,
        gyro_type=facts.gyro_type,
        rev_count=facts.rev_count,
        ticks_per_mm=facts.ticks_per_mm,
        lateral_speed_top=_millimetres(drive.max_speed.lateral) or UNLIMITED,
        lateral_speed_max=_millimetres(speed.lateral),
        lateral_acceleration=_millimetres(acceleration.lateral),
        lateral_deceleration=_millimetres(deceleration.lateral),
    )


def _millimetres(metres: float) -> int:
    """Also seconds to milliseconds."""
    return _word(metres * 1000.0)


def _degrees(radians: float) -> int:
    return _word(math.degrees(radians))


def _word(value: float) -> int:
    return round(min(max(value, 0.0), 65535.0))
