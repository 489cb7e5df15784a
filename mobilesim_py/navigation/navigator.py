"""From goals to velocities: plan beside the simulation, follow, look ahead, plan again when something is in the way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mobilesim_py.errors import MobileSimError
from mobilesim_py.geometry import Point, Pose
from mobilesim_py.navigation.costmap import Costmap
from mobilesim_py.navigation.following import STAND, USUAL, Follower, Limits, Motion
from mobilesim_py.navigation.ground import Ground
from mobilesim_py.navigation.planning import Goal, Plan, Refusal, is_sane, make_plan
from mobilesim_py.navigation.search import Searcher, searcher

CLEARANCE = 0.05
"""How much farther than its radius a robot keeps from obstacles when it plans [m]: it cuts corners a little."""
PATIENCE = 0.5
"""How long it waits for whatever is in the way before it plans around it [s]."""
NO_PROGRESS = 6.0
"""After how long on the same spot it plans again [s]."""
MOST_PLANS = 5
"""How often it plans anew on the same spot before it gives up."""
LONGEST_WAIT = 40.0
"""How long something may be in the way, without it getting any nearer, before it gives up [s]."""
DETOUR = 3.0
"""How much farther it drives around others who will go on, for each time that it has waited for them in vain [m]."""
EDGING = 0.4
"""How far it backs away from what stays in its way, or edges forward if it cannot, so that there is room to turn [m]."""
EDGING_SPEED = 0.15
EDGING_SECONDS = 12.0
ASTRAY = 0.5
"""Farther from its path than this it was carried away: it plans from where it is now [m]."""


class Outcome(Enum):
    """How a goal ended."""

    REACHED = "reached"
    REJECTED = "rejected"
    """Before it began: there is no way."""
    FAILED = "failed"
    """Under way."""
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


_IN_THE_WAY = "something is in the way"
_STUCK = "it does not get on"


def nothing(pose: Pose) -> bool:
    """Say that nothing is where the robot would be."""
    return False


def _nobody_asks(goal: Goal, outcome: Outcome, why: str) -> None:
    pass


@dataclass(frozen=True)
class _Edging:
    """Slow driving straight on, to where there is room to turn."""

    direction: float
    """1 forwards, -1 backwards."""
    begin: Pose
    since: float


@dataclass(eq=False)
class _Pursuit:
    """A goal under way."""

    goal: Goal
    ended: Ended
    follower: Follower | None = None
    plans: int = 0
    asked: int = 0
    """How many plans were asked for: only the last one counts."""
    blocked_since: float | None = None
    stuck_at: Pose = field(default_factory=Pose)
    stuck_since: float | None = None
    edging: _Edging | None = None
    nearest: float = math.inf
    """The shortest way that was ever left [m],"""
    nearest_at: float | None = None
    """and when that was [simulated s]."""


class Navigator:
    """Brings one robot to goals, one at a time; the last one that was asked for counts."""

    def __init__(
        self,
        ground: Callable[[], Ground],
        radius: float,
        *,
        limits: Limits = USUAL,
        clearance: float = CLEARANCE,
        patience: float = PATIENCE,
        edging: float = EDGING,
        beside: Beside = at_once,
        searches: Callable[[], Searcher] = searcher,
    ) -> None:
        """`ground` tells what is around at a moment, `radius` is that of the circle about the robot's outline [m]."""
        self._ground = ground
        self.radius = radius
        self.limits = limits
        self.clearance = clearance
        self._patience = patience
        self._edging = edging
        self._beside = beside
        self._searches = searches
        self._pursuit: _Pursuit | None = None
        self.phase = Phase.IDLE
        self.refusal: Refusal | None = None
        """Why the last plan that was made led nowhere."""
        self.costmap: Costmap | None = None
        """That of the last plan."""
        self.plans = 0
        """How many plans were made so far; viewers look at it to see whether the path is another one."""

    @property
    def goal(self) -> Goal | None:
        """The goal that it is on its way to."""
        return self._pursuit.goal if self._pursuit else None

    @property
    def path(self) -> list[Point]:
        """The way that is planned, from where that was done."""
        follower = self._pursuit.follower if self._pursuit else None
        return [(float(x), float(y)) for x, y in follower.path] if follower else []

    @property
    def plans_of_goal(self) -> int:
        """How many plans were made for the goal under way."""
        return self._pursuit.asked if self._pursuit else 0

    @property
    def remaining(self) -> float:
        """The way that is left [m]; 0 without a plan."""
        follower = self._pursuit.follower if self._pursuit else None
        return follower.remaining if follower else 0.0

    def go(self, goal: Goal, pose: Pose, ended: Ended = _nobody_asks) -> None:
        """Go to a goal from where the robot is; `ended` is told how that ended, at once perhaps."""
        self._end(Outcome.REPLACED, "another goal came")
        pursuit = self._pursuit = _Pursuit(goal, ended)
        if is_sane(goal):
            self._plan(pursuit, pose)
        else:
            self.refusal = Refusal.NO_NUMBER
            self._end(Outcome.REJECTED, Refusal.NO_NUMBER.value)

    def cancel(self, why: str = "cancelled") -> bool:
        """Give the goal up; tell whether there was one."""
        had_goal = self._pursuit is not None
        self._end(Outcome.CANCELLED, why)
        return had_goal

    def plan_again(self, pose: Pose) -> None:
        """Plan from here, if there is a goal: the world is another one, or the robot was carried elsewhere."""
        if self._pursuit is not None:
            self._pursuit.plans = 0
            self._pursuit.nearest = math.inf
            self._plan(self._pursuit, pose)

    def tick(self, now: float, pose: Pose, is_blocked: Callable[[Pose], bool] = nothing) -> Motion | None:
        """Return how to drive now [simulated s]; None if there is nothing to do.

        `is_blocked` tells whether something is where the robot would be; it is asked of the poses ahead.
        """
        pursuit = self._pursuit
        if pursuit is None:
            return None
        follower = pursuit.follower
        if follower is None:
            return STAND
        if follower.stray(pose) > ASTRAY:
            self.plan_again(pose)
            return STAND
        if pursuit.edging is not None:
            return self._edge(pursuit, pursuit.edging, now, pose, is_blocked)
        room = self.costmap.clearance(pose.x, pose.y) - self.costmap.radius if self.costmap else math.inf
        motion = follower.motion(pose, max(0.0, room))
        if motion is None:
            self._end(Outcome.REACHED, "")
            return STAND
        if self._is_blocked(follower, motion, pose, is_blocked):
            self._wait(pursuit, now, pose, is_blocked)
            return STAND
        pursuit.blocked_since = None
        self.phase = Phase.DRIVING
        if self._is_stuck(pursuit, now, pose):
            self._plan_once_more(pursuit, now, pose, _STUCK)
            return STAND
        return motion

    def _is_blocked(self, follower: Follower, motion: Motion, pose: Pose, is_blocked: Callable[[Pose], bool]) -> bool:
        """Tell whether something is in the way ahead, or would be met by turning here."""
        if is_blocked is nothing:
            return False
        if any(map(is_blocked, follower.ahead(pose, self.limits.look_ahead))):
            return True
        # Whoever touches something already must be able to get away from it.
        return any(map(is_blocked, motion.from_pose(pose))) and not is_blocked(pose)

    def _wait(self, pursuit: _Pursuit, now: float, pose: Pose, is_blocked: Callable[[Pose], bool]) -> None:
        """Stand; plan around what is in the way if it stays, and if that does not help from a little farther away."""
        self.phase = Phase.WAITING
        if pursuit.blocked_since is None:
            pursuit.blocked_since = now
        if now - pursuit.blocked_since < self._patience * (1 + min(pursuit.plans, 3)):
            return
        pursuit.blocked_since = None
        free = (direction for direction in (-1.0, 1.0) if self._is_free(pose, direction, is_blocked))
        direction = next(free, None) if pursuit.plans > 1 else None
        if direction is not None:
            pursuit.edging = _Edging(direction, pose, now)
        else:
            self._plan_once_more(pursuit, now, pose, _IN_THE_WAY)

    def _edge(
        self, pursuit: _Pursuit, edging: _Edging, now: float, pose: Pose, is_blocked: Callable[[Pose], bool]
    ) -> Motion:
        """Drive slowly out of where there is no room to turn, and plan again from there."""
        begin, direction = edging.begin, edging.direction
        is_far = math.hypot(pose.x - begin.x, pose.y - begin.y) >= self._edging or now - edging.since >= EDGING_SECONDS
        if not is_far and self._is_free(pose, direction, is_blocked):
            return Motion(direction * min(EDGING_SPEED, self.limits.forward), 0.0)
        pursuit.edging = None
        self._plan_once_more(pursuit, now, pose, _IN_THE_WAY)
        return STAND

    def _is_free(self, pose: Pose, direction: float, is_blocked: Callable[[Pose], bool]) -> bool:
        """Tell whether there is room to drive straight on (1) or backwards (-1)."""
        here = self.costmap.clearance(pose.x, pose.y) if self.costmap else math.inf
        for way in (0.1, 0.2, 0.3):
            x, y = (turned(pose.heading) * direction * way for turned in (math.cos, math.sin))
            there = Pose(pose.x + x, pose.y + y, pose.heading)
            room = self.costmap.clearance(there.x, there.y) if self.costmap else math.inf
            if is_blocked(there) or (room < self.radius and room < here):
                return False
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

    def _plan_once_more(self, pursuit: _Pursuit, now: float, pose: Pose, why: str) -> None:
        if pursuit.follower is not None and pursuit.follower.remaining < pursuit.nearest - 0.5:
            pursuit.nearest, pursuit.nearest_at, pursuit.plans = pursuit.follower.remaining, now, 0
        if pursuit.nearest_at is None:
            pursuit.nearest_at = now
        if why is _STUCK and pursuit.plans >= MOST_PLANS:
            self._end(Outcome.FAILED, f"{why}, and {MOST_PLANS} other plans did not help")
        elif now - pursuit.nearest_at >= LONGEST_WAIT:
            self._end(Outcome.FAILED, f"{why}, and has been for {LONGEST_WAIT:g} s")
        else:
            self._plan(pursuit, pose)

    def _plan(self, pursuit: _Pursuit, pose: Pose) -> None:
        is_first = pursuit.plans == 0 and pursuit.follower is None
        pursuit.plans += 1
        pursuit.asked += 1
        pursuit.follower = None
        pursuit.edging = None
        number, detour = pursuit.asked, DETOUR * pursuit.plans
        self.phase = Phase.PLANNING
        ground, radius, searches = self._ground(), self.radius + self.clearance, self._searches()
        goal, start = pursuit.goal, (pose.x, pose.y)

        def work() -> Plan:
            return make_plan(ground, radius, start, goal, searches, detour)

        def done(plan: Plan | None, error: MobileSimError | None) -> None:
            if self._pursuit is not pursuit or number != pursuit.asked:
                return  # cancelled or replaced meanwhile
            if plan is None:
                self._end(Outcome.FAILED, str(error))
                return
            self.plans += 1
            self.refusal = plan.refusal
            self.costmap = plan.costmap or self.costmap
            if plan.refusal is not None:
                self._end(Outcome.REJECTED if is_first else Outcome.FAILED, plan.why)
                return
            pursuit.follower = Follower(plan.path, goal.heading, self.limits)
            pursuit.stuck_since = None
            self.phase = Phase.DRIVING

        self._beside(work, done)

    def _end(self, outcome: Outcome, why: str) -> None:
        pursuit, self._pursuit = self._pursuit, None
        self.phase = Phase.IDLE
        if pursuit is not None:
            pursuit.ended(pursuit.goal, outcome, why)
