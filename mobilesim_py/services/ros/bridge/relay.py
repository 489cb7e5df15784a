"""What other clients of rosbridge ask of one of them: calls of its services, goals for its actions, its latched messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobilesim_py.protocols.ros.errors import RosError
from mobilesim_py.protocols.rosbridge import events
from mobilesim_py.protocols.rosbridge.publication import Publication
from mobilesim_py.protocols.rosbridge.server import fill_arguments

if TYPE_CHECKING:
    from mobilesim_py.services.ros.bridge.client import BridgeClient

MOST_LATCHED = 1 << 24
"""Bytes of latched messages that are kept for one client, as ROS 1 would write them."""
SUCCEEDED, ABORTED = 4, 6


class Relay:
    """Passes on to one client, and back to those who asked."""

    def __init__(self, client: BridgeClient) -> None:
        self._client = client
        self._calls: dict[object, tuple[BridgeClient, events.ServiceCalled]] = {}
        """By the id that they have here."""
        self._goals: dict[object, tuple[BridgeClient, events.GoalReceived]] = {}
        self._latching: set[str] = set()
        """Topics that the client advertised as latched."""
        self.latched: dict[str, tuple[Publication, int]] = {}
        """The last message of each of them, and its size."""

    # Services

    def call(self, asker: BridgeClient, call: events.ServiceCalled) -> None:
        """Ask the client to answer a call; RosError for a request that does not fit."""
        client = self._client
        kind = client.carrier.types.service(client.session.services[call.service])
        request = fill_arguments(kind.request, call.arguments, client.carrier.hub.now())
        self._calls[client.session.call(call.service, kind, request)] = (asker, call)
        client.flush()

    def responded(self, event: events.ServiceResponded) -> None:
        """Pass an answer of the client on."""
        waiting = self._calls.pop(event.id, None)
        if waiting is None:
            return
        asker, call = waiting
        try:
            if not event.ok:
                raise RosError(str(event.values))
            kind = self._client.carrier.types.service(self._client.session.services[call.service])
            response = kind.response.fill(event.values or {}, self._client.carrier.hub.now())
            asker.session.respond(call, kind, response)
        except (RosError, KeyError) as fault:
            asker.session.refuse(call, str(fault))
        asker.flush()

    # Actions

    def pursue(self, asker: BridgeClient, goal: events.GoalReceived) -> Callable[[], None]:
        """Give the client a goal; return what asks to cancel it. RosError for a goal that does not fit."""
        client = self._client
        kind = client.carrier.types.action(client.session.actions[goal.action])
        number = client.session.send_goal(
            goal.action, kind, fill_arguments(kind.goal, goal.arguments, client.carrier.hub.now())
        )
        self._goals[number] = (asker, goal)
        client.flush()

        def cancel() -> None:
            client.session.cancel_goal(number)
            client.flush()

        return cancel

    def fed_back(self, event: events.FeedbackReceived) -> None:
        """Pass on how a goal is getting on."""
        asker, goal = self._goals.get(event.id, (None, None))
        if asker is None or goal is None:
            return
        carrier = self._client.carrier
        kind = carrier.types.action(self._client.session.actions[goal.action])
        asker.session.feedback(goal, kind, kind.feedback.fill(event.values or {}, carrier.hub.now()))
        asker.flush()

    def ended(self, event: events.ResultReceived) -> None:
        """Pass on how a goal ended."""
        asker, goal = self._goals.pop(event.id, (None, None))
        if asker is None or goal is None:
            return
        carrier = self._client.carrier
        asker.goal_ended(goal)
        try:
            if not event.ok and not isinstance(event.values, dict):
                raise RosError(str(event.values))
            kind = carrier.types.action(self._client.session.actions[goal.action])
            result = kind.result.fill(event.values or {}, carrier.hub.now())
            asker.session.finish(goal, kind, result, event.status or (SUCCEEDED if event.ok else ABORTED), event.ok)
        except (RosError, KeyError) as fault:
            asker.session.refuse_goal(goal, str(fault))
        asker.flush()

    # Latched messages

    def advertised(self, event: events.Advertised) -> None:
        """Note whether the last message shall be kept."""
        if event.latch:
            self._latching.add(event.topic)

    def unadvertised(self, event: events.Unadvertised) -> None:
        """Forget what was kept."""
        self._latching.discard(event.topic)
        self.latched.pop(event.topic, None)

    def keep(self, publication: Publication) -> None:
        """Keep a message for those who come later, if its topic is latched and there is room."""
        topic = publication.topic
        if topic not in self._latching:
            return
        self.latched.pop(topic, None)
        size = len(publication.kind.serialise(publication.message))
        if size + sum(kept for _, kept in self.latched.values()) <= MOST_LATCHED:
            self.latched[topic] = (publication, size)

    def lost(self) -> None:
        """Tell those who asked that nobody will answer."""
        for asker, call in self._calls.values():
            asker.refuse(call, f"Service {call.service} does not exist any more")
        for asker, goal in self._goals.values():
            asker.goal_ended(goal)
            asker.session.refuse_goal(goal, f"Action {goal.action} does not exist any more")
            asker.flush()
        self._calls.clear()
        self._goals.clear()
        self.latched.clear()
