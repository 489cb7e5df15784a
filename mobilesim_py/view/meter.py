"""Rates over the last seconds: how fast simulated time runs, and how many packets each client gets."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mobilesim_py.app.program import Program
    from mobilesim_py.services.pioneer.session import EmulatorSession

WINDOW = 3.0
"""Rates are those of so many seconds [s]."""
SHORTEST = 0.4
"""Samples closer together than this are not taken [s]."""


@dataclass(frozen=True)
class _Sample:
    now: float
    simulated: float
    packets: dict[EmulatorSession, tuple[int, int]]


class Meter:
    """Call `update` now and then, and read the rates. It knows no clock."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._samples: deque[_Sample] = deque()

    def update(self, now: float) -> None:
        """Take a sample, unless the last one is fresh."""
        samples = self._samples
        if samples and now - samples[-1].now < SHORTEST:
            return
        packets = {s: (s.packets_sent, s.packets_received) for s in self._program.fleet.sessions}
        samples.append(_Sample(now, self._program.simulation.time, packets))
        while len(samples) > 2 and now - samples[1].now >= WINDOW:
            samples.popleft()

    @property
    def ratio(self) -> float:
        """Simulated seconds per real second; 1 before anything is known."""
        if len(self._samples) < 2:
            return 0.0 if self._program.paused else 1.0
        first, last = self._samples[0], self._samples[-1]
        return (last.simulated - first.simulated) / (last.now - first.now)

    def packets_per_second(self, session: EmulatorSession | None) -> tuple[float, float]:
        """Packets sent to and received from a client."""
        known = [sample for sample in self._samples if session in sample.packets]
        if session is None or len(known) < 2:
            return 0.0, 0.0
        first, last = known[0], known[-1]
        seconds = last.now - first.now
        sent, received = (b - a for a, b in zip(first.packets[session], last.packets[session], strict=True))
        return sent / seconds, received / seconds
