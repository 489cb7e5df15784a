"""Where a camera looks: angles and a zoom that go to where they are told at their speeds. Degrees, seconds.

Time comes in with every call: what a mount does in between follows from what it was told last, and when.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How far and how fast a mount moves."""

    pan: tuple[float, float] = (-98.0, 98.0)
    """[degrees], to the right positive."""
    tilt: tuple[float, float] = (-30.0, 88.0)
    """[degrees], upwards positive."""
    pan_speed: float = 90.0
    """Greatest, and at first [deg/s]."""
    tilt_speed: float = 69.0
    zoom: int = 1960
    """Greatest."""
    zoom_speed: float = 600.0
    """In units of the zoom [1/s]."""


class Axis:
    """One thing that moves at a speed from where it is to where it shall be."""

    def __init__(self, low: float, high: float, speed: float) -> None:
        self.low, self.high = low, high
        self.speed = speed
        self.goal = 0.0
        self._begin = 0.0
        self._since = 0.0

    def at(self, now: float) -> float:
        """Return where it is."""
        way = self.speed * max(0.0, now - self._since)
        return min(self.goal, self._begin + way) if self.goal > self._begin else max(self.goal, self._begin - way)

    def go(self, goal: float, now: float) -> None:
        """Go there, as far as its limits allow."""
        self._begin, self._since = self.at(now), now
        self.goal = min(self.high, max(self.low, goal))

    def stop(self, now: float) -> None:
        """Stay where it is."""
        self.go(self.at(now), now)

    def set_speed(self, speed: float, now: float) -> None:
        """Go at this speed from now on."""
        self._begin, self._since = self.at(now), now
        self.speed = speed

    def limit(self, low: float, high: float) -> None:
        """Do not go beyond these."""
        self.low, self.high = min(low, high), max(low, high)


class Mount:
    """A camera that pans, tilts and zooms."""

    def __init__(self, limits: Limits = Limits()) -> None:
        self.limits = limits
        self.reset()

    def reset(self) -> None:
        """Make it as new: straight ahead, without zoom, on."""
        self.pan = Axis(*self.limits.pan, self.limits.pan_speed)
        self.tilt = Axis(*self.limits.tilt, self.limits.tilt_speed)
        self.zoom = Axis(0.0, float(self.limits.zoom), self.limits.zoom_speed)
        self.on = True

    def home(self, now: float) -> None:
        """Look straight ahead."""
        self.pan.go(0.0, now)
        self.tilt.go(0.0, now)

    def stop(self, now: float) -> None:
        """Stay where it looks."""
        self.pan.stop(now)
        self.tilt.stop(now)
