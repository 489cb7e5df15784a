"""The trace: one function that sees every crossing of bytes at every door, and may lose or change them.

Recording, replay, faults and the logging of packets are made of it. While none is installed a crossing costs a look at
one attribute.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple


class Crossing(NamedTuple):
    """Bytes on their way through a door."""

    time: float
    """Simulated time [s]."""
    door: str
    """The door's address: `TCP port 8101`, `/dev/ttyUSB0`."""
    peer: str
    """Who is at the other end, as the log calls it."""
    client: int
    """Tells clients with the same peer apart: they are numbered in the order in which they came."""
    incoming: bool
    """Whether the bytes come from the client."""
    data: bytes


Trace = Callable[[Crossing], bytes | None]
"""Returns what goes on through the door: the same bytes, others (corrupted), or None (lost)."""


class Tracer:
    """What the doors of a program share: the trace, if there is one, the clock, and the numbers of clients."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self.trace: Trace | None = None
        self._clock = clock
        self._numbers = itertools.count(1)
        self._installed: list[Trace] = []

    def next_number(self) -> int:
        """Return the number of a client that has just come."""
        return next(self._numbers)

    def install(self, trace: Trace) -> Callable[[], None]:
        """Let a trace see every crossing from now on, after those installed before; the returned function ends that."""
        self._installed.append(trace)
        self._renew()

        def remove() -> None:
            if trace in self._installed:
                self._installed.remove(trace)
                self._renew()

        return remove

    def cross(self, door: str, peer: str, client: int, incoming: bool, data: bytes) -> bytes | None:
        """Ask the trace; the bytes that go on, or None."""
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
