"""A pilot for every robot that was given a goal: it sees what is around, navigates, and drives the robot."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mobilesim_py.core.robot import Robot
from mobilesim_py.geometry import Pose
from mobilesim_py.navigation.following import Limits, Motion
from mobilesim_py.navigation.footprint import Footprint
from mobilesim_py.navigation.navigator import (
    CLEARANCE,
    EDGING,
    PATIENCE,
    Beside,
    Ended,
    Navigator,
    Outcome,
    at_once,
    nothing,
)
from mobilesim_py.navigation.planning import Goal
from mobilesim_py.navigation.search import Searcher, searcher
from mobilesim_py.services.navigation.surroundings import NOTHING, Surroundings

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.log import Log

FASTEST, QUICKEST = 0.4, 1.2
"""Largest velocity [m/s] and angular velocity [rad/s], for robots that can do as much."""
MARGIN = 0.03
"""How near others may be to where the robot is about to be [m]."""
WALL_MARGIN = 0.01
"""The same for walls, which stay where they are [m]."""
FORESIGHT = 0.8
"""How long others are expected to go on as they do [s]."""
OVERLAP = 0.08
"""By how much the circles about two robots may overlap then [m]."""
_STAGGER = 0.3
"""Robots that are in one another's way plan around it one after the other, this much later each [s], and back away this
much farther each [m]: whoever does so less gets through."""


@dataclass(frozen=True)
class Ending:
    """How the last goal of a robot ended."""

    goal: Goal
    outcome: Outcome
    why: str = ""


def _nobody_asks(goal: Goal, outcome: Outcome, why: str) -> None:
    pass


@dataclass(frozen=True)
class Manner:
    """How goals are pursued."""

    clearance: float = CLEARANCE
    """How much farther than its radius a robot keeps from obstacles [m]."""
    fastest: float = FASTEST
    """Largest velocity [m/s]."""
    beside: Beside = at_once
    searches: Callable[[], Searcher] = searcher


@dataclass
class Fleet:
    """Who has a goal: asked for while others look at what is in their way."""

    pilots: dict[Robot, Pilot] = field(default_factory=dict)

    def is_on_its_way(self, robot: Robot) -> bool:
        """Whether a robot is driven to a goal."""
        return robot in self.pilots and self.pilots[robot].navigator.goal is not None


class Pilots:
    """Knows the goals of all robots of a simulation; told after every step."""

    def __init__(self, simulation: Simulation, log: Log, manner: Manner | None = None) -> None:
        self._simulation = simulation
        self._log = log
        self._manner = manner or Manner()
        self._fleet = Fleet()
        self.surroundings = Surroundings(simulation, self._fleet.is_on_its_way)
        self.changes = 0
        """How often a goal came or ended: viewers look at it to see whether there is news."""

    def go(self, robot: Robot, goal: Goal, ended: Ended = _nobody_asks) -> None:
        """Send a robot to a goal, instead of any that it has."""
        heading = "" if goal.heading is None else f" facing {math.degrees(goal.heading):.0f} degrees"
        self._log.info(f"Going to {goal}{heading}.", robot.name)
        pilot = self.of(robot)

        def told(of: Goal, outcome: Outcome, why: str) -> None:
            self.changes += 1
            pilot.ending = Ending(of, outcome, why)
            text = f"Goal {of} {outcome.value}"
            self._log.info(f"{text}: {why}." if why else f"{text}.", robot.name)
            ended(of, outcome, why)

        self.changes += 1
        pilot.go(goal, told)

    def cancel(self, robot: Robot, why: str = "cancelled") -> bool:
        """Let a robot give its goal up and come to rest; tell whether it had one."""
        pilot = self.find(robot)
        return pilot is not None and pilot.cancel(why)

    def forget(self, robot: Robot) -> None:
        """Give up what a robot that leaves was to do."""
        self.cancel(robot, "the robot leaves the world")
        self._fleet.pilots.pop(robot, None)

    def of(self, robot: Robot) -> Pilot:
        """Return the pilot of a robot."""
        pilots = self._fleet.pilots
        if robot not in pilots:
            pilots[robot] = Pilot(self._simulation, robot, self.surroundings, self._manner)
        return pilots[robot]

    def find(self, robot: Robot) -> Pilot | None:
        """Return the pilot of a robot that was ever given a goal."""
        return self._fleet.pilots.get(robot)

    def all(self) -> list[Pilot]:
        """Return the pilots of all robots that were ever given a goal."""
        return list(self._fleet.pilots.values())

    @property
    def are_busy(self) -> bool:
        """Whether any robot has a goal."""
        return any(pilot.navigator.goal is not None for pilot in self._fleet.pilots.values())

    def after_step(self, simulation: Simulation) -> None:
        """Drive those that have a goal."""
        for robot, pilot in list(self._fleet.pilots.items()):
            if robot.column < 0:
                pilot.navigator.cancel("the robot leaves the world")
                del self._fleet.pilots[robot]
            else:
                pilot.drive(simulation.time)

    def world_changed(self) -> None:
        """Plan all ways anew: the walls are others."""
        for pilot in self._fleet.pilots.values():
            pilot.navigator.plan_again(pilot.pose())


class Pilot:
    """Drives one robot."""

    def __init__(self, simulation: Simulation, robot: Robot, surroundings: Surroundings, manner: Manner) -> None:
        self._simulation = simulation
        self._surroundings = surroundings
        self.robot = robot
        self.footprint = Footprint(robot.model.body.footprint or robot.model.body.outline)
        self.navigator = Navigator(
            lambda: surroundings.ground(robot),
            self.footprint.radius,
            limits=_limits_of(robot, manner.fastest),
            clearance=manner.clearance,
            patience=PATIENCE + _STAGGER * (robot.serial % 5),
            edging=EDGING + _STAGGER * (robot.serial % 5),
            beside=manner.beside,
            searches=manner.searches,
        )
        self.pose: Callable[[], Pose] = lambda: robot.pose
        """Where it believes to be."""
        self.ending: Ending | None = None
        """How its last goal ended."""

    def go(self, goal: Goal, ended: Ended) -> None:
        """Go to a goal."""
        self.robot.motors = True
        self.navigator.go(goal, self.pose(), ended)

    def cancel(self, why: str = "cancelled") -> bool:
        """Give the goal up and come to rest."""
        had_goal = self.navigator.cancel(why)
        if had_goal:
            self._move(Motion())
        return had_goal

    def drive(self, now: float) -> None:
        """Drive on; nothing happens without a goal."""
        if self.navigator.goal is None:
            return
        motion = self.navigator.tick(now, self.pose(), self._is_blocked())
        if motion is not None:
            self._move(motion)

    def _move(self, motion: Motion) -> None:
        robot = self.robot
        if robot.wheels is not None:
            half = 0.5 * robot.wheels.track * motion.rotation
            robot.roll(motion.forward - half, motion.forward + half)
        else:
            robot.drive(motion.forward)
            robot.slide(0.0)
            robot.turn(motion.rotation)

    def _is_blocked(self) -> Callable[[Pose], bool]:
        """Return what tells whether something is where the robot will be: other things, and walls where it cannot turn."""
        navigator, footprint = self.navigator, self.footprint
        reach = footprint.radius + navigator.limits.look_ahead + MARGIN
        others = self._surroundings.near(self.robot, reach)
        here, costmap = self.pose(), navigator.costmap
        is_tight = costmap is not None and costmap.clearance(here.x, here.y) < costmap.radius
        walls = self._surroundings.walls_near(here, reach) if is_tight else NOTHING
        if not others and not len(walls):
            return nothing

        # Of two whose ways cross the one that came into the world later waits.
        first = [other for other in others if other.thing.serial < self.robot.serial]
        soon = [(other.middle_after(FORESIGHT), other.radius) for other in first if other.moves]

        def is_blocked(pose: Pose) -> bool:
            for (x, y), radius in soon:
                if math.hypot(x - pose.x, y - pose.y) < footprint.radius + radius - OVERLAP:
                    return True
            for other in others:
                middle = other.pose
                if math.hypot(middle.x - pose.x, middle.y - pose.y) > footprint.radius + other.radius + MARGIN:
                    continue
                if any(footprint.meets(pose, edges, MARGIN) for edges in other.edges):
                    return True
            return footprint.meets(pose, walls, WALL_MARGIN)

        return is_blocked


def _limits_of(robot: Robot, fastest: float) -> Limits:
    """Return how fast a robot may follow a path, and how soon it comes to rest."""
    drive = robot.model.drive
    top = drive.max_speed
    usual = Limits()
    return Limits(
        forward=min(fastest, top.forward or fastest),
        rotation=min(QUICKEST, top.rotation or QUICKEST),
        deceleration=min(usual.deceleration, drive.deceleration.forward or usual.deceleration),
    )
