"""Our node in a ROS 1 graph: topics and services of the hub at a master, TCPROS to whoever wants them."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mobilesim_py.net.dialling import Dialler
from mobilesim_py.net.limits import by_bytes
from mobilesim_py.net.ports import QuietPort
from mobilesim_py.protocols.ros.errors import RosError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.ros1.answers import is_uri
from mobilesim_py.protocols.ros1.events import Limits
from mobilesim_py.protocols.ros1.inbound import InboundLink, ServiceOffer, TopicOffer
from mobilesim_py.protocols.ros1.outbound import SubscriberLink
from mobilesim_py.protocols.ros1.slave import (
    BusLink,
    ParameterChanged,
    PublishersChanged,
    ShutdownRequested,
    Slave,
    parse_topic_address,
)
from mobilesim_py.services.ros.carrier import NODE, Answer, Direction, Hub, Topic
from mobilesim_py.services.ros.ros1.calls import Caller, PostSession
from mobilesim_py.services.ros.ros1.links import InboundSession, SubscriptionSession, TcprosSession
from mobilesim_py.services.ros.ros1.masters import MASTER_PORT, ForeignMaster, OwnMaster, Registry
from mobilesim_py.services.service import ClientFacts, Stage

TYPES = interfaces(Dialect.ROS1)
FLUSH_SECONDS = 0.05
"""How often a peer that was slow is looked at while no step passes."""
MOST_BACKLOG = 1 << 27
"""Bytes that the system's side may have for one peer: the largest map, and some more."""
LIMITS = Limits(queued_messages=100)
"""Some topics have a message for each of many sensors at every tick."""
RETRY_SECONDS = 2.0
"""When a publisher that refused us is asked again."""


@dataclass(frozen=True)
class Ros1Settings:
    """Where our node lives."""

    master: str = ""
    """The URI of a master elsewhere; empty for one of our own."""
    master_port: int = MASTER_PORT
    """The port of our own."""
    bind: str = "127.0.0.1"
    """The address to listen on."""

    def host(self, environ: Mapping[str, str] = os.environ) -> str:
        """Return how others reach us: what ROS_HOSTNAME or ROS_IP says, or the address that we listen on."""
        told = environ.get("ROS_HOSTNAME") or environ.get("ROS_IP")
        if told:
            return told
        if self.bind in ("", "0.0.0.0", "::"):
            import socket

            return socket.gethostname()
        return self.bind


class Ros1Carrier:
    """The node `/mobilesim`."""

    name = "ROS 1"
    hub: Hub

    def __init__(self, stage: Stage, settings: Ros1Settings) -> None:
        self.settings = settings
        self.slave = Slave(NODE, settings.master, pid=os.getpid())
        self.registry: Registry
        self._stage = stage
        self._host = settings.host()
        self._dialler = Dialler(stage.log, interface=self.name)
        self._caller = Caller(self._dialler)
        self._api_door = QuietPort(settings.bind, 0, lambda peer: PostSession(self._answer), stage.log, interface=self.name)
        self._tcpros_door = QuietPort(
            settings.bind, 0, self._inbound, stage.log, interface=self.name, limit=by_bytes(MOST_BACKLOG)
        )
        self._inbound_links: set[InboundSession] = set()
        self._subscribers: dict[str, list[InboundSession]] = {}
        self._subscriptions: dict[tuple[str, str], SubscriptionSession | None] = {}
        """By topic and API of the publisher; None while it is being asked where to connect."""
        self._publishers: dict[str, set[str]] = defaultdict(set)
        self._registered: set[tuple[str, str]] = set()
        """What the master was told: the word of the method, and the name."""
        self._flushing = False
        self._is_open = False

    # Doors

    def open(self, hub: Hub) -> None:
        """Open the doors, and register at the master."""
        self.hub = hub
        doors = self._stage.doors
        doors.open(self._dialler)
        doors.open(self._api_door)
        doors.open(self._tcpros_door)
        self.slave.tcpros_port = self._tcpros_door.port
        settings = self.settings
        if settings.master:
            self.registry = ForeignMaster(self._stage, self._caller, settings.master, self._master_came)
        else:
            self.registry = OwnMaster(
                self._stage, self._caller, hub.parameters, self._host, settings.master_port, settings.bind, os.getpid()
            )
        self.registry.open()
        self.slave.master_uri = self.registry.uri
        self._is_open = True
        if not settings.master:
            self._stage.log.announce(f"ROS 1: Our master is at {self.registry.uri} (set ROS_MASTER_URI to that).")
        self.graph_changed()

    @property
    def api(self) -> str:
        """The URI of our API."""
        return f"http://{self._host}:{self._api_door.port}/"

    def close(self) -> None:
        """Take leave of the master, and hang up on everybody."""
        if not self._is_open:
            return
        self._is_open = False
        for session in (*self._inbound_links, *(one for one in self._subscriptions.values() if one is not None)):
            session.close()
        self.registry.close()
        for door in (self._api_door, self._tcpros_door, self._dialler):
            self._stage.doors.close(door)

    # At the master

    def _master_came(self) -> None:
        """Tell a master elsewhere everything anew."""
        self._registered.clear()
        self.registry.call("setParam", ["/use_sim_time", self.hub.parameters.get("/use_sim_time")], _ignored)
        self.graph_changed()

    def graph_changed(self) -> None:
        """Tell the master what came and went."""
        if not self._is_open:
            return
        self._renew_slave()
        wanted = {
            **{("Publisher", name): kind for name, kind in self.slave.publications.items()},
            **{("Subscriber", name): kind for name, kind in self.slave.subscriptions.items()},
            **{("Service", name): "" for name in self.hub.services},
        }
        rosrpc = f"rosrpc://{self._host}:{self._tcpros_door.port}"
        for what, name in self._registered - set(wanted):
            self.registry.call(f"unregister{what}", [name, rosrpc if what == "Service" else self.api], _ignored)
            self._registered.discard((what, name))
            if what == "Subscriber":
                self._set_publishers(name, ())
        for (what, name), kind in wanted.items():
            if (what, name) not in self._registered:
                self._register(what, name, rosrpc if what == "Service" else kind)

    def _renew_slave(self) -> None:
        topics = self.hub.topics.values()
        self.slave.publications = {topic.name: topic.type for topic in topics if topic.direction is Direction.OUT}
        self.slave.subscriptions = {topic.name: topic.type for topic in topics if topic.direction is Direction.IN}
        for session in list(self._inbound_links):
            if session.topic and session.topic not in self.slave.publications:
                session.close()

    def _register(self, what: str, name: str, detail: str) -> None:
        key = (what, name)
        self._registered.add(key)

        def then(value: Any, why: str) -> None:
            if value is None:
                self._registered.discard(key)
            elif what == "Subscriber" and isinstance(value, list):
                self._set_publishers(name, [api for api in value if is_uri(api)])

        self.registry.call(f"register{what}", [name, detail, self.api], then)

    # Our API

    def _answer(self, body: bytes, host: str) -> bytes:
        self.slave.links = self._bus()
        told = self._host if os.environ.get("ROS_HOSTNAME") or os.environ.get("ROS_IP") else host or self._host
        answer = self.slave.answer(body, told)
        for event in self.slave.events():
            if isinstance(event, PublishersChanged):
                self._set_publishers(event.topic, event.apis)
            elif isinstance(event, ParameterChanged):
                pass  # we subscribe to no parameter
            elif isinstance(event, ShutdownRequested):
                self._stage.log.occasionally(
                    "shutdown", f"ROS 1: {event.caller[:100]} asked the node to end. The simulator goes on."
                )
        return answer

    def _bus(self) -> list[BusLink]:
        sessions: list[TcprosSession] = [session for session in self._inbound_links if session.topic]
        sessions += [session for session in self._subscriptions.values() if session is not None]
        return [
            BusLink(
                number,
                session.caller or getattr(session, "api", "") or session.peer,
                isinstance(session, InboundSession),
                session.topic,
                session.octets,
                session.messages,
                session.tcpros.dropped,
            )
            for number, session in enumerate(sessions, 1)
        ]

    # Offers: what `InboundLink` asks for

    def topic(self, name: str) -> TopicOffer | None:
        """Return the topic that we publish under a name."""
        topic = self.hub.topics.get(name)
        if topic is None or topic.direction is not Direction.OUT:
            return None
        kind = TYPES.message(topic.type)
        last = self.hub.latched(name) if topic.latched else None
        return TopicOffer(name, kind, topic.latched, kind.serialise(last) if last is not None else None)

    def service(self, name: str) -> ServiceOffer | None:
        """Return the service that we answer under a name."""
        offer = self.hub.services.get(name)
        return ServiceOffer(name, TYPES.service(offer.type)) if offer is not None else None

    # Peers that come in

    def _inbound(self, peer: str) -> InboundSession:
        session = InboundSession(InboundLink(NODE, self, LIMITS), self._gone, self._say, self._joined, self._serve)
        self._inbound_links.add(session)
        return session

    def _joined(self) -> None:
        """Look anew who subscribes to what."""
        self._subscribers = {}
        for session in self._inbound_links:
            if session.topic:
                self._subscribers.setdefault(session.topic, []).append(session)
        self.hub.wishes_changed()
        self._stage.wake()

    def _serve(self, service: str, request: Message, answer: Answer) -> None:
        self.hub.call(service, request, answer)

    def _gone(self, session: TcprosSession) -> None:
        if isinstance(session, InboundSession):
            self._inbound_links.discard(session)
            if session.topic and self._is_open:
                self._joined()
        elif isinstance(session, SubscriptionSession):
            key = (session.topic, session.api)
            if self._subscriptions.get(key) is session:
                del self._subscriptions[key]
                self._later_again(*key)

    def _say(self, text: str) -> None:
        self._stage.log.occasionally("ROS 1", text)

    # Publishers that we go to

    def _set_publishers(self, topic: str, apis: Collection[str]) -> None:
        self._publishers[topic] = {api for api in apis if api != self.api}
        for (name, api), session in list(self._subscriptions.items()):
            if name == topic and api not in self._publishers[topic]:
                self._subscriptions.pop((name, api))
                if session is not None:
                    session.close()
        for api in self._publishers[topic]:
            self._ask(topic, api)

    def _ask(self, topic: str, api: str) -> None:
        """Ask a publisher where to connect, unless we are on it already."""
        if (topic, api) in self._subscriptions or topic not in self.slave.subscriptions or not self._is_open:
            return
        self._subscriptions[topic, api] = None

        def then(body: bytes | None, why: str) -> None:
            if self._subscriptions.get((topic, api), self) is not None:
                return
            try:
                if body is None:
                    raise RosError(why)
                host, port = parse_topic_address(body)
            except RosError as fault:
                del self._subscriptions[topic, api]
                self._stage.log.detail(f"ROS 1: {api}: {fault}")
                self._later_again(topic, api)
                return
            self._subscribe(topic, api, host, port)

        self._caller.call(api, "requestTopic", [NODE, topic, [["TCPROS"]]], then)

    def _subscribe(self, topic: str, api: str, host: str, port: int) -> None:
        kind = TYPES.message(self.slave.subscriptions[topic])
        # Where a type has several versions, whichever the publisher has is taken.
        exact = kind if len(TYPES.versions(kind.name)) == 1 else None
        link = SubscriberLink(NODE, topic, TYPES, exact, kind.name)
        session = SubscriptionSession(link, self._gone, self._say, self._take)
        session.api = api
        self._subscriptions[topic, api] = session
        self._dialler.dial(host, port, session)

    def _later_again(self, topic: str, api: str) -> None:
        def again() -> None:
            if api in self._publishers.get(topic, ()):
                self._ask(topic, api)

        if self._is_open:
            self._stage.clock.later(RETRY_SECONDS, again)

    def _take(self, topic: str, message: Message, session: SubscriptionSession) -> None:
        self.hub.receive(topic, message, self._key(session))

    def _key(self, session: TcprosSession) -> Hashable:
        return session

    # What the hub asks for

    def wanted(self) -> Collection[str]:
        """Return the topics that nodes subscribed to."""
        return self._subscribers

    def publish(self, topic: Topic, message: Message, now: Time) -> None:
        """Serialise a message once, and send it to all subscribers."""
        body = TYPES.message(topic.type).serialise(message)
        for session in self._subscribers.get(topic.name, ()):
            session.publish(body)

    def flush(self) -> None:
        """Send what waits; look again soon if somebody is slow."""
        slow = False
        for session in list(self._inbound_links):
            session.flush()
            slow = slow or session.tcpros.backlog > 0
        if slow and not self._flushing:
            self._flushing = True
            self._stage.clock.later(FLUSH_SECONDS, self._flush_again)

    def _flush_again(self) -> None:
        self._flushing = False
        if self._is_open:
            self.flush()

    def is_busy(self) -> bool:
        """Whether anybody subscribes."""
        return bool(self._subscribers)

    def backlog(self) -> int:
        """Return 0: a slow subscriber loses old messages, and nobody waits for it."""
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        """Return the nodes that are connected with us."""
        nodes: dict[str, list[TcprosSession]] = {}
        for session in (*self._inbound_links, *(one for one in self._subscriptions.values() if one is not None)):
            nodes.setdefault(session.caller or getattr(session, "api", "") or session.peer, []).append(session)
        return [self._facts(node, sessions) for node, sessions in nodes.items()]

    def _facts(self, node: str, sessions: Sequence[TcprosSession]) -> ClientFacts:
        outgoing = [session for session in sessions if isinstance(session, InboundSession)]
        incoming = [session for session in sessions if isinstance(session, SubscriptionSession)]
        return ClientFacts(
            service=self.name,
            key=(self.name, node),
            peer=node,
            door=self._tcpros_door,
            packets_sent=sum(session.messages for session in outgoing),
            packets_received=sum(session.messages for session in incoming),
            packets_left_out=sum(session.tcpros.dropped for session in outgoing),
            backlog=max((session.backlog for session in sessions), default=0),
        )


def _ignored(value: Any, why: str) -> None:
    """Take an answer that changes nothing."""
