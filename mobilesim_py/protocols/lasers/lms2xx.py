"""Telegrams of SICK's LMS2xx.

    02  address  length (2)  command  data ...  crc (2)

Numbers have their low byte first; the length is that of command and data. An answer comes from address 80 hex, after the
byte 06, and its data end with a status; where the sum is wrong, the answer is the byte 15 alone. A telegram that claims
to be longer than any command is skipped, as is whatever begins otherwise.
"""

from __future__ import annotations

import struct

import numpy as np

from mobilesim_py.protocols.lasers.scanner import Beams, LaserServer, Measure, Scan

START, ACK, NAK = 0x02, b"\x06", b"\x15"
LONGEST = 64
"""Bytes of command and data of a client."""
STATUS = b"\x10"
BAUD = 38_400
"""Scans come as fast as a line of this speed carries them, ten bits for a byte."""
REACH = 80.0
"""[m]."""
PASSWORD = b"SICK_LMS"
_HEAD = struct.Struct("<BBH")
_CRC = struct.Struct("<H")
_VARIANT = struct.Struct("<HH")
_VARIANTS = {(100, 100), (100, 50), (100, 25), (180, 100), (180, 50)}
"""Field of view [degrees] and resolution [1/100 degree]."""
_MILLIMETRES = {0: 10.0, 1: 1.0, 2: 100.0}
"""Of the units of distances."""
_UNIT_BITS = {0: 0x0000, 1: 0x4000, 2: 0x8000}
_REFLECTOR_BITS = {1: 3, 3: 2, 5: 1}
"""Of the measuring modes that have any."""
_MODE, _UNIT = 5, 6
"""Where in a configuration they stand."""


def crc(data: bytes) -> int:
    """Return the sum that a telegram ends with."""
    total = before = 0
    for byte in data:
        total = (total << 1 & 0xFFFF) ^ (0x8005 if total & 0x8000 else 0) ^ (byte | before << 8)
        before = byte
    return total


def telegram(body: bytes, address: int = 0x80) -> bytes:
    """Return a telegram; a client's goes to address 0."""
    text = _HEAD.pack(START, address, len(body)) + body
    return text + _CRC.pack(crc(text))


class Lms2xxServer(LaserServer):
    """An LMS2xx in a conversation with one client."""

    def __init__(self, measure: Measure) -> None:
        super().__init__(measure)
        self._buffer = b""
        self._field, self._resolution = 180, 100
        self._mode, self._unit = 5, 1

    @property
    def beams(self) -> Beams:
        """Return the beams as they are configured."""
        return Beams(-0.5 * self._field, self._resolution / 100.0, self._field * 100 // self._resolution + 1)

    @property
    def period(self) -> float:
        """Return how long a scan takes on the line [s]."""
        return (2 * self.beams.count + 10) * 10.0 / BAUD

    def receive_data(self, data: bytes) -> None:
        """Take bytes of the client and answer the telegrams in them."""
        buffer = self._buffer + data
        at = buffer.find(START)
        while at >= 0 and len(buffer) - at >= _HEAD.size:
            length = _HEAD.unpack_from(buffer, at)[2]
            end = at + _HEAD.size + length
            if not 0 < length <= LONGEST:
                at = buffer.find(START, at + 1)
            elif len(buffer) < end + _CRC.size:
                break
            elif crc(buffer[at:end]) == _CRC.unpack_from(buffer, end)[0]:
                self._obey(buffer[at + _HEAD.size : end])
                at = buffer.find(START, end + _CRC.size)
            else:
                self._say(NAK)
                at = buffer.find(START, at + 1)
        self._buffer = buffer[at:] if at >= 0 else b""

    def tell(self) -> None:
        """Tell a scan."""
        self._say(telegram(self._scan()))

    def _obey(self, body: bytes) -> None:
        command, data = body[0], body[1:]
        if command == 0x20 and data:
            answer = b"\xa0" + self._set_mode(data[0], data[1:])
        elif command == 0x3B and len(data) >= _VARIANT.size:
            answer = b"\xbb" + self._set_variant(data[: _VARIANT.size])
        elif command == 0x77 and len(data) > _UNIT:
            self._mode = data[_MODE]
            self._unit = data[_UNIT] if data[_UNIT] in _MILLIMETRES else self._unit
            answer = b"\xf7\x01" + data
        elif command == 0x30:
            self._say(ACK + telegram(self._scan()))
            return
        else:
            answer = b"\x92"
        self._say(ACK + telegram(answer + STATUS))

    def _set_mode(self, mode: int, data: bytes) -> bytes:
        """Send scans or not; installing wants a password, and other modes (the speed of the line) change nothing."""
        if mode == 0x00 and data != PASSWORD:
            return b"\x01"
        if mode in (0x24, 0x25):
            self.is_scanning = mode == 0x24
        return b"\x00"

    def _set_variant(self, data: bytes) -> bytes:
        """Set field of view and resolution; ARIA says 0 for the resolution that there is."""
        field, resolution = _VARIANT.unpack(data)
        variant = (field, resolution or self._resolution)
        is_known = variant in _VARIANTS
        if is_known:
            self._field, self._resolution = variant
        return bytes([is_known]) + _VARIANT.pack(self._field, self._resolution)

    def _scan(self) -> bytes:
        beams = self.beams
        scan = self._measure(beams)
        return b"\xb0" + _CRC.pack(beams.count | _UNIT_BITS[self._unit]) + self._values(scan) + STATUS

    def _values(self, scan: Scan) -> bytes:
        """Return distances, the largest number where nothing is met, with reflectors in the bits above."""
        bits = _REFLECTOR_BITS.get(self._mode, 0)
        width = min(15, 16 - bits)
        most = (1 << width) - 1
        found = np.isfinite(scan.ranges)
        distance = np.rint(np.where(found, scan.ranges, 0.0) * 1000.0 / _MILLIMETRES[self._unit])
        value = np.where(found, np.minimum(distance, most), most).astype(np.int64)
        if bits:
            value |= np.where(scan.reflectance > 1, (1 << bits) - 1, 0) << width
        return value.astype("<u2").tobytes()
