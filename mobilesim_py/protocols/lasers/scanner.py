"""What all protocols of lasers have in common: the beams that a client wants, what they measured, and a server's face."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MOST_WAITING = 256 * 1024
"""Answers beyond so many bytes that nobody has fetched are lost [bytes]."""


@dataclass(frozen=True, slots=True)
class Beams:
    """The directions of a scan, counter-clockwise as seen from above."""

    first: float
    """Against straight ahead [degrees]."""
    step: float
    """[degrees]."""
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """What the beams of one moment met."""

    ranges: npt.NDArray[np.float64]
    """[m]; infinite where nothing was met."""
    reflectance: npt.NDArray[np.uint8]
    """0 nothing, 1 ordinary, more a reflector."""
    time: float
    """Simulated [s]."""
    number: int
    """Counted from the start of time."""


Measure = Callable[[Beams], Scan]
"""How a server comes by a scan of this moment."""


class LaserServer(ABC):
    """A laser's side of one conversation: bytes in, answers out, each to be written in a segment of its own."""

    is_scanning = False
    """Whether the client wants one scan after the other."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self._out: list[bytes] = []
        self._waiting = 0

    @property
    @abstractmethod
    def period(self) -> float:
        """Return the time from one scan to the next, as the client configured it [s]."""

    @abstractmethod
    def receive_data(self, data: bytes) -> None:
        """Take bytes of the client; any bytes at all."""

    @abstractmethod
    def tell(self) -> None:
        """Scan, for a client that wants one scan after the other."""

    def data_to_send(self) -> list[bytes]:
        """Return the answers and scans since the last call."""
        out, self._out, self._waiting = self._out, [], 0
        return out

    def _say(self, data: bytes) -> None:
        if self._waiting + len(data) <= MOST_WAITING:
            self._out.append(data)
            self._waiting += len(data)


def millimetres(scan: Scan, least: int, most: int) -> npt.NDArray[np.int64]:
    """Return ranges [mm]; 0 where nothing was met between the least and the most that the laser measures."""
    found = np.isfinite(scan.ranges)
    distance = np.rint(np.where(found, scan.ranges, 0.0) * 1000.0).astype(np.int64)
    return np.where((distance >= least) & (distance <= most), distance, 0)
