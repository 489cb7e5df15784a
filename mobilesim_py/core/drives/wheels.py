"""The law of wheels: a left and a right one, or pairs of them, each with a speed of its rim.

The functions work on arrays of wheels or, compiled, on one wheel at a time: the same text gives the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

choose = np.where
"""Compiled, this name stands for a choice between two scalars."""
STANDING = 1e-9
"""A rim that is slower than this and wants to stand does [m/s]."""


@dataclass(frozen=True)
class WheelDrive:
    """How a body is driven by its wheels."""

    track: float
    """Distance between the left and the right wheels [m]."""
    top_speed: float
    """Of a rim [m/s]."""
    half_life: float = 0.0
    """Time in which half of the difference between speed and wish is gone [s]; zero is at once."""
    noise: float = 0.0
    """Standard deviation of a rim's speed, drawn anew at every step, as a share of it."""

    def kept(self, dt: float) -> float:
        """Return the share of a rim's old speed that is left after one step."""
        return float(0.5 ** (dt / self.half_life)) if self.half_life > 0.0 else 0.0


def still_blocked(blocked: Any, wanted: Any) -> Any:
    """Return in which direction a wheel is blocked (1, -1, or 0 for not at all): no longer when driven the other way."""
    return choose(blocked * wanted < 0.0, 0.0, blocked)


def next_rim_speed(speed: Any, wanted: Any, kept: Any, factor: Any, blocked: Any) -> Any:
    """Return the speed of a rim after one step; `factor` is 1 with what the motor errs by."""
    reached = ((1.0 - kept) * wanted + kept * speed) * factor
    reached = choose((wanted == 0.0) & (np.abs(reached) <= STANDING), 0.0, reached)
    return choose(reached * blocked > 0.0, 0.0, reached)


def body_velocity(left: Any, right: Any, track: Any) -> Any:
    """Return forward and angular velocity of a body whose wheels roll over the ground at these speeds."""
    return (right + left) / 2.0, (right - left) / track
