"""How robots reckon their odometry from the ticks of their wheels, where a client has told them other factors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobilesim_py.geometry import Pose

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot


@dataclass(frozen=True)
class Reckoning:
    """What odometry makes of what the wheels did."""

    distance: float = 1.0
    """How many times as long ways become,"""
    rotation: float = 1.0
    """and turns as large."""
    drift: float = 0.0
    """Turn that is added for each metre [rad]."""


PLAIN = Reckoning()


class Calibration:
    """The robots of a simulation that reckon otherwise; the others cost nothing."""

    def __init__(self) -> None:
        self.robots: dict[Robot, Reckoning] = {}
        self._before: list[tuple[Robot, Reckoning, Pose]] = []

    def set(self, robot: Robot, reckoning: Reckoning) -> None:
        """Let a robot reckon like this from now on."""
        self.robots.pop(robot, None)
        if reckoning != PLAIN:
            self.robots[robot] = reckoning

    def of(self, robot: Robot) -> Reckoning:
        """Return how a robot reckons."""
        return self.robots.get(robot, PLAIN)

    def before_tick(self) -> None:
        """Note what odometry says."""
        self._before = [(robot, reckoning, robot.odometry) for robot, reckoning in self.robots.items()]

    def after_tick(self) -> None:
        """Let odometry have changed as each robot reckons."""
        for robot, how, before in self._before:
            now = robot.odometry
            gx, gy = now.x - before.x, now.y - before.y
            ahead = gx * math.cos(before.heading) + gy * math.sin(before.heading)
            turn = math.remainder(now.heading - before.heading, math.tau)
            robot.set_odometry(
                before.x + gx * how.distance,
                before.y + gy * how.distance,
                before.heading + turn * how.rotation + how.drift * ahead,
            )
