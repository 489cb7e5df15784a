"""Dead reckoning from what wheel encoders count. Metres and radians."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mobilesim_py.geometry import Pose


def reckoned(pose: Pose, left: float, right: float, base: float) -> Pose:
    """Return the pose after the wheels have rolled these ways [m]; the place follows the new heading.

    With the distance d_c = (right + left) / 2 and the turn phi = (right - left) / base: theta += phi, and only then
    x += d_c cos(theta), y += d_c sin(theta).
    """
    heading = pose.heading + (right - left) / base
    way = (right + left) / 2.0
    return Pose(pose.x + way * math.cos(heading), pose.y + way * math.sin(heading), heading)


@dataclass(frozen=True)
class Encoders:
    """How wheel encoders count."""

    tick: float = 0.0005
    """Way of the rim from one count to the next [m]."""
    slip: tuple[float, float] = (0.0, 0.0)
    """Shares of the way that they count too much, left and right; negative: too little."""

    def count(self, ways: tuple[float, float]) -> tuple[int, int]:
        """Return what the left and the right encoder say after their rims have rolled these ways [m]."""
        left, right = ((way * (1.0 + slip)) / self.tick for way, slip in zip(ways, self.slip, strict=True))
        return math.floor(left), math.floor(right)


class WheelOdometry:
    """The pose that the encoders of two wheels tell of."""

    def __init__(self, base: float, encoders: Encoders = Encoders(), ways: tuple[float, float] = (0.0, 0.0)) -> None:
        """`base` is the distance between the wheels, `ways` what the rims have rolled before [m]."""
        self.pose = Pose()
        self.base = base
        self.encoders = encoders
        self._counts = encoders.count(ways)

    def use(self, encoders: Encoders, ways: tuple[float, float]) -> None:
        """Count with other encoders from now on."""
        self.encoders = encoders
        self._counts = encoders.count(ways)

    def take(self, ways: tuple[float, float]) -> Pose:
        """Note what the rims have rolled in all [m]; return the new pose."""
        counts = self.encoders.count(ways)
        left, right = ((now - then) * self.encoders.tick for now, then in zip(counts, self._counts, strict=True))
        self._counts = counts
        moved = reckoned(self.pose, left, right, self.base)
        self.pose = Pose(moved.x, moved.y, math.remainder(moved.heading, math.tau))
        return self.pose
