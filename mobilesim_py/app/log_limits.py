"""How many lines one client may put into the log: so many at once, so many a second, and the rest is only counted.

Lines are counted by whom they are about and by their kind, which is how they begin, so that the flood of one client hides
neither another client nor the other things that the same client does.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

KIND_LENGTH = 20
"""Characters at the beginning of a line by which lines are of one kind."""
REMEMBERED = 1024
"""How many buckets are kept; the least recently used one is forgotten."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Lines at once, and lines a second after that."""

    burst: float
    rate: float


ROBOT = Allowance(500.0, 20.0)
"""All lines about one robot together."""
KIND = Allowance(100.0, 10.0)
"""Lines of one kind about one robot."""
ROTATIONS = Allowance(3.0, 0.1)
"""How often clients may have a new log file begun: each one takes an older file away, and files take time to rename."""
PROGRAM_KIND = Allowance(20_000.0, 10.0)
"""Lines of one kind about nobody; a thousand robots at the start say a thousand of each."""


@dataclass(slots=True)
class _Bucket:
    left: float
    filled: float
    """When [s]."""
    unsaid: int = 0

    def takes(self, allowance: Allowance, now: float) -> bool:
        """Take one line if there is room for it."""
        # A clock that was set back must not silence anybody.
        passed = now - self.filled if now >= self.filled else allowance.burst / allowance.rate
        self.left = min(allowance.burst, self.left + passed * allowance.rate)
        self.filled = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


class LogLimits:
    """Decides which lines go into the log."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()
        self.unsaid = 0
        """Lines left out altogether and not told of yet."""
        self._rotations: _Bucket | None = None

    def admit(self, robot: str, text: str, now: float, lifecycle: bool = False) -> str | None:
        """Return the line, with the number of lines like it that were left out before; None if it must be left out.

        The comings and goings of clients (`lifecycle`) are not hidden by what they say in between.
        """
        kind = self._bucket((robot, text[:KIND_LENGTH]), KIND if robot else PROGRAM_KIND, now)
        admitted = kind.takes(KIND if robot else PROGRAM_KIND, now)
        if admitted and robot and not lifecycle:
            admitted = self._bucket((robot, ""), ROBOT, now).takes(ROBOT, now)
        if not admitted:
            kind.unsaid += 1
            self.unsaid += 1
            return None
        if kind.unsaid:
            text += f" ({kind.unsaid} more lines like this were left out)"
            self.unsaid -= kind.unsaid
            kind.unsaid = 0
        return text

    def admit_rotation(self, now: float) -> bool:
        """Tell whether a client may have a new log file begun now."""
        if self._rotations is None:
            self._rotations = _Bucket(ROTATIONS.burst, now)
        return self._rotations.takes(ROTATIONS, now)

    def _bucket(self, key: tuple[str, str], allowance: Allowance, now: float) -> _Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = _Bucket(allowance.burst, now)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket
