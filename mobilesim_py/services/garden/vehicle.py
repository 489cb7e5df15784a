"""One garden robot: what its encoders, its localisation and its cameras tell is handed to its gardener, who drives it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mobilesim_py.core.devices.ticker import TICKER
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.scene import Rays
from mobilesim_py.garden.gardener import Gardener, Manner
from mobilesim_py.garden.goals import SimpleGoal
from mobilesim_py.garden.ground_plan import GroundPlan
from mobilesim_py.garden.localisation import Localisation, Quality
from mobilesim_py.garden.occupancy import Occupancy
from mobilesim_py.garden.odometry import Encoders, WheelOdometry
from mobilesim_py.garden.raster import cell_for
from mobilesim_py.garden.trimming import Body
from mobilesim_py.geometry import FloatArray, Pose
from mobilesim_py.navigation.following import Motion
from mobilesim_py.navigation.navigator import Beside
from mobilesim_py.navigation.search import Searcher
from mobilesim_py.world.obstacles import Stops

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

RAYS = 360
"""Directions in which the cameras look for obstacles, all around."""
REACH = 6.0
"""How far they see them [m]."""
RANGE_NOISE = 0.01
"""Standard deviation of what they measure [m]."""
LOOKED = 0.05
"""After a shorter way [m], and no turn, they look again only after a while."""
LOOK_AGAIN = 1.0
"""... which is this long [s]: others may have moved."""
TELL_GRIDS = 1.0
"""Grids are told no oftener than this [s]."""
_RESET = 1e-6
PERFECT, USUAL = Quality(), Manner()


@dataclass(frozen=True)
class Setup:
    """How a garden robot's own parts work."""

    quality: Quality = PERFECT
    slip: tuple[float, float] = (0.0, 0.0)
    """Of the encoders, left and right: shares of the way."""
    manner: Manner = USUAL
    is_known: bool = False
    """Whether the grid is complete from the start."""


class Told(Protocol):
    """Somebody who wants to know how a goal gets on."""

    def feedback(self) -> None:
        """Take note that it is being pursued."""

    def finished(self, outcome: str, why: str) -> None:
        """Take note of its end."""


class Vehicle:
    """A garden robot and everything that its computers know."""

    def __init__(
        self,
        robot: Robot,
        simulation: Simulation,
        setup: Setup,
        say: Callable[[str], None],
        *,
        beside: Beside,
        searches: Callable[[], Searcher],
    ) -> None:
        self.robot = robot
        self._simulation = simulation
        self._setup = setup
        track = robot.wheels.track if robot.wheels is not None else robot.model.drive.track
        tickers = robot.units(TICKER)
        tick = tickers[0].model.way if tickers else Encoders().tick
        self.odometry = WheelOdometry(track, Encoders(tick, setup.slip), robot.wheel_ways)
        self.localisation = Localisation(setup.quality, simulation.seed + robot.serial)
        self._draws = np.random.default_rng([simulation.seed, robot.serial])
        self._angles: FloatArray = np.linspace(0.0, math.tau, RAYS, endpoint=False)
        self._looked: tuple[Pose, float] | None = None
        self._ways = robot.wheel_ways
        self._drives = False
        self._pursuits: list[tuple[SimpleGoal, Told]] = []
        self._endings = 0
        self._told, self._told_at = (-1, -1), -math.inf
        self.occupancy = self._unseen()
        self.plan = GroundPlan(self.occupancy, simulation.world.sketch)
        length, width = robot.model.body.size
        self.gardener = Gardener(
            self.plan, Body(length, width), manner=setup.manner, say=say, beside=beside, searches=searches
        )
        robot.set_odometry()
        self.settle(simulation.time)

    @property
    def pose(self) -> Pose:
        """The estimated pose in the map."""
        return self.localisation.pose(self.odometry.pose)

    @property
    def map_to_odom(self) -> Pose:
        """Where the odometry's frame lies in the map."""
        return self.localisation.map_to_odom

    @property
    def is_active(self) -> bool:
        """Whether it has a goal, or waits for its turn to begin one."""
        return self.gardener.is_busy or bool(self.gardener.waiting)

    def settle(self, now: float) -> None:
        """Find out where it is, and take a first look."""
        self.localisation.take(now, self.robot.pose, self.odometry.pose)
        if self._setup.is_known:
            self.occupancy.know(self._simulation.world)
        self._look(now)

    def forget(self) -> None:
        """Begin a new map: the world is another one."""
        self.gardener.cancel()
        self.occupancy = self._unseen()
        self.plan.occupancy = self.occupancy
        self.plan.given = None
        self.plan.sketch = self._simulation.world.sketch
        self.gardener.trimmed.clear()
        self._looked = None
        self.settle(self._simulation.time)

    def use(self, setup: Setup) -> None:
        """Work in another way from now on."""
        if setup.slip != self._setup.slip:
            self.odometry.use(replace(self.odometry.encoders, slip=setup.slip), self._ways)
        self._setup = setup
        self.localisation.quality = setup.quality
        self.gardener.manner = setup.manner

    def _unseen(self) -> Occupancy:
        bounds = self._simulation.world.bounds
        pose = self.robot.pose
        return Occupancy(pose.x, pose.y, cell_for(bounds.width, bounds.height))

    @property
    def setup(self) -> Setup:
        """How its parts work."""
        return self._setup

    def tick(self, now: float) -> None:
        """Count, locate, look, and drive on; a period has passed."""
        robot = self.robot
        self._count()
        self.localisation.take(now, robot.pose, self.odometry.pose)
        self._look(now)
        motion = self.gardener.tick(now, self.pose, self.localisation.age(now), robot.contact is not None)
        if motion is None and self._drives:
            motion = Motion()  # the goal has ended: it must not roll on
        self._drives = self.gardener.is_busy
        if motion is not None:
            self.drive(motion)
        self._tell_pursuits()

    @property
    def grid_version(self) -> tuple[int, int]:
        """Tell grids apart that are worth telling: at most one in a second."""
        if self._simulation.time - self._told_at >= TELL_GRIDS or self.plan.changes != self._told[1]:
            self._told_at, self._told = self._simulation.time, (self.occupancy.changes, self.plan.changes)
        return self._told

    def pursue(self, goal: SimpleGoal, told: Told) -> None:
        """Drive to a place for somebody who is told how that gets on."""
        self._pursuits.append((goal, told))
        self.gardener.go(goal)
        self._tell_pursuits()

    def drop(self, goal: SimpleGoal) -> None:
        """Cancel a goal of somebody, if it is not over; others stay."""
        if self.gardener.current is goal or any(waiting is goal for waiting in self.gardener.waiting):
            self.gardener.cancel()
            self._tell_pursuits()

    def _tell_pursuits(self) -> None:
        """Tell those who wait for goals how these ended, or where the robot is."""
        count = self.gardener.endings - self._endings
        self._endings = self.gardener.endings
        for ended in list(self.gardener.ended)[-count:] if count else ():
            for pursuit in [one for one in self._pursuits if one[0] is ended.goal]:
                self._pursuits.remove(pursuit)
                pursuit[1].finished(ended.outcome, ended.why)
        for goal, told in self._pursuits:
            if goal is self.gardener.current:
                told.feedback()

    def drive(self, motion: Motion) -> None:
        """Let the wheels turn."""
        half = 0.5 * self.odometry.base * motion.rotation
        self.robot.roll(motion.forward - half, motion.forward + half)

    def stop(self) -> None:
        """Come to rest."""
        self._drives = False
        self.robot.stop()

    def _count(self) -> None:
        """Read the encoders; where somebody has set the odometry in between, go on from there."""
        told, set_to = self.odometry.pose, self.robot.odometry
        left, right = (now - then for now, then in zip(self.robot.wheel_ways, self._ways, strict=True))
        self._ways = self.robot.wheel_ways
        turned = told.heading + (right - left) / self.odometry.base
        if abs(math.remainder(set_to.heading - turned, math.tau)) > _RESET:
            self.odometry.pose = set_to
            self.odometry.use(self.odometry.encoders, self._ways)
        else:
            self.odometry.take(self._ways)
        pose = self.odometry.pose
        self.robot.set_odometry(pose.x, pose.y, pose.heading)

    def _look(self, now: float) -> None:
        """Take what the cameras see into the grid."""
        if self._setup.is_known or self.localisation.age(now) > 0.0:
            return
        truth = self.robot.pose
        if self._looked is not None:
            before, when = self._looked
            if math.hypot(truth.x - before.x, truth.y - before.y) < LOOKED and now - when < LOOK_AGAIN:
                return
        self._looked = truth, now
        angles = self._angles + truth.heading
        count = np.full(RAYS, 0.0)
        rays = Rays(
            count + truth.x,
            count + truth.y,
            np.cos(angles),
            np.sin(angles),
            count + REACH,
            np.full(RAYS, self.robot.column, np.int64),
        )
        simulation = self._simulation
        ranges = simulation.engine.cast(simulation.scene, rays, int(Stops.LASER)).distance
        if simulation.noise:
            ranges = np.where(ranges < REACH, np.maximum(ranges + self._draws.normal(0.0, RANGE_NOISE, RAYS), 0.0), ranges)
        pose = self.pose
        self.occupancy.see(pose.x, pose.y, self._angles + pose.heading, ranges, REACH)
