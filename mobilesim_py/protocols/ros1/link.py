"""What all TCPROS links have in common: the four verbs, the phases, and the way a link ends.

    link.receive_data(bytes)        bytes that came in
    link.events()                   what they meant, once
    link.data_to_send()             bytes that shall go out, once; ask only when the line can take them
    link.phase                      CLOSED: send what is left, then close the line

A fault of the peer never raises: it closes the link, and `LinkClosed` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mobilesim_py.protocols.ros.errors import RosError
from mobilesim_py.protocols.ros1.events import Event, Limits, LinkClosed, Phase
from mobilesim_py.protocols.ros1.header import LONGEST_HEADER, decode_header, encode_header
from mobilesim_py.protocols.ros1.stream import FrameReader, Outbox


class Link:
    """One TCP connection of TCPROS, of either end."""

    def __init__(self, limits: Limits) -> None:
        self.phase = Phase.HEADER
        self._limits = limits
        self._reader = FrameReader()
        self._outbox = Outbox(limits.queued_messages, limits.queued_octets)
        self._events: list[Event] = []

    @property
    def backlog(self) -> int:
        """Return the bytes that wait for the peer to read."""
        return self._outbox.backlog

    @property
    def dropped(self) -> int:
        """Return how many messages the peer lost because it was too slow."""
        return self._outbox.dropped

    def receive_data(self, data: bytes) -> None:
        """Take bytes that came in."""
        if self.phase is Phase.CLOSED:
            return
        self._reader.receive_data(data)
        steps: Mapping[Phase, Callable[[], bool]] = {
            Phase.HEADER: self._read_header, Phase.OPEN: self._read_body, Phase.CLOSED: lambda: False,
        }  # fmt: skip
        try:
            while steps[self.phase]():
                pass
        except RosError as fault:
            self._fail(str(fault))

    def events(self) -> list[Event]:
        """Return what happened, once."""
        events, self._events = self._events, []
        return events

    def data_to_send(self) -> bytes:
        """Return the bytes that shall go out, once."""
        return self._outbox.take()

    def close(self, reason: str = "") -> None:
        """End the link: the line broke, or we have had enough."""
        if self.phase is not Phase.CLOSED:
            self.phase = Phase.CLOSED
            self._reader.clear()
            self._events.append(LinkClosed(reason))

    def _read_header(self) -> bool:
        body = self._reader.take_frame(LONGEST_HEADER)
        if body is None:
            return False
        self.phase = Phase.OPEN
        self._greet(decode_header(body))
        return True

    def _send_header(self, fields: Mapping[str, str]) -> None:
        self._outbox.put_now(encode_header(fields))

    def _fail(self, reason: str) -> None:
        """End the link because of a fault of the peer."""
        self.close(reason)

    def _greet(self, fields: Mapping[str, str]) -> None:
        """Take the peer's header."""
        raise NotImplementedError

    def _read_body(self) -> bool:
        """Take the next body; return whether there was one."""
        raise NotImplementedError
