"""One client of a laser."""

from __future__ import annotations

from collections.abc import Callable

from mobilesim_py.net.link import Link
from mobilesim_py.protocols.lasers.scanner import LaserServer

QUIET = 0.025
"""How long after an answer no scan is sent, so that clients that read once do not read both [s]."""


class LaserSession:
    """A conversation with a laser, whose scans are told at its own rate."""

    synchronised = True
    link: Link

    def __init__(self, server: LaserServer, peer: str, real: Callable[[], float], sessions: list[LaserSession]) -> None:
        """`real` tells real time [s]; the session is in `sessions` for as long as its client is there."""
        self.peer = peer
        self.sent = self.received = self.left_out = 0
        self._server = server
        self._real = real
        self._sessions = sessions
        self._quiet_until = -QUIET
        self._due = 0.0

    @property
    def is_scanning(self) -> bool:
        """Whether the client wants one scan after the other."""
        return self._server.is_scanning

    def attach(self, link: Link) -> None:
        """Take the link."""
        self.link = link
        self._sessions.append(self)

    def receive(self, data: bytes) -> None:
        """Answer what the client asks."""
        self._server.receive_data(data)
        answers = self._server.data_to_send()
        self.received += len(answers)
        if answers:
            self._quiet_until = self._real() + QUIET
        self._send(answers)

    def tell(self, now: float) -> None:
        """Tell a scan if one is due. `now` is simulated time [s]."""
        if not self._server.is_scanning or now < self._due - 1e-6 or self._real() < self._quiet_until:
            return
        # Scans that time has jumped over are not told later.
        self._due = max(self._due, now - self._server.period) + self._server.period
        self._server.tell()
        self._send(self._server.data_to_send())

    def lost(self, reason: str) -> None:
        """Note that the client is gone."""
        if self in self._sessions:
            self._sessions.remove(self)

    def _send(self, answers: list[bytes]) -> None:
        for answer in answers:
            sent = self.link.write(answer)
            self.sent, self.left_out = self.sent + sent, self.left_out + (not sent)
