"""Actions as ROS 1 has them: five topics beside each other, made for each action of the table.

The goals themselves are pursued by whoever the row of the action names; here they are taken from the topics `goal` and
`cancel`, and told on `status`, `feedback` and `result`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from mobilesim_py.protocols.ros.errors import UnknownTypeError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.ros1.actionlib import ActionServer, CancelAsked, GoalArrived, Signal
from mobilesim_py.services.ros.carrier import NODE, GoalStatus
from mobilesim_py.services.ros.rows import Subject, TopicRow

if TYPE_CHECKING:
    from mobilesim_py.services.ros.hub import RosHub
    from mobilesim_py.services.ros.moment import Moment

STATUS_PERIOD = 0.2
"""Clients look at the steady flow of states to see that the server is there [s]."""
_SIGNALS = {
    GoalStatus.SUCCEEDED: Signal.SUCCEED,
    GoalStatus.CANCELLED: Signal.CANCEL,
    GoalStatus.ABORTED: Signal.ABORT,
    GoalStatus.REJECTED: Signal.REJECT,
}


class ActionTopics:
    """The five topics of one action."""

    def __init__(self, name: str, kind: str, hub: RosHub) -> None:
        self.name = name
        self._hub = hub
        result = interfaces(Dialect.ROS1).action(kind).result
        self._server = ActionServer(NODE, result.make())
        self._cancels: dict[str, Callable[[], None]] = {}
        self.rows = (
            TopicRow("goal", f"{kind}ActionGoal", "Goals.", sink=self._goal),
            TopicRow("cancel", "actionlib_msgs/GoalID", "Goals that are not wanted any more.", sink=self._cancel),
            TopicRow(
                "status",
                "actionlib_msgs/GoalStatusArray",
                "The states of all goals.",
                source=self._status,
                period=STATUS_PERIOD,
            ),
            TopicRow("feedback", f"{kind}ActionFeedback", "How goals are getting on.", source=_nothing),
            TopicRow("result", f"{kind}ActionResult", "How goals ended.", source=_nothing),
        )

    @classmethod
    def make(cls, name: str, kind: str, hub: RosHub) -> ActionTopics | None:
        """Return the topics of an action; None where ROS 1 has no messages for it."""
        try:
            interfaces(Dialect.ROS1).message(f"{kind}ActionGoal")
        except UnknownTypeError:
            return None
        return cls(name, kind, hub)

    def pass_time(self) -> None:
        """Publish the results of goals that have ended."""
        for message in self._server.results():
            self._hub.publish_now(f"{self.name}/result", message)

    def _status(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        return (self._server.status(moment.stamp),)

    def _goal(self, moment: Moment, subject: Subject, message: Message) -> None:
        self._server.receive_goal(message, moment.stamp)
        self._act()

    def _cancel(self, moment: Moment, subject: Subject, message: Message) -> None:
        self._server.receive_cancel(message, moment.stamp)
        self._act()

    def _act(self) -> None:
        for event in self._server.events():
            if isinstance(event, GoalArrived):
                self._begin(event)
            elif isinstance(event, CancelAsked):
                cancel = self._cancels.get(event.id)
                if cancel is not None:
                    cancel()
        self.pass_time()

    def _begin(self, event: GoalArrived) -> None:
        keeper = _Keeper(self, event.id)
        cancel = self._hub.pursue(self.name, event.goal, keeper)
        if not keeper.is_over:
            self._cancels[event.id] = cancel
            self._server.obey(event.id, Signal.ACCEPT, self._hub.now())

    def feedback(self, goal: str, message: Message) -> None:
        """Tell how a goal is getting on."""
        told = self._server.feedback(goal, message, self._hub.now())
        if told is not None:
            self._hub.publish_now(f"{self.name}/feedback", told)

    def finished(self, goal: str, status: GoalStatus, result: Message, text: str) -> None:
        """Tell how a goal ended."""
        now = self._hub.now()
        self._cancels.pop(goal, None)
        if status is not GoalStatus.REJECTED:
            self._server.obey(goal, Signal.ACCEPT, now)
        self._server.obey(goal, _SIGNALS[status], now, text, result or None)
        self.pass_time()


class _Keeper:
    """The giver of one goal: whoever listens to the topics."""

    def __init__(self, topics: ActionTopics, goal: str) -> None:
        self.is_over = False
        self._topics = topics
        self._goal = goal

    def feedback(self, message: Message) -> None:
        if not self.is_over:
            self._topics.feedback(self._goal, message)

    def finished(self, status: GoalStatus, result: Message, text: str = "") -> None:
        if not self.is_over:
            self.is_over = True
            self._topics.finished(self._goal, status, result, text)


def _nothing(moment: Moment, subject: Subject) -> Iterable[Message]:
    return ()
