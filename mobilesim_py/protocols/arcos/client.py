"""What a client sends, as ARIA encodes it: for tools that talk to a robot, for benchmarks and for tests."""

from __future__ import annotations

import struct

from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import ArgumentType, ControlOperation, WirePose
from mobilesim_py.protocols.arcos.packet import encode


def command(number: int, value: int | None = None) -> bytes:
    """Return a command with an integer argument (-32768 to 32767), or with none."""
    if value is None:
        return encode(number)
    kind = ArgumentType.NEGATIVE if value < 0 else ArgumentType.POSITIVE
    return encode(number, struct.pack("<BH", kind, abs(value)))


def two_byte_command(number: int, high: int, low: int) -> bytes:
    """Return a command with two bytes, such as VEL2 with the left and the right wheel: a signed integer of both."""
    word = (high & 0xFF) << 8 | low & 0xFF
    return command(number, word - 0x10000 if word >= 0x8000 else word)


def text_command(number: int, text: str) -> bytes:
    """Return a command with a string, whose NUL follows and is not counted."""
    characters = text.encode()
    return encode(number, bytes((ArgumentType.STRING, len(characters))) + characters + b"\0")


def laser_command(number: int, value: int, laser: int = 0) -> bytes:
    """Return a command for one of the robot's lasers, the first or another."""
    if not laser:
        return command(number, value)
    kind = ArgumentType.NEGATIVE if value < 0 else ArgumentType.POSITIVE
    return encode(number, struct.pack("<BHB", kind, abs(value), laser))


def set_odometry(pose: WirePose) -> bytes:
    """Return SETO with a pose."""
    return encode(Command.SETO, struct.pack("<Bhhh", ArgumentType.POSITIVE, pose.x, pose.y, pose.heading))


def data_command(number: int, data: bytes) -> bytes:
    """Return a command with bytes, whose number is not told."""
    return encode(number, bytes((ArgumentType.STRING,)) + data)


def set_pose(pose: WirePose) -> bytes:
    """Return SIM_SET_POSE."""
    return encode(Command.SIM_SET_POSE, struct.pack("<Biii", 0, pose.x, pose.y, pose.heading))


def control(operation: ControlOperation, file_name: str = "") -> bytes:
    """Return SIM_CTRL; a file name is sent with its length."""
    name = file_name.encode()
    more = struct.pack("<H", len(name)) + name + b"\0" if name else b""
    return encode(Command.SIM_CTRL, struct.pack("<BH", ArgumentType.STRING, operation) + more)


def device_request(kind: str, index: int = 0) -> bytes:
    """Return SIM_DEVICE_DATA."""
    return encode(Command.SIM_DEVICE_DATA, bytes((ArgumentType.STRING, 1)) + kind.encode() + struct.pack("<BH", 0, index))


SYNCS = (encode(0), encode(1), encode(2))
"""SYNC0, SYNC1 and SYNC2."""
OPEN = command(Command.OPEN, 1)
CLOSE = command(Command.CLOSE, 1)
