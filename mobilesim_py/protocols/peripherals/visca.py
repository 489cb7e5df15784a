"""Sony EVI-D30 and other cameras that speak VISCA: 81 .. FF is a command, 90 41 FF says it came, 90 51 FF it is done."""

from __future__ import annotations

from mobilesim_py.protocols.peripherals.mount import Limits, Mount
from mobilesim_py.protocols.peripherals.peripheral import MOST_BYTES, Mute

END = 0xFF
BROADCAST, CAMERA, SET_ADDRESS = 0x88, 0x81, b"\x30\x01"
PAN_UNITS, TILT_UNITS = 0x370 / 90.0, 0x12C / 30.0
"""Of an angle in one degree."""
LIMITS = Limits(pan=(-90.0, 90.0), tilt=(-30.0, 30.0), pan_speed=80.0, tilt_speed=50.0, zoom=0x3FF, zoom_speed=400.0)
ACCEPTED, DONE, MISTAKE = bytes.fromhex("9041ff"), bytes.fromhex("9051ff"), bytes.fromhex("906002ff")
_PAN_TILT, _ZOOM = b"\x01\x06\x02", b"\x01\x04\x47"
_PAN_TILT_HOME, _ASK_PLACE, _ASK_ZOOM = b"\x01\x06\x04", b"\x09\x06\x12", b"\x09\x04\x47"


class ViscaCamera(Mute):
    """One camera."""

    def __init__(self) -> None:
        self.mount: Mount = Mount(LIMITS)
        self._unread = b""

    def receive(self, data: bytes, now: float) -> bytes:
        """Obey commands; return the answers."""
        self._unread = (self._unread + data)[-MOST_BYTES:]
        answers = b""
        while END in self._unread:
            packet, _, self._unread = self._unread.partition(bytes((END,)))
            if packet[:1] == bytes((CAMERA,)):
                answers += self._obey(packet[1:], now)
            elif packet == bytes((BROADCAST,)) + SET_ADDRESS:
                answers += bytes((BROADCAST, 0x30, 0x02, END))
        return answers

    def reset(self) -> None:
        """Switch it off and on."""
        self.mount.reset()
        self._unread = b""

    def _obey(self, command: bytes, now: float) -> bytes:
        mount = self.mount
        if command == _ASK_PLACE:
            return (
                b"\x90\x50" + _nibbles(mount.pan.at(now) * PAN_UNITS) + _nibbles(mount.tilt.at(now) * TILT_UNITS) + b"\xff"
            )
        if command == _ASK_ZOOM:
            return b"\x90\x50" + _nibbles(mount.zoom.at(now)) + b"\xff"
        if command[:3] == _PAN_TILT and len(command) == 13:
            mount.pan.go(_signed(command[5:9]) / PAN_UNITS, now)
            mount.tilt.go(_signed(command[9:13]) / TILT_UNITS, now)
        elif command[:3] == _ZOOM and len(command) == 7:
            mount.zoom.go(_signed(command[3:7]), now)
        elif command[:3] == _PAN_TILT_HOME:
            mount.home(now)
        elif command[:1] != b"\x01":
            return MISTAKE
        return ACCEPTED + DONE


def _signed(nibbles: bytes) -> int:
    """Read a number of four bytes with four bits each, negative ones as two's complement."""
    value = 0
    for nibble in nibbles:
        value = value << 4 | nibble & 0x0F
    return value - 0x10000 if value >= 0x8000 else value


def _nibbles(value: float) -> bytes:
    word = round(value) & 0xFFFF
    return bytes(word >> shift & 0x0F for shift in (12, 8, 4, 0))
