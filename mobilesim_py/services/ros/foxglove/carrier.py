"""The carrier of Foxglove: the topics and services of the hub as channels and services in the words of ROS 2."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from mobilesim_py.protocols.ros.errors import MessageError, UnknownTypeError, WireError
from mobilesim_py.protocols.ros.interfaces import MessageType, interfaces
from mobilesim_py.protocols.ros.rows import Dialect, spelled_type
from mobilesim_py.protocols.ros.stamp import NANOSECONDS, Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.bridge.carrier import OTHERWISE
from mobilesim_py.services.ros.carrier import Direction, Hub, Offer, Topic
from mobilesim_py.services.ros.foxglove.server import FoxgloveServer, Listener, Serve, Shape, check_sdk
from mobilesim_py.services.service import ClientFacts, Stage

LONGEST = 1_000_000
"""What clients publish may not be longer [bytes]."""
MOST_WAITING = 1000
"""Messages of clients that may wait for the next step; more are lost."""


class Server(Protocol):
    """What the carrier needs of a server."""

    port: int

    def add(self, topic: str, shape: Shape) -> None:
        """Offer a topic."""

    def remove(self, topic: str) -> None:
        """Take a topic back."""

    def log(self, topic: str, data: bytes, nanoseconds: int) -> None:
        """Send a message."""

    def offer(self, service: str, kind: str, request: Shape, response: Shape, serve: Serve) -> None:
        """Offer a service."""

    def withdraw(self, service: str) -> None:
        """Take a service back."""

    def tell_time(self, nanoseconds: int) -> None:
        """Tell simulated time."""

    def close(self) -> None:
        """Hang up on everybody."""


MakeServer = Callable[[str, int, Listener], Server]


class FoxgloveCarrier:
    """The carrier of Foxglove."""

    name = "Foxglove"
    hub: Hub

    def __init__(self, stage: Stage, port: int, bind: str = "127.0.0.1", make_server: MakeServer | None = None) -> None:
        """Look whether there is an SDK, EmulationError; the port is opened when the doors are."""
        if make_server is None:
            check_sdk()
        self.types = interfaces(Dialect.ROS2)
        self._stage = stage
        self._port = port
        self._bind = bind
        self._make_server: MakeServer = make_server or FoxgloveServer
        self._server: Server | None = None
        self._topics: dict[str, Topic] = {}
        self._services: dict[str, Offer] = {}
        self._subscribers: dict[str, set[int]] = {}
        self._drivers: dict[int, str] = {}
        """Clients that published something, and what they are called where it is obeyed."""
        self._parameters: dict[str, Any] = {}
        self._waiting = 0

    def open(self, hub: Hub) -> None:
        """Open the port."""
        self.hub = hub
        self._remember_parameters()
        self._server = self._make_server(self._bind, self._port, _Relay(self))
        self.graph_changed()
        self.announce()

    def announce(self) -> None:
        """Say where it is."""
        host = self._bind if ":" not in self._bind else f"[{self._bind}]"
        self._stage.log.announce(f"Foxglove: Open connection to ws://{host}:{self.port}")

    def close(self) -> None:
        """Hang up on everybody."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    @property
    def port(self) -> int:
        """Where it is; 0 while it is closed."""
        return self._server.port if self._server is not None else 0

    # Topics and services

    def graph_changed(self) -> None:
        """Offer what there is now."""
        server = self._server
        if server is None:
            return
        topics = {name: topic for name, topic in self.hub.topics.items() if topic.direction is Direction.OUT}
        for name in [name for name, topic in self._topics.items() if topics.get(name) != topic]:
            server.remove(name)
            del self._topics[name]
            self._subscribers.pop(name, None)
        for name, topic in topics.items():
            if name not in self._topics:
                server.add(name, shape_of(self.types.message(_kind(topic))))
                self._topics[name] = topic
        for name in [name for name, offer in self._services.items() if self.hub.services.get(name) != offer]:
            server.withdraw(name)
            del self._services[name]
        for name, offer in self.hub.services.items():
            if name not in self._services:
                self._offer(server, offer)

    def _offer(self, server: Server, offer: Offer) -> None:
        try:
            kind = self.types.service(offer.type)
        except UnknownTypeError:
            return  # of ROS 1 only

        def serve(data: bytes, answer: Callable[[bytes | None, str], None]) -> None:
            self._stage.clock.soon(lambda: obey(data, answer))

        def obey(data: bytes, answer: Callable[[bytes | None, str], None]) -> None:
            def answered(response: Message | None, why: str) -> None:
                answer(kind.response.serialise(response) if response is not None else None, why)

            try:
                request = kind.request.deserialise(data)
            except MessageError as error:
                answered(None, str(error))
                return
            if self._server is not None:
                self.hub.call(offer.name, request, answered)

        spelled = spelled_type(offer.type, Dialect.ROS2, "srv")
        request, response = (
            Shape(f"{spelled}_{word}", shape_of(one).text)
            for word, one in (("Request", kind.request), ("Response", kind.response))
        )
        server.offer(offer.name, spelled, request, response, serve)
        self._services[offer.name] = offer

    # What clients do

    def subscribed(self, topic: str, client: int) -> None:
        """Count a client in; what is latched is sent once more, for it keeps nothing for those who come later."""
        there = self._subscribers.setdefault(topic, set())
        if not there:
            self._stage.clock.soon(self._stage.wake)
        there.add(client)
        self.hub.wishes_changed()
        known = self._topics.get(topic)
        if known is not None and known.latched:
            message = self.hub.latched(topic)
            if message is not None:
                self.publish(known, message, self.hub.now())

    def unsubscribed(self, topic: str, client: int) -> None:
        """Count a client out."""
        there = self._subscribers.get(topic, set())
        there.discard(client)
        if not there:
            self._subscribers.pop(topic, None)
        self.hub.wishes_changed()

    def published(self, name: str, encoding: str, data: bytes, client: int) -> None:
        """Obey what a client published."""
        self._waiting = max(0, self._waiting - 1)
        topic = self.hub.topics.get(name)
        if topic is None or topic.direction is not Direction.IN:
            self._complain(name, "nobody here subscribes to that")
            return
        kind = self.types.message(topic.type)
        try:
            if len(data) > LONGEST:
                raise MessageError(f"a message of {len(data)} bytes is too long")
            if encoding == "json":
                message = kind.fill(json.loads(data), self.hub.now())
            elif encoding == "cdr":
                message = kind.deserialise(data)
            else:
                raise MessageError(f"the encoding {encoding[:20]!r} is not known")
        except (MessageError, ValueError, RecursionError) as error:
            self._complain(name, str(error))
            return
        self.hub.receive(name, message, self._drivers.setdefault(client, f"Foxglove client {client}"))

    def _complain(self, topic: str, why: str) -> None:
        self._stage.log.occasionally(f"Foxglove {topic[:100]}", f"Foxglove: {topic[:100]}: {why}")

    def take(self, call: Callable[[], None]) -> None:
        """Let something wait for the simulation's thread; of too much at a time the rest is lost."""
        if self._waiting < MOST_WAITING:
            self._waiting += 1
            self._stage.clock.soon(call)

    def left(self, client: int) -> None:
        """Forget a client that published."""
        self._drivers.pop(client, None)

    def parameters(self, names: Sequence[str]) -> dict[str, Any]:
        """Return parameters as they were at the last change; asked for in a thread of the server."""
        known = self._parameters
        return {name: known[name] for name in names if name in known} if names else dict(known)

    def set_parameters(self, values: dict[str, Any]) -> None:
        """Set parameters, which all carriers share."""
        for name, value in values.items():
            try:
                if value is None:
                    if self.hub.parameters.has(name):
                        self.hub.parameters.delete(name)
                else:
                    self.hub.parameters.set(name, value)
            except WireError as error:
                self._complain(f"parameter {name[:100]}", str(error))
        self._remember_parameters()

    def _remember_parameters(self) -> None:
        parameters = self.hub.parameters
        self._parameters = {name: parameters.get(name) for name in parameters.names()}

    # What the hub asks for

    def wanted(self) -> Collection[str]:
        """Return the topics that clients subscribed to."""
        return list(self._subscribers)

    def publish(self, topic: Topic, message: Message, now: Time) -> None:
        """Send a message."""
        if self._server is None or topic.name not in self._topics:
            return
        if topic.type in OTHERWISE:
            message = OTHERWISE[topic.type][1](message)
        data = self.types.message(_kind(topic)).serialise(message)
        self._server.log(topic.name, data, now.secs * NANOSECONDS + now.nsecs)

    def flush(self) -> None:
        """Tell what time it is."""
        if self._server is not None and self._subscribers:
            now = self.hub.now()
            self._server.tell_time(now.secs * NANOSECONDS + now.nsecs)

    def is_busy(self) -> bool:
        """Whether anybody subscribes."""
        return bool(self._subscribers)

    def backlog(self) -> int:
        """Return 0: a slow client loses old messages, and nobody waits for it."""
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        """Return those who subscribe or publish."""
        there = {client for subscribers in self._subscribers.values() for client in subscribers} | set(self._drivers)
        return [
            ClientFacts(service=self.name, key=(self, client), peer=f"Foxglove client {client}") for client in sorted(there)
        ]


class _Relay:
    """Passes on what the server's threads say."""

    def __init__(self, carrier: FoxgloveCarrier) -> None:
        self._carrier = carrier

    def subscribed(self, topic: str, client: int) -> None:
        self._carrier._stage.clock.soon(lambda: self._carrier.subscribed(topic, client))

    def unsubscribed(self, topic: str, client: int) -> None:
        self._carrier._stage.clock.soon(lambda: self._carrier.unsubscribed(topic, client))

    def published(self, topic: str, encoding: str, data: bytes, client: int) -> None:
        self._carrier.take(lambda: self._carrier.published(topic, encoding, data, client))

    def left(self, client: int) -> None:
        self._carrier._stage.clock.soon(lambda: self._carrier.left(client))

    def parameters(self, names: Sequence[str]) -> dict[str, Any]:
        return self._carrier.parameters(names)

    def set_parameters(self, values: dict[str, Any]) -> None:
        self._carrier._stage.clock.soon(lambda: self._carrier.set_parameters(values))


def _kind(topic: Topic) -> str:
    return OTHERWISE[topic.type][0] if topic.type in OTHERWISE else topic.type


def shape_of(kind: MessageType) -> Shape:
    """Return a type as Foxglove is told of it."""
    return Shape(kind.spelled, kind.full_text)
