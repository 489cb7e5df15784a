"""Following a path: pure pursuit of a point a little ahead, turning on the spot where the path bends away."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mobilesim_py.geometry import FloatArray, Point, Pose


@dataclass(frozen=True)
class Limits:
    """How a path is followed."""

    forward: float = 0.4
    """Largest velocity [m/s]."""
    rotation: float = 1.2
    """Largest angular velocity [rad/s]."""
    deceleration: float = 0.25
    """With which it comes to rest at the goal [m/s^2]."""
    lookahead: float = 0.3
    """How far ahead on the path the point is that it drives to [m]."""
    tolerance: float = 0.10
    """How near to the goal is there [m]."""
    heading_tolerance: float = math.radians(5.0)
    slowest: float = 0.05
    """Least velocity while it drives [m/s]."""
    caution: float = 0.4
    """Obstacles nearer than this beyond its radius make it slower [m]."""

    @property
    def look_ahead(self) -> float:
        """How far ahead the way must be free [m]: room for two that come towards each other to come to rest."""
        return self.forward * self.forward / self.deceleration + 0.2


@dataclass(frozen=True)
class Motion:
    """Velocities to drive with [m/s, rad/s]."""

    forward: float = 0.0
    rotation: float = 0.0

    def from_pose(self, pose: Pose, seconds: float = 0.4, steps: int = 2) -> Iterator[Pose]:
        """Go on like this for a while, as the poses that the robot will have."""
        x, y, heading = pose.x, pose.y, pose.heading
        for _ in range(steps):
            heading += self.rotation * seconds / steps
            x += self.forward * seconds / steps * math.cos(heading)
            y += self.forward * seconds / steps * math.sin(heading)
            yield Pose(x, y, heading)


STAND = Motion()
USUAL = Limits()
_TURN_FROM, _TURN_TO = 0.6, 0.15
"""Bearings of the point ahead between which it turns on the spot [rad]."""
_STIFFNESS = 2.0
"""Angular velocity per angle that is left [1/s]."""


class Follower:
    """Follows one path to its end, and turns to a heading there if one was asked for."""

    def __init__(self, path: Sequence[Point], heading: float | None = None, limits: Limits = USUAL) -> None:
        self.limits = limits
        self.heading = heading
        self.path: FloatArray = np.array(path, np.float64).reshape(-1, 2)
        steps = np.hypot(*np.diff(self.path, axis=0).T) if len(self.path) > 1 else np.zeros(0)
        self._way = np.concatenate([[0.0], np.cumsum(steps)])
        self._progress = 0.0
        self._is_turning = False
        self._is_there = False

    @property
    def remaining(self) -> float:
        """The way that is left [m]."""
        return float(self._way[-1]) - self._progress

    def motion(self, pose: Pose, clearance: float = math.inf) -> Motion | None:
        """Return how to drive from here, with this much room about the robot [m]; None at the end of the way."""
        if not self._is_there:
            self._follow(pose)
            self._is_there = self._has_arrived(pose)
        if self._is_there:
            return self._turn_to_heading(pose)
        target = self._at(self._progress + self.limits.lookahead)
        bearing = _bearing(pose, target)
        self._is_turning = abs(bearing) > (_TURN_TO if self._is_turning else _TURN_FROM)
        if self._is_turning:
            return Motion(0.0, self._turning(bearing))
        away = math.hypot(target[0] - pose.x, target[1] - pose.y)
        forward = self._velocity(clearance)
        rotation = 2.0 * forward * math.sin(bearing) / max(away, 0.5 * self.limits.lookahead)
        if abs(rotation) > self.limits.rotation:
            forward *= self.limits.rotation / abs(rotation)
            rotation = math.copysign(self.limits.rotation, rotation)
        return Motion(forward, rotation)

    def stray(self, pose: Pose) -> float:
        """Return how far the robot is from its path [m]: much if somebody has carried it."""
        x, y = self._at(self._progress)
        return max(0.0, math.hypot(pose.x - x, pose.y - y) - 2.0 * self.limits.lookahead)

    def ahead(self, pose: Pose, distance: float, step: float = 0.1) -> Iterator[Pose]:
        """Go along the path for a distance [m], as the poses that the robot will have."""
        end = min(self._progress + distance, float(self._way[-1]))
        ways = np.arange(self._progress, end, step) + step
        last = pose.x, pose.y
        for place in zip(*(np.interp(ways, self._way, self.path[:, axis]).tolist() for axis in (0, 1)), strict=True):
            x, y = place
            if place != last:
                yield Pose(x, y, math.atan2(y - last[1], x - last[0]))
            last = x, y

    def _follow(self, pose: Pose) -> None:
        """Advance to the point of the path nearest to the robot, not far ahead of where it was: paths may pass by twice."""
        first = int(np.searchsorted(self._way, self._progress))
        last = int(np.searchsorted(self._way, self._progress + 2.0 * self.limits.lookahead)) + 1
        near = self.path[first : max(last, first + 1)]
        if len(near):
            k = int(np.argmin(np.hypot(near[:, 0] - pose.x, near[:, 1] - pose.y)))
            self._progress = max(self._progress, float(self._way[first + k]))

    def _at(self, way: float) -> Point:
        """Return the point of the path at a way from its beginning [m]."""
        return float(np.interp(way, self._way, self.path[:, 0])), float(np.interp(way, self._way, self.path[:, 1]))

    def _has_arrived(self, pose: Pose) -> bool:
        x, y = self.path[-1]
        away = math.hypot(x - pose.x, y - pose.y)
        if away <= 0.4 * self.limits.tolerance:
            return True
        # It has just passed the goal: turning back would bring it no nearer.
        return away <= 0.9 * self.limits.tolerance and abs(_bearing(pose, (float(x), float(y)))) > 0.5 * math.pi

    def _velocity(self, clearance: float) -> float:
        limits = self.limits
        coming_to_rest = math.sqrt(2.0 * limits.deceleration * max(self.remaining, 0.0))
        careful = limits.forward * min(1.0, max(0.3, clearance / limits.caution))
        return max(limits.slowest, min(coming_to_rest, careful))

    def _turning(self, angle: float) -> float:
        most = self.limits.rotation
        return max(-most, min(most, _STIFFNESS * angle))

    def _turn_to_heading(self, pose: Pose) -> Motion | None:
        if self.heading is None:
            return None
        left = math.remainder(self.heading - pose.heading, math.tau)
        return None if abs(left) <= 0.6 * self.limits.heading_tolerance else Motion(0.0, self._turning(left))


def _bearing(pose: Pose, target: Point) -> float:
    """Return the direction of a place as the robot sees it [rad]."""
    return math.remainder(math.atan2(target[1] - pose.y, target[0] - pose.x) - pose.heading, math.tau)
