"""What a Pioneer tells its client in every SIP of its own condition: temperature, lines, bumpers, gripper, compass ..."""

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
    BUMPS = 4
    """Bits of the stall word that bumpers set."""
    FLAGS = 5
    """Bits of the flags, see `Flag`."""
    FAULTS = 6
    """Bits of the fault flags, see `Fault`."""
    COMPASS = 7
    """In units of two degrees; 0 without a compass."""
    GRIPPER = 8
    ANALOG_PORT = 9
    ANALOG = 10
    CHARGING = 11


class Flag(IntEnum):
    """Bits of the flags."""

    FAR_LEDGE = 0x0080
    NEAR_LEDGE = 0x0100
    JOYSTICK = 0x0200
    CHARGER_POWER = 0x0400


class Fault(IntEnum):
    """Bits of the fault flags."""

    UNDERVOLTAGE = 0x0008
    GYRO = 0x0010


class Condition:
    """The condition of one robot.

    Its values are a row of a matrix that the fleet packs for all robots at once: what is set here is told with the next SIP.
    """

    def __init__(self) -> None:
        self.values: npt.NDArray[np.float64] = np.zeros(len(Told))
        self.reset()

    def reset(self) -> None:
        """Make it as on a robot that was just switched on; bumpers, faults and chargers are as they are."""
        self.temperature = None
        self.overheated = False
        self.values[Told.DIGITAL_IN] = ALL_LINES
        self.digital_out = ALL_LINES
        for row in (Told.COMPASS, Told.GRIPPER, Told.ANALOG_PORT, Told.ANALOG):
            self.values[row] = 0.0

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

    def word(self, row: Told) -> int:
        """Return a value that is a number of bits."""
        return int(self.values[row])

    def set_word(self, row: Told, bits: int) -> None:
        """Set such a value."""
        self.values[row] = float(bits)

    def mark(self, bit: Flag | Fault, on: bool) -> None:
        """Set or clear a bit of the flags, or of the fault flags."""
        row = Told.FLAGS if isinstance(bit, Flag) else Told.FAULTS
        bits = self.word(row)
        self.set_word(row, bits | bit if on else bits & ~bit)

    def has(self, bit: Flag | Fault) -> bool:
        """Tell whether a bit of the flags, or of the fault flags, is set."""
        return bool(self.word(Told.FLAGS if isinstance(bit, Flag) else Told.FAULTS) & bit)


def gather(conditions: list[Condition]) -> npt.NDArray[np.float64]:
    """Return a matrix in which the values of these conditions stand from now on, a row for each."""
    matrix = np.array([condition.values for condition in conditions]).reshape(-1, len(Told))
    for condition, row in zip(conditions, matrix, strict=True):
        condition.values = row
    return matrix
