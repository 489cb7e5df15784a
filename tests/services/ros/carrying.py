"""A program with ROS and a carrier that keeps what it is given: how the table is tested without a wire."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from typing import Any

from mobilesim_py.app.service_table import SERVICES, ServiceRow
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.ros.carrier import Hub, Topic
from mobilesim_py.services.ros.service import RosService
from mobilesim_py.services.service import ClientFacts
from mobilesim_py.testing import Stand

TYPES = interfaces(Dialect.ROS1)


class Shelf:
    """A carrier whose one client is a test."""

    name = "shelf"
    hub: Hub

    def __init__(self) -> None:
        self.subscribed: set[str] = set()
        self.got: list[tuple[str, Message]] = []
        self.changes = 0

    def open(self, hub: Hub) -> None:
        self.hub = hub

    def subscribe(self, *topics: str) -> None:
        self.subscribed.update(topics)
        self.hub.wishes_changed()

    def wanted(self) -> Collection[str]:
        return self.subscribed

    def publish(self, topic: Topic, message: Message, now: Time) -> None:
        TYPES.message(topic.type).serialise(message)  # a message that does not fit its type is a fault of ours
        self.got.append((topic.name, message))

    def flush(self) -> None:
        pass

    def graph_changed(self) -> None:
        self.changes += 1

    def is_busy(self) -> bool:
        return bool(self.subscribed)

    def backlog(self) -> int:
        return 0

    def clients(self) -> Sequence[ClientFacts]:
        return ()

    def close(self) -> None:
        pass

    # The test's side

    def messages(self, topic: str) -> list[Message]:
        return [message for name, message in self.got if name == topic]

    def send(self, topic: str, **fields: Any) -> None:
        kind = TYPES.message(self.hub.topics[topic].type)
        self.hub.receive(topic, kind.fill(fields, Time()), "test")

    def call(self, service: str, **fields: Any) -> Message:
        kind = TYPES.service(self.hub.services[service].type)
        answers: list[Message] = []

        def answer(message: Message | None, why: str) -> None:
            assert message is not None, why
            kind.response.serialise(message)
            answers.append(message)

        self.hub.call(service, kind.request.fill(fields, Time()), answer)
        (only,) = answers
        return only


def stand_with_ros(
    *words: str, name_set: str = "default", simulated_time: bool = True, denied: Set[Permission] = frozenset()
) -> tuple[Stand, Shelf, RosService]:
    """Return a program with ROS, its carrier and its service."""
    shelf = Shelf()
    made: list[RosService] = []

    def make(stage: Any, options: Any) -> RosService:
        made.append(RosService(stage, [shelf], name_set=name_set, simulated_time=simulated_time, denied=denied))
        return made[0]

    row = ServiceRow("ROS", make, serves=lambda model: False, is_always_there=True)
    stand = Stand(*words, services=(*SERVICES, row))
    return stand, shelf, made[0]
