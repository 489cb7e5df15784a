"""How long time waits for one client: with --speed max for one that does not read, with --lockstep for a silent one.

After that the world goes on without it: it loses data like any slow reader, until it reads or speaks again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from mobilesim_py.net.limits import LAGGING

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.log import Log

NOT_READING = "Client has not read what it is sent for {seconds:g} sec. Time goes on without it, and it loses data."
NOT_SPEAKING = "Client has said nothing for {seconds:g} sec. Lockstep goes on without it until it speaks."


class Partner(Protocol):
    """A session with a client that time may wait for."""

    was_heard: bool
    robot: Robot
    log: Log

    @property
    def pending(self) -> int:
        """Bytes that the client has not taken yet."""


class Patience:
    """Who is waited for, and since when."""

    def __init__(self, seconds: float, lockstep_timeout: float, now: Callable[[], float]) -> None:
        """Wait so many seconds (0: for ever); `lockstep_timeout` is what a silent client costs at each step [s]."""
        self._seconds = seconds
        self._lockstep_timeout = lockstep_timeout
        self._now = now
        self._lagging: dict[Partner, float] = {}
        """Clients with too much on its way to them, and since when."""
        self._silences: dict[Partner, int] = {}
        """Clients that said nothing between the last steps, and how many steps."""

    def backlog(self, sessions: Sequence[Partner]) -> int:
        """Return the bytes that the slowest client has not taken of those that are still waited for."""
        most = max((session.pending for session in sessions), default=0)
        if most <= LAGGING or self._seconds <= 0.0:
            self._lagging.clear()
            return most
        slow = {session: session.pending for session in sessions if session.pending > LAGGING}
        now = self._now()
        self._lagging = {session: self._lagging.get(session, now) for session in slow}
        waited_for = [0]
        for session, since in self._lagging.items():
            if now - since < self._seconds:
                waited_for.append(slow[session])
            else:
                session.log.occasionally(
                    "not reading", NOT_READING.format(seconds=self._seconds), session.robot.name, every=60
                )
        return max(waited_for)

    def stepped(self, sessions: Sequence[Partner]) -> None:
        """Note, before everybody is told of a step in lockstep, who had said nothing since the last one."""
        self._silences = {session: self._silences.get(session, 0) + 1 for session in sessions if not session.was_heard}
        if self._seconds > 0.0:
            for session, steps in self._silences.items():
                if steps == self._most_silences:
                    session.log.warning(NOT_SPEAKING.format(seconds=self._seconds), session.robot.name)

    def awaits(self, session: Partner) -> bool:
        """Whether a step in lockstep has to wait for a client."""
        if session.was_heard:
            return False
        return self._seconds <= 0.0 or self._silences.get(session, 0) < self._most_silences

    @property
    def _most_silences(self) -> int:
        return max(1, round(self._seconds / self._lockstep_timeout)) if self._lockstep_timeout > 0.0 else 1 << 62
