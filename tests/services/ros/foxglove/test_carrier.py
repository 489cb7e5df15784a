"""Foxglove's carrier without a server: who subscribes, what is sent, how much may wait."""

from __future__ import annotations

from typing import Any

from mobilesim_py.app.service_table import SERVICES, ServiceRow
from mobilesim_py.services.ros.foxglove.carrier import MOST_WAITING, FoxgloveCarrier
from mobilesim_py.services.ros.foxglove.server import Listener, Serve, Shape
from mobilesim_py.services.ros.service import RosService
from mobilesim_py.testing import Stand


class FakeServer:
    """A `Server` whose clients are the test."""

    port = 8765

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.topics: dict[str, Shape] = {}
        self.services: dict[str, Serve] = {}
        self.sent: list[tuple[str, bytes, int]] = []
        self.times: list[int] = []
        self.closed = False

    def add(self, topic: str, shape: Shape) -> None:
        assert topic not in self.topics
        self.topics[topic] = shape

    def remove(self, topic: str) -> None:
        del self.topics[topic]

    def log(self, topic: str, data: bytes, nanoseconds: int) -> None:
        self.sent.append((topic, data, nanoseconds))

    def offer(self, service: str, kind: str, request: Shape, response: Shape, serve: Serve) -> None:
        assert service not in self.services
        self.services[service] = serve

    def withdraw(self, service: str) -> None:
        del self.services[service]

    def tell_time(self, nanoseconds: int) -> None:
        self.times.append(nanoseconds)

    def close(self) -> None:
        self.closed = True


class Show:
    def __init__(self, *words: str) -> None:
        self.servers: list[FakeServer] = []

        def serve(host: str, port: int, listener: Listener) -> FakeServer:
            self.servers.append(FakeServer(listener))
            return self.servers[0]

        def make(stage: Any, options: Any) -> RosService:
            self.carrier = FoxgloveCarrier(stage, 8765, make_server=serve)
            return RosService(stage, [self.carrier], simulated_time=True)

        row = ServiceRow("ROS", make, serves=lambda model: False, is_always_there=True)
        self.stand = Stand("--nomap", *(words or ("-r", "p3dx")), services=(*SERVICES, row))
        self.server = self.servers[0]

    def count(self, topic: str) -> int:
        return sum(name == topic for name, _, _ in self.server.sent)


def test_only_what_is_wanted_is_made_and_sent() -> None:
    show = Show()
    show.stand.run(1.0)
    assert not show.server.sent
    assert not show.carrier.is_busy()
    show.server.listener.subscribed("/odom", 1)
    show.server.listener.subscribed("/odom", 2)
    show.stand.run(1.0)
    assert show.count("/odom") == 10
    assert len(show.server.times) == 10
    assert len(show.carrier.clients()) == 2
    for client in (1, 2, 2):
        show.server.listener.unsubscribed("/odom", client)
    show.stand.run(1.0)
    assert show.count("/odom") == 10
    assert not show.carrier.clients()


def test_what_is_latched_is_sent_to_everybody_who_comes() -> None:
    show = Show()
    for client in (1, 2):
        show.server.listener.subscribed("/map", client)
        assert show.count("/map") == client
    show.stand.run(1.0)
    assert show.count("/map") <= 3


def test_what_clients_say_between_two_steps_is_bounded() -> None:
    show = Show()
    waiting: list[Any] = []
    show.stand.program.clock.call_soon = waiting.append
    for _ in range(3 * MOST_WAITING):
        show.server.listener.published("/cmd_vel", "json", b"{}", 1)
    assert len(waiting) == MOST_WAITING
    for call in waiting:
        call()
    show.server.listener.published("/cmd_vel", "json", b"{}", 1)
    assert len(waiting) == MOST_WAITING + 1
    show.server.listener.left(1)
    for call in waiting[-2:]:
        call()
    assert not show.carrier.clients()


def test_parameters_asked_for_by_name_are_those_that_there_are() -> None:
    show = Show()
    assert show.server.listener.parameters(["/use_sim_time", "/nothing"]) == {"/use_sim_time": True}
    show.server.listener.set_parameters({"/nothing": None, "/lamp": 2})
    assert show.server.listener.parameters(["/lamp"]) == {"/lamp": 2}


def test_after_the_end_nothing_is_served() -> None:
    show = Show()
    serve = show.server.services["/pause"]
    show.stand.program.close()
    assert show.server.closed
    serve(b"\x00\x01\x00\x00\x00", lambda data, why: None)
    assert not show.stand.program.clock.paused
    show.stand.run(0.5)
