"""What a serial line and a pseudo-terminal have in common: bytes without connections.

A line has no connections, so a session begins with the first byte received, and ends when the client sends
CLOSE or the line is lost; the next byte begins another. What comes in beyond the budget of a turn waits, and until it is
obeyed nothing more is read.
"""

from __future__ import annotations

import functools

from mobilesim_py import messages
from mobilesim_py.log import Log
from mobilesim_py.net.budget import Budget
from mobilesim_py.net.door import INTERFACE, Door
from mobilesim_py.net.limits import MakeLimit
from mobilesim_py.net.link import MakeSession, Session


class Line(Door):
    """A line with at most one session. Subclasses move the bytes."""

    def __init__(
        self,
        make_session: MakeSession,
        log: Log,
        *,
        robot: str | None = None,
        limit: MakeLimit | None = None,
        interface: str = INTERFACE,
    ) -> None:
        super().__init__(make_session, log, robot=robot, limit=limit, interface=interface)
        self._current: LineLink | None = None
        self._budget: Budget | None = None
        self._unheard = b""
        """What the client has sent beyond its budget."""
        self._waits = False
        """Whether nothing is read until the next turn."""

    @property
    def is_busy(self) -> bool:
        """Whether a client's session is under way."""
        return self._current is not None

    @property
    def peer(self) -> str:
        """What the log calls the client."""
        return self.address

    def received(self, data: bytes) -> None:
        """Give bytes to the session, beginning one if there is none; what must wait for the next turn does."""
        if self._current is None:
            self._begin()
        if self._current is not None:
            traced = self._current.cross(True, data)
            if traced is not None:
                self.hear(traced)

    def hear(self, data: bytes) -> None:
        """Obey bytes, after those that wait for the next turn."""
        self._unheard += data
        if not self._waits:
            self._hear()

    def hear_later(self) -> None:
        """Read no more until `hear_on` is called."""
        raise NotImplementedError

    def hear_on(self) -> None:
        """Read again."""
        raise NotImplementedError

    def forget_unheard(self) -> None:
        """Drop what waits: whoever said it, or the line itself, is gone."""
        self._unheard = b""

    def _begin(self) -> None:
        self._log.info(messages.CLIENT_CONNECTED.format(peer=self.peer), self.robot)
        link = self._current = LineLink(self, self.make_session(self.peer), self.peer)
        self.tracer.came(self.address, self.peer, link.number, link)
        link.session.attach(link)

    def _hear(self) -> None:
        """Obey what the client may say in this turn, and stop reading if that is not all."""
        if self._budget is None:
            self._budget = Budget(self.turns)
        while self._unheard and not self._budget.is_spent:
            if self._current is None:
                self._begin()
            before, said = len(self._unheard), self._unheard
            if (link := self._current) is not None:
                self._unheard = self._budget.spend(said, link.session.receive, functools.partial(self.has, link))
            if len(self._unheard) == before:  # the session ended before it heard anything
                self._unheard = b""
        if self._unheard or self._budget.is_spent:
            if not self._waits:
                self._waits = True
                self.hear_later()
            self.turns.await_next(self._hear_rest)
        elif self._waits:
            self._waits = False
            self.hear_on()

    def _hear_rest(self) -> None:
        if self._waits:
            self._hear()

    def lose(self, reason: str) -> None:
        """End the session."""
        link, self._current = self._current, None
        if link is not None:
            self.tracer.left(self.address, self.peer, link.number, reason)
            link.session.lost(reason)

    def send(self, data: bytes) -> bool:
        """Send bytes without blocking; False if they were dropped."""
        raise NotImplementedError

    @property
    def pending(self) -> int:
        """The backlog [bytes]."""
        raise NotImplementedError

    def end(self, link: LineLink, reason: str) -> None:
        """End the session of a link, unless another has begun since."""
        if self._current is link:
            self.lose(reason)

    def has(self, link: LineLink) -> bool:
        """Tell whether a link is still the one in use."""
        return self._current is link


class LineLink:
    """A `Link` over a line; it ends with its session, while the line stays."""

    def __init__(self, line: Line, session: Session, peer: str) -> None:
        self.session = session
        self.peer = peer
        self.dropped = 0
        self._line = line
        self.number = line.tracer.next_number()
        self._limit = line.limit()

    @property
    def pending(self) -> int:
        """The backlog [bytes]."""
        return self._line.pending if self._line.has(self) else 0

    def write(self, data: bytes) -> bool:
        """Send without blocking; False if the write was dropped."""
        if not self._line.has(self):
            return False
        traced = self.cross(False, data)
        return traced is None or self.send(traced)

    def send(self, data: bytes) -> bool:
        """Send bytes that have passed the trace."""
        if not self._line.has(self):
            return False
        sent = self._limit.admits(self._line.pending, len(data)) and self._line.send(data)
        self.dropped += not sent
        return sent

    def hear(self, data: bytes) -> None:
        """Take bytes as if they came from the client now."""
        if self._line.has(self):
            self._line.hear(data)

    def cut(self, reason: str) -> None:
        """End the session at once."""
        self._line.end(self, reason)

    def cross(self, incoming: bool, data: bytes) -> bytes | None:
        """Pass bytes through the door's trace; return the bytes to use, or None."""
        tracer = self._line.tracer
        if tracer.trace is None:
            return data
        return tracer.cross(self._line.address, self.peer, self.number, incoming, data)

    def close(self) -> None:
        """End the session; what is pending is still sent."""
        self._line.end(self, messages.CLOSING_CONNECTION)
