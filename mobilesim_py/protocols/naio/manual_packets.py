"""The packets whose layout the manuals print otherwise than clients decode it: the manual dialect has these instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from .kinds import Direction, Kind
from .layout import Packet
from .shorthand import f64_be, i8, u8
from .values import GpsQuality, GpsUnit, ManualToolOrder, PadButton, PadShoulder


@dataclass(frozen=True)
class ManualGps(Packet):
    """The GPS position."""

    kind: ClassVar[Kind] = Kind.HA_GPS
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    time: Annotated[float, f64_be("time of the position since the epoch", "ms")]
    latitude: Annotated[float, f64_be("latitude, north positive", "deg")]
    longitude: Annotated[float, f64_be("longitude, east positive", "deg")]
    altitude: Annotated[float, f64_be("altitude", "m")]
    unit: Annotated[int, u8("unit of the altitude", values=GpsUnit)]
    satellites: Annotated[int, u8("satellites in use")]
    quality: Annotated[int, u8("how good the position is", values=GpsQuality)]
    speed: Annotated[float, f64_be("speed over ground", "km/h")]


@dataclass(frozen=True)
class ManualRemote(Packet):
    """The pad: sticks, buttons and its own motion."""

    kind: ClassVar[Kind] = Kind.HA_DS4_REMOTE
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    left_x: Annotated[int, i8("left stick")] = 0
    left_y: Annotated[int, i8("left stick")] = 0
    right_x: Annotated[int, i8("right stick")] = 0
    right_y: Annotated[int, i8("right stick")] = 0
    buttons: Annotated[int, u8("bits of the buttons", values=PadButton)] = 0
    shoulders: Annotated[int, u8("bits of the other buttons", values=PadShoulder)] = 0
    l2: Annotated[int, u8("how far L2 is pressed")] = 0
    r2: Annotated[int, u8("how far R2 is pressed")] = 0
    accel_x: Annotated[int, i8("acceleration of the pad")] = 0
    accel_y: Annotated[int, i8("acceleration of the pad")] = 0
    accel_z: Annotated[int, i8("acceleration of the pad")] = 0
    gyro_x: Annotated[int, i8("turning of the pad")] = 0
    gyro_y: Annotated[int, i8("turning of the pad")] = 0
    gyro_z: Annotated[int, i8("turning of the pad")] = 0


@dataclass(frozen=True)
class ManualActuator(Packet):
    """What the tool's actuator shall do."""

    kind: ClassVar[Kind] = Kind.HA_ACTUATOR
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    order: Annotated[int, u8("what the tool shall do", values=ManualToolOrder)]


PACKETS: tuple[type[Packet], ...] = (ManualGps, ManualRemote, ManualActuator)
"""All of them, in the order of their ids."""
