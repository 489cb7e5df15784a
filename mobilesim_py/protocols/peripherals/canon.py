"""Canon VC-C4 and VC-C50i: a command is FF 30 30 00 .. EF, its answer FE 30 30 error 30 .. EF; numbers are ASCII hex."""

from __future__ import annotations

from collections.abc import Callable

from mobilesim_py.protocols.peripherals.mount import Limits, Mount
from mobilesim_py.protocols.peripherals.peripheral import MOST_BYTES, Mute

HEAD, END = bytes.fromhex("ff303000"), 0xEF
OK, PARAMETER = 0x30, 0x35
DEGREES = 0.1125
"""Of one unit of an angle, and of a speed in a second."""
MIDDLE = 0x8000
NAME = b"VC-C4"
_DIRECTIONS = {0x31: (1, 0), 0x32: (-1, 0), 0x33: (0, 1), 0x34: (0, -1)}
"""Arguments of the command that starts moving: pan right, left, tilt up, down."""


class CanonCamera(Mute):
    """One camera; like the real one it answers at once and moves afterwards."""

    def __init__(self) -> None:
        self.mount: Mount = Mount(Limits())
        self._unread = b""

    def receive(self, data: bytes, now: float) -> bytes:
        """Obey commands; return the answers."""
        self._unread = (self._unread + data)[-MOST_BYTES:]
        answers = b""
        while END in self._unread:
            end = self._unread.index(END)
            packet, self._unread = self._unread[:end], self._unread[end + 1 :]
            begin = packet.rfind(HEAD)
            if begin >= 0 and len(packet) > begin + len(HEAD):
                answers += self._obey(packet[begin + len(HEAD)], packet[begin + len(HEAD) + 1 :], now)
        return answers

    def reset(self) -> None:
        """Switch it off and on."""
        self.mount.reset()
        self._unread = b""

    def _obey(self, command: int, given: bytes, now: float) -> bytes:
        act = _COMMANDS.get(command)
        try:
            data = act(self.mount, given, now) if act is not None else b""
        except ValueError:
            return _answer(b"", PARAMETER)
        return _answer(data)


def _answer(data: bytes, error: int = OK) -> bytes:
    return bytes((0xFE, 0x30, 0x30, error, 0x30)) + data + bytes((END,))


def _number(digits: bytes) -> int:
    if not digits or not all(digit in b"0123456789abcdefABCDEF" for digit in digits):
        raise ValueError
    return int(digits, 16)


def _angle(digits: bytes) -> float:
    if len(digits) != 4:
        raise ValueError
    return (_number(digits) - MIDDLE) * DEGREES


def _four(value: float) -> bytes:
    return b"%04X" % (round(value) & 0xFFFF)


def _power(mount: Mount, given: bytes, now: float) -> bytes:
    mount.on = given != b"\x30"
    return b""


def _init(mount: Mount, given: bytes, now: float) -> bytes:
    mount.home(now)
    return b""


def _pan_speed(mount: Mount, given: bytes, now: float) -> bytes:
    mount.pan.set_speed(min(_number(given[:3]) * DEGREES, mount.limits.pan_speed), now)
    return b""


def _tilt_speed(mount: Mount, given: bytes, now: float) -> bytes:
    mount.tilt.set_speed(min(_number(given[:3]) * DEGREES, mount.limits.tilt_speed), now)
    return b""


def _tilt_range(mount: Mount, given: bytes, now: float) -> bytes:
    low, high = _angle(given[1:5]), _angle(given[5:9])
    mount.tilt.limit(max(low, mount.limits.tilt[0]), min(high, mount.limits.tilt[1]))
    return b""


def _go(mount: Mount, given: bytes, now: float) -> bytes:
    pan, tilt = _angle(given[:4]), _angle(given[4:8])
    mount.pan.go(pan, now)
    mount.tilt.go(tilt, now)
    return b""


def _move(mount: Mount, given: bytes, now: float) -> bytes:
    pan, tilt = _DIRECTIONS.get(given[0] if given else 0, (0, 0))
    mount.stop(now)
    if pan:
        mount.pan.go(mount.limits.pan[pan > 0], now)
    if tilt:
        mount.tilt.go(mount.limits.tilt[tilt > 0], now)
    return b""


def _where(mount: Mount, given: bytes, now: float) -> bytes:
    return _four(mount.pan.at(now) / DEGREES + MIDDLE) + _four(mount.tilt.at(now) / DEGREES + MIDDLE)


def _zoom(mount: Mount, given: bytes, now: float) -> bytes:
    mount.zoom.go(_number(given[:4]), now)
    return b""


def _zoom_where(mount: Mount, given: bytes, now: float) -> bytes:
    return _four(mount.zoom.at(now))


def _zoom_stop(mount: Mount, given: bytes, now: float) -> bytes:
    mount.zoom.stop(now)
    return b""


def _name(mount: Mount, given: bytes, now: float) -> bytes:
    return NAME


_COMMANDS: dict[int, Callable[[Mount, bytes, float], bytes]] = {
    0xA0: _power,
    0x58: _init,
    0x50: _pan_speed,
    0x51: _tilt_speed,
    0x64: _tilt_range,
    0x62: _go,
    0x53: _move,
    0x63: _where,
    0xB3: _zoom,
    0xB4: _zoom_where,
    0xA2: _zoom_stop,
    0x87: _name,
}
"""All others (host control, focus, lamps, filters) are accepted without effect."""
