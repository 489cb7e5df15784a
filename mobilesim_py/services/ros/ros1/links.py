"""TCPROS connections as sessions of our doors: subscribers and callers that come in, publishers that we go to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from mobilesim_py.net.link import Link as NetLink
from mobilesim_py.protocols.ros.errors import RosError
from mobilesim_py.protocols.ros.interfaces import MessageType, ServiceType
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.ros1.events import (
    LinkClosed,
    MessageReceived,
    Phase,
    RequestReceived,
    ServiceJoined,
    SubscriberJoined,
)
from mobilesim_py.protocols.ros1.inbound import InboundLink
from mobilesim_py.protocols.ros1.link import Link
from mobilesim_py.protocols.ros1.outbound import SubscriberLink
from mobilesim_py.services.ros.carrier import Answer

ROOM = 1 << 18
"""Bytes that the system may still have for a peer when it is given more; the newest messages wait with us."""

Say = Callable[[str], None]
"""Takes a sentence about a fault of the peer."""
Serve = Callable[[str, Message, Answer], None]
"""Serves a request of a service."""


class TcprosSession:
    """What all of them have."""

    def __init__(self, tcpros: Link, gone: Callable[[TcprosSession], None], say: Say) -> None:
        self.link: NetLink | None = None
        self.peer = ""
        self.caller = ""
        """The name of the node at the other end, once it has said it."""
        self.messages = self.octets = 0
        """Messages and bytes of them that crossed."""
        self.tcpros = tcpros
        self._gone = gone
        self._say = say

    @property
    def topic(self) -> str:
        """The topic that it is about; empty for none."""
        return ""

    @property
    def synchronised(self) -> bool:
        """Whether its header has come."""
        return self.tcpros.phase is not Phase.HEADER

    @property
    def backlog(self) -> int:
        """Return the bytes that the peer has not taken."""
        return self.tcpros.backlog + (self.link.pending if self.link is not None else 0)

    def attach(self, link: NetLink) -> None:
        """Take the link."""
        self.link = link
        self.peer = link.peer
        self.flush()

    def receive(self, data: bytes) -> None:
        """Take bytes of the peer."""
        self.tcpros.receive_data(data)
        for event in self.tcpros.events():
            if isinstance(event, LinkClosed):
                if event.reason:
                    self._say(f"ROS 1: {self.caller or self.peer}: {event.reason}")
            else:
                self._handle(event)
        self.flush()

    def _handle(self, event: object) -> None:
        """Do what an event asks for."""

    def flush(self) -> None:
        """Send what waits, if the peer reads."""
        link = self.link
        if link is None:
            return
        if link.pending <= ROOM:
            data = self.tcpros.data_to_send()
            if data and not link.write(data):
                self.tcpros.close("the peer does not read")
        if self.tcpros.phase is Phase.CLOSED:
            self.link = None
            link.close()

    def close(self) -> None:
        """Hang up."""
        self.tcpros.close()
        self.flush()

    def lost(self, reason: str) -> None:
        """Let go of the link."""
        self.link = None
        self.tcpros.close()
        self._gone(self)


class InboundSession(TcprosSession):
    """A peer that connected to us."""

    tcpros: InboundLink

    def __init__(
        self, tcpros: InboundLink, gone: Callable[[TcprosSession], None], say: Say, joined: Callable[[], None], serve: Serve
    ) -> None:
        super().__init__(tcpros, gone, say)
        self._joined = joined
        self._serve = serve
        self._answers: deque[list[tuple[bool, bytes]]] = deque()
        """A list for each request that is not answered yet; the answers go out in the order of the requests."""

    @property
    def topic(self) -> str:
        """The topic that the peer subscribed to."""
        return self.tcpros.topic.name if self.tcpros.topic is not None else ""

    def publish(self, body: bytes) -> None:
        """Let a message wait for the subscriber."""
        self.tcpros.send(body)
        self.messages += 1
        self.octets += len(body)

    def _handle(self, event: object) -> None:
        if isinstance(event, SubscriberJoined | ServiceJoined):
            self.caller = event.fields.get("callerid", "")[:256]
            if isinstance(event, SubscriberJoined):
                self._joined()
        elif isinstance(event, RequestReceived) and self.tcpros.service is not None:
            self._call(event.service, self.tcpros.service.type, event.body)

    def _call(self, service: str, kind: ServiceType, body: bytes) -> None:
        slot: list[tuple[bool, bytes]] = []
        self._answers.append(slot)

        def answer(message: Message | None, why: str) -> None:
            if message is None:
                slot.append((False, why.encode()))
            else:
                slot.append((True, kind.response.serialise(message)))
            self._respond()

        try:
            request = kind.request.deserialise(body)
        except RosError as fault:
            answer(None, str(fault))
            return
        self._serve(service, request, answer)

    def _respond(self) -> None:
        while self._answers and self._answers[0]:
            self.tcpros.respond(*self._answers.popleft()[0])
        self.flush()


class SubscriptionSession(TcprosSession):
    """A publisher that we listen to."""

    tcpros: SubscriberLink

    def __init__(
        self,
        tcpros: SubscriberLink,
        gone: Callable[[TcprosSession], None],
        say: Say,
        take: Callable[[str, Message, SubscriptionSession], None],
    ) -> None:
        super().__init__(tcpros, gone, say)
        self.api = ""
        """The API of the publisher's node."""
        self._take = take

    @property
    def topic(self) -> str:
        """The topic that we subscribed to."""
        return self.tcpros.topic

    def _handle(self, event: object) -> None:
        if not isinstance(event, MessageReceived):
            return
        self.messages += 1
        self.octets += len(event.body)
        message = self._read(event.type, event.body)
        if message is not None:
            self._take(self.topic, message, self)

    def _read(self, kind: MessageType, body: bytes) -> Message | None:
        try:
            return kind.deserialise(body)
        except RosError as fault:
            self._say(f"ROS 1: {self.peer}: {fault}")
            return None
