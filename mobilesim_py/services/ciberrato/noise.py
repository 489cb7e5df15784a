"""Where chance comes from: numbers that depend only on seed, robot, stream and tick, so that a run repeats itself."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Protocol

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_UNIT = 1.0 / (1 << 53)
_HALF_UNIT = 1.0 / (1 << 32)
_HALF_TURN = math.tau / (1 << 32)


class Stream(IntEnum):
    """What a number is drawn for; those with several elements take as many numbers from here on."""

    LEFT_MOTOR = 0
    RIGHT_MOTOR = 1
    COMPASS = 2
    GPS_X = 3
    GPS_Y = 4
    ORIGIN_X = 5
    ORIGIN_Y = 6
    OBSTACLE = 16
    LINE = 32
    BEACON = 64


class Noise(Protocol):
    """A source of chance. The same arguments give the same number, and different ones independent numbers."""

    def normal(self, robot: int, stream: int, tick: int) -> float:
        """Return a number from the normal distribution of mean 0 and deviation 1."""
        ...

    def uniform(self, robot: int, stream: int, tick: int) -> float:
        """Return a number from 0 (included) to 1 (excluded), all equally likely."""
        ...


class CounterNoise:
    """Numbers hashed from their place: nothing is kept, so skipping one does not change the others."""

    def __init__(self, seed: int = 0) -> None:
        self._key = _mixed((seed * _STEP + 0x632BE59BD9B4E019) & _MASK)

    def uniform(self, robot: int, stream: int, tick: int) -> float:
        """Return a number from 0 (included) to 1 (excluded)."""
        return (self._bits(robot, stream, tick) >> 11) * _UNIT

    def normal(self, robot: int, stream: int, tick: int) -> float:
        """Return a number from the standard normal distribution (Box and Muller, from two halves of 64 bits)."""
        bits = self._bits(robot, stream, tick)
        radius = math.sqrt(-2.0 * math.log(((bits >> 32) + 0.5) * _HALF_UNIT))
        return radius * math.cos((bits & 0xFFFFFFFF) * _HALF_TURN)

    def _bits(self, robot: int, stream: int, tick: int) -> int:
        """Return 64 bits: those that SplitMix64 gives as the number of this place in its sequence."""
        return _mixed(self._key + (tick << 20 | robot << 10 | stream) * _STEP & _MASK)


def _mixed(z: int) -> int:
    """Return 64 bits that depend on every bit of z."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31
