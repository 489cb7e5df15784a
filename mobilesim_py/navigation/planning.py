"""From a goal to a path: is the goal possible, where next to it if not, and what is the cheapest way there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from mobilesim_py.geometry import Point
from mobilesim_py.navigation.costmap import Costmap
from mobilesim_py.navigation.ground import Ground
from mobilesim_py.navigation.search import Searcher, find_path, nearest_reachable, room_to_start
from mobilesim_py.navigation.smoothing import smooth

SLACK = 1.0
"""How far from a goal without room a robot may stop instead [m]."""
FARTHEST = 1.0e5
"""No goal is farther from the origin [m]."""


@dataclass(frozen=True)
class Goal:
    """Where to go."""

    x: float
    y: float
    heading: float | None = None
    """The heading there [rad]; None for any."""
    slack: float = SLACK
    """How far from there is good enough when there is no room [m]."""

    def __str__(self) -> str:
        return f"({self.x:.3f}, {self.y:.3f}) m"


class Refusal(Enum):
    """Why there is no plan for a goal, with the sentence that says so."""

    NO_NUMBER = "the goal has a number in it that is none, or is too far away"
    OUTSIDE = "the goal {goal} is outside of the map"
    ENCLOSED = "the robot is where it has no room, and nothing near has"
    NO_ROOM = "there is no room at the goal {goal}, nor anywhere reachable within {slack:g} m"
    NO_WAY = "no way leads to the goal {goal}"


@dataclass(frozen=True, eq=False)
class Plan:
    """What came of planning."""

    goal: Goal
    refusal: Refusal | None = None
    """Why there is no path."""
    path: tuple[Point, ...] = ()
    """Places from the start to the goal, or as near to it as there is room [m]."""
    costmap: Costmap | None = None
    ignores_passing: bool = False
    """Whether it leads through what may go away by itself."""

    @property
    def length(self) -> float:
        """How long the path is [m]."""
        return sum(math.hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(self.path))

    @property
    def why(self) -> str:
        """The refusal as a sentence; empty if there is none."""
        return self.refusal.value.format(goal=self.goal, slack=self.goal.slack) if self.refusal else ""


def is_sane(goal: Goal) -> bool:
    """Whether all numbers of a goal are finite and of a size that makes sense."""
    numbers = (goal.x, goal.y, goal.heading or 0.0, goal.slack)
    return all(math.isfinite(number) and abs(number) <= FARTHEST for number in numbers)


def make_plan(ground: Ground, radius: float, start: Point, goal: Goal, searches: Searcher, detour: float = math.inf) -> Plan:
    """Plan a way; where others who pass are in it, around them if that is longer by `detour` [m] at most, else through."""
    if not is_sane(goal):
        return Plan(goal, Refusal.NO_NUMBER)
    plan = _plan(ground, radius, start, goal, searches)
    if plan.refusal is Refusal.OUTSIDE or (plan.refusal is None and not math.isfinite(detour)):
        return plan
    emptier = ground.without_passing()
    if emptier is None:
        return plan
    other = _plan(emptier, radius, start, goal, searches)
    if other.refusal is not None or (plan.refusal is None and plan.length <= other.length + detour):
        return plan
    return replace(other, ignores_passing=True)


def _plan(ground: Ground, radius: float, start: Point, goal: Goal, searches: Searcher) -> Plan:
    costmap = ground.costmap(radius, (start, (goal.x, goal.y)))
    refusal, path = way(costmap, start, goal, searches)
    return Plan(goal, refusal, path, costmap)


def way(costmap: Costmap, start: Point, goal: Goal, searches: Searcher) -> tuple[Refusal | None, tuple[Point, ...]]:
    """Return the cheapest path through a costmap, or why there is none."""
    place = goal.x, goal.y
    if costmap.cell_of(*place) is None:
        return Refusal.OUTSIDE, ()
    if room_to_start(costmap, start) is None:
        return Refusal.ENCLOSED, ()
    reachable = nearest_reachable(costmap, start, place, goal.slack, searches)
    if reachable is None:
        return Refusal.NO_WAY if costmap.is_free(*place) else Refusal.NO_ROOM, ()
    path = find_path(costmap, start, reachable, searches)
    return None, tuple(smooth(path, costmap))
