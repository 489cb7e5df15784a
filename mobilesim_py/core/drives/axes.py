"""The law of motion, for arrays of robots or, compiled, for one robot at a time: the same text gives the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

choose = np.where
"""Compiled, this name stands for a choice between two scalars."""
ARRIVED = 1e-6
"""A move or turn that has less than this to go is done [m, rad]."""
EMERGENCY_DECELERATION = 9999.0
"""Metres (radians) per second squared of an emergency stop: the robot stands after one step."""

RESIDUE = 1e-9
"""A speed that ramps down leaves no less than this: what is left below it is rounding [m/s, rad/s]."""
STALL_REACH = 0.1
"""A stall lasts while the robot still pushes and is within this of where it hit [m]."""
STALL_TURN = 0.2
"""... and has not turned by more than this [rad]."""


def wanted_velocity(is_distance: Any, target: Any, limit: Any, deceleration: Any, dt: float) -> Any:
    """The velocity to steer for: the target velocity, or the one from which a move can still stop in time.

    Slowing down by one notch a*dt in every step from k + f notches (k whole, f a fraction) covers, in half notches times
    dt, (k + 1)(k + 2f): that gives the largest velocity for a distance to go, and the last step covers exactly what is
    left. Deceleration zero is instantaneous.
    """
    to_go = np.abs(target)
    notch = choose(deceleration > 0.0, deceleration * dt, 1.0)
    halves = 2.0 * to_go / (notch * dt)
    whole = np.floor((np.sqrt(1.0 + 4.0 * halves) - 1.0) * 0.5)
    braking = notch * (whole + (halves - whole * (whole + 1.0)) / (2.0 * (whole + 1.0)))
    approach = np.minimum(choose(deceleration > 0.0, braking, to_go / dt), limit)
    return choose(is_distance > 0.0, np.sign(target) * approach, steady_velocity(target, limit))


def steady_velocity(target: Any, limit: Any) -> Any:
    """What `wanted_velocity` is when the target is a velocity."""
    return np.sign(target) * np.minimum(np.abs(target), limit)


def next_velocity(velocity: Any, wanted: Any, acceleration: Any, deceleration: Any, dt: float) -> Any:
    """The velocity after one step: never faster than the ramps allow, and through zero when the sign changes.

    Whoever goes as fast as is wanted goes on like that.
    """
    speed = np.abs(velocity)
    slower = speed - deceleration * dt
    slower = choose(slower <= RESIDUE, 0.0, slower)
    opposed = velocity * wanted < 0.0
    goal = choose(opposed, 0.0, np.abs(wanted))
    up = choose(acceleration > 0.0, np.minimum(goal, speed + acceleration * dt), goal)
    down = choose(deceleration > 0.0, np.maximum(goal, slower), goal)
    sign = choose(speed > 0.0, np.sign(velocity), np.sign(wanted))
    reached = sign * choose(goal > speed, up, down)
    # At-once deceleration against the direction of motion needs no stop at zero in between.
    return choose(opposed & (deceleration <= 0.0), choose(acceleration <= 0.0, wanted, 0.0), reached)


def left_to_go(is_distance: Any, target: Any, covered: Any) -> Any:
    """What remains of a move or turn after a step that covered so much; a velocity stays what it is."""
    rest = target - covered
    return choose(is_distance > 0.0, choose(np.abs(rest) <= ARRIVED, 0.0, rest), target)
