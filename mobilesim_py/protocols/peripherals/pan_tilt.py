"""Pan-tilt units: that of Directed Perception, whose commands are words between blanks, and ActivMedia's."""

from __future__ import annotations

import re

from mobilesim_py.protocols.peripherals.mount import Axis, Limits, Mount
from mobilesim_py.protocols.peripherals.peripheral import MOST_BYTES, Mute

DEGREES = 185.1428 / 3600.0
"""Of one position of a Directed Perception unit."""
UNIT_LIMITS = Limits(pan=(-159.0, 159.0), tilt=(-47.0, 31.0), pan_speed=51.4, tilt_speed=51.4, zoom=0)
SMALL_LIMITS = Limits(pan=(-130.0, 130.0), tilt=(-30.0, 60.0), pan_speed=60.0, tilt_speed=60.0, zoom=0)
_WORD = re.compile(rb"([PT])([PSOR])(-?\d{1,6})?\Z")
_SMALL_HEAD = b"PT\0"
_SMALL_LENGTHS = {0x28: 3, 0x20: 2, 0x21: 2, 0x22: 2, 0x24: 1, 0x3D: 0, 0x3E: 1}
"""Bytes that follow each command of the small unit; none follow the others."""
_PAN_OFFSET, _TILT_OFFSET = 150.0, 90.0


class DirectedPerceptionUnit(Mute):
    """A unit that is moved by words such as PP584, and asked with PP."""

    def __init__(self) -> None:
        self.mount: Mount = Mount(UNIT_LIMITS)
        self._unread = b""

    def receive(self, data: bytes, now: float) -> bytes:
        """Obey words; return the answers."""
        *words, rest = re.split(rb"[\s\0]", (self._unread + data)[-MOST_BYTES:])
        self._unread = rest
        return b"".join(self._obey(word.upper(), now) for word in words if word)

    def reset(self) -> None:
        """Switch it off and on."""
        self.mount.reset()
        self._unread = b""

    def _obey(self, word: bytes, now: float) -> bytes:
        mount = self.mount
        found = _WORD.match(word)
        if found is None:
            if word in (b"@", b"RE"):
                mount.home(now)
            elif word == b"H":
                mount.stop(now)
            return b"*\r\n"
        axis, name = (mount.pan, "Pan") if found[1] == b"P" else (mount.tilt, "Tilt")
        return _operate(axis, name, found[2], found[3], now)


def _operate(axis: Axis, name: str, operation: bytes, given: bytes | None, now: float) -> bytes:
    if operation == b"R":
        return b"* 185.1428 seconds arc per position\r\n"
    if given is None:
        value, what = (axis.at(now), "position") if operation != b"S" else (axis.speed, "speed")
        return f"* Current {name} {what} is {round(value / DEGREES)}\r\n".encode()
    degrees = int(given) * DEGREES
    if operation == b"S":
        axis.set_speed(abs(degrees), now)
    else:
        axis.go(degrees + (axis.at(now) if operation == b"O" else 0.0), now)
    return b"*\r\n"


class SmallUnit(Mute):
    """ActivMedia's unit: P T, its number, a command, and what the command needs. It answers nothing."""

    def __init__(self) -> None:
        self.mount: Mount = Mount(SMALL_LIMITS)
        self._unread = b""

    def receive(self, data: bytes, now: float) -> bytes:
        """Obey commands."""
        self._unread = (self._unread + data)[-MOST_BYTES:]
        while True:
            begin = self._unread.find(_SMALL_HEAD)
            if begin < 0 or len(self._unread) < begin + 4:
                return b""
            command = self._unread[begin + 3]
            end = begin + 4 + _SMALL_LENGTHS.get(command, 0)
            if len(self._unread) < end:
                return b""
            self._obey(command, self._unread[begin + 4 : end], now)
            self._unread = self._unread[end:]

    def reset(self) -> None:
        """Switch it off and on."""
        self.mount.reset()
        self._unread = b""

    def _obey(self, command: int, given: bytes, now: float) -> None:
        mount = self.mount
        if command == 0x28:
            mount.pan.go((given[0] << 8 | given[1]) - _PAN_OFFSET, now)
            mount.tilt.go(given[2] - _TILT_OFFSET, now)
        elif command == 0x3D:
            mount.home(now)
