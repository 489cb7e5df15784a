"""A client's packet with its argument understood. Every accessor is total: any bytes give an answer, none raise.

How clients send arguments (`data` is what follows the id):

    nothing                    a command without argument, or one whose argument was forgotten
    3B lo hi                   an integer; 1B lo hi is its negative, the magnitude given
    2B n bytes [00]            a string; n may count the NUL or not, and may be wrong
    2B bytes                   data without a length (SIM_CTRL and some others)
    2B n name 00 [00] lo hi    SIM_DEVICE_DATA: whether, of which device; the struct of a C client may be padded
    00 then three int32        SIM_SET_POSE, whose type byte means nothing
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from mobilesim_py.protocols.arcos.commands import DEFAULT_TABLE, Command, CommandSpec
from mobilesim_py.protocols.arcos.packet import Packet


class ArgumentType(IntEnum):
    """The type byte in front of an argument."""

    POSITIVE = 0x3B
    NEGATIVE = 0x1B
    STRING = 0x2B


class ControlOperation(IntEnum):
    """The operations of SIM_CTRL."""

    LOAD_MAP = 1
    MASTER_LOAD_MAP = 2
    CLEAR_MASTER_MAP = 3
    ROTATE_LOGS = 4
    LOG_STATE = 5
    SIM_INFO = 6
    GHOST = 7


@dataclass(frozen=True)
class WirePose:
    """A pose as commands carry it [mm, mm, degrees]."""

    x: int = 0
    y: int = 0
    heading: int = 0


@dataclass(frozen=True)
class Control:
    """The argument of SIM_CTRL: the operation and the two ways of reading what follows it."""

    operation: int
    """One of `ControlOperation`, or a number that means nothing."""
    file_name: str = ""
    """What follows, read as a length-prefixed string (operations 1 and 2)."""
    text: str = ""
    """What follows, read as plain text up to the first NUL (operation 5)."""


@dataclass(frozen=True)
class DeviceRequest:
    """The argument of SIM_DEVICE_DATA."""

    wanted: bool
    type: str
    """`gps`, or a type that nobody knows."""
    index: int
    """Which of its type."""


@dataclass(frozen=True)
class Instruction:
    """One command of a client."""

    spec: CommandSpec
    data: bytes = b""
    """Everything after the id, as it came."""
    value: int | None = None
    """The integer argument with its sign; None when there is none."""

    @property
    def number(self) -> int:
        """The command's number."""
        return self.spec.number

    @property
    def name(self) -> str:
        """The command's name."""
        return self.spec.name

    @property
    def is_negative(self) -> bool:
        """Whether the argument came as a negative integer (SETA, SETRA, LATACCEL: deceleration, also when zero)."""
        return self.data[:1] == bytes((ArgumentType.NEGATIVE,))

    def integer(self, default: int = 0) -> int:
        """Return the integer argument, or `default` when it is missing."""
        return default if self.value is None else self.value

    def magnitude(self, default: int = 0) -> int:
        """Return the integer argument without its sign."""
        return abs(self.integer(default))

    def high_and_low_byte(self) -> tuple[int, int]:
        """Return the argument's two bytes, unsigned (DIGOUT: mask and state), also of the negated form."""
        word = self.integer() & 0xFFFF
        return word >> 8, word & 0xFF

    def wheel_speeds(self) -> tuple[int, int]:
        """Return the left and right wheel's speed of VEL2, in units of the model's Vel2Divisor [mm/s]."""
        left, right = self.high_and_low_byte()
        return _signed_byte(left), _signed_byte(right)

    def odometry(self) -> WirePose:
        """Return the pose that SETO sets: zero unless it carries x, y and heading."""
        return WirePose(*struct.unpack_from("<hhh", self.data, 1)) if len(self.data) >= 7 else WirePose()

    def pose(self) -> WirePose | None:
        """Return the true pose that SIM_SET_POSE asks for; None when it is not all there."""
        return WirePose(*struct.unpack_from("<iii", self.data, 1)) if len(self.data) >= 13 else None

    def laser_index(self) -> int:
        """Return which laser a SIM_LRF command is for: the byte after the integer, 0 when absent."""
        return self.data[3] if len(self.data) > 3 else 0

    def string(self) -> bytes:
        """Return the bytes of a string argument, as many as its length byte says and as there are."""
        return self.data[2 : 2 + self.data[1]] if len(self.data) > 1 else b""

    def text(self) -> str:
        """Return a string argument as text, up to its NUL; MESSAGE starts with three bytes that are no text."""
        characters = self.string()
        return _readable(characters[3:] if self.number == Command.MESSAGE else characters)

    def control(self) -> Control:
        """Return the argument of SIM_CTRL; operation 0 when there is none."""
        rest = self.data[3:]
        length = int.from_bytes(rest[:2], "little")
        return Control(int.from_bytes(self.data[1:3], "little"), _readable(rest[2 : 2 + length]), _readable(rest))

    def device(self) -> DeviceRequest:
        """Return the argument of SIM_DEVICE_DATA: a byte, a name with its NUL, perhaps a byte of padding, a number."""
        name, _, index = self.data[2:].partition(b"\0")
        return DeviceRequest(any(self.data[1:2]), _readable(name), int.from_bytes(index[-2:], "little"))


def decode(packet: Packet, table: Mapping[int, CommandSpec] = DEFAULT_TABLE) -> Instruction:
    """Understand a client's packet by the table of commands (see `commands.command_table`)."""
    return Instruction(table[packet.id], packet.data, _integer(packet.data))


def _integer(data: bytes) -> int | None:
    """Read an integer argument of two bytes, or of one where a client forgot the second."""
    if len(data) < 2:
        return None
    magnitude = int.from_bytes(data[1:3], "little")
    if data[0] == ArgumentType.NEGATIVE:
        return -magnitude
    # Some clients send a negative number as two's complement behind a positive type byte.
    return magnitude - 0x10000 if magnitude >= 0x8000 else magnitude


def _signed_byte(value: int) -> int:
    return value - 256 if value >= 128 else value


def _readable(characters: bytes) -> str:
    """Return text up to the first NUL: UTF-8 where it is, else the old western one-byte code."""
    characters = characters.partition(b"\0")[0]
    try:
        return characters.decode("utf-8")
    except UnicodeDecodeError:
        return characters.decode("latin-1")
