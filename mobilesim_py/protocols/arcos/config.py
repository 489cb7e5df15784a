"""The CONFIG packet 0x20: what the robot is and how it is set up, asked for with command 18."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.geometry import AxisTriple
from mobilesim_py.protocols.arcos.layout import Field, FieldReader, wire_string
from mobilesim_py.protocols.arcos.packet import Packet, encode

CONFIG = 0x20
UNLIMITED = 9999
"""What a limit says that the simulation does not have; zero would keep clients from driving."""

FIELDS = (
    Field("robot_class", "s", "class"),
    Field("subclass", "s", "subclass, by which clients find their parameters"),
    Field("serial_number", "s", "SIM"),
    Field("four_motors", "B", "0"),
    Field("rotation_speed_top", "H", "greatest rotational speed [deg/s]"),
    Field("speed_top", "H", "greatest speed [mm/s]"),
    Field("rotation_acceleration_top", "H", "greatest rotational acceleration [deg/s2]; 9999: no limit"),
    Field("acceleration_top", "H", "greatest acceleration [mm/s2]; 9999: no limit"),
    Field("pwm_max", "H", "400"),
    Field("name", "s", "MobileSim"),
    Field("sip_cycle", "B", "time between SIPs [ms]"),
    Field("host_baud", "B", "0"),
    Field("aux1_baud", "B", "0"),
    Field("has_gripper", "H", "0 or 1"),
    Field("front_sonar", "H", "0 or 1"),
    Field("rear_sonar", "B", "0 or 1"),
    Field("low_battery", "H", "0"),
    Field("rev_count", "H", "0"),
    Field("watchdog", "H", "time without a command after which the watchdog speaks up [ms]"),
    Field("short_packets", "B", "0"),
    Field("stall_value", "H", "0"),
    Field("stall_count", "H", "0"),
    Field("joystick_speed", "H", "0"),
    Field("joystick_rotation", "H", "0"),
    Field("rotation_speed_max", "H", "maximum rotational speed set now [deg/s]"),
    Field("speed_max", "H", "maximum speed set now [mm/s]"),
    Field("rotation_acceleration", "H", "rotational acceleration set now [deg/s2]"),
    Field("rotation_deceleration", "H", "rotational deceleration set now [deg/s2]"),
    Field("rotation_kp", "H", "0"),
    Field("rotation_kv", "H", "0"),
    Field("rotation_ki", "H", "0"),
    Field("acceleration", "H", "acceleration set now [mm/s2]"),
    Field("deceleration", "H", "deceleration set now [mm/s2]"),
    Field("translation_kp", "H", "0"),
    Field("translation_kv", "H", "0"),
    Field("translation_ki", "H", "0"),
    Field("front_bumpers", "B", "number of front bumpers"),
    Field("rear_bumpers", "B", "number of rear bumpers"),
    Field("charger", "B", "0"),
    Field("sonar_cycle", "B", "0"),
    Field("autobaud", "B", "2"),
    Field("gyro_type", "B", "0 none, 1 gyro, 2 and more a gyro that the controller uses itself"),
    Field("drift_factor", "h", "0"),
    Field("aux2_baud", "B", "0"),
    Field("aux3_baud", "B", "0"),
    Field("ticks_per_mm", "H", "0"),
    Field("shutdown_voltage", "H", "0"),
    Field("firmware_version", "s", "S.0"),
    Field("gyro_cw", "H", "0"),
    Field("gyro_ccw", "H", "0"),
    Field("kinematics_delay", "B", "0"),
    Field("lateral_speed_top", "H", "greatest lateral speed [mm/s]; 9999 on robots that cannot move sideways"),
    Field("lateral_acceleration_top", "H", "greatest lateral acceleration [mm/s2]; 9999: no limit"),
    Field("lateral_speed_max", "H", "maximum lateral speed set now [mm/s]"),
    Field("lateral_acceleration", "H", "lateral acceleration set now [mm/s2]"),
    Field("lateral_deceleration", "H", "lateral deceleration set now [mm/s2]"),
    Field("charge_threshold", "H", "0"),
)


@dataclass(frozen=True)
class Config:
    """The fields of a CONFIG packet, in the wire's units; see `FIELDS` for what they mean."""

    robot_class: str = "Pioneer"
    subclass: str = "p3dx"
    serial_number: str = "SIM"
    four_motors: int = 0
    rotation_speed_top: int = UNLIMITED
    speed_top: int = UNLIMITED
    rotation_acceleration_top: int = UNLIMITED
    acceleration_top: int = UNLIMITED
    pwm_max: int = 400
    name: str = "MobileSim"
    sip_cycle: int = 100
    host_baud: int = 0
    aux1_baud: int = 0
    has_gripper: int = 0
    front_sonar: int = 0
    rear_sonar: int = 0
    low_battery: int = 0
    rev_count: int = 0
    watchdog: int = 2000
    short_packets: int = 0
    stall_value: int = 0
    stall_count: int = 0
    joystick_speed: int = 0
    joystick_rotation: int = 0
    rotation_speed_max: int = 0
    speed_max: int = 0
    rotation_acceleration: int = 0
    rotation_deceleration: int = 0
    rotation_kp: int = 0
    rotation_kv: int = 0
    rotation_ki: int = 0
    acceleration: int = 0
    deceleration: int = 0
    translation_kp: int = 0
    translation_kv: int = 0
    translation_ki: int = 0
    front_bumpers: int = 0
    rear_bumpers: int = 0
    charger: int = 0
    sonar_cycle: int = 0
    autobaud: int = 2
    gyro_type: int = 0
    drift_factor: int = 0
    aux2_baud: int = 0
    aux3_baud: int = 0
    ticks_per_mm: int = 0
    shutdown_voltage: int = 0
    firmware_version: str = "S.0"
    gyro_cw: int = 0
    gyro_ccw: int = 0
    kinematics_delay: int = 0
    lateral_speed_top: int = UNLIMITED
    lateral_acceleration_top: int = UNLIMITED
    lateral_speed_max: int = 0
    lateral_acceleration: int = 0
    lateral_deceleration: int = 0
    charge_threshold: int = 0


def config_of(
    model: RobotModel,
    speed: AxisTriple | None = None,
    acceleration: AxisTriple | None = None,
    deceleration: AxisTriple | None = None,
) -> Config:
    """Return the CONFIG of a model with what SETV, SETA and so on have set; None is the model's own.

    Speeds, accelerations and decelerations are in m/s, rad/s, m/s2 and rad/s2.
    """
    speed = speed or model.max_speed
    acceleration = acceleration or model.acceleration
    deceleration = deceleration or model.deceleration
    return Config(
        robot_class=model.robot_class,
        subclass=model.subtype,
        rotation_speed_top=_degrees(model.max_speed.rotation) or UNLIMITED,
        speed_top=_millimetres(model.max_speed.forward) or UNLIMITED,
        has_gripper=int(model.has_gripper),
        front_sonar=int(model.front_sonar),
        rear_sonar=int(model.rear_sonar),
        watchdog=_millimetres(model.watchdog),
        rotation_speed_max=_degrees(speed.rotation),
        speed_max=_millimetres(speed.forward),
        rotation_acceleration=_degrees(acceleration.rotation),
        rotation_deceleration=_degrees(deceleration.rotation),
        acceleration=_millimetres(acceleration.forward),
        deceleration=_millimetres(deceleration.forward),
        front_bumpers=model.front_bumpers,
        rear_bumpers=model.rear_bumpers,
        gyro_type=model.gyro_type,
        lateral_speed_top=_millimetres(model.max_speed.lateral) or UNLIMITED,
        lateral_speed_max=_millimetres(speed.lateral),
        lateral_acceleration=_millimetres(acceleration.lateral),
        lateral_deceleration=_millimetres(deceleration.lateral),
    )


def pack_config(config: Config) -> bytes:
    """Return the CONFIG packet."""
    data = b""
    for field in FIELDS:
        value = getattr(config, field.name)
        data += wire_string(value) if field.code == "s" else struct.pack("<" + field.code, value)
    return encode(CONFIG, data)


def unpack_config(packet: Packet) -> Config:
    """Read a CONFIG packet; what is missing at its end reads as zero or empty."""
    reader = FieldReader(packet.data)
    values: dict[str, Any] = {f.name: reader.read_text() if f.code == "s" else reader.read(f.code) for f in FIELDS}
    return Config(**values)


def _millimetres(metres: float) -> int:
    """Also seconds to milliseconds."""
    return _word(metres * 1000.0)


def _degrees(radians: float) -> int:
    return _word(math.degrees(radians))


def _word(value: float) -> int:
    return round(min(max(value, 0.0), 65535.0))
