"""The CONFIG packet 0x20: what the robot is and how it is set up, asked for with command 18."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from mobilesim_py.protocols.arcos.layout import FieldReader, fields_of, wire, wire_string
from mobilesim_py.protocols.arcos.packet import Packet, encode

CONFIG = 0x20
UNLIMITED = 9999
"""What a limit says that the simulation does not have; zero would keep clients from driving."""


@dataclass(frozen=True)
class Config:
    """The fields of a CONFIG packet, in the wire's units and order."""

    robot_class: str = wire("s", "class", default="Pioneer")
    subclass: str = wire("s", "subclass, by which clients find their parameters", default="p3dx")
    serial_number: str = wire("s", "SIM", default="SIM")
    four_motors: int = wire("B", "0", default=0)
    rotation_speed_top: int = wire("H", "greatest rotational speed [deg/s]", default=UNLIMITED)
    speed_top: int = wire("H", "greatest speed [mm/s]", default=UNLIMITED)
    rotation_acceleration_top: int = wire(
        "H", "greatest rotational acceleration [deg/s2]; 9999: no limit", default=UNLIMITED
    )
    acceleration_top: int = wire("H", "greatest acceleration [mm/s2]; 9999: no limit", default=UNLIMITED)
    pwm_max: int = wire("H", "400", default=400)
    name: str = wire("s", "MobileSim", default="MobileSim")
    sip_cycle: int = wire("B", "time between SIPs [ms]", default=100)
    host_baud: int = wire("B", "what HOSTBAUD has set, or 0", default=0)
    aux1_baud: int = wire("B", "what AUX1BAUD has set, or 0", default=0)
    has_gripper: int = wire("H", "0 or 1", default=0)
    front_sonar: int = wire("H", "0 or 1", default=0)
    rear_sonar: int = wire("B", "0 or 1", default=0)
    low_battery: int = wire("H", "0", default=0)
    rev_count: int = wire("H", "ticks of half a turn; 0: not known", default=0)
    watchdog: int = wire("H", "time without a command after which the watchdog speaks up [ms]", default=2000)
    short_packets: int = wire("B", "0", default=0)
    stall_value: int = wire("H", "0", default=0)
    stall_count: int = wire("H", "0", default=0)
    joystick_speed: int = wire("H", "0", default=0)
    joystick_rotation: int = wire("H", "0", default=0)
    rotation_speed_max: int = wire("H", "maximum rotational speed set now [deg/s]", default=0)
    speed_max: int = wire("H", "maximum speed set now [mm/s]", default=0)
    rotation_acceleration: int = wire("H", "rotational acceleration set now [deg/s2]", default=0)
    rotation_deceleration: int = wire("H", "rotational deceleration set now [deg/s2]", default=0)
    rotation_kp: int = wire("H", "what ROTKP has set, or 0", default=0)
    rotation_kv: int = wire("H", "what ROTKV has set, or 0", default=0)
    rotation_ki: int = wire("H", "what ROTKI has set, or 0", default=0)
    acceleration: int = wire("H", "acceleration set now [mm/s2]", default=0)
    deceleration: int = wire("H", "deceleration set now [mm/s2]", default=0)
    translation_kp: int = wire("H", "what TRANSKP has set, or 0", default=0)
    translation_kv: int = wire("H", "what TRANSKV has set, or 0", default=0)
    translation_ki: int = wire("H", "what TRANSKI has set, or 0", default=0)
    front_bumpers: int = wire("B", "number of front bumpers", default=0)
    rear_bumpers: int = wire("B", "number of rear bumpers", default=0)
    charger: int = wire("B", "0 none, 1 of a Pioneer 3, 2 of a PowerBot", default=0)
    sonar_cycle: int = wire("B", "what SONARCYCLE has set, or 0", default=0)
    autobaud: int = wire("B", "2", default=2)
    gyro_type: int = wire("B", "0 none, 1 gyro, 2 and more a gyro that the controller uses itself", default=0)
    drift_factor: int = wire("h", "what DRIFTFACTOR has set, or 0", default=0)
    aux2_baud: int = wire("B", "what AUX2BAUD has set, or 0", default=0)
    aux3_baud: int = wire("B", "what AUX3BAUD has set, or 0", default=0)
    ticks_per_mm: int = wire("H", "ticks of a millimetre; 0: not known", default=0)
    shutdown_voltage: int = wire("H", "0", default=0)
    firmware_version: str = wire("s", "S.0", default="S.0")
    gyro_cw: int = wire("H", "what GYROCALCW has set, or 0", default=0)
    gyro_ccw: int = wire("H", "what GYROCALCCW has set, or 0", default=0)
    kinematics_delay: int = wire("B", "0", default=0)
    lateral_speed_top: int = wire(
        "H", "greatest lateral speed [mm/s]; 9999 on robots that cannot move sideways", default=UNLIMITED
    )
    lateral_acceleration_top: int = wire("H", "greatest lateral acceleration [mm/s2]; 9999: no limit", default=UNLIMITED)
    lateral_speed_max: int = wire("H", "maximum lateral speed set now [mm/s]", default=0)
    lateral_acceleration: int = wire("H", "lateral acceleration set now [mm/s2]", default=0)
    lateral_deceleration: int = wire("H", "lateral deceleration set now [mm/s2]", default=0)
    charge_threshold: int = wire("H", "0", default=0)


FIELDS = fields_of(Config)


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
