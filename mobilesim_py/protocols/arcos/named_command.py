"""Commands by name, with their arguments checked by the table of commands: `named_command("VEL", 300)`."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from mobilesim_py.errors import UsageError
from mobilesim_py.protocols.arcos import client, command_rows
from mobilesim_py.protocols.arcos.command_rows import ArgumentKind, Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation, WirePose
from mobilesim_py.protocols.arcos.packet import MAX_DATA

KINDS: dict[str, ArgumentKind] = {
    **dict.fromkeys(Command.__members__, ArgumentKind.OPTIONAL_INT),
    **{
        name: kind
        for rows in (command_rows.UNSUPPORTED, command_rows.SUPPORTED, command_rows.LASER_COMPAT, command_rows.SRISIM)
        for name, (kind, _) in rows.items()
    },
}
"""What follows each name; those that only rename a number take an integer or nothing."""
_NAMES = {int(number): number.name for number in Command}
LONGEST_TEXT = MAX_DATA - 3
"""Type byte, length and NUL have to fit, too."""


def named_command(name: str | int, *arguments: Any) -> bytes:
    """Return the packet of a command; UsageError if there is none of the name, or its arguments do not fit it.

    Numbers are those of the wire: mm, degrees, mm/s, deg/s. A number instead of a name is a command by its number.
    """
    spelled = name.upper() if isinstance(name, str) else _NAMES.get(int(name), str(name))
    kind = KINDS.get(spelled)
    if kind is None:
        guess = difflib.get_close_matches(spelled, KINDS, 1)
        raise UsageError(f'There is no command "{name}".' + (f" Did you mean {guess[0]}?" if guess else ""))
    try:
        return _ENCODERS[kind](int(Command[spelled]), *arguments)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{spelled} takes {kind.value}, not {', '.join(map(repr, arguments)) or 'nothing'}.") from None


def _none(number: int) -> bytes:
    return client.command(number)


def _integer(number: int, value: int) -> bytes:
    return client.command(number, _whole(value, -0x8000, 0x7FFF))


def _optional(number: int, value: int | None = None) -> bytes:
    return client.command(number) if value is None else _integer(number, value)


def _two_bytes(number: int, high: int, low: int) -> bytes:
    return client.two_byte_command(number, _whole(high, -0x80, 0xFF), _whole(low, -0x80, 0xFF))


def _text(number: int, text: str) -> bytes:
    if len(text.encode()) > LONGEST_TEXT:
        raise ValueError
    return client.text_command(number, text)


def _data(number: int, data: bytes) -> bytes:
    return client.data_command(number, bytes(data))


def _odometry(number: int, *pose: int) -> bytes:
    if not pose:
        return client.command(number)
    x, y, heading = (_whole(value, -0x8000, 0x7FFF) for value in pose)
    return client.set_odometry(WirePose(x, y, heading))


def _pose(number: int, x: int, y: int, heading: int) -> bytes:
    return client.set_pose(WirePose(*(_whole(value, -(2**31), 2**31 - 1) for value in (x, y, heading))))


def _laser(number: int, value: int, laser: int = 0) -> bytes:
    return client.laser_command(number, _whole(value, -0x8000, 0x7FFF), _whole(laser, 0, 0xFF))


def _control(number: int, operation: int, text: str = "") -> bytes:
    return client.control(ControlOperation(operation), text)


def _device(number: int, kind: str, index: int = 0) -> bytes:
    return client.device_request(kind, _whole(index, 0, 0xFFFF))


def _whole(value: int, low: int, high: int) -> int:
    if isinstance(value, float) or not low <= value <= high:
        raise ValueError
    return int(value)


_ENCODERS: dict[ArgumentKind, Callable[..., bytes]] = {
    ArgumentKind.NONE: _none,
    ArgumentKind.INT: _integer,
    ArgumentKind.OPTIONAL_INT: _optional,
    ArgumentKind.TWO_BYTES: _two_bytes,
    ArgumentKind.STRING: _text,
    ArgumentKind.DATA: _data,
    ArgumentKind.ODOMETRY: _odometry,
    ArgumentKind.POSE: _pose,
    ArgumentKind.LASER: _laser,
    ArgumentKind.CONTROL: _control,
    ArgumentKind.DEVICE: _device,
}
