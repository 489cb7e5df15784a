"""The vehicle's master: takes goals, goes through the states, and says how to drive at every tick.

A goal that comes while another one is served waits; of several that wait the latest of each kind counts. Cancelling drops
all of them. While the vehicle does not know where it is, it stands and keeps its goal.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mobilesim_py.errors import MobileSimError
from mobilesim_py.garden.goals import MOST_OBJECTS, ObjectGoal, SimpleGoal
from mobilesim_py.garden.ground_plan import GroundPlan
from mobilesim_py.garden.states import IDLE, Outcome, State, following
from mobilesim_py.garden.trimming import ARM, STANDOFF, Body, TrimmingPosition, find_position
from mobilesim_py.geometry import Point, Pose
from mobilesim_py.navigation.following import STAND, Limits, Motion
from mobilesim_py.navigation.navigator import Beside, Navigator, at_once
from mobilesim_py.navigation.navigator import Outcome as Ending
from mobilesim_py.navigation.planning import Goal, way
from mobilesim_py.navigation.search import Searcher, nearest_reachable, searcher

WAIT = 0.2
"""How long each wait of the loop lasts [s]."""
LOST = 1.0
"""After so long without a fix the vehicle does not know where it is [s]."""
PATIENCE = 60.0
"""For so long it waits for a fix before it gives a goal up [s]."""
APPROACH_SPEED = 0.1
APPROACH_TIME = 30.0
"""An approach that takes longer has failed [s]."""
RETREAT_SPEED = 0.15
NEAR_ENOUGH = 0.3
"""How far from a position that was found it may stop when more is known of what is around it [m]."""
HISTORY = 200

Say = Callable[[str], None]


@dataclass(frozen=True)
class Manner:
    """How the vehicle serves its goals."""

    slack: float = 1.0
    """How far from a goal without room it may stop instead [m]."""
    clearance: float = 0.05
    """How far it keeps from obstacles, beyond its own size [m]."""
    speed: float = 0.4
    """[m/s]."""
    trim_time: float = 0.0
    """How long trimming takes [s]."""


@dataclass(frozen=True)
class Ended:
    """How a goal ended."""

    goal: SimpleGoal | ObjectGoal
    outcome: str
    """`reached`, `trimmed`, `rejected`, `failed` or `cancelled`."""
    why: str = ""


class Gardener:
    """Drives one vehicle to its goals."""

    def __init__(
        self,
        plan: GroundPlan,
        body: Body,
        *,
        manner: Manner = Manner(),
        say: Say = lambda text: None,
        beside: Beside = at_once,
        searches: Callable[[], Searcher] = searcher,
    ) -> None:
        self.plan = plan
        self.body = body
        self.manner = manner
        self.state = State.INIT
        self.changes = 0
        """How often the state changed."""
        self.history: deque[str] = deque(maxlen=HISTORY)
        """The paths of the last states."""
        self.ended: deque[Ended] = deque(maxlen=HISTORY)
        """How the last goals ended."""
        self.endings = 0
        """How many goals have ended."""
        self.trimmed: set[int] = set()
        """Numbers of the objects that were trimmed."""
        self.is_lost = False
        self.navigator = Navigator(
            lambda: self.plan.snapshot().cells(),
            math.hypot(body.length, body.width) / 2.0,
            limits=Limits(forward=manner.speed),
            clearance=manner.clearance,
            beside=beside,
            searches=searches,
        )
        self._say = say
        self._beside = beside
        self._searches = searches
        self._points = body.points()
        self._goal: SimpleGoal | None = None
        self._objects: deque[ObjectGoal] = deque()
        self._next_objects: tuple[ObjectGoal, ...] = ()
        self._current: SimpleGoal | ObjectGoal | None = None
        self._position: TrimmingPosition | None = None
        self._target: Goal | None = None
        self._stood: tuple[Pose, Point] | None = None
        """Where the last approach ended, and where it began."""
        self._found: tuple[Any, str] | None = None
        self._drive_ended: tuple[Ending, str] | None = None
        self._since = 0.0
        self._lost_since = 0.0
        self._asked = 0
        self._now = 0.0
        self._pose = Pose()
        self._pushes = False

    # What others ask for

    @property
    def is_busy(self) -> bool:
        """Whether it has a goal in hand."""
        return self.state not in IDLE

    @property
    def current(self) -> SimpleGoal | ObjectGoal | None:
        """The goal in hand."""
        return self._current

    @property
    def waiting(self) -> list[SimpleGoal | ObjectGoal]:
        """The goals that wait."""
        goals: list[SimpleGoal | ObjectGoal] = [*self._objects, *self._next_objects]
        return [*goals, self._goal] if self._goal is not None else goals

    @property
    def position(self) -> TrimmingPosition | None:
        """Where it trims, or is on its way to."""
        return self._position

    @property
    def progress(self) -> float:
        """How much of the trimming is done, 0 to 1."""
        if self.state is not State.TRIMMING or self.manner.trim_time <= 0.0:
            return 0.0
        return min(1.0, (self._now - self._since) / self.manner.trim_time)

    def go(self, goal: SimpleGoal) -> bool:
        """Take a place to drive to, instead of one that waits; tell whether it can be a goal at all."""
        if goal.problem:
            self._refuse(goal, goal.problem)
            return False
        if self._goal is not None:
            self._end(self._goal, "replaced", "another goal came")
        self._goal = goal
        return True

    def trim(self, objects: Sequence[ObjectGoal]) -> bool:
        """Take objects to trim in order, instead of those that wait; tell whether any of them can be a goal."""
        good = [goal for goal in objects[:MOST_OBJECTS] if not goal.problem]
        for goal in objects[:MOST_OBJECTS]:
            if goal.problem:
                self._refuse(goal, goal.problem)
        if not good:
            return False
        for waiting in self._next_objects:
            self._end(waiting, "replaced", "others came")
        self._next_objects = tuple(good)
        return True

    def cancel(self) -> bool:
        """Drop the goal in hand and all that wait; tell whether there was any."""
        had_any = self.is_busy or bool(self.waiting)
        for waiting in self.waiting:
            self._end(waiting, "cancelled", "")
        self._goal, self._next_objects = None, ()
        self._objects.clear()
        if self.is_busy:
            self._leave(Outcome.CANCELLED, "cancelled")
        return had_any

    # Time passes

    def tick(self, now: float, pose: Pose, age: float = 0.0, pushes: bool = False) -> Motion | None:
        """Return how to drive now [simulated s], None without a goal.

        `pose` is the estimate in the map, `age` that of the last fix [s], `pushes` whether the vehicle touches something.
        """
        self._now, self._pose, self._pushes = now, pose, pushes
        if not self.is_busy:
            outcome = _LOOP[self.state](self)
            if outcome is not None:
                self._enter(following(self.state, outcome))
            return STAND if self.is_busy else None
        if self._must_stand(now, age):
            return STAND
        motion, outcome, why = _SERVING[self.state](self)
        if outcome is not None and self.is_busy:
            self._leave(outcome, why)
            return STAND
        return motion

    def _must_stand(self, now: float, age: float) -> bool:
        """Tell whether the vehicle does not know where it is; after long the goal is given up."""
        if age <= LOST:
            if self.is_lost:
                self._say(f"The localisation is back after {now - self._lost_since:.1f} s: going on.")
                self.is_lost = False
                # Time without a fix is no time that an approach or a trim has taken.
                self._since += now - self._lost_since
            return False
        if not self.is_lost:
            self.is_lost, self._lost_since = True, now
            self._say("The localisation has no fix: the vehicle stands and keeps its goal.")
        if now - self._lost_since > PATIENCE:
            self.is_lost = False
            self._leave(Outcome.FAILED, f"there was no fix for {PATIENCE:g} s")
        return True

    def _enter(self, state: State) -> None:
        self.state = state
        self.changes += 1
        self.history.append(state.path)
        self._since = self._now

    def _leave(self, outcome: Outcome, why: str = "") -> None:
        """Go on to what follows; the goal ends where it failed or is done."""
        state, goal = self.state, self._current
        after = following(state, outcome)
        if state is State.APPROACH and self._position is not None:
            self._stood = self._pose, (self._position.start.x, self._position.start.y)
        if after in IDLE:
            self._asked += 1
            self.navigator.cancel()
            self._current = self._found = None
            self.is_lost = False
        self._enter(after)
        if after not in IDLE or goal is None:
            return
        if outcome is Outcome.DONE:
            self._end(goal, "trimmed" if isinstance(goal, ObjectGoal) else "reached", why)
        elif outcome is Outcome.CANCELLED:
            self._end(goal, "cancelled", "")
        else:
            is_early = state in (
                *(State.FIND_PLACE, State.LOG_PLACE, State.VALIDATE_PLACE),
                *(State.FIND_POSITION, State.LOG_POSITION, State.VALIDATE_POSITION),
            )
            self._end(goal, "rejected" if is_early else "failed", why)

    def _end(self, goal: SimpleGoal | ObjectGoal, outcome: str, why: str) -> None:
        self.ended.append(Ended(goal, outcome, why))
        self.endings += 1
        self._say(f"Goal {goal} {outcome}: {why}." if why else f"Goal {goal} {outcome}.")

    def _refuse(self, goal: SimpleGoal | ObjectGoal, why: str) -> None:
        self._end(goal, "rejected", why)

    # The loop

    def _init(self) -> Outcome | None:
        return Outcome.DONE

    def _check_object(self) -> Outcome | None:
        if not self._objects and self._next_objects:
            self._objects.extend(self._next_objects)
            self._next_objects = ()
        if not self._objects:
            return Outcome.UNAVAILABLE
        self._current = goal = self._objects.popleft()
        self._position = None
        snapshot, here = self.plan.snapshot(), (self._pose.x, self._pose.y)
        radius, searches, body = self.navigator.radius + self.manner.clearance, self._searches(), self.body

        def work() -> tuple[Any, str]:
            costmap = snapshot.cells().costmap(radius, (here,))
            found = find_position(snapshot, costmap, here, goal.outline, body, searches)
            return (None, found) if isinstance(found, str) else (found, "")

        self._think(work)
        return Outcome.RECEIVED

    def _wait(self) -> Outcome | None:
        return Outcome.DONE if self._now - self._since >= WAIT else None

    def _check_goal(self) -> Outcome | None:
        if self._goal is None:
            return Outcome.UNAVAILABLE
        self._current, self._goal = self._goal, None
        goal, slack = self._current, self.manner.slack
        snapshot, here = self.plan.snapshot(), (self._pose.x, self._pose.y)
        radius, searches = self.navigator.radius + self.manner.clearance, self._searches()
        self._position = None

        def work() -> tuple[Any, str]:
            costmap = snapshot.cells().costmap(radius, (here, (goal.x, goal.y)))
            wanted = Goal(goal.x, goal.y, goal.heading, slack)
            place = nearest_reachable(costmap, here, (goal.x, goal.y), slack, searches)
            if place is not None:
                return place, ""
            refusal, _ = way(costmap, here, wanted, searches)
            return None, refusal.value.format(goal=wanted, slack=slack) if refusal else "no way leads there"

        self._think(work)
        return Outcome.RECEIVED

    def _think(self, work: Callable[[], tuple[Any, str]]) -> None:
        """Work beside the simulation; what was found is there some ticks later."""
        self._asked += 1
        number, self._found = self._asked, None

        def done(found: tuple[Any, str] | None, error: MobileSimError | None) -> None:
            if number == self._asked:
                self._found = found if found is not None else (None, str(error))

        self._beside(work, done)

    # Serving a goal: each returns how to drive, how the state ended (None: it goes on), and why

    def _find(self) -> _Served:
        return (STAND, None, "") if self._found is None else (STAND, Outcome.DONE, "")

    def _log(self) -> _Served:
        assert self._found is not None
        found, why = self._found
        if isinstance(found, TrimmingPosition):
            end = found.end
            gap = found.gap - self.body.front
            self._say(f"Trimming {self._current} from ({end.x:.2f}, {end.y:.2f}), {gap:.2f} m in front of it.")
        elif found is not None:
            moved = "" if self._is_wanted(found) else f", where the nearest room for {self._current} is"
            self._say(f"Driving to ({found[0]:.2f}, {found[1]:.2f}){moved}.")
        else:
            self._say(f"There is no position for {self._current}: {why}.")
        return STAND, Outcome.DONE, ""

    def _is_wanted(self, place: Point) -> bool:
        goal = self._current
        return isinstance(goal, SimpleGoal) and place == (goal.x, goal.y)

    def _validate(self) -> _Served:
        assert self._found is not None
        found, why = self._found
        if found is None:
            return STAND, Outcome.FAILED, why
        heading: float | None
        if isinstance(found, TrimmingPosition):
            self._position = found
            place, heading = (found.start.x, found.start.y), found.start.heading
        else:
            place, heading = found, self._current.heading if isinstance(self._current, SimpleGoal) else None
        self._target = Goal(*place, heading, NEAR_ENOUGH)
        self._drive_ended = None
        return STAND, Outcome.DONE, ""

    def _drive(self) -> _Served:
        if self._target is not None:
            if self._retreats():
                return Motion(-RETREAT_SPEED), None, ""
            target, self._target = self._target, None
            self.navigator.go(target, self._pose, self._drove)
        motion = None
        if self._drive_ended is None:
            # Whoever stands where it must not be has to be able to get away from there.
            is_blocked = self._is_blocked if not self._is_blocked(self._pose) else lambda pose: False
            motion = self.navigator.tick(self._now, self._pose, is_blocked)
        if self._drive_ended is None:
            return motion or STAND, None, ""
        ending, why = self._drive_ended
        return STAND, Outcome.DONE if ending is Ending.REACHED else Outcome.FAILED, why

    def _drove(self, goal: Goal, ending: Ending, why: str) -> None:
        self._drive_ended = ending, why

    def _retreats(self) -> bool:
        """Tell whether it still stands where it trimmed something, and must go back the way it came before it can turn."""
        if self._stood is None:
            return False
        stood, begin = self._stood
        back = math.dist((stood.x, stood.y), (self._pose.x, self._pose.y))
        is_there = back <= math.dist((stood.x, stood.y), begin) - 0.02
        turned = abs(math.remainder(stood.heading - self._pose.heading, math.tau))
        behind = self._ahead(-0.05)
        if is_there and turned < 0.2 and not self._pushes and not self._is_blocked(behind):
            return True
        self._stood = None
        return False

    def _ahead(self, way: float) -> Pose:
        pose = self._pose
        return replace(pose, x=pose.x + way * math.cos(pose.heading), y=pose.y + way * math.sin(pose.heading))

    def _is_blocked(self, pose: Pose) -> bool:
        cos, sin = math.cos(pose.heading), math.sin(pose.heading)
        x, y = self._points[:, 0], self._points[:, 1]
        return self.plan.is_blocked_at(pose.x + x * cos - y * sin, pose.y + x * sin + y * cos)

    def _approach(self) -> _Served:
        assert self._position is not None
        aim, end = self._position.aim, self._position.end
        pose = self._pose
        gap = math.hypot(aim[0] - pose.x, aim[1] - pose.y) - self.body.front
        left = (end.x - pose.x) * math.cos(end.heading) + (end.y - pose.y) * math.sin(end.heading)
        is_near = gap <= ARM
        if left <= 0.01 or gap <= STANDOFF:
            return (STAND, Outcome.DONE, "") if is_near else (STAND, Outcome.FAILED, "it stayed too far away")
        if self._pushes:
            return STAND, Outcome.FAILED, "it touched something on the way to it"
        if self._now - self._since > APPROACH_TIME:
            return STAND, Outcome.FAILED, "the approach took too long"
        bearing = math.remainder(math.atan2(aim[1] - pose.y, aim[0] - pose.x) - pose.heading, math.tau)
        if self._is_blocked(self._ahead(0.05)) and not self._is_blocked(pose):
            if is_near:
                return STAND, Outcome.DONE, ""
            return STAND, Outcome.FAILED, "something is in front of it"
        return Motion(min(APPROACH_SPEED, max(0.03, left)), float(np.clip(bearing, -0.3, 0.3))), None, ""

    def _trim(self) -> _Served:
        return STAND, Outcome.DONE if self._now - self._since >= self.manner.trim_time - 1e-9 else None, ""

    def _trimmed(self) -> _Served:
        if isinstance(self._current, ObjectGoal):
            self.trimmed.add(self._current.id)
        return STAND, Outcome.DONE, ""


_Served = tuple[Motion, Outcome | None, str]
_LOOP: dict[State, Callable[[Gardener], Outcome | None]] = {
    State.INIT: Gardener._init,
    State.CHECK_OBJECT: Gardener._check_object,
    State.WAIT: Gardener._wait,
    State.CHECK_GOAL: Gardener._check_goal,
    State.WAIT_AGAIN: Gardener._wait,
}
_SERVING: dict[State, Callable[[Gardener], _Served]] = {
    State.FIND_POSITION: Gardener._find,
    State.LOG_POSITION: Gardener._log,
    State.VALIDATE_POSITION: Gardener._validate,
    State.DRIVE_TO_OBJECT: Gardener._drive,
    State.APPROACH: Gardener._approach,
    State.TRIMMING: Gardener._trim,
    State.TRIMMED: Gardener._trimmed,
    State.FIND_PLACE: Gardener._find,
    State.LOG_PLACE: Gardener._log,
    State.VALIDATE_PLACE: Gardener._validate,
    State.DRIVE_TO_PLACE: Gardener._drive,
}
"""What each state does at a tick."""
