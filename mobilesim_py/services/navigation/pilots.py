"""A pilot for every robot that was given a goal: it sees what is around, navigates, and drives the robot."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.geometry import FloatArray, Point, Polygon, Pose, edges_of, placed, radius_of
from mobilesim_py.navigation.following import Limits, Motion
from mobilesim_py.navigation.navigator import Beside, Ended, Goal, Ground, Navigator, Outcome, at_once
from mobilesim_py.world.obstacles import Stops

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.log import Log

NEAR = 3.0
"""Other things farther away than this are not looked at for what is in the way [m]."""


class Pilots:
    """Knows the goals of all robots of a simulation; told after every step."""

    def __init__(self, simulation: Simulation, log: Log, beside: Beside = at_once) -> None:
        self._simulation = simulation
        self._log = log
        self._beside = beside
        self._pilots: dict[Robot, Pilot] = {}
        self.changes = 0
        """How often a goal or a plan changed: viewers look at it to see whether there is news."""

    def go(self, robot: Robot, goal: Goal, ended: Ended = lambda goal, outcome, why: None) -> None:
        """Send a robot to a goal, instead of any that it has."""
        heading = "" if goal.heading is None else f" facing {math.degrees(goal.heading):.0f} degrees"
        self._log.info(f"Going to ({goal.x:.3f}, {goal.y:.3f}) m{heading}.", robot.name)

        def told(of: Goal, outcome: Outcome, why: str) -> None:
            self.changes += 1
            text = f"Goal ({of.x:.3f}, {of.y:.3f}) m {outcome.value}"
            self._log.info(f"{text}: {why}." if why else f"{text}.", robot.name)
            ended(of, outcome, why)

        self.changes += 1
        self.of(robot).go(goal, told)

    def cancel(self, robot: Robot) -> bool:
        """Let a robot give its goal up and come to rest; tell whether it had one."""
        return robot in self._pilots and self._pilots[robot].cancel()

    def of(self, robot: Robot) -> Pilot:
        """Return the pilot of a robot."""
        if robot not in self._pilots:
            self._pilots[robot] = Pilot(self._simulation, robot, self._beside)
        return self._pilots[robot]

    def find(self, robot: Robot) -> Pilot | None:
        """Return the pilot of a robot that was ever given a goal."""
        return self._pilots.get(robot)

    def after_step(self, simulation: Simulation) -> None:
        """Drive those that have a goal."""
        for robot, pilot in list(self._pilots.items()):
            if robot.column < 0:
                pilot.navigator.cancel()
                del self._pilots[robot]
            else:
                pilot.drive(simulation.time)


class Pilot:
    """Drives one robot."""

    def __init__(self, simulation: Simulation, robot: Robot, beside: Beside = at_once) -> None:
        self._simulation = simulation
        self.robot = robot
        radius = radius_of(robot.model.body.outline)
        self.navigator = Navigator(self._ground, radius, limits=_limits_of(robot), beside=beside)
        self.pose: Callable[[], Pose] = lambda: robot.pose
        """Where it believes to be."""

    def go(self, goal: Goal, ended: Ended) -> None:
        """Go to a goal."""
        self.robot.motors = True
        self.navigator.go(goal, self.pose(), ended)

    def cancel(self) -> bool:
        """Give the goal up and come to rest."""
        had_goal = self.navigator.cancel()
        if had_goal:
            self._move(Motion())
        return had_goal

    def drive(self, now: float) -> None:
        """Drive on; nothing happens without a goal."""
        motion = self.navigator.tick(now, self.pose(), self._blocked_by(self._others()))
        if motion is not None:
            self._move(motion)

    def _move(self, motion: Motion) -> None:
        robot = self.robot
        if robot.wheels is not None:
            half = 0.5 * robot.wheels.track * motion.rotation
            robot.roll(motion.forward - half, motion.forward + half)
        else:
            robot.drive(motion.forward)
            robot.turn(motion.rotation)

    def _ground(self) -> Ground:
        world = self._simulation.world
        segments = world.segments
        walls = segments.ends[(segments.stops & int(Stops.ROBOTS)) != 0]
        outlines = [edges_of(outline) for outline in self._others(math.inf)]
        return Ground(world.bounds, np.concatenate([walls, *outlines]))

    def _others(self, near: float = NEAR) -> list[Polygon]:
        """Return the outlines of other things that are in this world with the robot."""
        here, copy = self.robot.pose, self.robot.copy
        found: list[Polygon] = []
        for thing in self._simulation.things:
            if thing is self.robot or thing.ghost or thing.copy != copy:
                continue
            pose = thing.pose
            if math.hypot(pose.x - here.x, pose.y - here.y) <= near:
                found += [placed(outline, pose) for outline in _outlines(thing)]
        return found

    def _blocked_by(self, others: Sequence[Polygon]) -> Callable[[Pose], bool]:
        """Return what tells whether another thing is where the robot will be."""
        if not others:
            return lambda pose: False
        edges: FloatArray = np.concatenate([edges_of(outline) for outline in others])

        def is_blocked(pose: Pose) -> bool:
            return bool((_distances((pose.x, pose.y), edges) < self.navigator.radius).any())

        return is_blocked


def _limits_of(robot: Robot) -> Limits:
    top = robot.model.drive.max_speed
    return Limits(forward=min(0.4, top.forward or 0.4), rotation=min(1.2, top.rotation or 1.2))


def _outlines(thing: Thing) -> tuple[Polygon, ...]:
    if isinstance(thing, Robot):
        return thing.model.body.outline
    return (thing.box.outline,) if isinstance(thing, BoxBody) and thing.box.stops & Stops.ROBOTS else ()


def _distances(place: Point, edges: FloatArray) -> FloatArray:
    """Return how far a place is from each of many segments (N x 4) [m]."""
    along = edges[:, 2:] - edges[:, :2]
    to = np.asarray(place) - edges[:, :2]
    share = (to * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-12)
    foot = to - np.clip(share, 0.0, 1.0)[:, None] * along
    return np.asarray(np.hypot(foot[:, 0], foot[:, 1]))
