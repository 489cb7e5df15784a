"""The frame of every NAIO01 packet, and the reader that finds frames in a stream.

    N A I O 0 1 | id | size (4 bytes, big-endian) | payload | CRC field (4 bytes)

The CRC field is sent as zeros and never looked at. What the reader does when the stream is not what it should be:

    bytes that belong to no packet      skipped, up to the next header, also one inside a false start (NNAIO01)
    N A I O 00 01                       no header but a mistake that the manual's readers made: counted, told once
    a size above the limit              no header: counted, told once; the search goes on right behind the six letters
    an unknown id                       the frame is skipped by its size and not kept
    more payload than its kind can have what is too much is skipped and not kept
    the end of the data so far          up to ten bytes of a header, or one payload, are kept until more comes

There is no checksum, so a header without its packet swallows as many of the bytes that follow it as it announced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from .faults import Fault, FaultKind, FaultLog

MAGIC = b"NAIO01"
BINARY_MAGIC = b"NAIO\x00\x01"
CRC = bytes(4)
HEADER_BYTES = len(MAGIC) + 1 + 4
FRAME_BYTES = HEADER_BYTES + len(CRC)
MAX_PACKET_BYTES = 2_200_000
"""A larger packet must never be sent."""
MAX_SENT_PAYLOAD = MAX_PACKET_BYTES - FRAME_BYTES
MAX_CLIENT_PAYLOAD = 1 << 20
"""A larger size in a header that comes from a client is no header."""

_HEADER_SO_FAR = re.compile(rb"(?:N|NA|NAI|NAIO|NAIO0|NAIO\x00|NAIO01.{0,4})\Z", re.DOTALL)


def encode_frame(packet_id: int, payload: bytes) -> bytes:
    """Return a packet as it goes over the wire; refuse one that is too large to be sent."""
    if len(payload) > MAX_SENT_PAYLOAD:
        raise ValueError(f"a packet has at most {MAX_PACKET_BYTES} bytes, not {len(payload) + FRAME_BYTES}")
    return b"".join((MAGIC, bytes((packet_id,)), len(payload).to_bytes(4, "big"), payload, CRC))


class Frame(NamedTuple):
    """A packet whose payload is not yet understood."""

    id: int
    payload: bytes
    """The payload, cut to what its kind can have at most."""


class FrameReader:
    """Finds every frame in a stream of bytes, however the stream is cut, in linear time and bounded memory."""

    def __init__(self, largest_payloads: Mapping[int, int], limit: int, faults: FaultLog) -> None:
        """Begin a stream with the ids that are known and their largest payloads; no header has a size above `limit`."""
        self._largest_payloads = largest_payloads
        self._limit = limit
        self._faults = faults
        self._header = re.compile(MAGIC + b"(.)(" + _at_most(limit.to_bytes(4, "big")) + b")", re.DOTALL)
        self._head = b""
        self._open_id: int | None = None
        self._payload = bytearray()
        self._missing = 0
        self._surplus = 0

    @property
    def pending(self) -> int:
        """Bytes kept of a packet that is not complete."""
        return len(self._head) + len(self._payload)

    def feed(self, data: bytes) -> list[Frame]:
        """Take the next bytes of the stream and return the frames that they complete."""
        found: list[Frame] = []
        if self._head:
            data, self._head = self._head + data, b""
        position = self._go_on(data, 0, found)
        known = self._largest_payloads
        while match := self._header.search(data, position):
            self._skip(data, position, match.start())
            packet_id, size = data[match.start(1)], int.from_bytes(match[2], "big")
            start = match.end()
            end = start + size + len(CRC)
            if packet_id not in known:
                self._note_unknown(packet_id, size)
            if end > len(data):
                self._begin(packet_id, size)
                position = self._go_on(data, start, found)
            else:
                if packet_id in known:
                    found.append(Frame(packet_id, data[start : start + min(size, known[packet_id])]))
                position = end
        tail = _HEADER_SO_FAR.search(data, max(position, len(data) - HEADER_BYTES + 1))
        rest = tail.start() if tail else len(data)
        self._skip(data, position, rest)
        self._head = data[rest:]
        return found

    def _begin(self, packet_id: int, size: int) -> None:
        """Open a frame whose end has not come yet."""
        self._open_id = packet_id if packet_id in self._largest_payloads else None
        self._missing = min(size, self._largest_payloads.get(packet_id, 0))
        self._surplus = size - self._missing + len(CRC)

    def _go_on(self, data: bytes, position: int, found: list[Frame]) -> int:
        """Give the open frame, if there is one, the bytes that belong to it; return where they end."""
        kept = data[position : position + self._missing]
        self._payload += kept
        self._missing -= len(kept)
        position += len(kept)
        skipped = min(self._surplus, len(data) - position)
        self._surplus -= skipped
        if self._open_id is not None and not self._surplus:
            found.append(Frame(self._open_id, bytes(self._payload)))
            self._open_id = None
            self._payload.clear()
        return position + skipped

    def _skip(self, data: bytes, start: int, end: int) -> None:
        """Count bytes that belong to no packet, and what in them looks like a header."""
        if start == end:
            return
        if self._faults.count(FaultKind.GARBAGE, end - start):
            shown = data[start : min(end, start + 8)].hex(" ")
            self._faults.tell(Fault(FaultKind.GARBAGE, f"bytes that belong to no packet are skipped, from {shown}"))
        oversized = data.count(MAGIC, start, end)
        if oversized and self._faults.count(FaultKind.BAD_SIZE, oversized):
            place = data.find(MAGIC, start, end) + len(MAGIC) + 1
            size = int.from_bytes(data[place : place + 4], "big")
            detail = f"a header with size {size} is ignored: at most {self._limit}, high byte first"
            self._faults.tell(Fault(FaultKind.BAD_SIZE, detail))
        binary = data.count(BINARY_MAGIC, start, end)
        if binary and self._faults.count(FaultKind.BINARY_HEADER, binary):
            detail = "a header with the bytes 00 01 is ignored: the letters '0' and '1' (30 31) belong there"
            self._faults.tell(Fault(FaultKind.BINARY_HEADER, detail))

    def _note_unknown(self, packet_id: int, size: int) -> None:
        if self._faults.count(FaultKind.UNKNOWN_ID, packet_id=packet_id):
            detail = f"packets with the unknown id 0x{packet_id:02X} are skipped, the first has {size} bytes"
            self._faults.tell(Fault(FaultKind.UNKNOWN_ID, detail, packet_id))


def _at_most(number: bytes) -> bytes:
    """Return a regular expression for as many bytes, high byte first, that make up no larger number."""
    first, rest = number[0], number[1:]
    same = b"\\x%02x" % first + (_at_most(rest) if rest else b"")
    if not first:
        return same
    return b"(?:[\\x00-\\x%02x]" % (first - 1) + b"." * len(rest) + b"|" + same + b")"
