"""What a robot measures, and the formulas that make numbers of the wire of it.

A formula takes `s`, the robot's `State`, and `f`, its `Factor`s. It is written once for both packers: NumPy calls it with
tables of all robots, so that `s[State.X]` is an array, and Numba compiles it for the columns of one robot, so that
`s[State.X]` is a number. Therefore it uses operators and NumPy's functions only.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np

MOTORS_FLAG = 0x0001
SONAR_FLAGS = 0x001E
BOTH_STALLED = 0x0101
TEMPERATURE_FAULT = 0x0002
_TURN = 2.0 * math.pi
_DEGREES = 180.0 / math.pi


class State(IntEnum):
    """Rows of the table of what robots measure, in metres, radians, seconds, volts; truth values are 0.0 and 1.0."""

    X = 0
    """Odometry."""
    Y = 1
    HEADING = 2
    FORWARD = 3
    LATERAL = 4
    ROTATION = 5
    BATTERY = 6
    """[V]; 0 on robots that tell their state of charge."""
    CHARGE = 7
    """[%]"""
    STALLED = 8
    MOTORS_ON = 9
    SONAR_ON = 10
    # What follows stands in the order of what a robot tells of its condition, so that it is copied in one piece.
    TEMPERATURE = 11
    """[degrees C]"""
    OVERHEATED = 12
    DIGITAL_IN = 13
    DIGITAL_OUT = 14
    BUMPS = 15
    """Bits of the stall word that bumpers set."""
    FLAGS = 16
    """Bits of the flags that nothing else here sets."""
    FAULTS = 17
    """Bits of the fault flags, likewise."""
    COMPASS = 18
    GRIPPER = 19
    ANALOG_PORT = 20
    ANALOG = 21
    CHARGING = 22


class Factor(IntEnum):
    """Rows of the table of conversion factors, by which clients multiply: mm, mm/s, mm, rad and rad/mm for one unit."""

    DISTANCE = 0
    VELOCITY = 1
    RANGE = 2
    ANGLE = 3
    DIFFERENCE = 4
    """Turns half the difference of the wheels' speeds into a rotational speed; 0 where wheels are not told apart."""


def whole(value: Any, low: int, high: int) -> Any:
    """Return the nearest integer within limits; NaN becomes the lower limit."""
    return np.int64(np.rint(np.fmin(np.fmax(low, value), high)))


def word(value: Any) -> Any:
    """Return the nearest integer that fits into 16 bits with a sign."""
    return whole(value, -0x8000, 0x7FFF)


def unsigned_byte(value: Any) -> Any:
    """Return the nearest integer that fits into 8 bits."""
    return whole(value, 0, 0xFF)


def low_byte(value: Any) -> Any:
    """Return the low 8 bits of a whole number."""
    return np.int64(value) & 0xFF


def position(metres: Any, unit_mm: Any) -> Any:
    """Return a coordinate in units, cut toward zero; the field keeps its low 16 bits, and clients expect it to wrap."""
    return np.int64(np.trunc(np.rint(metres * 1000.0) / unit_mm))


def range_units(metres: Any, unit_mm: Any) -> Any:
    """Return a sonar's range in units."""
    return whole(metres * 1000.0 / unit_mm, 0, 0xFFFF)


def heading(radians: Any, unit: Any) -> Any:
    """Return a heading within half a turn of zero in units; one that is not zero is never told as zero.

    A client that adds up differences, as ARIA does, finds itself slightly below zero when a heading returns to exactly
    where it began, and counts that as a full turn: AriaCoda's sectors then abort the client.
    """
    units = (radians - np.rint(radians / _TURN) * _TURN) / unit
    rounded = word(units)
    return rounded + (rounded == 0) * (np.int64(units > 0.0) - np.int64(units < 0.0))


def left_speed(s: Any, f: Any) -> Any:
    """Return the speed of the left wheel in units."""
    return word((s[State.FORWARD] * 1000.0 - wheel_difference(s, f)) / f[Factor.VELOCITY])


def right_speed(s: Any, f: Any) -> Any:
    """Return the speed of the right wheel in units."""
    return word((s[State.FORWARD] * 1000.0 + wheel_difference(s, f)) / f[Factor.VELOCITY])


def wheel_difference(s: Any, f: Any) -> Any:
    """Return half the difference of the wheels' speeds [mm/s]; none without a factor.

    Arithmetic instead of `np.where`, which Numba compiles to an allocation.
    """
    usable = f[Factor.DIFFERENCE] > 0.0
    return s[State.ROTATION] * usable / (f[Factor.DIFFERENCE] * usable + (1.0 - usable))


def lateral_speed(s: Any, f: Any) -> Any:
    """Return the lateral speed [mm/s]."""
    return word(s[State.LATERAL] * 1000.0)


def rotation_speed(s: Any, f: Any) -> Any:
    """Return the rotational speed [1/10 deg/s]."""
    return word(s[State.ROTATION] * _DEGREES * 10.0)


def decivolts(s: Any, f: Any) -> Any:
    """Return the battery's voltage [1/10 V]."""
    return word(s[State.BATTERY] * 10.0)


def moves(s: Any, f: Any) -> Any:
    """Return whether any speed is told as other than zero."""
    return (left_speed(s, f) | right_speed(s, f) | lateral_speed(s, f) | rotation_speed(s, f)) != 0


def flags(s: Any, f: Any) -> Any:
    """Return the flags."""
    return (s[State.MOTORS_ON] > 0.0) * MOTORS_FLAG | (s[State.SONAR_ON] > 0.0) * SONAR_FLAGS | np.int64(s[State.FLAGS])


def stall_word(s: Any, f: Any) -> Any:
    """Return the stall flags and the bumpers."""
    return (s[State.STALLED] > 0.0) * BOTH_STALLED | np.int64(s[State.BUMPS])


def fault_flags(s: Any, f: Any) -> Any:
    """Return the fault flags."""
    return (s[State.OVERHEATED] > 0.0) * TEMPERATURE_FAULT | np.int64(s[State.FAULTS])
