"""The layout of inertial units: the rows of their matrix, and what they feel."""

from __future__ import annotations

from enum import auto

from mobilesim_py.core.fields import Rows


class Imu(Rows):
    """Rows of the matrix of inertial units."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    SERIAL = auto()
    RATE_NOISE = auto()
    """Standard deviations, see `ImuModel`."""
    RATE_DRIFT = auto()
    FORCE_NOISE = auto()
    FORCE_DRIFT = auto()
    RATE_SCALE = auto()
    """By what share turning rates are too large."""
    RATE_BIAS = auto()
    """What the yaw rate is off by for good [rad/s]."""
    FORCE_BIAS_X = auto()
    """What the forces are off by for good [m/s2]."""
    FORCE_BIAS_Y = auto()
    FIELD_SCALE_X = auto()
    """By what share the magnetic field ahead is too strong."""
    FIELD_SCALE_Y = auto()
    FIELD_BIAS_X = auto()
    """Magnetism of the robot itself, as a share of the earth's."""
    FIELD_BIAS_Y = auto()
    FIELD_PER_SPEED = auto()
    """Magnetism of running motors, as a share of the earth's for each m/s of a rim."""
    LAST_TICK = auto()
    """When it last felt something, plus 1; 0 is never."""
    LAST_SPEED = auto()
    """How fast the robot went ahead then [m/s]."""
    ACCELERATION = auto()
    """What it felt of that then [m/s2]."""


class Felt(Rows):
    """What an inertial unit feels, in the order of `Engine.feel`."""

    RATE_X = auto()
    """Turning rates about the axes ahead, to the left and up [rad/s]."""
    RATE_Y = auto()
    RATE_Z = auto()
    FORCE_X = auto()
    """Force on each kilogram along these axes [m/s2]; at rest it is 9.81 upwards."""
    FORCE_Y = auto()
    FORCE_Z = auto()
    FIELD_X = auto()
    """The horizontal magnetic field as cosine and sine of the heading, 1 being that of the earth."""
    FIELD_Y = auto()
