"""The server information packet: what the robot tells its client every 100 ms, for one robot or for all at once.

The id is 0x32 while the robot stands and 0x33 while it moves. Between the two blocks of fields are the sonar readings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..catalogue.model import Conversion
from .layout import Field, saturate, structure
from .packet import HEADER, Packet, encode

SIP_STOPPED = 0x32
SIP_MOVING = 0x33
NO_TEMPERATURE = -127
"""What the temperature field says where there is no thermometer [degrees C]."""
MOTORS_FLAG = 0x0001
SONAR_FLAGS = 0x001E
ESTOP_FLAG = 0x0020
TEMPERATURE_FAULT = 0x0002
MAX_READINGS = 50
"""Sonar readings for which a packet has room, and the length byte is legal for every client."""

HEAD = (
    Field("x", "h", "odometry, in units of DistConvFactor mm; wraps"),
    Field("y", "h", "the same"),
    Field("heading", "h", "odometry, in units of AngleConvFactor rad, -180 to 180 degrees"),
    Field("left_speed", "h", "left wheel, in units of VelConvFactor mm/s"),
    Field("right_speed", "h", "right wheel, the same"),
    Field("battery", "B", "voltage [1/10 V]; 0 on robots that tell their state of charge"),
    Field("stall_and_bumpers", "H", "bit 0 left stall, bits 1-7 rear bumpers, bit 8 right stall, bits 9-15 front bumpers"),
    Field("control", "h", "0"),
    Field("flags", "H", "bit 0 motors on, bits 1-4 sonar on, bit 5 emergency stop"),
    Field("compass", "B", "0"),
    Field("sonar_count", "B", "number of sonar readings that follow"),
)
READING = (
    Field("index", "B", "number of the transducer"),
    Field("range", "H", "in units of RangeConvFactor mm"),
)
TAIL = (
    Field("gripper", "B", "gripper state"),
    Field("analog_port", "B", "0"),
    Field("analog", "B", "0"),
    Field("digital_in", "B", "digital inputs"),
    Field("digital_out", "B", "digital outputs"),
    Field("battery_voltage", "h", "voltage [1/10 V]; 0 on robots that tell their state of charge"),
    Field("charge_state", "B", "0 not charging, 1 bulk, 2 overcharge, 3 float"),
    Field("rotation_speed", "h", "[1/10 deg/s]"),
    Field("faults", "H", "bit 1 temperature warning"),
    Field("lateral_speed", "h", "[mm/s]"),
    Field("temperature", "b", "[degrees C]; -127 without a thermometer"),
    Field("state_of_charge", "B", "[%]; 0 on robots that tell their voltage"),
)


@dataclass(frozen=True)
class Sip:
    """What one robot tells, in metres, radians, seconds and volts."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    forward_speed: float = 0.0
    lateral_speed: float = 0.0
    rotation_speed: float = 0.0
    battery: float = 13.0
    """[V]; 0 on robots that tell their state of charge."""
    state_of_charge: float = 0.0
    """[%]."""
    temperature: float = NO_TEMPERATURE
    """[degrees C]."""
    stall_left: bool = False
    stall_right: bool = False
    front_bumpers: int = 0
    """Bit 0 is the first bumper."""
    rear_bumpers: int = 0
    motors_on: bool = True
    sonar_on: bool = True
    estop: bool = False
    flags: int = 0
    """Further flag bits."""
    sonar_ranges: tuple[float, ...] = ()
    """Ranges in this packet [m]."""
    sonar_first: int = 0
    """Number of the transducer of the first of them; the others follow."""
    gripper: int = 0
    digital_in: int = 0xFF
    digital_out: int = 0xFF
    charge_state: int = 0
    faults: int = 0
    conversion: Conversion = Conversion()


@dataclass(frozen=True)
class SipBatch:
    """What N robots tell: the same as `Sip`, with arrays of length N (a number stands for all robots)."""

    x: NDArray[Any]
    y: NDArray[Any]
    heading: NDArray[Any]
    forward_speed: NDArray[Any]
    lateral_speed: NDArray[Any]
    rotation_speed: NDArray[Any]
    sonar_ranges: NDArray[Any]
    """N x (most transducers of any robot): all ranges of each ring [m]; the rest of a row is not looked at."""
    sonar_first: NDArray[Any]
    """Number of the transducer of the first reading in each packet."""
    sonar_count: NDArray[Any]
    """How many readings are in each packet, from `sonar_first` on."""
    battery: Any = 13.0
    state_of_charge: Any = 0.0
    temperature: Any = NO_TEMPERATURE
    stall_left: Any = False
    stall_right: Any = False
    front_bumpers: Any = 0
    rear_bumpers: Any = 0
    motors_on: Any = True
    sonar_on: Any = True
    estop: Any = False
    flags: Any = 0
    gripper: Any = 0
    digital_in: Any = 0xFF
    digital_out: Any = 0xFF
    charge_state: Any = 0
    faults: Any = 0
    distance_factor: Any = 1.0
    """The five conversion factors of `catalogue.model.Conversion`."""
    velocity_factor: Any = 1.0
    range_factor: Any = 1.0
    angle_factor: Any = 0.001534
    difference_factor: Any = 0.0056


def pack_sip(sip: Sip) -> bytes:
    """Return the packet of one robot."""
    raise NotImplementedError


def pack_sips(batch: SipBatch) -> list[bytes]:
    """Return the packets of all robots, in their order."""
    raise NotImplementedError
