"""The carrier of ROS 2: every topic and service of the hub as one of a node, in bytes that our own encoder makes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from mobilesim_py.protocols.ros.errors import MessageError, UnknownTypeError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.bridge.carrier import OTHERWISE
from mobilesim_py.services.ros.carrier import Direction, Hub, Offer, Topic
from mobilesim_py.services.ros.ros2.node import Node, Publisher, Quality, RclpyNode, check_rclpy
from mobilesim_py.services.service import ClientFacts, Stage

LOOK_EVERY = 0.25
"""Real time from one look at who subscribes to the next [s]."""
MOST_WAITING = 1000
"""Messages of clients that may wait for the next step; more are lost."""
DRIVING = frozenset({"geometry_msgs/Twist"})
"""Types of topics that come in so often that one more or less does not matter."""


@dataclass(eq=False)
class _Out:
    """A topic that goes out."""

    topic: Topic
    publisher: Publisher
    subscribers: int = 0


class Ros2Carrier:
    """The carrier of ROS 2."""

    name = "ROS 2"
    hub: Hub

    def __init__(self, stage: Stage, make_node: Callable[[], Node] | None = None) -> None:
        """Look whether there is a ROS 2 at all, EmulationError; the node is made when the doors open."""
        if make_node is None:
            check_rclpy()
        self.types = interfaces(Dialect.ROS2)
        self._stage = stage
        self._make_node = make_node or RclpyNode
        self._node: Node | None = None
        self._out: dict[str, _Out] = {}
        self._others: dict[tuple[str, str], object] = {}
        """Subscriptions and services, by what they are for and name."""
        self._missing: set[str] = set()
        self._look_due = 0.0
        self._waiting = 0

    def open(self, hub: Hub) -> None:
        """Come into the graph."""
        self.hub = hub
        self._node = self._make_node()
        self.graph_changed()
        self._stage.clock.later(LOOK_EVERY, self._look_again)
        self._stage.log.announce("ROS 2: The node /mobilesim is in the graph.")

    def close(self) -> None:
        """Leave the graph."""
        node, self._node = self._node, None
        if node is not None:
            node.close()

    # Topics and services

    def graph_changed(self) -> None:
        """Publish what there is now, subscribe, offer services; drop what is gone."""
        node = self._node
        if node is None:
            return
        hub = self.hub
        for name, out in list(self._out.items()):
            if hub.topics.get(name) != out.topic:
                node.drop(self._out.pop(name).publisher)
        sinks = {("topic", topic.name): topic for topic in hub.topics.values() if topic.direction is Direction.IN}
        offers = {("service", offer.name): offer for offer in hub.services.values()}
        wanted: dict[tuple[str, str], Topic | Offer] = {**sinks, **offers}
        for key in [key for key in self._others if key not in wanted]:
            node.drop(self._others.pop(key))
        for topic in hub.topics.values():
            if topic.direction is Direction.OUT and topic.name not in self._out:
                self._publish_from_now(node, topic)
        for key, one in wanted.items():
            if key not in self._others:
                made = self._subscribe(node, one) if isinstance(one, Topic) else self._offer(node, one)
                if made is not None:
                    self._others[key] = made
        hub.wishes_changed()

    def _publish_from_now(self, node: Node, topic: Topic) -> None:
        kind = OTHERWISE[topic.type][0] if topic.type in OTHERWISE else topic.type
        publisher = node.publisher(topic.name, kind, Quality.LATCHED if topic.latched else Quality.RELIABLE)
        if publisher is None:
            self._miss(kind)
            return
        self._out[topic.name] = _Out(topic, publisher)
        if topic.latched:
            message = self.hub.latched(topic.name)
            if message is not None:
                self.publish(topic, message, self.hub.now())

    def _subscribe(self, node: Node, topic: Topic) -> object | None:
        kind = self.types.message(topic.type)

        def take(data: bytes) -> None:
            if self._waiting < MOST_WAITING:
                self._waiting += 1
                self._stage.clock.soon(lambda: obey(data))

        def obey(data: bytes) -> None:
            self._waiting = max(0, self._waiting - 1)
            try:
                message = kind.deserialise(data)
            except MessageError as error:
                self._stage.log.occasionally(f"ROS 2 {topic.name}", f"ROS 2: {topic.name}: {error}")
                return
            if self._node is not None and topic.name in self.hub.topics:
                self.hub.receive(topic.name, message, self)

        quality = Quality.BEST_EFFORT if topic.type in DRIVING else Quality.RELIABLE
        return self._found(node.subscribe(topic.name, topic.type, quality, take), topic.type)

    def _offer(self, node: Node, offer: Offer) -> object | None:
        try:
            kind = self.types.service(offer.type)
        except UnknownTypeError:
            return None  # of ROS 1 only

        def serve(data: bytes, answer: Callable[[bytes], None]) -> None:
            self._stage.clock.soon(lambda: obey(data, answer))

        def obey(data: bytes, answer: Callable[[bytes], None]) -> None:
            def answered(response: Message | None, why: str) -> None:
                answer(kind.response.serialise(response if response is not None else failure(why)))

            def failure(why: str) -> Message:
                self._stage.log.occasionally(f"ROS 2 {offer.name}", f"ROS 2: {offer.name}: {why}")
                return _failed(kind.response.make(), why)

            try:
                request = kind.request.deserialise(data)
            except MessageError as error:
                answered(None, str(error))
                return
            if self._node is not None:
                self.hub.call(offer.name, request, answered)

        return self._found(node.offer(offer.name, offer.type, serve), offer.type)

    def _found(self, made: object | None, kind: str) -> object | None:
        if made is None:
            self._miss(kind)
        return made

    def _miss(self, kind: str) -> None:
        """Say once which package is not installed."""
        package = kind.partition("/")[0]
        if package not in self._missing:
            self._missing.add(package)
            self._stage.log.detail(f"ROS 2: {package} is not installed, so topics and services of its types are left out.")

    # What the hub asks for

    def wanted(self) -> Collection[str]:
        """Return the topics that somebody subscribed to, and the latched ones, for those who come later."""
        return [name for name, out in self._out.items() if out.subscribers or out.topic.latched]

    def publish(self, topic: Topic, message: Message, now: Time) -> None:
        """Send a message."""
        out = self._out.get(topic.name)
        if out is None:
            return
        kind = topic.type
        if kind in OTHERWISE:
            kind, convert = OTHERWISE[kind]
            message = convert(message)
        out.publisher.publish(self.types.message(kind).serialise(message))

    def flush(self) -> None:
        """Do nothing: what is published is sent."""

    def look(self) -> None:
        """Look who subscribes: nobody says so by themselves."""
        changed = False
        for out in self._out.values():
            count = out.publisher.get_subscription_count()
            changed |= (count > 0) != (out.subscribers > 0)
            out.subscribers = count
        if changed:
            self.hub.wishes_changed()
            self._stage.wake()

    def _look_again(self) -> None:
        if self._node is not None:
            self.look()
            self._stage.clock.later(LOOK_EVERY, self._look_again)

    def is_busy(self) -> bool:
        """Whether anybody subscribes."""
        return any(out.subscribers for out in self._out.values())

    def backlog(self) -> int:
        """Return 0: a slow reader loses old messages, and nobody waits for it."""
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        """Return nobody: nodes of ROS 2 find each other, and we see topics only."""
        return ()


def _failed(response: Message, why: str) -> Message:
    """Fill in what a response has for failures; services of ROS 2 have no errors of their own."""
    inner = response.get("result")
    if isinstance(inner, dict) and "error_message" in inner:
        return response | {"result": inner | {"result": 4, "error_message": why}}
    known = {"success": False, "message": why, "status_message": why}
    return response | {name: value for name, value in known.items() if name in response}
