"""When the next step is due: absolute deadlines, so that the rate does not drift, and an account of how it went."""

from __future__ import annotations

import math
from dataclasses import dataclass

LATE = 5
"""A simulation that is more steps behind than this slows down instead of hurrying after."""


@dataclass
class Account:
    """What a stretch of time was like."""

    steps: int = 0
    simulated: float = 0.0
    busy: float = 0.0
    longest: float = 0.0
    skipped: float = 0.0
    """Real time by which the simulation fell behind for good [s]."""
    began: float = 0.0

    def ratio(self, now: float) -> float:
        """Simulated seconds per real second."""
        return self.simulated / (now - self.began) if now > self.began else 0.0


class Pacer:
    """Says when to step. It knows no clock: every method is told what time it is [s]."""

    def __init__(self, interval: float, dt: float, now: float) -> None:
        self.interval = interval
        """Real time of a step; 0 is as fast as possible."""
        self.dt = dt
        self.last_interval = interval
        self.total = Account(began=now)
        self.recent = Account(began=now)
        self._due = now + interval
        self._last = now

    def set_interval(self, interval: float, now: float) -> None:
        """Another speed, from now on."""
        self.interval = interval
        self._due = now + interval

    def resume(self, now: float) -> None:
        """Go on after a pause, without catching up."""
        self._due = now + self.interval
        self._last = now

    def wait(self, now: float) -> float:
        """How long until the next step."""
        return max(0.0, self._due - now) if self.interval > 0.0 else 0.0

    def stepped(self, began: float, now: float) -> None:
        """Note that a step ran from `began` to `now`, and when the next one is due."""
        self.last_interval = began - self._last
        self._last = began
        for account in (self.total, self.recent):
            account.steps += 1
            account.simulated += self.dt
            account.busy += now - began
            account.longest = max(account.longest, now - began)
        self._due += self.interval
        behind = now - self._due
        if self.interval > 0.0 and behind > LATE * self.interval:
            # Too late to catch up: simulated time slows.
            missed = math.floor(behind / self.interval) * self.interval
            self._due += missed
            self.total.skipped += missed
            self.recent.skipped += missed

    def start_account(self, now: float) -> Account:
        """Close the recent account and start another."""
        closed, self.recent = self.recent, Account(began=now)
        return closed
