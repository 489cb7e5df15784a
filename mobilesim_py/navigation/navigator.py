"""From goals to velocities: validate a goal, plan beside the simulation, follow, look ahead, plan again when blocked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mobilesim_py.errors import MobileSimError
from mobilesim_py.geometry import FloatArray, Point, Pose
from mobilesim_py.navigation.costmap import Costmap
from mobilesim_py.navigation.following import STAND, USUAL, Follower, Limits, Motion
from mobilesim_py.navigation.search import Searcher, find_path, nearest_reachable, searcher
from mobilesim_py.world.world import Bounds

AIR = 0.05
"""How much farther than its radius a robot keeps from obstacles when it plans [m]: it cuts corners a little."""
SLACK = 1.0
"""How far from a goal without room it may stop instead [m]."""
LOOK_AHEAD = 0.6
"""How far ahead the way must be free [m]."""
PATIENCE = 0.5
"""How long it waits for whatever is in the way before it plans around it [s]."""
NO_PROGRESS = 6.0
"""After how long on the same spot it plans again [s]."""
MOST_PLANS = 5
"""How often it plans anew without getting any nearer before it gives up."""


@dataclass(frozen=True)
class Ground:
    """What the robot moves in at one moment."""

    bounds: Bounds
    obstacles: FloatArray
    """Segments, N x 4 [m]: walls, and the outlines of other things."""


@dataclass(frozen=True)
class Goal:
    """Where to go."""

    x: float
    y: float
    heading: float | None = None
    """The heading there [rad]; None for any."""
    slack: float = SLACK
    """How far from there is good enough when there is no room [m]."""


class Outcome(Enum):
    """How a goal ended."""

    REACHED = "reached"
    REJECTED = "rejected"
    FAILED = "failed"
    CANCELLED = "cancelled"
    REPLACED = "replaced"
    """By another goal."""


class Phase(Enum):
    """What is being done."""

    IDLE = "idle"
    PLANNING = "planning"
    DRIVING = "driving"
    WAITING = "waiting"
    """Something is in the way."""


Work = Callable[[], Any]
Done = Callable[[Any, "MobileSimError | None"], None]
Beside = Callable[[Work, Done], None]
"""Runs work, perhaps in a thread, then `done` with what it returned or what went wrong."""
Ended = Callable[[Goal, Outcome, str], None]


def at_once(work: Work, done: Done) -> None:
    """Run work here and now."""
    done(work(), None)


@dataclass
class _Pursuit:
    """A goal under way."""

    goal: Goal
    ended: Ended
    number: int
    place: Point = (0.0, 0.0)
    """The place to go to: the goal, or near it."""
    follower: Follower | None = None
    plans: int = 0
    blocked_since: float | None = None
    stuck_at: Pose = field(default_factory=Pose)
    stuck_since: float | None = None
    nearest: float = math.inf
    """The shortest way that was ever left [m]."""


class Navigator:
    """Brings one robot to goals, one at a time; the last one that was asked for counts."""

    def __init__(
        self,
        ground: Callable[[], Ground],
        radius: float,
        *,
        limits: Limits = USUAL,
        beside: Beside = at_once,
        searches: Searcher | None = None,
    ) -> None:
        """`ground` tells what is around at a moment, `radius` is that of the circle about the robot's outline [m]."""
        self._ground = ground
        self.radius = radius
        self.limits = limits
        self._beside = beside
        self._searches = searches
        self._pursuit: _Pursuit | None = None
        self._count = 0
        self.phase = Phase.IDLE
        self.costmap: Costmap | None = None
        """That of the last plan."""

    @property
    def goal(self) -> Goal | None:
        """The goal that it is on its way to."""
        return self._pursuit.goal if self._pursuit else None

    @property
    def path(self) -> list[Point]:
        """The way that is planned."""
        follower = self._pursuit.follower if self._pursuit else None
        return [(float(x), float(y)) for x, y in follower.path] if follower else []

    @property
    def remaining(self) -> float:
        """The way that is left [m]; 0 without a plan."""
        follower = self._pursuit.follower if self._pursuit else None
        return follower.remaining if follower else 0.0

    def go(self, goal: Goal, pose: Pose, ended: Ended = lambda goal, outcome, why: None) -> None:
        """Go to a goal from where the robot is; `ended` is told how that ended."""
        self._end(Outcome.REPLACED, "another goal came")
        self._count += 1
        self._pursuit = _Pursuit(goal, ended, self._count)
        numbers = (goal.x, goal.y, goal.heading or 0.0, goal.slack)
        if not all(math.isfinite(number) for number in numbers):
            self._end(Outcome.REJECTED, "the goal has a number in it that is none")
            return
        self._plan(self._pursuit, pose)

    def cancel(self) -> bool:
        """Give the goal up; tell whether there was one."""
        had_goal = self._pursuit is not None
        self._end(Outcome.CANCELLED, "cancelled")
        return had_goal

    def tick(self, now: float, pose: Pose, is_blocked: Callable[[Pose], bool] = lambda pose: False) -> Motion | None:
        """Return how to drive now [simulated s]; None if there is nothing to do."""
        pursuit = self._pursuit
        if pursuit is None:
            return None
        if pursuit.follower is None:
            return STAND
        if self._must_wait(pursuit, now, pose, is_blocked):
            return STAND
        clearance = self.costmap.clearance(pose.x, pose.y) - self.radius if self.costmap else math.inf
        motion = pursuit.follower.motion(pose, max(0.0, clearance))
        if motion is None:
            self._end(Outcome.REACHED, "")
            return STAND
        if self._is_stuck(pursuit, now, pose):
            self._plan_again(pursuit, pose, "it does not get on")
            return STAND
        return motion

    def _must_wait(self, pursuit: _Pursuit, now: float, pose: Pose, is_blocked: Callable[[Pose], bool]) -> bool:
        """Tell whether something is in the way; plan around it if it stays."""
        assert pursuit.follower is not None
        if not any(map(is_blocked, pursuit.follower.ahead(pose, LOOK_AHEAD))):
            pursuit.blocked_since = None
            self.phase = Phase.DRIVING
            return False
        self.phase = Phase.WAITING
        if pursuit.blocked_since is None:
            pursuit.blocked_since = now
        if now - pursuit.blocked_since >= PATIENCE * (1 + pursuit.plans):
            pursuit.blocked_since = None
            self._plan_again(pursuit, pose, "something is in the way")
        return True

    def _is_stuck(self, pursuit: _Pursuit, now: float, pose: Pose) -> bool:
        there = pursuit.stuck_at
        moved = math.hypot(pose.x - there.x, pose.y - there.y) > 0.1
        turned = abs(math.remainder(pose.heading - there.heading, math.tau)) > 0.3
        if pursuit.stuck_since is None or moved or turned:
            pursuit.stuck_at, pursuit.stuck_since = pose, now
        if now - pursuit.stuck_since < NO_PROGRESS:
            return False
        pursuit.stuck_since = None
        return True

    # Planning

    def _plan_again(self, pursuit: _Pursuit, pose: Pose, why: str) -> None:
        if pursuit.follower is not None and pursuit.follower.remaining < pursuit.nearest - 0.5:
            pursuit.nearest, pursuit.plans = pursuit.follower.remaining, 0
        if pursuit.plans >= MOST_PLANS:
            self._end(Outcome.FAILED, f"{why}, and {MOST_PLANS} other plans did not help")
            return
        self._plan(pursuit, pose)

    def _plan(self, pursuit: _Pursuit, pose: Pose) -> None:
        is_first = pursuit.plans == 0 and pursuit.follower is None
        pursuit.plans += 1
        pursuit.follower = None
        self.phase = Phase.PLANNING
        ground = self._ground()
        goal, start = pursuit.goal, (pose.x, pose.y)

        def work() -> tuple[Costmap, Point | None, list[Point]]:
            searches = self._searches or searcher()
            costmap = Costmap.build(ground.bounds, ground.obstacles, self.radius + AIR)
            place = nearest_reachable(costmap, start, (goal.x, goal.y), goal.slack, searches)
            return costmap, place, find_path(costmap, start, place, searches) if place is not None else []

        def done(result: tuple[Costmap, Point | None, list[Point]] | None, error: MobileSimError | None) -> None:
            if self._pursuit is not pursuit:
                return  # cancelled or replaced meanwhile
            if result is None:
                self._end(Outcome.FAILED, str(error))
                return
            self.costmap, place, path = result
            if place is None or not path:
                why = _why_not(self.costmap, goal)
                self._end(Outcome.REJECTED if is_first else Outcome.FAILED, why)
                return
            pursuit.place = place
            pursuit.follower = Follower(path, goal.heading, self.limits)
            pursuit.stuck_since = None
            self.phase = Phase.DRIVING

        self._beside(work, done)

    def _end(self, outcome: Outcome, why: str) -> None:
        pursuit, self._pursuit = self._pursuit, None
        self.phase = Phase.IDLE
        if pursuit is not None:
            pursuit.ended(pursuit.goal, outcome, why)


def _why_not(costmap: Costmap, goal: Goal) -> str:
    if costmap.cell_of(goal.x, goal.y) is None:
        return f"the goal ({goal.x:g}, {goal.y:g}) is outside of the map"
    if not math.isfinite(costmap.cost[costmap.cell_of(goal.x, goal.y) or (0, 0)]):
        return f"there is no room at the goal ({goal.x:g}, {goal.y:g}), nor anywhere reachable within {goal.slack:g} m"
    return f"no way leads to the goal ({goal.x:g}, {goal.y:g})"
