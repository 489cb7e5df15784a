"""The layout of the core: the rows of the matrices in which the state of everything that moves is kept.

`bodies` is FIELD x N: a column for every robot and every movable box, a row for every field below. One matrix means one
argument to a compiled kernel, and each row is a contiguous array for NumPy. Truth values are 0.0 and 1.0.
What exists for each axis of motion stands together, forward, lateral, rotation: three rows are one block (`Axes`).
The matrices of devices are made likewise, see `core.devices`.
Units are metres, radians and seconds.
"""

from __future__ import annotations

from enum import IntEnum, auto


class Rows(IntEnum):
    """Rows of a matrix, numbered from 0."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:
        return count


class Body(Rows):
    """Rows of the matrix of bodies."""

    X = auto()
    Y = auto()
    HEADING = auto()
    ODOMETRY_X = auto()
    ODOMETRY_Y = auto()
    ODOMETRY_HEADING = auto()
    FORWARD = auto()
    """Velocities as they are now."""
    LATERAL = auto()
    ROTATION = auto()
    FORWARD_IS_MOVE = auto()
    """Whether FORWARD_TARGET is a distance still to go rather than a velocity; never so for LATERAL."""
    LATERAL_IS_MOVE = auto()
    ROTATION_IS_TURN = auto()
    FORWARD_TARGET = auto()
    """Velocities to reach, or distances to go."""
    LATERAL_TARGET = auto()
    ROTATION_TARGET = auto()
    FORWARD_LIMIT = auto()
    """Largest speeds: the model's, or less when the client asked for less."""
    LATERAL_LIMIT = auto()
    ROTATION_LIMIT = auto()
    FORWARD_ACCELERATION = auto()
    """Zero is instantaneous, for all six."""
    LATERAL_ACCELERATION = auto()
    ROTATION_ACCELERATION = auto()
    FORWARD_DECELERATION = auto()
    LATERAL_DECELERATION = auto()
    ROTATION_DECELERATION = auto()
    FORWARD_ERROR = auto()
    """Share by which odometry is wrong on each axis; redrawn every step when REDRAW_ERROR."""
    LATERAL_ERROR = auto()
    ROTATION_ERROR = auto()
    FORWARD_ERROR_MOST = auto()
    LATERAL_ERROR_MOST = auto()
    ROTATION_ERROR_MOST = auto()
    REDRAW_ERROR = auto()
    MOTORS = auto()
    STOPPING = auto()
    """An emergency stop is under way: decelerate at once, refuse commands until standing."""
    STALLED = auto()
    PUSH_FORWARD = auto()
    """The velocities with which the last collision happened; the stall lasts while these are still wanted."""
    PUSH_LATERAL = auto()
    PUSH_ROTATION = auto()
    STALL_X = auto()
    """Where the body was when it last hit something."""
    STALL_Y = auto()
    STALL_HEADING = auto()
    DRIVE = auto()
    """How wishes become velocities, see `Drive`."""
    TRACK = auto()
    """Distance between the left and the right wheels."""
    LEFT_WAY = auto()
    """Way that each wheel has rolled since the body was made, backwards counted negative."""
    RIGHT_WAY = auto()
    LEFT_SPEED = auto()
    """Speeds of the rims as they are now; these and what follows only for a body driven by its wheels."""
    RIGHT_SPEED = auto()
    LEFT_WANTED = auto()
    """Speeds of the rims to reach; at most FORWARD_LIMIT counts."""
    RIGHT_WANTED = auto()
    LEFT_SLIP = auto()
    """Share of the rim's speed that is lost on the ground."""
    RIGHT_SLIP = auto()
    LEFT_BLOCKED = auto()
    """1.0 when the wheel cannot roll forwards, -1.0 when not backwards; ends when it is driven the other way."""
    RIGHT_BLOCKED = auto()
    WHEEL_KEPT = auto()
    """Share of a rim's old speed that is left after one step, the rest being the speed wanted."""
    WHEEL_NOISE = auto()
    """Standard deviation of a rim's new speed, as a share of it."""
    CONTACT = auto()
    """What the body touches now, see `Touch`; kept while it is stalled."""
    CONTACT_X = auto()
    """Where it touches, in the body's frame."""
    CONTACT_Y = auto()
    CONTACT_WITH = auto()
    """SERIAL of the body that it touches, or 0."""
    COPY = auto()
    """Number of the copy of the world that the body lives in: bodies of other copies are not there for it."""
    GHOST = auto()
    """Neither seen nor bumped into, and bumps into nothing."""
    STOPS = auto()
    """What the body is an obstacle for (bits of world.obstacles.Stops)."""
    REFLECTANCE = auto()
    SERIAL = auto()
    """A number that no other body ever has: names the body's noise."""
    OUTLINE = auto()
    """Which shape sensors see."""
    FOOTPRINT = auto()
    """Which shape collides."""


class Drive(Rows):
    """How the wishes of a body become velocities."""

    AXES = auto()
    """Velocities and distances along its axes, with ramps (`drives.axes`)."""
    WHEELS = auto()
    """Speeds of its wheels' rims, with a lag (`drives.wheels`)."""


class Touch(Rows):
    """What a body touches."""

    NOTHING = auto()
    WALL = auto()
    BODY = auto()


class Axes:
    """Blocks of three rows of the matrix of bodies: forward, lateral, rotation."""

    VELOCITY = slice(Body.FORWARD, Body.FORWARD + 3)
    IS_DISTANCE = slice(Body.FORWARD_IS_MOVE, Body.FORWARD_IS_MOVE + 3)
    TARGET = slice(Body.FORWARD_TARGET, Body.FORWARD_TARGET + 3)
    LIMIT = slice(Body.FORWARD_LIMIT, Body.FORWARD_LIMIT + 3)
    ACCELERATION = slice(Body.FORWARD_ACCELERATION, Body.FORWARD_ACCELERATION + 3)
    DECELERATION = slice(Body.FORWARD_DECELERATION, Body.FORWARD_DECELERATION + 3)
    ERROR = slice(Body.FORWARD_ERROR, Body.FORWARD_ERROR + 3)
    ERROR_MOST = slice(Body.FORWARD_ERROR_MOST, Body.FORWARD_ERROR_MOST + 3)
    PUSH = slice(Body.PUSH_FORWARD, Body.PUSH_FORWARD + 3)


class Wheels:
    """Blocks of two rows of the matrix of bodies: left, right."""

    WAY = slice(Body.LEFT_WAY, Body.LEFT_WAY + 2)
    SPEED = slice(Body.LEFT_SPEED, Body.LEFT_SPEED + 2)
    WANTED = slice(Body.LEFT_WANTED, Body.LEFT_WANTED + 2)
    SLIP = slice(Body.LEFT_SLIP, Body.LEFT_SLIP + 2)
    BLOCKED = slice(Body.LEFT_BLOCKED, Body.LEFT_BLOCKED + 2)


class Plan(Rows):
    """Rows of the compiled engine's scratch matrix: the step that each body plans."""

    X = auto()
    Y = auto()
    TURN = auto()
    LEVEL = auto()
    """How far the body has retreated, see `Retreat`."""
    BLOCKED = auto()
    FREE_OF_WALLS = auto()
    """This plan is known to meet no wall."""
    NEXT_X = auto()
    """Where the body may turn when it gives way."""
    NEXT_Y = auto()
    NEXT_LEVEL = auto()
    PLACE_X = auto()
    """Where the body would touch what is in its way, in its own frame."""
    PLACE_Y = auto()
    AWAY_X = auto()
    """Direction away from what is in its way: the normal of the segment that was met, on the body's side."""
    AWAY_Y = auto()
    OTHER = auto()
    """Column of the body that it touched first in this step; below zero when it touched none."""
    BEGIN = auto()
    """The last two rows are no body's: they are the index of all bodies by place."""
    ORDER = auto()


class Retreat(Rows):
    """What a body still plans to do."""

    NONE = auto()
    """The whole step."""
    TURN_ALONE = auto()
    GIVE_WAY = auto()
    """The turn, with the body moved aside by the little that its outline needs."""
    WAY_ALONE = auto()
    NOTHING = auto()
