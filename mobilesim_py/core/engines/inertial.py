"""What inertial units feel: formulas for arrays of units or, compiled, for one unit at a time, with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

choose = np.where
"""Compiled, this name stands for a choice between two scalars."""
GRAVITY = 9.81
"""[m/s2]."""
KNOT_SECONDS = 60.0
"""Drift goes from one drawn value to the next in this time [s]."""
AXES = 6
"""What errs by itself: three turning rates, three forces; the draws of a tick have their numbers."""


def acceleration(speed: Any, last_speed: Any, ticks: Any, last: Any, dt: float) -> Any:
    """Return the mean acceleration since a unit last felt it, so many ticks ago; with none in between it stays."""
    return choose(ticks > 0.0, (speed - last_speed) / (choose(ticks > 0.0, ticks, 1.0) * dt), last)


def wander(before: Any, after: Any, share: Any) -> Any:
    """Return what drifts from one drawn value to the next, a share of the time between having passed."""
    return before + (after - before) * share


def magnetic_field(heading_sine: Any, heading_cosine: Any, scale_x: Any, scale_y: Any, bias_x: Any, bias_y: Any) -> Any:
    """Return the field as cosine and sine of the heading, with the magnetism of the robot on top."""
    return heading_cosine * (1.0 + scale_x) + bias_x, heading_sine * (1.0 + scale_y) + bias_y
