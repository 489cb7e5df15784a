"""The CONFIG packet has the original's layout and the model's own values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields

from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.geometry import AxisTriple
from mobilesim_py.protocols.arcos.config import FIELDS, Config, config_of, pack_config, unpack_config
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader

P3DX = RobotModel("p3dx-sh", front_sonar=True, rear_sonar=True)


def read(packet: bytes) -> Config:
    (only,) = PacketReader().feed(packet)
    return unpack_config(only)


def test_every_recorded_config_is_read_and_written_back_byte_for_byte(recorded: Callable[..., list[bytes]]) -> None:
    configs = recorded("rx", None, 0x20)
    assert len(configs) > 40
    assert [pack_config(read(packet)) for packet in configs] == configs


def test_ours_is_the_recorded_one_but_for_name_and_limits(recorded: Callable[..., list[bytes]]) -> None:
    original, ours = read(recorded("rx", "handshake_p3dx-sh", 0x20)[0]), config_of(P3DX)
    different = {field.name for field in FIELDS if getattr(original, field.name) != getattr(ours, field.name)}
    assert different == {
        "name",
        "rotation_speed_top",
        "speed_top",
        "rotation_speed_max",
        "speed_max",
        "deceleration",
    }


def test_the_fields_of_the_table_are_those_of_the_class() -> None:
    assert [field.name for field in FIELDS] == [field.name for field in fields(Config)]


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
    config = config_of(RobotModel("still", max_speed=AxisTriple()))
    tops = [getattr(config, field.name) for field in FIELDS if field.name.endswith("_top")]
    assert len(tops) == 6
    assert all(top > 0 for top in tops)


def test_lateral_limits_are_those_of_a_robot_that_moves_sideways() -> None:
    config = config_of(RobotModel("seekur", max_speed=AxisTriple(3.0, 2.5, 1.74), acceleration=AxisTriple(1, 0.5, 1)))
    assert (config.lateral_speed_top, config.lateral_speed_max, config.lateral_acceleration) == (2500, 2500, 500)


def test_devices_are_told_as_the_model_has_them() -> None:
    model = RobotModel("x", front_sonar=True, front_bumpers=5, rear_bumpers=6, has_gripper=True, gyro_type=2)
    config = config_of(model)
    assert (config.front_sonar, config.rear_sonar, config.has_gripper) == (1, 0, 1)
    assert (config.front_bumpers, config.rear_bumpers, config.gyro_type) == (5, 6, 2)


def test_a_model_with_long_names_has_a_legal_packet() -> None:
    config = read(pack_config(config_of(RobotModel("n" * 300, robot_class="c" * 300))))
    assert (len(config.subclass), config.firmware_version) == (40, "S.0")


def test_a_config_that_ends_early_reads_as_zeros() -> None:
    assert unpack_config(Packet(0x20, b"Pioneer\0p3dx\0SIM\0\0\x64")).rotation_speed_top == 100
    assert unpack_config(Packet(0x20, b"Pioneer\0p3dx\0SIM")).speed_top == 0
