"""A program with ROS on real ports, in the event loop of a test, and clients that speak the wire."""

from __future__ import annotations

import asyncio
import json
import math
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.ros1.events import MessageReceived, Phase, ResponseReceived
from mobilesim_py.protocols.ros1.outbound import ServiceCallLink, SubscriberLink
from mobilesim_py.protocols.ros1.xmlrpc import build_call, parse_answer
from mobilesim_py.services.ros.bridge.carrier import BridgeCarrier
from mobilesim_py.services.ros.ros1.carrier import Ros1Carrier
from mobilesim_py.services.ros.service import RosService

HOST = "127.0.0.1"
PATIENCE = 20.0
"""Seconds after which something that should happen at once counts as not happening, on a busy machine."""
TYPES = interfaces(Dialect.ROS1)


TWENTY = ("--nomap", *(word for number in range(20) for word in ("-r", f"p3dx:r{number}")), "--no-noise")
GOALS = {f"r{number}": 0.3 + 0.02 * number for number in range(20)}
"""How far each of twenty robots shall drive [m]."""


def wish(goal: float, way: float) -> float:
    """Return how fast to drive, so far from a goal [m/s]."""
    return max(-0.2, min(0.4, 1.5 * (goal - way)))


class Running:
    """A program whose time the test turns."""

    def __init__(self, *words: str) -> None:
        loop = asyncio.get_running_loop()
        self.log = Log()
        options = parse(["--seed", "1", "-p", "0", "--no-network-discovery", *words], interactive=False)
        self.program = Program(options, self.log, now=loop.time)
        self.program.clock.call_later = loop.call_later
        self.failures: list[Any] = []
        loop.set_exception_handler(lambda loop, context: self.failures.append(context))
        self.program.open()

    @property
    def service(self) -> RosService:
        return next(service for service in self.program.services if isinstance(service, RosService))

    @property
    def ros1(self) -> Ros1Carrier:
        return next(carrier for carrier in self.service.carriers if isinstance(carrier, Ros1Carrier))

    @property
    def bridge(self) -> BridgeCarrier:
        return next(carrier for carrier in self.service.carriers if isinstance(carrier, BridgeCarrier))

    async def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.program.clock.step()
            await asyncio.sleep(0.001)

    async def until(self, holds: Callable[[], object]) -> None:
        """Step until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self.step()

    def errors(self) -> list[float]:
        """Return how far each of the twenty robots is from its goal."""
        starts = {robot.name: robot.start for robot in self.program.simulation.robots}
        return [
            abs(math.hypot(robot.pose.x - starts[robot.name].x, robot.pose.y - starts[robot.name].y) - GOALS[robot.name])
            for robot in self.program.simulation.robots
        ]

    def said(self, text: str) -> bool:
        return any(text in line.text for line in self.log.recent())


@asynccontextmanager
async def running(*words: str) -> AsyncIterator[Running]:
    """Run a program until the test is over."""
    run = Running(*words)
    try:
        yield run
        assert run.failures == []
    finally:
        run.program.close()
        await asyncio.sleep(0.01)


def shrink_buffer(link: Any) -> None:
    """Let the system keep little for a peer that does not read, lest a test have to fill megabytes."""
    link._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


def play(story: Callable[[], Awaitable[None]]) -> None:
    """Run a test's story."""
    asyncio.run(story())  # type: ignore[arg-type]


async def post(uri: str, method: str, *parameters: Any) -> Any:
    """Call a method of an API; return code, text and value."""
    port = int(uri.rstrip("/").rpartition(":")[2])
    body = build_call(method, parameters)
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(f"POST / HTTP/1.0\r\nHost: {HOST}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    return parse_answer(answer.partition(b"\r\n\r\n")[2])


class Subscriber:
    """A node that subscribed to one topic by TCPROS."""

    def __init__(self, link: SubscriberLink) -> None:
        self.link = link
        self.got: list[Message] = []
        self.heard: Callable[[Message], None] = self.got.append
        self.closed = ""
        self.is_over = False

    async def connect(self, port: int) -> Subscriber:
        self._reader, self.writer = await asyncio.open_connection(HOST, port)
        self.writer.write(self.link.data_to_send())
        self.task = asyncio.create_task(self._read())
        return self

    async def _read(self) -> None:
        while data := await self._reader.read(65536):
            self.link.receive_data(data)
            for event in self.link.events():
                if isinstance(event, MessageReceived):
                    self.heard(event.type.deserialise(event.body))
                self.closed = getattr(event, "reason", self.closed)
        self.is_over = True


async def subscribe(run: Running, topic: str, kind: str = "*") -> Subscriber:
    """Subscribe as a node does: ask its API, then connect."""
    code, _, (protocol, host, port) = await post(run.ros1.api, "requestTopic", "/test", topic, [["TCPROS"]])
    assert (code, protocol, host) == (1, "TCPROS", HOST)
    link = SubscriberLink("/test", topic, TYPES, TYPES.message(kind) if kind != "*" else None)
    return await Subscriber(link).connect(port)


async def call(run: Running, service: str, **fields: Any) -> Message:
    """Call a service as a node does."""
    kind = TYPES.service(run.service.hub.services[service].type)
    _, _, uri = await post(run.ros1.registry.uri, "lookupService", "/test", service)
    link = ServiceCallLink("/test", service, kind)
    link.send(kind.request.serialise(kind.request.make(**fields)))
    reader, writer = await asyncio.open_connection(HOST, int(uri.rpartition(":")[2]))
    writer.write(link.data_to_send())
    while link.phase is not Phase.CLOSED:
        link.receive_data(await asyncio.wait_for(reader.read(65536), PATIENCE))
    writer.close()
    (response,) = [event for event in link.events() if isinstance(event, ResponseReceived)]
    assert response.ok, response.body
    return kind.response.deserialise(response.body)


class BridgePeer:
    """A client of rosbridge on a WebSocket."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket

    async def say(self, **operation: Any) -> None:
        await self.socket.send_str(json.dumps(operation))

    async def hear(self, **wanted: Any) -> Any:
        """Return the next operation in which these fields are so."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.socket.receive()
                assert isinstance(message.data, str), message
                heard = json.loads(message.data)
                if all(heard.get(name) == value for name, value in wanted.items()):
                    return heard

    async def ask(self, service: str, number: str = "1", **arguments: Any) -> Any:
        await self.say(op="call_service", id=number, service=service, args=arguments)
        return await self.hear(op="service_response", id=number)


@asynccontextmanager
async def bridge_peer(run: Running, **more: Any) -> AsyncIterator[BridgePeer]:
    """Connect to rosbridge."""
    import aiohttp

    assert run.bridge.port is not None
    url = f"ws://{HOST}:{run.bridge.port.port}"
    async with aiohttp.ClientSession() as session, session.ws_connect(url, max_msg_size=0, **more) as socket:
        yield BridgePeer(socket)
