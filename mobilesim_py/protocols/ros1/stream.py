"""Bytes on their way in and on their way out, both bounded."""

from __future__ import annotations

import struct
from collections import deque

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1.header import framed

_LENGTH = struct.Struct("<I")


class FrameReader:
    """Finds frames in a stream: a uint32 length, then as many bytes.

    A frame longer than the limit is refused as soon as its length is known, so that no more than a frame is ever kept.
    """

    def __init__(self) -> None:
        self._data = bytearray()

    def receive_data(self, data: bytes) -> None:
        """Take received bytes."""
        self._data += data

    def clear(self) -> None:
        """Forget what was received."""
        self._data.clear()

    def take_byte(self) -> int | None:
        """Return the next byte, or None where it has not come yet."""
        if not self._data:
            return None
        byte = self._data[0]
        del self._data[0]
        return byte

    def take_frame(self, limit: int) -> bytes | None:
        """Return the next frame without its length, or None where it is not whole yet."""
        if len(self._data) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._data)
        if length > limit:
            raise WireError(f"a length of {length} bytes, where at most {limit} are allowed")
        end = _LENGTH.size + length
        if len(self._data) < end:
            return None
        frame = bytes(memoryview(self._data)[_LENGTH.size : end])
        del self._data[:end]
        return frame


class Outbox:
    """Messages that wait for a reader. When too many or too large ones wait, the oldest are dropped, never the newest."""

    def __init__(self, messages: int, octets: int) -> None:
        self.dropped = 0  # messages that the reader was too slow for
        self._messages = messages
        self._octets = octets
        self._urgent = bytearray()  # headers and answers, which are never dropped
        self._waiting: deque[bytes] = deque()
        self._size = 0

    @property
    def backlog(self) -> int:
        """Return the bytes that wait."""
        return self._size + len(self._urgent)

    def put_now(self, data: bytes) -> None:
        """Add bytes that must not be dropped; they go before all messages that wait."""
        self._urgent += data

    def put(self, body: bytes) -> None:
        """Add a message, and drop old ones where there is no room."""
        self._waiting.append(framed(body))
        self._size += len(self._waiting[-1])
        while len(self._waiting) > 1 and (len(self._waiting) > self._messages or self._size > self._octets):
            self._size -= len(self._waiting.popleft())
            self.dropped += 1

    def take(self) -> bytes:
        """Return all that waits, once."""
        data = bytes(self._urgent) + b"".join(self._waiting)
        self._urgent.clear()
        self._waiting.clear()
        self._size = 0
        return data
