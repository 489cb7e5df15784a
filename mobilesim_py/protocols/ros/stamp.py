"""Times and durations: whole seconds and nanoseconds, as both ROS versions write them."""

from __future__ import annotations

import math
from typing import NamedTuple

NANOSECONDS = 1_000_000_000


class Time(NamedTuple):
    """A time or a duration: `secs` [s] and `nsecs` [ns, 0 up to a second]."""

    secs: int = 0
    nsecs: int = 0

    @classmethod
    def of(cls, seconds: float) -> Time:
        """Return `seconds` rounded to a nanosecond; before zero the nanoseconds count upwards from the second before."""
        whole = math.floor(seconds)
        nsecs = round((seconds - whole) * NANOSECONDS)
        return cls(whole + 1, 0) if nsecs == NANOSECONDS else cls(whole, nsecs)

    @property
    def seconds(self) -> float:
        """Return the time in seconds."""
        return self.secs + self.nsecs / NANOSECONDS
