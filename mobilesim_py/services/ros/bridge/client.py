"""One client of rosbridge: what it wants goes to the hub or to other clients, what it asked for goes to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mobilesim_py.net.websocket import Frame, FrameLink
from mobilesim_py.protocols.ros.errors import RosError
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.rosbridge import events
from mobilesim_py.protocols.rosbridge.publication import Publication
from mobilesim_py.protocols.rosbridge.rosapi import ROSAPI, answer
from mobilesim_py.protocols.rosbridge.server import ServerSession, fill_arguments
from mobilesim_py.protocols.rosbridge.session import Limits
from mobilesim_py.services.ros.bridge.relay import Relay
from mobilesim_py.services.ros.carrier import Direction, GoalStatus

if TYPE_CHECKING:
    from mobilesim_py.services.ros.bridge.carrier import BridgeCarrier

ROOM = 1 << 18
"""Bytes that may wait in the line when the session is asked for more; the newest messages wait in the session."""
STATUSES = {GoalStatus.SUCCEEDED: 4, GoalStatus.CANCELLED: 5, GoalStatus.ABORTED: 6, GoalStatus.REJECTED: 6}
"""Numbers of action_msgs/GoalStatus."""


class BridgeClient:
    """A `FrameSession`."""

    def __init__(self, carrier: BridgeCarrier, peer: str) -> None:
        self.peer = peer
        self.session = ServerSession(carrier.types, Limits())
        self.link: FrameLink | None = None
        self.sent = self.received = 0
        self.carrier = carrier
        self._goals: dict[tuple[str, object], Callable[[], None]] = {}
        self.relay = relay = Relay(self)
        """What other clients ask of this one."""
        self._handlers: Mapping[type, Callable[[Any], None]] = {
            events.Subscribed: self._subscribed,
            events.Unsubscribed: lambda event: carrier.wishes_changed(),
            events.Published: self._published,
            events.ServiceCalled: self._called,
            events.ServiceResponded: relay.responded,
            events.ServiceUnadvertised: lambda event: None,
            events.Advertised: relay.advertised,
            events.Unadvertised: relay.unadvertised,
            events.FeedbackReceived: self._fed_back,
            events.ResultReceived: relay.ended,
            events.GoalReceived: self._goal,
            events.GoalCancelled: self._cancel,
            events.Mistake: self._mistake,
            events.Overrun: self._overrun,
        }

    # What the door calls

    def attach(self, link: FrameLink) -> None:
        """Take the link."""
        self.link = link
        self.carrier.came(self)

    def receive(self, frame: Frame) -> None:
        """Do what a frame asks for."""
        self.received += 1
        self.session.receive_data(frame)
        for event in self.session.events():
            handler = self._handlers.get(type(event))
            if handler is not None:
                handler(event)
        self.flush()

    def drained(self) -> None:
        """Send what has waited."""
        self.flush()

    def lost(self, reason: str) -> None:
        """Let go of everything."""
        self.link = None
        for cancel in list(self._goals.values()):
            cancel()
        self._goals.clear()
        self.relay.lost()
        self.carrier.went(self)

    def flush(self) -> None:
        """Send what waits, if the client reads."""
        link = self.link
        if link is None or link.pending > ROOM:
            return
        for frame in self.session.data_to_send(self.carrier.real()):
            self.sent += 1
            if not link.send(frame):
                return

    @property
    def next_due(self) -> float:
        """When a throttled message may go [s], in the time of `BridgeCarrier.real`."""
        return self.session.next_due() if self.link is not None else math.inf

    # Topics

    def _subscribed(self, event: events.Subscribed) -> None:
        carrier = self.carrier
        carrier.wishes_changed()
        topic = carrier.hub.topics.get(event.topic)
        if topic is not None and topic.latched:
            message = carrier.hub.latched(event.topic)
            if message is not None:
                self.session.publish(carrier.publication(topic, message, carrier.hub.now()))
        for other in carrier.joined:
            if event.topic in other.relay.latched:
                self.session.publish(other.relay.latched[event.topic][0])

    def _published(self, event: events.Published) -> None:
        carrier = self.carrier
        topic = carrier.hub.topics.get(event.topic)
        now = carrier.hub.now()
        try:
            if topic is not None and topic.direction is Direction.IN:
                message = carrier.types.message(topic.type).fill(event.message, now)
                carrier.hub.receive(event.topic, message, self)
            elif topic is not None:
                raise RosError(f"{event.topic} is published by the simulator")
            elif event.type:
                kind = carrier.types.message(event.type)
                publication = Publication(event.topic, kind, kind.fill(event.message, now), now)
                self.relay.keep(publication)
                carrier.relay(publication)
            else:
                raise RosError(f"{event.topic} was not advertised")
        except RosError as fault:
            self._mistaken(str(fault), event.id)

    # Services

    def _called(self, call: events.ServiceCalled) -> None:
        carrier = self.carrier
        try:
            if call.service in ROSAPI:
                kind = carrier.types.service(ROSAPI[call.service].type)
                request = fill_arguments(kind.request, call.arguments, carrier.hub.now())
                self.session.respond(call, kind, answer(call.service, carrier.graph(), request))
            elif call.service in carrier.hub.services:
                self._serve(call)
            else:
                self._pass_on(call)
        except RosError as fault:
            self.session.refuse(call, str(fault))

    def _serve(self, call: events.ServiceCalled) -> None:
        carrier = self.carrier
        kind = carrier.types.service(carrier.hub.services[call.service].type)
        request = fill_arguments(kind.request, call.arguments, carrier.hub.now())

        def answered(message: Message | None, why: str) -> None:
            if message is None:
                self.session.refuse(call, why)
            else:
                self.session.respond(call, kind, message)
            self.flush()

        carrier.hub.call(call.service, request, answered)

    def _pass_on(self, call: events.ServiceCalled) -> None:
        """Ask the client that has advertised a service."""
        carrier = self.carrier
        other = next((one for one in carrier.joined if call.service in one.session.services), None)
        if other is None:
            raise RosError(f"Service {call.service} does not exist")
        other.relay.call(self, call)

    def refuse(self, call: events.ServiceCalled, why: str) -> None:
        """Answer a call with the reason why it cannot be served."""
        self.session.refuse(call, why)
        self.flush()

    # Goals

    def _goal(self, event: events.GoalReceived) -> None:
        carrier = self.carrier
        offer = carrier.hub.actions.get(event.action)
        key = (event.action, event.id)
        other = next((one for one in carrier.joined if event.action in one.session.actions), None)
        if (offer is None and other is None) or key in self._goals:
            why = "its id is that of another goal" if key in self._goals else "there is no such action"
            self.session.refuse_goal(event, f"The goal of {event.action} is not pursued: {why}.")
            return
        try:
            if offer is None:
                assert other is not None
                self._goals[key] = other.relay.pursue(self, event)
                return
            kind = carrier.types.action(offer.type)
            goal = fill_arguments(kind.goal, event.arguments, carrier.hub.now())
        except RosError as fault:
            self.session.refuse_goal(event, str(fault))
            return
        keeper = _Keeper(self, event, kind)
        cancel = carrier.hub.pursue(event.action, goal, keeper)
        if not keeper.is_over:
            self._goals[key] = cancel

    def _cancel(self, event: events.GoalCancelled) -> None:
        cancel = self._goals.get((event.action, event.id))
        if cancel is not None:
            cancel()

    def _fed_back(self, event: events.FeedbackReceived) -> None:
        try:
            self.relay.fed_back(event)
        except (RosError, KeyError) as fault:
            self._mistaken(str(fault), event.id)

    def goal_ended(self, event: events.GoalReceived) -> None:
        """Forget a goal."""
        self._goals.pop((event.action, event.id), None)

    # Mistakes

    def _mistake(self, event: events.Mistake) -> None:
        self.carrier.complain(self.peer, event.text)

    def _mistaken(self, text: str, number: events.Id) -> None:
        self.carrier.complain(self.peer, text)
        self.session.report("error", text, number)

    def _overrun(self, event: events.Overrun) -> None:
        self.carrier.complain(self.peer, f"{event.waiting} bytes of answers wait that nobody reads")
        if self.link is not None:
            self.link.close()


class _Keeper:
    """A goal of the client."""

    def __init__(self, client: BridgeClient, event: events.GoalReceived, kind: Any) -> None:
        self.is_over = False
        self._client, self._event, self._kind = client, event, kind

    def feedback(self, message: Message) -> None:
        if not self.is_over:
            self._client.session.feedback(self._event, self._kind, message)
            self._client.flush()

    def finished(self, status: GoalStatus, result: Message, text: str = "") -> None:
        if self.is_over:
            return
        self.is_over = True
        client = self._client
        client.goal_ended(self._event)
        if status is GoalStatus.REJECTED:
            client.session.refuse_goal(self._event, text or "rejected")
        else:
            whole = self._kind.result.make() | dict(result)
            client.session.finish(self._event, self._kind, whole, STATUSES[status], status is GoalStatus.SUCCEEDED)
        client.flush()
