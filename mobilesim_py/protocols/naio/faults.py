"""What was wrong with received bytes: counted always, told once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum


class FaultKind(Enum):
    """What can be wrong with received bytes."""

    GARBAGE = "garbage"
    BINARY_HEADER = "header with 00 01"
    BAD_SIZE = "illegal size"
    UNKNOWN_ID = "unknown id"
    BAD_PAYLOAD = "bad payload"

    # Members are singletons: their identity is hash enough, and a stream of nothing but faults is counted fast.
    __hash__ = object.__hash__


@dataclass(frozen=True)
class Fault:
    """The first fault of its kind in a stream; of unknown ids and bad payloads, the first with its id."""

    kind: FaultKind
    detail: str
    """A sentence for the log."""
    packet_id: int | None = None


class FaultLog:
    """Counts the faults of a stream and keeps the first of each kind until it is asked for."""

    def __init__(self) -> None:
        self._counts: dict[tuple[FaultKind, int | None], int] = {}
        self._untold: list[Fault] = []

    @property
    def counts(self) -> Counter[FaultKind]:
        """How many of each kind so far; of garbage, how many bytes."""
        counts: Counter[FaultKind] = Counter()
        for (kind, _), amount in self._counts.items():
            counts[kind] += amount
        return counts

    def count(self, kind: FaultKind, amount: int = 1, packet_id: int | None = None) -> bool:
        """Count a fault, and return whether it is the first of its kind and id: then it shall be told."""
        key = (kind, packet_id)
        before = self._counts.get(key, 0)
        self._counts[key] = before + amount
        return not before

    def tell(self, fault: Fault) -> None:
        """Keep a fault until it is asked for."""
        self._untold.append(fault)

    def take(self) -> list[Fault]:
        """Return the faults to be told since the last call."""
        untold, self._untold = self._untold, []
        return untold
