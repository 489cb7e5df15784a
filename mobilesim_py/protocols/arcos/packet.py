"""The frame of every ARCOS packet, and the reader that finds packets in a stream.

    FA FB  N  id  data ...  checksum (high byte first)

N counts the bytes that follow it: 1 (id) + data + 2 (checksum). From a client it is 3 to 207.

What the reader does when the stream is not what it should be:

    bytes that belong to no packet      skipped, up to the next FA FB (also FA FA FB)
    N below 3 or above 207              the header is skipped, the search goes on right behind it
    a wrong checksum                    the header is skipped, the search goes on *inside* the bad packet
    the end of the data so far          kept until more comes; never more than 209 bytes are kept
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

HEADER = b"\xfa\xfb"
MIN_LENGTH = 3
MAX_LENGTH = 207
MAX_DATA = MAX_LENGTH - MIN_LENGTH
MAX_LENGTH_FROM_ROBOT = 255
"""What ARIA accepts of a robot; our own never send more than `MAX_LENGTH`."""


@dataclass(frozen=True)
class Packet:
    """One packet without its frame."""

    id: int
    data: bytes = b""

    def encode(self) -> bytes:
        """Return the packet as it goes over the wire."""
        return encode(self.id, self.data)


def checksum(body: bytes) -> int:
    """Return the checksum of id and data: the sum of big-endian words, an odd last byte XORed in."""
    pairs = len(body) & ~1
    total = ((sum(body[0:pairs:2]) << 8) + sum(body[1:pairs:2])) & 0xFFFF
    return total ^ body[-1] if len(body) > pairs else total


def encode(packet_id: int, data: bytes = b"") -> bytes:
    """Frame a packet; `data` may have at most 204 bytes."""
    if len(data) > MAX_DATA:
        raise ValueError(f"a packet carries at most {MAX_DATA} bytes, not {len(data)}")
    body = bytes((packet_id,)) + data
    return HEADER + bytes((len(body) + 2,)) + body + checksum(body).to_bytes(2, "big")


class FaultKind(Enum):
    """What can be wrong with received bytes."""

    BAD_CHECKSUM = "bad checksum"
    BAD_LENGTH = "illegal length"
    GARBAGE = "garbage"


@dataclass(frozen=True)
class Fault:
    """Faults of one kind since they were last asked for: how many (bytes, for garbage) and what the first was."""

    kind: FaultKind
    count: int
    detail: str


class PacketReader:
    """Finds every valid packet in a stream of bytes, however the stream is cut.

    A packet inside the data of a valid packet is data; a packet inside a bad one is found.
    """

    def __init__(self, longest: int = MAX_LENGTH) -> None:
        """Find packets whose length byte is at most `longest`."""
        self._longest = longest
        self.bad_checksums = 0
        self.bad_lengths = 0
        self.skipped_bytes = 0
        self._buffer = b""
        self._bad_until = 0
        self._faults: dict[FaultKind, Fault] = {}

    @property
    def pending(self) -> int:
        """Bytes kept of a packet that is not complete."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Packet]:
        """Take the next bytes of the stream and return the packets that they complete."""
        return self._scan(self._buffer + data)

    def give_up_partial(self) -> list[Packet]:
        """Take the incomplete packet for garbage and return what valid packets it hid.

        For use after a silence: a stray `FA FB CF` would otherwise hold back what follows it until 207 bytes came.
        """
        buffer, found = self._buffer, []
        while buffer:
            self._skip(0, 1)
            found += self._scan(buffer, 1)
            buffer = self._buffer
        return found

    def faults(self) -> list[Fault]:
        """Return what was wrong since the last call, one entry per kind: enough for a log line, never a flood."""
        faults = list(self._faults.values())
        self._faults.clear()
        return faults

    def _scan(self, buffer: bytes, position: int = 0) -> list[Packet]:
        found: list[Packet] = []
        size = len(buffer)
        while True:
            start = buffer.find(HEADER, position)
            if start < 0:
                # A lone FA at the end may be the first half of a header.
                start = size - 1 if buffer.endswith(b"\xfa") and size > position else size
                self._skip(position, start)
                break
            self._skip(position, start)
            if start + 3 > size:
                break
            length = buffer[start + 2]
            if not MIN_LENGTH <= length <= self._longest:
                self.bad_lengths += 1
                self._note(FaultKind.BAD_LENGTH, 1, f"length byte {length} (must be {MIN_LENGTH} to {self._longest})")
                position = self._step_over_header(start, start + 3)
                continue
            end = start + 3 + length
            if end > size:
                break
            body = buffer[start + 3 : end - 2]
            if checksum(body) == (buffer[end - 2] << 8 | buffer[end - 1]):
                found.append(Packet(body[0], body[1:]))
                position = end
            else:
                self.bad_checksums += 1
                self._note(FaultKind.BAD_CHECKSUM, 1, f"packet with id {body[0]}, length byte {length}")
                position = self._step_over_header(start, end)
        self._buffer = buffer[start:]
        self._bad_until = max(self._bad_until - start, 0)
        return found

    def _step_over_header(self, start: int, bad_until: int) -> int:
        """Skip `FA FB` of a bad packet; the rest of it is searched, but not reported a second time as garbage."""
        self._bad_until = max(self._bad_until, bad_until)
        self._skip(start, start + len(HEADER))
        return start + len(HEADER)

    def _skip(self, start: int, end: int) -> None:
        self.skipped_bytes += end - start
        unexplained = end - max(start, self._bad_until)
        if unexplained > 0:
            self._note(FaultKind.GARBAGE, unexplained, f"{unexplained} bytes that belong to no packet")

    def _note(self, kind: FaultKind, count: int, detail: str) -> None:
        earlier = self._faults.get(kind)
        self._faults[kind] = Fault(kind, earlier.count + count, earlier.detail) if earlier else Fault(kind, count, detail)
