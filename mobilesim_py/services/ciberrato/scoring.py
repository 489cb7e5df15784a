"""Scores and what leads to them: the contest's eight modes and the written rules of Explorer 2022, one class for each kind.

A mode says what a robot starts with, what is written when the run starts, how the score of a running cycle comes about,
and when a robot's own doing changes its state.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from mobilesim_py.formats.lab import Lab, Parameters
from mobilesim_py.services.ciberrato.paths import DiscPaths
from mobilesim_py.services.ciberrato.robot import Robot, State
from mobilesim_py.services.ciberrato.rules import MAX_SCORE
from mobilesim_py.services.ciberrato.sensors import on_target
from mobilesim_py.services.ciberrato.walls import Walls

VISITING_BASE = 100
FALSE_VISIT = 5
NOT_FINISHED = 15
RETURN_SHARE = 100


@dataclass(slots=True)
class Field:
    """What scores depend on besides the robot."""

    walls: Walls
    paths: DiscPaths
    parameters: Parameters

    @property
    def lab(self) -> Lab:
        """Return the lab."""
        return self.walls.lab


class Scoring(Protocol):
    """One way to score."""

    def start_score(self) -> int:
        """Return what a robot has when it is registered."""
        ...

    def begin(self, robot: Robot) -> dict[str, str]:
        """Prepare a robot when the run starts; return the files to write, name and content."""
        ...

    def update(self, robot: Robot, time: int) -> None:
        """Score a running cycle of a robot that is neither finished nor removed."""
        ...

    def next_state(self, robot: Robot) -> State:
        """Return the state that a running or returning robot brings itself into."""
        ...


def first_target(robot: Robot, lab: Lab) -> int:
    """Return the first target that a robot stands on, or -1."""
    return next((i for i, target in enumerate(lab.targets) if on_target(robot.x, robot.y, target)), -1)


def count_collision(robot: Robot, parameters: Parameters, sign: int) -> None:
    """Count a collision in the cycle in which it starts."""
    if robot.hit and not robot.hit_before:
        p = parameters
        robot.penalties += sign * (p.collision_wall_penalty * robot.hit_wall + p.collision_robot_penalty * robot.hit_robot)
        robot.scores.collisions += 1
    robot.hit_before = robot.hit


def end_led_state(robot: Robot) -> State:
    """Return the next state of a robot that only its end led can finish."""
    return State.FINISHED if robot.end_led else robot.state


def home_distance(robot: Robot, field: Field) -> float:
    """Return the way of a robot to its start."""
    return field.paths.distance((robot.place.x, robot.place.y), robot.x, robot.y)


def home_share(robot: Robot, field: Field) -> int:
    """Return the part of the score for the way that is left: 100 for all of it, in whole points, never rounded up."""
    if robot.distance_at_return <= 0.0:
        return 0
    way = home_distance(robot, field)
    if not math.isfinite(way):
        return RETURN_SHARE
    return int(_single(100.0 * _single(way)) / robot.distance_at_return)


def _single(value: float) -> float:
    """Return a number in single precision, in which the contest keeps this way."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


class Competitive:
    """Visit the targets and return (scoring 0; also 2, 3 and unknown modes, which start with nothing)."""

    def __init__(self, field: Field, start_score: int, returns: bool = True) -> None:
        self._field, self._start, self._returns = field, start_score, returns

    def start_score(self) -> int:
        """Return 100 for each target and 100 for the return, in mode 0."""
        return self._start

    def begin(self, robot: Robot) -> dict[str, str]:
        """Prepare nothing."""
        return {}

    def update(self, robot: Robot, time: int) -> None:
        """Score visits, the return and the collisions."""
        count_collision(robot, self._field.parameters, 1)
        if robot.state is State.RUNNING:
            self._running(robot, time)
        elif robot.state is State.RETURNING:
            self._returning(robot, time)

    def _running(self, robot: Robot, time: int) -> None:
        scores = robot.scores
        scores.score = robot.penalties
        target = first_target(robot, self._field.lab)
        done = target >= 0 and robot.visited_all()
        if done and (robot.end_led or robot.returning_led):
            self._turn_home(robot, time)
            if robot.end_led:
                scores.arrival_time = time
            else:
                robot.penalties -= RETURN_SHARE
            scores.score = robot.penalties + home_share(robot, self._field)
        elif robot.visiting_led:
            self._visit(robot, target)
            scores.score = VISITING_BASE + robot.penalties
        if not any(robot.visited):
            scores.arrival_time = time

    def _returning(self, robot: Robot, time: int) -> None:
        scores = robot.scores
        if time == self._field.parameters.sim_time and not robot.end_led:
            robot.penalties += NOT_FINISHED
        scores.returning_time = time - robot.returning_since
        target = first_target(robot, self._field.lab)
        led_sent = robot.received is not None and robot.received.returning_led is not None
        if robot.returning_led and led_sent and target >= 0 and robot.visited_all():
            self._turn_home(robot, time)
        elif robot.visiting_led:
            self._visit(robot, target)
        scores.score = robot.penalties + home_share(robot, self._field)

    def _turn_home(self, robot: Robot, time: int) -> None:
        robot.distance_at_return = home_distance(robot, self._field)
        robot.returning_since = time
        robot.scores.returning_time = 0

    @staticmethod
    def _visit(robot: Robot, target: int) -> None:
        if target < 0:
            robot.penalties += FALSE_VISIT
        elif not robot.visited[target]:
            robot.visit(target)
            robot.penalties -= VISITING_BASE

    def next_state(self, robot: Robot) -> State:
        """Return what the leds lead to: the end, the way home, or the end for a return that is not one."""
        if not self._returns or robot.end_led or robot.state is State.RETURNING or not robot.returning_led:
            return end_led_state(robot)
        done = first_target(robot, self._field.lab) >= 0 and robot.visited_all()
        return State.RETURNING if done else State.FINISHED


class Explorer:
    """The written rules of Explorer 2022: 200 to begin with, fewer points are better, never more than 250."""

    def __init__(self, field: Field) -> None:
        self._field = field

    def start_score(self) -> int:
        """Return 100 for the target and 100 for the return."""
        return 200

    def begin(self, robot: Robot) -> dict[str, str]:
        """Prepare nothing."""
        return {}

    def update(self, robot: Robot, time: int) -> None:
        """Score the visit by its time, the return by the way that is left, and the collisions."""
        count_collision(robot, self._field.parameters, 1)
        target = first_target(robot, self._field.lab)
        scores = robot.scores
        turned_on = robot.visiting_led and not robot.visiting_before
        robot.visiting_before = robot.visiting_led
        robot.false_visit |= turned_on and target < 0
        if turned_on and target >= 0 and not any(robot.visited):
            robot.visit(target)
            robot.penalties -= visit_reward(time, self._field.parameters)
        if robot.state is State.RUNNING and robot.returning_led and target >= 0 and any(robot.visited):
            robot.distance_at_return = home_distance(robot, self._field)
            robot.returning_since = time
            robot.penalties -= RETURN_SHARE
        if not any(robot.visited):
            scores.arrival_time = time
        points = robot.penalties
        if robot.distance_at_return:
            scores.returning_time = time - robot.returning_since
            points += home_share(robot, self._field)
        scores.score = min(points, MAX_SCORE)

    def next_state(self, robot: Robot) -> State:
        """Return what the leds lead to; a visiting led that is turned on outside a target ends the run."""
        on = first_target(robot, self._field.lab) >= 0
        if robot.end_led or robot.false_visit:
            return State.FINISHED
        if robot.state is State.RUNNING and robot.returning_led:
            return State.RETURNING if on and any(robot.visited) else State.FINISHED
        return robot.state


def visit_reward(time: int, parameters: Parameters) -> int:
    """Return what the target is worth: all of it up to the key time, then less and less, half of it at the end."""
    p = parameters
    if time <= p.key_time or p.key_time >= p.sim_time:
        return p.target_reward
    half = p.target_reward // 2
    return half + half * (p.sim_time - time) // (p.sim_time - p.key_time)


def tie_break_time(robot: Robot, parameters: Parameters) -> int:
    """Return the time that decides between equal scores: that of the visit, or all the time there was."""
    return robot.scores.arrival_time if any(robot.visited) else parameters.sim_time


class Drawn:
    """A mode whose result is a drawing that others compare: the file appears when the run starts (scoring 2, 3, 5, 6)."""

    def __init__(self, inner: Scoring, name: str, draw: Callable[[Walls, float, float], str], walls: Walls) -> None:
        self._inner, self._name, self._draw, self._walls = inner, name, draw, walls

    def start_score(self) -> int:
        """Return what the scores behind it start with."""
        return self._inner.start_score()

    def begin(self, robot: Robot) -> dict[str, str]:
        """Return the drawing as seen from where the robot stands."""
        return {**self._inner.begin(robot), self._name: self._draw(self._walls, robot.x, robot.y)}

    def update(self, robot: Robot, time: int) -> None:
        """Score as the scores behind it."""
        self._inner.update(robot, time)

    def next_state(self, robot: Robot) -> State:
        """Return the state as the scores behind it."""
        return self._inner.next_state(robot)
