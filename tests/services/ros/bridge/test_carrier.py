"""rosbridge on a real WebSocket: what clients ask for, and clients that are not as they should be."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from typing import Any

import aiohttp
import cbor2
import numpy as np
import pytest

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.rosbridge.rosapi import ROSAPI
from mobilesim_py.services.ros.bridge.carrier import OTHERWISE
from tests.services.ros.running import (
    GOALS,
    HOST,
    PATIENCE,
    TWENTY,
    BridgePeer,
    Running,
    bridge_peer,
    play,
    running,
    shrink_buffer,
    wish,
)
from tests.view.conftest import visiting

WORDS = ("--nomap", "-r", "p3dx-sh-lms1xx", "--rosbridge", "0")


async def beside(run: Running, work: Any) -> Any:
    """Let time pass while something waits for messages."""
    task = asyncio.ensure_future(work)
    await run.until(task.done)
    return task.result()


async def next_binary(socket: Any) -> Any:
    async with asyncio.timeout(PATIENCE):
        while True:
            message = await socket.receive()
            if isinstance(message.data, bytes):
                return cbor2.loads(message.data)


def test_a_client_subscribes_drives_and_sees_the_robot_move() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as peer:
            await peer.say(op="subscribe", id="s", topic="/odom", type="nav_msgs/Odometry", throttle_rate=0, queue_length=1)
            await peer.say(op="advertise", id="a", topic="/cmd_vel", type="geometry_msgs/Twist")
            await peer.say(op="publish", id="p", topic="/cmd_vel", msg={"linear": {"x": 1, "y": 0, "z": 0}})
            (robot,) = run.program.simulation.robots
            await run.until(lambda: robot.velocity[0] > 0.1)
            heard = await beside(run, peer.hear(op="publish", topic="/odom"))
            assert set(heard) == {"op", "topic", "msg"}
            (facts,) = run.service.clients()
            assert facts.service == "rosbridge"
            await peer.say(op="unsubscribe", id="s", topic="/odom")
            await run.until(lambda: not run.service.is_busy())

    play(story)


def test_twenty_robots_are_driven_to_their_goals() -> None:
    async def driver(peer: BridgePeer, robot: str) -> None:
        await peer.say(op="subscribe", topic=f"/{robot}/odom", queue_length=1)
        while True:
            heard = await peer.hear(op="publish", topic=f"/{robot}/odom")
            speed = wish(GOALS[robot], heard["msg"]["pose"]["pose"]["position"]["x"])
            await peer.say(op="publish", topic=f"/{robot}/cmd_vel", msg={"linear": {"x": speed}})

    async def story() -> None:
        async with running(*TWENTY, "--rosbridge", "0", "--lockstep") as run, contextlib.AsyncExitStack() as stack:
            drivers = [
                asyncio.create_task(driver(await stack.enter_async_context(bridge_peer(run)), robot)) for robot in GOALS
            ]
            await run.until(lambda: len(run.service.held()) == len(GOALS))
            await run.until(lambda: max(run.errors()) < 0.01)
            assert len({id(client.key) for client in run.service.clients()}) == len(GOALS)
            for task in drivers:
                task.cancel()

    play(story)


def test_a_scan_in_cbor_keeps_its_infinities_and_json_has_null_for_them() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as peer:
            await peer.say(op="subscribe", topic="/scan", compression="cbor")
            told = await beside(run, next_binary(peer.socket))
            ranges = np.frombuffer(told["msg"]["ranges"].value, "<f4")
            assert np.isposinf(ranges).all()
            await peer.say(op="unsubscribe", topic="/scan")
            await peer.say(op="subscribe", topic="/scan")
            plain = await beside(run, _until_text(peer))
            assert set(plain["msg"]["ranges"]) == {None}

    play(story)


async def _until_text(peer: Any) -> Any:
    while True:
        message = await peer.socket.receive()
        if isinstance(message.data, str):
            return json.loads(message.data)


@pytest.mark.parametrize("version", [1, 2])
def test_every_topic_comes_raw_and_decodes_by_the_definition_that_is_told(version: int) -> None:
    async def story() -> None:
        async with running(*WORDS, "--ros-version", str(version), "--ros-time", "sim") as run, bridge_peer(run) as peer:
            told = (await beside(run, peer.ask("rosapi/topics_and_raw_types")))["values"]
            types = interfaces(Dialect(version))
            log = "rosgraph_msgs/Log" if version == 1 else "rcl_interfaces/msg/Log"
            assert log in told["types"]
            assert all(told["typedefs_full_text"])
            out = [name for name, topic in run.service.hub.topics.items() if topic.direction.value == "out"]
            for name in out:
                await peer.say(op="subscribe", topic=name, compression="cbor-raw")
            await run.until(lambda: set(run.bridge.wanted()) == set(out))
            run.log.warning("look out")
            missing = {name for name in out if not name.endswith(("/feedback", "/result"))}  # where nobody has a goal

            async def collect() -> None:
                while missing:
                    heard = await next_binary(peer.socket)
                    kind = dict(zip(told["topics"], told["types"], strict=True))[heard["topic"]]
                    types.message(kind).deserialise(heard["msg"]["bytes"])
                    missing.discard(heard["topic"])

            await beside(run, collect())

    play(story)


def test_all_services_of_rosapi_answer() -> None:
    arguments: dict[str, dict[str, Any]] = {
        "set_param": {"name": "/x", "value": "1.5"},
        "get_param": {"name": "/x"},
        "message_details": {"type": "nav_msgs/Odometry"},
        "service_request_details": {"type": "nav_msgs/GetMap"},
        "service_response_details": {"type": "nav_msgs/GetMap"},
    }

    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as peer:
            for name in ["/rosapi/set_param", *ROSAPI]:
                answer = await beside(run, peer.ask(name, **arguments.get(name.rpartition("/")[2], {})))
                assert answer["result"], answer
            assert (await beside(run, peer.ask("/rosapi/topic_type", topic="/odom")))["values"] == {
                "type": "nav_msgs/Odometry"
            }
            nodes = (await beside(run, peer.ask("/rosapi/nodes")))["values"]["nodes"]
            assert nodes == ["/mobilesim", "/rosapi"]

    play(story)


def test_services_of_the_simulator_answer_and_unknown_ones_are_refused() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as peer:
            answer = await beside(run, peer.ask("get_entities"))
            assert answer["values"]["entities"] == [run.program.simulation.robots[0].name]
            assert answer["service"] == "get_entities"
            refused = await beside(run, peer.ask("/nope"))
            assert (refused["result"], refused["values"]) == (False, "Service /nope does not exist")

    play(story)


def test_clients_hear_and_serve_one_another() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as one, bridge_peer(run) as other:
            await one.say(op="subscribe", topic="/chatter", type="std_msgs/String")
            await one.say(op="advertise_service", service="/set_ready", type="std_srvs/SetBool")
            await run.until(lambda: "/chatter" in run.bridge.wanted() and run.bridge.joined[0].session.services)
            await other.say(op="advertise", topic="/chatter", type="std_msgs/String")
            await other.say(op="publish", topic="/chatter", msg={"data": "hello"})
            assert (await one.hear(op="publish"))["msg"] == {"data": "hello"}
            await other.say(op="call_service", id="7", service="/set_ready", args={"data": True})
            asked = await one.hear(op="call_service", service="/set_ready")
            values = {"success": asked["args"]["data"], "message": "ok"}
            await one.say(op="service_response", service="/set_ready", id=asked["id"], values=values, result=True)
            assert (await other.hear(op="service_response", id="7"))["values"] == values
            await other.say(op="call_service", id="8", service="/set_ready", args={})
            await one.hear(op="call_service", service="/set_ready")
            await one.socket.close()
            assert (await other.hear(op="service_response", id="8"))["result"] is False

    play(story)


def test_clients_pursue_goals_of_one_another() -> None:
    kind = "simulation_interfaces/SimulateSteps"

    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as server, bridge_peer(run) as asker:
            await server.say(op="advertise_action", action="/count", type=kind)
            await run.until(lambda: any(client.session.actions for client in run.bridge.joined))

            assert "/count" in (await asker.ask("/rosapi/action_servers"))["values"]["action_servers"]

            async def send(number: str) -> str:
                fields = {"action": "/count", "action_type": kind, "args": {"steps": 3}, "feedback": True}
                await asker.say(op="send_action_goal", id=number, **fields)
                goal = await server.hear(op="send_action_goal", action="/count")
                assert goal["args"] == {"steps": 3}
                return str(goal["id"])

            async def end(number: str, status: int, ok: bool) -> None:
                await server.say(op="action_result", action="/count", id=number, values={}, status=status, result=ok)

            number = await send("1")
            await server.say(op="action_feedback", action="/count", id=number, values={"completed_steps": 2})
            assert (await asker.hear(op="action_feedback", id="1"))["values"]["completed_steps"] == 2
            await end(number, 4, True)
            assert (await asker.hear(op="action_result", id="1"))["status"] == 4
            number = await send("2")
            await asker.say(op="cancel_action_goal", action="/count", id="2")
            assert (await server.hear(op="cancel_action_goal"))["id"] == number
            await end(number, 5, False)
            assert (await asker.hear(op="action_result", id="2"))["status"] == 5
            await send("3")
            await server.socket.close()
            assert "any more" in (await asker.hear(op="action_result", id="3"))["values"]
            await asker.say(op="send_action_goal", id="4", action="/count", action_type=kind, args={})
            assert "no such action" in (await asker.hear(op="action_result", id="4"))["values"]

    play(story)


def test_the_last_message_of_a_latched_topic_is_kept_for_who_comes_later() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as one:
            for topic, latch in (("/kept", True), ("/gone", False)):
                await one.say(op="advertise", topic=topic, type="std_msgs/String", latch=latch)
                for word in ("old", "new"):
                    await one.say(op="publish", topic=topic, msg={"data": word})
            await one.ask("/rosapi/get_time")
            async with bridge_peer(run) as late:
                for topic in ("/gone", "/kept"):
                    await late.say(op="subscribe", topic=topic, type="std_msgs/String")
                heard = await late.hear(op="publish")
                assert (heard["topic"], heard["msg"]) == ("/kept", {"data": "new"})
            (client,) = [joined for joined in run.bridge.joined if joined.relay.latched]
            await one.say(op="unadvertise", topic="/kept")
            await one.ask("/rosapi/get_time")
            assert not client.relay.latched

    play(story)


def test_the_viewers_port_has_a_path_for_it() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, visiting(run.program) as (visitor, _):
            url = visitor.base + "/rosbridge"
            async with visitor.session.ws_connect(url) as socket:
                assert (await BridgePeer(socket).ask("/rosapi/topic_type", topic="/odom"))["values"]["type"]
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await visitor.session.ws_connect(url, headers={"Origin": "http://evil.example"})

    play(story)


def test_mistakes_are_logged_and_told_only_to_those_who_want_to_know() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as peer:
            for text in ("{", "[]", '{"op":"dance"}', '{"op":"publish","topic":"/cmd_vel","msg":{"linear":{"x":"fast"}}}'):
                await peer.socket.send_str(text)
            assert (await beside(run, peer.ask("/rosapi/get_time")))["result"]
            assert run.said("rosbridge: localhost")
            await peer.say(op="set_level", level="error")
            await peer.say(op="publish", topic="/odom", msg={})
            status = await peer.hear(op="status")
            assert status["level"] == "error"
            assert run.program.simulation.robots[0].velocity[0] == 0.0

    play(story)


def test_noise_in_frames_leaves_nothing_behind() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as peer:
            rng = random.Random(3)
            for number in range(100):
                if number % 2:
                    await peer.socket.send_bytes(rng.randbytes(10_000))
                else:
                    await peer.socket.send_str("".join(rng.choices('{}[]":,op0123eE.-subscribe \\u', k=5_000)))
            answer = await beside(run, peer.ask("/rosapi/get_time"))
            assert answer["result"]
            assert len(run.bridge.joined) == 1
            assert not run.bridge.wanted()

    play(story)


def test_noise_instead_of_http_leaves_nothing_behind() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            assert run.bridge.port is not None
            async with bridge_peer(run):  # aiohttp is there now
                pass
            rng = random.Random(3)
            for _ in range(20):
                reader, writer = await asyncio.open_connection(HOST, run.bridge.port.port)
                writer.write(rng.randbytes(50_000))
                writer.write_eof()
                with contextlib.suppress(ConnectionError):
                    await asyncio.wait_for(reader.read(), PATIENCE)
                writer.close()
                await run.step()
            async with bridge_peer(run) as peer:
                assert (await beside(run, peer.ask("/rosapi/get_time")))["result"]

    play(story)


def test_a_client_that_never_reads_gets_the_newest_and_costs_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mobilesim_py.services.ros.bridge.client.ROOM", 1 << 14)

    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as slow, bridge_peer(run) as good:
            await slow.say(op="subscribe", topic="/scan")
            await good.say(op="subscribe", topic="/odom")
            await run.until(lambda: set(run.bridge.wanted()) == {"/scan", "/odom"})
            client = next(one for one in run.bridge.joined if "/scan" in one.session.streams)
            transport = slow.socket._response.connection.transport
            transport.pause_reading()
            shrink_buffer(client.link)
            await run.until(lambda: client.session.streams["/scan"].dropped > 50)
            assert client.link is not None
            assert client.link.pending < 1 << 20
            assert await beside(run, good.hear(op="publish", topic="/odom"))
            transport.abort()  # or its end waits for the answer to its farewell

    play(story)


@pytest.mark.parametrize("headers", [{}, {"Origin": "https://app.foxglove.dev"}])
def test_a_page_that_was_named_is_let_in(headers: dict[str, str]) -> None:
    async def story() -> None:
        words = (*WORDS, "--rosbridge-origin", "https://app.foxglove.dev/")
        async with running(*words) as run, bridge_peer(run, headers=headers) as peer:
            assert (await beside(run, peer.ask("/rosapi/get_time")))["result"]

    play(story)


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Host": "evil.example"}])
def test_pages_from_elsewhere_are_not_let_in(headers: dict[str, str]) -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                async with bridge_peer(run, headers=headers):
                    pass

    play(story)


def test_throttled_messages_come_at_the_pace_that_was_asked_for() -> None:
    async def story() -> None:
        async with running(*WORDS) as run, bridge_peer(run) as peer:
            await peer.say(op="subscribe", topic="/odom", throttle_rate=200)
            await run.until(lambda: run.bridge.wanted())
            loop = asyncio.get_running_loop()
            times = []
            for _ in range(4):
                await beside(run, peer.hear(op="publish", topic="/odom"))
                times.append(loop.time())
            assert times[-1] - times[0] > 0.5

    play(story)


def test_types_of_ros2_by_other_names_fit() -> None:
    for name, (other, _) in OTHERWISE.items():
        assert interfaces(Dialect.ROS1).message(name)
        assert interfaces(Dialect.ROS2).message(other)
