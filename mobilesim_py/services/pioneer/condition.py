"""What a Pioneer tells its client of its own condition, and a client can make it tell: temperature and digital lines."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np
import numpy.typing as npt

ALL_LINES = 0xFF


class Told(IntEnum):
    """Where each value stands."""

    TEMPERATURE = 0
    """Degrees Celsius; NaN without a thermometer."""
    OVERHEATED = 1
    DIGITAL_IN = 2
    DIGITAL_OUT = 3


class Condition:
    """The condition of one robot during a session.

    Its values are a row of a matrix that the fleet packs for all robots at once: what is set here is told with the next SIP.
    """

    def __init__(self) -> None:
        self.values: npt.NDArray[np.float64] = np.zeros(len(Told))
        self.reset()

    def reset(self) -> None:
        """Make it as on a robot that was just switched on."""
        self.temperature = None
        self.overheated = False
        self.values[Told.DIGITAL_IN] = ALL_LINES
        self.digital_out = ALL_LINES

    @property
    def temperature(self) -> float | None:
        """Degrees Celsius; None without a thermometer."""
        value = float(self.values[Told.TEMPERATURE])
        return None if math.isnan(value) else value

    @temperature.setter
    def temperature(self, degrees: float | None) -> None:
        self.values[Told.TEMPERATURE] = math.nan if degrees is None else degrees

    @property
    def overheated(self) -> bool:
        """Whether it warns of heat."""
        return bool(self.values[Told.OVERHEATED] > 0.0)

    @overheated.setter
    def overheated(self, value: bool) -> None:
        self.values[Told.OVERHEATED] = float(value)

    @property
    def digital_out(self) -> int:
        """The eight output bits."""
        return int(self.values[Told.DIGITAL_OUT])

    @digital_out.setter
    def digital_out(self, bits: int) -> None:
        self.values[Told.DIGITAL_OUT] = float(bits & ALL_LINES)


def gather(conditions: list[Condition]) -> npt.NDArray[np.float64]:
    """Return a matrix in which the values of these conditions stand from now on, a row for each."""
    matrix = np.array([condition.values for condition in conditions]).reshape(-1, len(Told))
    for condition, row in zip(conditions, matrix, strict=True):
        condition.values = row
    return matrix
