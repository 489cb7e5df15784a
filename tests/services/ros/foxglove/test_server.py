"""The real server of the foxglove-sdk with a client on loopback: a live view, driving, parameters, services."""

from __future__ import annotations

import asyncio
import json
import queue
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mobilesim_py.app.service_table import SERVICES, ServiceRow
from mobilesim_py.errors import EmulationError, PortError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.services.ros.foxglove import server
from mobilesim_py.services.ros.foxglove.carrier import FoxgloveCarrier
from mobilesim_py.services.ros.service import RosService
from mobilesim_py.testing import Stand

TYPES = interfaces(Dialect.ROS2)
DEADLINE = 60.0


class Show:
    """A program with Foxglove, stepped by the test, and one client."""

    def __init__(self, *words: str) -> None:
        self.carriers: list[FoxgloveCarrier] = []

        def make(stage: Any, options: Any) -> RosService:
            self.carriers.append(FoxgloveCarrier(stage, 0))
            return RosService(stage, self.carriers, simulated_time=True)

        row = ServiceRow("ROS", make, serves=lambda model: False, is_always_there=True)
        self.said: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.stand = Stand("--nomap", *words, services=(*SERVICES, row))
        self.stand.program.clock.call_soon = self.said.put
        self.channels: dict[str, dict[str, Any]] = {}
        self.services: dict[str, dict[str, Any]] = {}
        self.texts: list[dict[str, Any]] = []
        self.messages: list[tuple[int, int, bytes]] = []
        self.answers: list[bytes] = []
        self.times: list[int] = []

    @property
    def port(self) -> int:
        running = self.carriers[0]._server
        assert running is not None
        return running.port

    def close(self) -> None:
        self.stand.program.close()

    def run(self, test: Callable[[Any], Any]) -> None:
        """Let a client connect and do something."""
        import aiohttp

        async def visit() -> None:
            async with aiohttp.ClientSession() as session:
                address = f"ws://127.0.0.1:{self.port}"
                async with session.ws_connect(address, protocols=["foxglove.sdk.v1"], max_msg_size=0) as socket:
                    reading = asyncio.create_task(self._read(socket))
                    await self.until(lambda: "/odom" in self.channels and "/set_motors" in self.services)
                    await test(socket)
                    reading.cancel()

        asyncio.run(asyncio.wait_for(visit(), DEADLINE))

    async def _read(self, socket: Any) -> None:
        async for message in socket:
            if isinstance(message.data, str):
                text = json.loads(message.data)
                self.texts.append(text)
                self.channels |= {channel["topic"]: channel for channel in text.get("channels", [])}
                if text["op"] == "advertiseServices":
                    self.services |= {service["name"]: service for service in text["services"]}
            elif message.data[0] == 1:
                number, time = struct.unpack_from("<IQ", message.data, 1)
                self.messages.append((number, time, message.data[13:]))
            elif message.data[0] == 2:
                self.times.append(struct.unpack_from("<Q", message.data, 1)[0])
            else:
                self.answers.append(message.data[1:])

    async def until(self, holds: Callable[[], Any]) -> None:
        """Step until something is so."""
        while not holds():
            while not self.said.empty():
                self.said.get()()
            self.stand.step()
            await asyncio.sleep(0.005)

    async def subscribe(self, socket: Any, *topics: str) -> None:
        wishes = [{"id": self.channels[topic]["id"], "channelId": self.channels[topic]["id"]} for topic in topics]
        await socket.send_json({"op": "subscribe", "subscriptions": wishes})

    def of(self, topic: str) -> list[Any]:
        number = self.channels[topic]["id"]
        kind = TYPES.message(self.channels[topic]["schemaName"])
        return [kind.deserialise(data) for one, _, data in self.messages if one == number]

    async def call(self, socket: Any, service: str, data: bytes) -> None:
        head = struct.pack("<BIII", 2, self.services[service]["id"], 7, 3)
        await socket.send_bytes(head + b"cdr" + data)


@pytest.fixture
def show() -> Iterator[Show]:
    pytest.importorskip("foxglove", reason="there is no foxglove-sdk: pip install 'mobilesim-py[foxglove]'")
    shown = Show("-r", "p3dx-sh")
    yield shown
    shown.close()


def test_every_topic_is_offered_with_its_definition_and_nothing_is_sent_unasked(show: Show) -> None:
    async def test(socket: Any) -> None:
        for _ in range(20):
            await show.until(lambda: True)
            show.stand.step()
        assert not show.messages
        for channel in show.channels.values():
            kind = TYPES.message(channel["schemaName"])
            assert (channel["encoding"], channel["schemaEncoding"]) == ("cdr", "ros2msg")
            assert channel["schema"] == kind.full_text
        assert {"/odom", "/scan", "/tf", "/tf_static", "/map", "/scene", "/rosout"} <= set(show.channels)

    show.run(test)


def test_what_is_subscribed_to_comes_with_its_time_and_what_is_latched_at_once(show: Show) -> None:
    async def test(socket: Any) -> None:
        await show.subscribe(socket, "/odom", "/scan", "/map", "/scene", "/tf")
        await show.until(lambda: all(show.of(topic) for topic in ("/odom", "/scan", "/map", "/scene", "/tf")))
        assert len(show.of("/scan")[0]["ranges"]) == 181
        assert show.of("/odom")[-1]["header"]["frame_id"] == "odom"
        number = show.channels["/odom"]["id"]
        time = next(time for one, time, _ in reversed(show.messages) if one == number)
        stamp = show.of("/odom")[-1]["header"]["stamp"]
        assert time == stamp.secs * 1_000_000_000 + stamp.nsecs
        await show.until(lambda: show.times)

    show.run(test)


def test_a_client_drives_with_json_and_with_cdr(show: Show) -> None:
    async def test(socket: Any) -> None:
        robot = show.stand.robots[0]
        robot.motors = True
        for number, encoding in enumerate(("json", "cdr")):
            channel = {"id": number, "topic": "/cmd_vel", "encoding": encoding, "schemaName": "geometry_msgs/msg/Twist"}
            await socket.send_json({"op": "advertise", "channels": [channel]})
            kind = TYPES.message("geometry_msgs/Twist")
            twist = {"linear": {"x": 0.3 - 0.6 * number}}
            data = json.dumps(twist).encode() if encoding == "json" else kind.serialise(kind.make() | kind.fill(twist, None))  # type: ignore[arg-type]
            await socket.send_bytes(struct.pack("<BI", 1, number) + data)
            await show.until(lambda sign=1 - 2 * number: sign * robot.velocity[0] > 0.1)
        assert show.carriers[0].clients()

    show.run(test)


def test_parameters_are_told_and_set(show: Show) -> None:
    async def test(socket: Any) -> None:
        await socket.send_json({"op": "getParameters", "parameterNames": [], "id": "all"})
        await show.until(lambda: any(text.get("id") == "all" for text in show.texts))
        told = next(text for text in show.texts if text.get("id") == "all")
        assert {"name": "/use_sim_time", "value": True} in told["parameters"]
        wish = [{"name": "/lamp", "value": 3}, {"name": "/rosdistro"}]
        await socket.send_json({"op": "setParameters", "parameters": wish, "id": "set"})
        parameters = show.carriers[0].hub.parameters
        await show.until(lambda: parameters.has("/lamp") and not parameters.has("/rosdistro"))
        assert parameters.get("/lamp") == 3

    show.run(test)


def test_services_are_called_and_failures_say_why(show: Show) -> None:
    async def test(socket: Any) -> None:
        request = TYPES.service("std_srvs/SetBool").request
        show.stand.robots[0].motors = True
        await show.call(socket, "/set_motors", request.serialise({"data": False}))
        await show.until(lambda: show.answers)
        assert not show.stand.robots[0].motors
        await show.call(socket, "/set_motors", b"\x01")
        await show.until(lambda: [text for text in show.texts if text["op"] == "serviceCallFailure"])
        assert "std_srvs/SetBoolRequest" in show.texts[-1]["message"]

    show.run(test)


def test_nonsense_is_logged_and_hurts_nobody(show: Show) -> None:
    async def test(socket: Any) -> None:
        robot = show.stand.robots[0]
        channels = [("/cmd_vel", "json"), ("/cmd_vel", "cdr"), ("/cmd_vel", "xml"), ("/odom", "json"), ("nowhere", "json")]
        for number, (topic, encoding) in enumerate(channels):
            channel = {"id": number, "topic": topic, "encoding": encoding, "schemaName": "geometry_msgs/msg/Twist"}
            await socket.send_json({"op": "advertise", "channels": [channel]})
            for data in (b"", b"[" * 100_000, b"{}{", b"\xff" * 999, b'{"linear": 3}', b"x" * 1_100_000):
                await socket.send_bytes(struct.pack("<BI", 1, number) + data)
        await socket.send_bytes(struct.pack("<BI", 1, 99) + b"{}")
        await socket.send_str("{nonsense")
        await socket.send_json({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 4_000_000}]})
        await socket.send_json({"op": "setParameters", "parameters": [{"name": "/" + "a/" * 100, "value": 1}]})
        await show.until(lambda: show.stand.logged("Foxglove: /nowhere: nobody here subscribes to that"))
        await show.until(lambda: show.stand.logged("levels"))
        assert show.stand.logged("Foxglove: /cmd_vel: ")
        assert robot.velocity == (0.0, 0.0, 0.0)

    show.run(test)


def test_robots_come_and_go(show: Show) -> None:
    async def test(socket: Any) -> None:
        show.stand.program.add_running("p3dx", "late")
        await show.until(lambda: "/late/odom" in show.channels)
        show.stand.program.remove(show.stand.robots[-1])
        await show.until(lambda: [text for text in show.texts if text["op"] == "unadvertise"])
        await show.until(lambda: [text for text in show.texts if text["op"] == "unadvertiseServices"])

    show.run(test)


def test_a_port_that_is_taken_is_an_error_with_advice(show: Show) -> None:
    with pytest.raises(PortError, match="Choose another: --foxglove PORT"):
        server.FoxgloveServer("127.0.0.1", show.port, None)  # type: ignore[arg-type]


def test_without_the_sdk_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "foxglove", None)
    with pytest.raises(EmulationError, match=r"pip install 'mobilesim-py\[foxglove\]'"):
        Stand("--nomap", "--foxglove", "0")
