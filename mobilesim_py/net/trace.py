"""The trace: one hook that sees all bytes at every door, and may drop or change them.

Recording, replay, fault injection and packet logs are built on it. Without a trace the cost is one attribute look-up.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple, Protocol


class Crossing(NamedTuple):
    """Bytes that pass through a door."""

    time: float
    """Simulated time [s]."""
    door: str
    """The door's address: `TCP port 8101`, `/dev/ttyUSB0`."""
    peer: str
    """The client, as the log calls it."""
    client: int
    """Distinguishes clients with the same peer: the number in the order of arrival."""
    incoming: bool
    """Whether the bytes come from the client."""
    data: bytes


class Handle(Protocol):
    """A client's connection, past the trace: for bytes that a trace has held back."""

    def hear(self, data: bytes) -> None:
        """Take bytes as if they came from the client now."""

    def send(self, data: bytes) -> object:
        """Send bytes to the client."""

    def cut(self, reason: str) -> None:
        """End the connection at once."""


class Passage(NamedTuple):
    """A client that comes in by a door, or leaves."""

    time: float
    """Simulated time [s]."""
    door: str
    """The door's address."""
    peer: str
    client: int
    came: bool
    reason: str = ""
    """Of one that left: the sentence for the log."""
    handle: Handle | None = None
    """Of one that came: its connection."""


Watch = Callable[[Passage], None]
Trace = Callable[[Crossing], bytes | None]
"""A hook that returns what passes: the same bytes, others (corrupted), or None (lost)."""


class Tracer:
    """What the doors of a program share: the trace, if there is one, the clock, and the numbers of clients."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self.trace: Trace | None = None
        self._clock = clock
        self._numbers = itertools.count(1)
        self._installed: list[Trace] = []
        self._watches: list[Watch] = []

    def next_number(self) -> int:
        """Return the number of a new client."""
        return next(self._numbers)

    def install(self, trace: Trace, *, first: bool = False) -> Callable[[], None]:
        """Install a trace after (or `first`: before) those installed before; the returned function removes it."""
        self._installed.insert(0 if first else len(self._installed), trace)
        self._renew()

        def remove() -> None:
            if trace in self._installed:
                self._installed.remove(trace)
                self._renew()

        return remove

    def watch(self, watch: Watch) -> Callable[[], None]:
        """Tell of every client with a connection that comes or leaves; the returned function ends that."""
        self._watches.append(watch)

        def end() -> None:
            if watch in self._watches:
                self._watches.remove(watch)

        return end

    def came(self, door: str, peer: str, client: int, handle: Handle) -> None:
        """Note that a client came in."""
        self._pass(Passage(self._clock(), door, peer, client, True, handle=handle))

    def left(self, door: str, peer: str, client: int, reason: str) -> None:
        """Note that a client is gone."""
        self._pass(Passage(self._clock(), door, peer, client, False, reason))

    def _pass(self, passage: Passage) -> None:
        for watch in tuple(self._watches):
            watch(passage)

    def cross(self, door: str, peer: str, client: int, incoming: bool, data: bytes) -> bytes | None:
        """Pass bytes through the trace; return the bytes to use, or None."""
        if self.trace is None:
            return data
        return self.trace(Crossing(self._clock(), door, peer, client, incoming, data))

    def _renew(self) -> None:
        installed = tuple(self._installed)
        if len(installed) < 2:
            self.trace = installed[0] if installed else None
            return

        def chain(crossing: Crossing) -> bytes | None:
            for trace in installed:
                data = trace(crossing)
                if data is None:
                    return None
                crossing = crossing._replace(data=data)
            return crossing.data

        self.trace = chain
