"""A node of ROS 2 whose other nodes are the test: what is published is kept, what comes in is said by the test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mobilesim_py.services.ros.ros2.node import Quality, Serve


@dataclass(eq=False)
class FakePublisher:
    topic: str
    kind: str
    quality: Quality
    subscribers: int = 0
    sent: list[bytes] = field(default_factory=list)

    def publish(self, data: bytes) -> None:
        self.sent.append(data)

    def get_subscription_count(self) -> int:
        return self.subscribers


@dataclass(eq=False)
class FakeSubscription:
    topic: str
    kind: str
    quality: Quality
    take: Callable[[bytes], None]


@dataclass(eq=False)
class FakeService:
    name: str
    kind: str
    serve: Serve


class FakeNode:
    """A `Node`; packages named in `missing` are not installed."""

    def __init__(self, missing: tuple[str, ...] = ()) -> None:
        self.missing = missing
        self.publishers: dict[str, FakePublisher] = {}
        self.subscriptions: dict[str, FakeSubscription] = {}
        self.services: dict[str, FakeService] = {}
        self.closed = False

    def publisher(self, topic: str, kind: str, quality: Quality) -> FakePublisher | None:
        if kind.partition("/")[0] in self.missing:
            return None
        return self.publishers.setdefault(topic, FakePublisher(topic, kind, quality))

    def subscribe(self, topic: str, kind: str, quality: Quality, take: Callable[[bytes], None]) -> object | None:
        if kind.partition("/")[0] in self.missing:
            return None
        return self.subscriptions.setdefault(topic, FakeSubscription(topic, kind, quality, take))

    def offer(self, service: str, kind: str, serve: Serve) -> object | None:
        if kind.partition("/")[0] in self.missing:
            return None
        return self.services.setdefault(service, FakeService(service, kind, serve))

    def drop(self, thing: object) -> None:
        for table in (self.publishers, self.subscriptions, self.services):
            for name in [name for name, one in table.items() if one is thing]:
                del table[name]

    def close(self) -> None:
        self.closed = True
