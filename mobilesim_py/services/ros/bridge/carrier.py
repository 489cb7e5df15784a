"""All clients of rosbridge: on a port of their own, and at `/rosbridge` below the port of the viewer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mobilesim_py.net.websocket import Refuse, WebSocketPath, WebSocketPort, admit_all
from mobilesim_py.protocols.ros.interfaces import MessageType, interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.rosbridge.publication import Publication
from mobilesim_py.protocols.rosbridge.rosapi import ROSAPI, Graph, ServiceFacts, TopicFacts
from mobilesim_py.services.ros.bridge.client import BridgeClient
from mobilesim_py.services.ros.carrier import NODE, Direction, Hub, Topic
from mobilesim_py.services.service import ClientFacts, Stage

PATH = "/rosbridge"
BRIDGE_NODE = "/rosbridge_websocket"
"""What the clients together are called in the graph."""
ROSAPI_NODE = "/rosapi"
FLUSH_SECONDS = 0.05
"""How often a client that was slow, or throttled, is looked at while no step passes."""


def _log_of_ros2(message: Message) -> Message:
    levels = {2: 20, 4: 30, 8: 40}
    told = {name: message[name] for name in ("name", "msg", "file", "function", "line")}
    return {"stamp": message["header"]["stamp"], "level": levels[message["level"]], **told}


OTHERWISE: Mapping[str, tuple[str, Callable[[Message], Message]]] = {
    "rosgraph_msgs/Log": ("rcl_interfaces/Log", _log_of_ros2),
}
"""Types that ROS 2 calls by another name, and how their messages become those of that type."""


@dataclass(frozen=True)
class BridgeSettings:
    """Where rosbridge is, and how it spells."""

    port: int | None = None
    """A port of its own; 0 for any; None for none."""
    bind: str = "127.0.0.1"
    refuse: Refuse = admit_all
    """Who is not let in at that port."""
    dialect: Dialect = Dialect.ROS1


class _Publication(Publication):
    """A message that knows what it was made from."""

    source: Message | None = None


class BridgeCarrier:
    """The carrier of rosbridge."""

    name = "rosbridge"
    hub: Hub

    def __init__(self, stage: Stage, settings: BridgeSettings = BridgeSettings()) -> None:
        self.types = interfaces(settings.dialect)
        self.joined: list[BridgeClient] = []
        self.path = WebSocketPath(PATH, self._make, stage.log, interface=self.name)
        self.port: WebSocketPort | None = None
        if settings.port is not None:
            self.port = WebSocketPort(
                settings.bind, settings.port, self._make, stage.log, interface=self.name, refuse=settings.refuse
            )
        self._stage = stage
        self._settings = settings
        self._wanting: dict[str, list[BridgeClient]] = {}
        self._flushing = False
        self._latched: dict[str, _Publication] = {}
        """The last messages of latched topics, whose forms are made once for all who come."""

    def open(self, hub: Hub) -> None:
        """Open the doors."""
        self.hub = hub
        self._stage.doors.open(self.path)
        if self.port is not None:
            self._stage.doors.open(self.port)
            host = self._settings.bind if ":" not in self._settings.bind else f"[{self._settings.bind}]"
            self._stage.log.announce(f"rosbridge: Clients connect to ws://{host}:{self.port.port}")

    def close(self) -> None:
        """Close the doors."""
        for door in (self.path, self.port):
            if door is not None:
                self._stage.doors.close(door)

    # Clients

    def _make(self, peer: str) -> BridgeClient:
        return BridgeClient(self, peer)

    def came(self, client: BridgeClient) -> None:
        """Take in a client."""
        self.joined.append(client)
        self._stage.log.info(f"rosbridge: {client.peer} has connected.")

    def went(self, client: BridgeClient) -> None:
        """Forget a client."""
        if client in self.joined:
            self.joined.remove(client)
            self._stage.log.info(f"rosbridge: {client.peer} has disconnected.")
            self.wishes_changed()

    def complain(self, peer: str, text: str) -> None:
        """Log what made no sense."""
        self._stage.log.occasionally(f"rosbridge {peer}", f"rosbridge: {peer}: {text}")

    def real(self) -> float:
        """Return the time by which messages are throttled [s]."""
        return self._stage.clock.real()

    def wishes_changed(self) -> None:
        """Look anew who subscribes to what."""
        wanting: defaultdict[str, list[BridgeClient]] = defaultdict(list)
        for client in self.joined:
            for topic in client.session.streams:
                wanting[topic].append(client)
        self._wanting = dict(wanting)
        self.hub.wishes_changed()
        self._stage.wake()

    # What the hub asks for

    def wanted(self) -> Collection[str]:
        """Return the topics that clients subscribed to."""
        return self._wanting

    def publication(self, topic: Topic, message: Message, now: Time) -> Publication:
        """Return a message in the forms of rosbridge."""
        known = self._latched.get(topic.name)
        if known is not None and known.source is message:
            return known
        made = _Publication(topic.name, *self._spelled(topic.type, message), now)
        made.source = message
        if topic.latched:
            self._latched[topic.name] = made
        return made

    def _spelled(self, name: str, message: Message) -> tuple[MessageType, Message]:
        """Return type and message in the words of the clients."""
        if name in OTHERWISE and self._settings.dialect is Dialect.ROS2:
            name, convert = OTHERWISE[name]
            message = convert(message)
        return self.types.message(name), message

    def publish(self, topic: Topic, message: Message, now: Time) -> None:
        """Let a message wait for all who subscribed."""
        publication = self.publication(topic, message, now)
        for client in self._wanting.get(topic.name, ()):
            client.session.publish(publication)

    def relay(self, publication: Publication) -> None:
        """Pass a message of one client on to others."""
        for client in self._wanting.get(publication.topic, ()):
            client.session.publish(publication)
            client.flush()

    def flush(self) -> None:
        """Send what waits; look again soon where something may go later."""
        due = float("inf")
        for client in self.joined:
            client.flush()
            due = min(due, client.next_due)
        if due < float("inf") and not self._flushing:
            self._flushing = True
            self._stage.clock.later(max(FLUSH_SECONDS, due - self.real()), self._flush_again)

    def _flush_again(self) -> None:
        self._flushing = False
        self.flush()

    def graph_changed(self) -> None:
        """Do nothing: clients ask."""

    def is_busy(self) -> bool:
        """Whether anybody subscribes."""
        return bool(self._wanting)

    def backlog(self) -> int:
        """Return 0: a slow client loses old messages, and nobody waits for it."""
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        """Return who is there."""
        return [
            ClientFacts(
                service=self.name,
                key=client,
                peer=client.peer,
                door=self.port or self.path,
                packets_sent=client.sent,
                packets_received=client.received,
                packets_left_out=sum(stream.dropped for stream in client.session.streams.values()),
                backlog=client.link.pending if client.link is not None else 0,
            )
            for client in self.joined
        ]

    # What rosapi tells

    def graph(self) -> Graph:
        """Return all topics, services and actions, of the simulator and of clients."""
        topics: dict[str, TopicFacts] = {}
        ros2 = self._settings.dialect is Dialect.ROS2
        for topic in self.hub.topics.values():
            kind = OTHERWISE[topic.type][0] if ros2 and topic.type in OTHERWISE else topic.type
            out = topic.direction is Direction.OUT
            topics[topic.name] = TopicFacts(kind, [NODE] if out else [], [] if out else [NODE])
        services = {offer.name: ServiceFacts(offer.type, NODE) for offer in self.hub.services.values()}
        services |= {name: ServiceFacts(api.type, ROSAPI_NODE) for name, api in ROSAPI.items()}
        for client in self.joined:
            for name, kind in client.session.advertised.items():
                _add(topics.setdefault(name, TopicFacts(kind)).publishers)
            for name in client.session.streams:
                if name in topics:
                    _add(topics[name].subscribers)
            for name, kind in client.session.services.items():
                services.setdefault(name, ServiceFacts(kind, BRIDGE_NODE))
        actions = dict.fromkeys((*self.hub.actions, *(name for client in self.joined for name in client.session.actions)))
        distro = "jazzy" if ros2 else "noetic"
        return Graph(
            self.types, self.hub.parameters, topics, services, tuple(actions), self.hub.now(), distro
        )  # fmt: skip


def _add(nodes: list[Any]) -> None:
    if BRIDGE_NODE not in nodes:
        nodes.append(BRIDGE_NODE)
