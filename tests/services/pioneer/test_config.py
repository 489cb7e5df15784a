"""CONFIG tells the model's own values and what a client has set."""

from __future__ import annotations

import math

from mobilesim_py.catalogue.model import DriveModel, RobotModel
from mobilesim_py.catalogue.pioneer import Pioneer
from mobilesim_py.geometry import AxisTriple
from mobilesim_py.protocols.arcos.config import FIELDS
from mobilesim_py.services.pioneer.config import config_of

P3DX = RobotModel("p3dx-sh", pioneer=Pioneer(subclass="p3dx-sh", front_sonar=True, rear_sonar=True))


def test_limits_are_the_model_s() -> None:
    config = config_of(P3DX)
    assert (config.speed_top, config.rotation_speed_top) == (1000, 100)
    assert (config.acceleration, config.deceleration, config.rotation_acceleration) == (300, 600, 100)


def test_what_was_set_is_told() -> None:
    speed, faster = AxisTriple(0.4, 0.0, math.radians(50)), AxisTriple(0.5, 0.0, math.radians(80))
    config = config_of(P3DX, speed=speed, acceleration=faster, deceleration=speed)
    assert (config.speed_max, config.rotation_speed_max) == (400, 50)
    assert (config.acceleration, config.rotation_acceleration) == (500, 80)
    assert (config.deceleration, config.rotation_deceleration) == (400, 50)
    assert config.speed_top == 1000


def test_no_top_is_ever_zero() -> None:
    config = config_of(RobotModel("still", drive=DriveModel(max_speed=AxisTriple())))
    tops = [getattr(config, field.name) for field in FIELDS if field.name.endswith("_top")]
    assert len(tops) == 6
    assert all(top > 0 for top in tops)


def test_lateral_limits_are_those_of_a_robot_that_moves_sideways() -> None:
    drive = DriveModel(max_speed=AxisTriple(3.0, 2.5, 1.74), acceleration=AxisTriple(1, 0.5, 1))
    config = config_of(RobotModel("seekur", drive=drive))
    assert (config.lateral_speed_top, config.lateral_speed_max, config.lateral_acceleration) == (2500, 2500, 500)


def test_devices_are_told_as_the_model_has_them() -> None:
    facts = Pioneer(front_sonar=True, front_bumpers=5, rear_bumpers=6, has_gripper=True, gyro_type=2)
    model = RobotModel("x", pioneer=facts)
    config = config_of(model)
    assert (config.front_sonar, config.rear_sonar, config.has_gripper) == (1, 0, 1)
    assert (config.front_bumpers, config.rear_bumpers, config.gyro_type) == (5, 6, 2)
