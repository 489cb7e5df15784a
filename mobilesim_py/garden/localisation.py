"""What stands for the visual localisation: the true pose, with noise, delay and outages if wanted. Metres, radians, seconds.

A fix says where the odometry's frame lies in the map; between fixes the vehicle goes on by dead reckoning. So the map's
frame to the odometry's, and that to the vehicle, are always the estimated pose.
"""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass

from mobilesim_py.geometry import Pose, compose


@dataclass(frozen=True)
class Quality:
    """How good the localisation is; perfect if nothing is said."""

    noise: float = 0.0
    """Standard deviation of each coordinate of a fix [m]."""
    turn_noise: float = 0.0
    """Standard deviation of its heading [rad]."""
    delay: float = 0.0
    """Age of a fix when it is told [s]."""
    outage_every: float = 0.0
    """From the beginning of one outage to the next one [s]; 0 is never."""
    outage: float = 0.0
    """How long each lasts [s]; they end a period, so none is at the start."""

    def is_out(self, now: float) -> bool:
        """Tell whether there are no fixes at a time."""
        return self.outage_every > 0.0 and now % self.outage_every >= self.outage_every - self.outage


def inverse(pose: Pose) -> Pose:
    """Return the pose that undoes another one."""
    cos, sin = math.cos(pose.heading), math.sin(pose.heading)
    return Pose(-pose.x * cos - pose.y * sin, pose.x * sin - pose.y * cos, -pose.heading)


class Localisation:
    """Knows where the odometry's frame lies in the map."""

    def __init__(self, quality: Quality = Quality(), seed: int = 0) -> None:
        self.quality = quality
        self.is_covered = False
        """Whether somebody holds a hand over the cameras: there are no fixes until that ends."""
        self.map_to_odom = Pose()
        self.fixed_at: float | None = None
        """When the last fix came; None before the first one."""
        self._draws = random.Random(seed)
        self._past: deque[tuple[float, Pose, Pose]] = deque(maxlen=1000)

    def take(self, now: float, truth: Pose, odometry: Pose) -> None:
        """Note where the vehicle is and what its odometry says; take a fix if there is one."""
        self._past.append((now, truth, odometry))
        due = now - self.quality.delay + 1e-9
        while len(self._past) > 1 and self._past[1][0] <= due:
            self._past.popleft()
        then, truth, odometry = self._past[0]
        if then > due or self.is_covered or self.quality.is_out(now):
            return
        heading = odometry.heading
        seen = self._noisy(truth)
        turned = compose(seen, inverse(Pose(odometry.x, odometry.y, heading)))
        self.map_to_odom = Pose(turned.x, turned.y, math.remainder(turned.heading, math.tau))
        self.fixed_at = now

    def pose(self, odometry: Pose) -> Pose:
        """Return the estimated pose in the map."""
        there = compose(self.map_to_odom, odometry)
        return Pose(there.x, there.y, math.remainder(there.heading, math.tau))

    def age(self, now: float) -> float:
        """Return how old the last fix is [s]; infinite before the first one."""
        return now - self.fixed_at if self.fixed_at is not None else math.inf

    def _noisy(self, pose: Pose) -> Pose:
        quality, draw = self.quality, self._draws.gauss
        if quality.noise <= 0.0 and quality.turn_noise <= 0.0:
            return pose
        return Pose(
            pose.x + draw(0.0, quality.noise),
            pose.y + draw(0.0, quality.noise),
            pose.heading + draw(0.0, quality.turn_noise),
        )
