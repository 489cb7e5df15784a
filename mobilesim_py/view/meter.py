"""Rates over the last seconds: how many packets each client gets."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass

from mobilesim_py.services.service import ClientFacts, Stage, clients_of

WINDOW = 3.0
"""Length of the window that rates are averaged over [s]."""
SHORTEST = 0.4
"""Least time between two samples [s]."""


@dataclass(frozen=True)
class _Sample:
    now: float
    packets: dict[Hashable, tuple[int, int]]


class Meter:
    """Rates of all clients. Call `update` regularly with the time, then read the rates; it has no clock of its own."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._samples: deque[_Sample] = deque()

    def update(self, now: float) -> None:
        """Take a sample, unless the last one is recent."""
        samples = self._samples
        if samples and now - samples[-1].now < SHORTEST:
            return
        packets = {client.key: (client.packets_sent, client.packets_received) for client in clients_of(self._stage)}
        samples.append(_Sample(now, packets))
        while len(samples) > 2 and now - samples[1].now >= WINDOW:
            samples.popleft()

    def packets_per_second(self, client: ClientFacts | None) -> tuple[float, float]:
        """Return the packets sent to and received from a client."""
        if client is None:
            return 0.0, 0.0
        known = [sample for sample in self._samples if client.key in sample.packets]
        if len(known) < 2:
            return 0.0, 0.0
        first, last = known[0], known[-1]
        seconds = last.now - first.now
        sent, received = (b - a for a, b in zip(first.packets[client.key], last.packets[client.key], strict=True))
        return sent / seconds, received / seconds
