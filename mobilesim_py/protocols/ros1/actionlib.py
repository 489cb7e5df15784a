"""The server of an action as ROS 1 does it: five topics, and a state machine for each goal.

    server.receive_goal(message, now)       a message of NAME/goal
    server.receive_cancel(message, now)     a message of NAME/cancel
    server.events()                         goals to pursue, and to give up
    server.obey(id, Signal.SUCCEED, now)    what became of a goal
    server.results()                        messages for NAME/result
    server.feedback(id, message, now)       a message for NAME/feedback
    server.status(now)                      the message for NAME/status, to be published steadily, some five times a second

There is no order across topics: a cancel may come before its goal, which is then recalled when it comes. Times are of ROS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Any

from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message

KEEP_ENDED = 5.0  # s that an ended goal stays in the status
MOST_GOALS = 100  # known at one time; more are rejected
LONGEST_ID = 256


class GoalState(IntEnum):
    """The states of actionlib_msgs/GoalStatus."""

    PENDING = 0
    ACTIVE = 1
    PREEMPTED = 2
    SUCCEEDED = 3
    ABORTED = 4
    REJECTED = 5
    PREEMPTING = 6
    RECALLING = 7
    RECALLED = 8


ENDED = frozenset({GoalState.PREEMPTED, GoalState.SUCCEEDED, GoalState.ABORTED, GoalState.REJECTED, GoalState.RECALLED})


class Signal(Enum):
    """What happens to a goal: the client asks for a cancel, all else is the word of whoever pursues it."""

    CANCEL_REQUEST = auto()
    ACCEPT = auto()
    REJECT = auto()
    CANCEL = auto()
    SUCCEED = auto()
    ABORT = auto()


STEPS: Mapping[tuple[GoalState, Signal], GoalState] = {
    (GoalState.PENDING, Signal.CANCEL_REQUEST): GoalState.RECALLING,
    (GoalState.ACTIVE, Signal.CANCEL_REQUEST): GoalState.PREEMPTING,
    (GoalState.PENDING, Signal.ACCEPT): GoalState.ACTIVE,
    (GoalState.RECALLING, Signal.ACCEPT): GoalState.PREEMPTING,
    (GoalState.PENDING, Signal.REJECT): GoalState.REJECTED,
    (GoalState.RECALLING, Signal.REJECT): GoalState.REJECTED,
    (GoalState.PENDING, Signal.CANCEL): GoalState.RECALLED,
    (GoalState.RECALLING, Signal.CANCEL): GoalState.RECALLED,
    (GoalState.ACTIVE, Signal.CANCEL): GoalState.PREEMPTED,
    (GoalState.PREEMPTING, Signal.CANCEL): GoalState.PREEMPTED,
    (GoalState.ACTIVE, Signal.SUCCEED): GoalState.SUCCEEDED,
    (GoalState.PREEMPTING, Signal.SUCCEED): GoalState.SUCCEEDED,
    (GoalState.ACTIVE, Signal.ABORT): GoalState.ABORTED,
    (GoalState.PREEMPTING, Signal.ABORT): GoalState.ABORTED,
}


@dataclass(frozen=True)
class GoalArrived:
    """A goal to accept, reject or cancel; `goal` is what the action's goal message holds."""

    id: str
    goal: Any


@dataclass(frozen=True)
class CancelAsked:
    """The client does not want a goal any more: bring it to an end, then say CANCEL."""

    id: str


@dataclass
class _Goal:
    stamp: Time
    state: GoalState
    text: str = ""
    ended: float | None = None  # when, in seconds
    announced: bool = True  # False: only its cancel has come


class ActionServer:
    """All goals of one action; `no_result` is the result message of goals that have none."""

    def __init__(self, node: str, no_result: Message | None = None) -> None:
        self._node = node
        self._no_result = no_result or {}
        self._goals: dict[str, _Goal] = {}
        self._events: list[GoalArrived | CancelAsked] = []
        self._results: list[Message] = []
        self._last_cancel = Time()  # goals with a stamp up to this are not wanted any more
        self._count = 0

    def receive_goal(self, message: Message, now: Time) -> None:
        """Take a message of the goal topic. A goal that is known already is passed over."""
        goal_id, stamp = message["goal_id"]["id"], message["goal_id"]["stamp"]
        if not goal_id:
            self._count += 1
            goal_id, stamp = f"{self._node}-{self._count}-{now.seconds:.3f}", now
        known = self._goals.get(goal_id)
        if known is not None and known.announced:
            return
        if known is not None:
            known.announced = True
            self._end(goal_id, GoalState.RECALLED, "cancelled before it came", self._no_result, now)
            return
        self._forget(now)
        if len(self._goals) >= MOST_GOALS or len(goal_id) > LONGEST_ID:
            refused = _Goal(stamp, GoalState.REJECTED, f"at most {MOST_GOALS} goals, with ids of {LONGEST_ID} characters")
            self._answer(goal_id[:LONGEST_ID], refused, self._no_result, now)  # and it is not remembered
            return
        self._goals[goal_id] = _Goal(stamp, GoalState.PENDING)
        if Time() != stamp <= self._last_cancel:
            self._end(goal_id, GoalState.RECALLED, "cancelled before it came", self._no_result, now)
            return
        self._events.append(GoalArrived(goal_id, message["goal"]))

    def receive_cancel(self, message: Message, now: Time) -> None:
        """Take a message of the cancel topic: one id, all goals up to a stamp, or (neither) all goals."""
        goal_id, stamp = message["id"], message["stamp"]
        everything = not goal_id and stamp == Time()
        for name, goal in list(self._goals.items()):
            if everything or name == goal_id or Time() != goal.stamp <= stamp:
                self._ask_to_cancel(name, goal)
        if goal_id and goal_id not in self._goals and len(goal_id) <= LONGEST_ID:
            self._forget(now)
            if len(self._goals) < MOST_GOALS:
                self._goals[goal_id] = _Goal(stamp, GoalState.RECALLING, ended=now.seconds, announced=False)
        self._last_cancel = max(self._last_cancel, stamp)

    def _ask_to_cancel(self, goal_id: str, goal: _Goal) -> None:
        step = STEPS.get((goal.state, Signal.CANCEL_REQUEST))
        if step is not None:
            goal.state = step
            self._events.append(CancelAsked(goal_id))

    def events(self) -> list[GoalArrived | CancelAsked]:
        """Return what is to be done, once."""
        events, self._events = self._events, []
        return events

    def state(self, goal_id: str) -> GoalState | None:
        """Return the state of a goal, or None for one that is not known (any more)."""
        goal = self._goals.get(goal_id)
        return goal.state if goal else None

    def obey(self, goal_id: str, signal: Signal, now: Time, text: str = "", result: Message | None = None) -> bool:
        """Say what became of a goal; return whether that could be in its state. An ended goal gives a result."""
        goal = self._goals.get(goal_id)
        step = STEPS.get((goal.state, signal)) if goal and goal.announced else None
        if goal is None or step is None:
            return False
        if step in ENDED:
            self._end(goal_id, step, text, result or self._no_result, now)
        else:
            goal.state, goal.text = step, text
        return True

    def _end(self, goal_id: str, state: GoalState, text: str, result: Message, now: Time) -> None:
        goal = self._goals[goal_id]
        goal.state, goal.text, goal.ended = state, text, now.seconds
        self._answer(goal_id, goal, result, now)

    def _answer(self, goal_id: str, goal: _Goal, result: Message, now: Time) -> None:
        self._results.append({"header": _header(now), "status": _status(goal_id, goal), "result": result})

    def results(self) -> list[Message]:
        """Return the messages for the result topic, once."""
        results, self._results = self._results, []
        return results

    def feedback(self, goal_id: str, message: Message, now: Time) -> Message | None:
        """Return the message for the feedback topic, or None where the goal is not known."""
        goal = self._goals.get(goal_id)
        return {"header": _header(now), "status": _status(goal_id, goal), "feedback": message} if goal else None

    def status(self, now: Time) -> Message:
        """Return the message for the status topic: goals under way, and those that ended a short while ago."""
        self._forget(now)
        known = [_status(goal_id, goal) for goal_id, goal in self._goals.items()]
        return {"header": _header(now), "status_list": known}

    def _forget(self, now: Time) -> None:
        """Drop goals that ended long ago, or in a future that a clock set back took away."""
        for goal_id, goal in list(self._goals.items()):
            if goal.ended is not None and not 0 <= now.seconds - goal.ended <= KEEP_ENDED:
                del self._goals[goal_id]


def _header(now: Time) -> Message:
    return {"seq": 0, "stamp": now, "frame_id": ""}


def _status(goal_id: str, goal: _Goal) -> Message:
    return {"goal_id": {"stamp": goal.stamp, "id": goal_id}, "status": goal.state.value, "text": goal.text}
