"""What can be hit: line segments as arrays, each with what it stops and how it shines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
ByteArray = npt.NDArray[np.uint8]


class Stops(IntFlag):
    """What a segment is an obstacle for."""

    NOTHING = 0
    ROBOTS = 1
    SONAR = 2
    LASER = 4
    ALL = 7


@dataclass(frozen=True, eq=False)
class Segments:
    """M line segments: `ends` is M x 4 (x1 y1 x2 y2 [m]), `stops` M bit sets of `Stops`, `reflectance` M laser returns.

    Reflectance 1 is an ordinary wall, more is a reflector; what lasers do not see lacks `Stops.LASER`.
    """

    ends: FloatArray
    stops: ByteArray
    reflectance: ByteArray

    def __len__(self) -> int:
        return len(self.ends)

    @classmethod
    def build(cls, ends: npt.ArrayLike, stops: int = Stops.ALL, reflectance: int = 1) -> Segments:
        """Segments that are all of one kind."""
        array = np.ascontiguousarray(np.asarray(ends, dtype=np.float64).reshape(-1, 4))
        count = len(array)
        return cls(array, np.full(count, int(stops), np.uint8), np.full(count, reflectance, np.uint8))

    @classmethod
    def empty(cls) -> Segments:
        """No obstacle at all."""
        return cls.build(np.empty((0, 4)))

    @classmethod
    def join(cls, *parts: Segments) -> Segments:
        """All the parts' segments in order."""
        return cls(
            np.concatenate([p.ends for p in parts]),
            np.concatenate([p.stops for p in parts]),
            np.concatenate([p.reflectance for p in parts]),
        )
