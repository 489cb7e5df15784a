"""What a robot's devices say, as a client reads it: the other direction of `device_packets`.

What is missing at the end of a packet reads as zero or is not there; no packet is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from mobilesim_py.protocols.arcos import device_packets
from mobilesim_py.protocols.arcos.device_packets import AUX, IMU_READING, Compass, Encoders, GripperState, Joystick, Sound
from mobilesim_py.protocols.arcos.layout import FieldReader, fields_of, structure
from mobilesim_py.protocols.arcos.packet import Packet

MessageT = TypeVar("MessageT")
_PORTS = {number: port for port, number in AUX.items()}
_IMU = structure(IMU_READING)
_GYRO = struct.Struct("<HB")


@dataclass(frozen=True)
class IoState:
    """The inputs and outputs of a robot."""

    inputs: tuple[int, ...]
    """Bytes: digital inputs, front bumpers, rear bumpers, infrared sensors."""
    outputs: tuple[int, ...]
    """Bytes of digital outputs."""
    analog: tuple[int, ...]
    """0 to 1023 for 0 to 5 V."""


@dataclass(frozen=True)
class BatteryState:
    """One battery."""

    flags: bytes
    relative_charge: int
    """[%]"""
    absolute_charge: int
    """[%]"""


@dataclass(frozen=True)
class Batteries:
    """The batteries of a robot that knows each."""

    batteries: tuple[BatteryState, ...]


@dataclass(frozen=True)
class GyroReadings:
    """What a gyro has read since the last packet: rates (512 at rest) and temperatures [degrees C]."""

    readings: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ImuReadings:
    """What an inertial unit of one axis has read."""

    time: int
    """How long that took [ms]."""
    readings: tuple[tuple[int, int], ...]
    """Turning rates [0.07326 deg/s] and temperatures [0.1453 degrees C, from 25]."""


@dataclass(frozen=True)
class AuxData:
    """Bytes from a serial port of the robot."""

    port: int
    """1 to 3."""
    data: bytes


@dataclass(frozen=True)
class ArmInfo:
    """What arm a robot has."""

    version: str
    joints: int


def reader_of(kind: type[MessageT]) -> Callable[[Packet], MessageT]:
    """Return what reads packets whose fields are those of a dataclass."""
    form = structure(fields_of(kind))

    def read(packet: Packet) -> MessageT:
        return kind(*form.unpack(packet.data[: form.size].ljust(form.size, b"\0")))

    return read


def unpack_io(packet: Packet) -> IoState:
    """Read an IOpac."""
    reader = FieldReader(packet.data)
    inputs = _bytes(reader, reader.read("B"))
    outputs = _bytes(reader, reader.read("B"))
    count = min(reader.read("B"), len(reader.rest) // 2)
    return IoState(inputs, outputs, tuple(reader.read("H") for _ in range(count)))


def unpack_battery(packet: Packet) -> Batteries:
    """Read a BATTERYpac; batteries may be told with more bytes than are known, or with fewer."""
    reader = FieldReader(packet.data)
    count, size = reader.read("B"), reader.read("B")
    found = []
    for first in range(0, min(count * size, len(reader.rest)), size or 1):
        row = reader.rest[first : first + size].ljust(5, b"\0")
        found.append(BatteryState(row[:3], row[3], row[4]))
    return Batteries(tuple(found))


def unpack_gyro(packet: Packet) -> GyroReadings:
    """Read a GYROpac."""
    reader = FieldReader(packet.data)
    count = min(reader.read("B"), len(reader.rest) // _GYRO.size)
    return GyroReadings(tuple(_GYRO.iter_unpack(reader.rest[: count * _GYRO.size])))


def unpack_imu(packet: Packet) -> ImuReadings:
    """Read the packet of an inertial unit."""
    reader = FieldReader(packet.data)
    time, count = reader.read("B"), reader.read("B")
    count = min(count, len(reader.rest) // _IMU.size)
    rows = _IMU.iter_unpack(reader.rest[: count * _IMU.size])
    return ImuReadings(time, tuple((rate, temperature) for _, _, rate, _, _, temperature in rows))


def unpack_aux(packet: Packet) -> AuxData:
    """Read a SERAUXpac."""
    return AuxData(_PORTS[packet.id], packet.data)


def unpack_arm_info(packet: Packet) -> ArmInfo:
    """Read an ARMINFOpac."""
    reader = FieldReader(packet.data)
    return ArmInfo(reader.read_text(), reader.read("B"))


def _bytes(reader: FieldReader, count: int) -> tuple[int, ...]:
    return tuple(reader.read("B") for _ in range(min(count, len(reader.rest))))


DEVICE_READERS: Mapping[int, Callable[[Packet], object]] = {
    device_packets.ENCODER: reader_of(Encoders),
    device_packets.GYRO: unpack_gyro,
    device_packets.IMU: unpack_imu,
    device_packets.ARM_INFO: unpack_arm_info,
    **dict.fromkeys(AUX.values(), unpack_aux),
    device_packets.COMPASS: reader_of(Compass),
    device_packets.PLAYLIST: reader_of(Sound),
    device_packets.GRIPPER: reader_of(GripperState),
    device_packets.IO: unpack_io,
    device_packets.JOYSTICK: reader_of(Joystick),
    device_packets.BATTERY: unpack_battery,
}
"""How to read each packet, by its id."""
