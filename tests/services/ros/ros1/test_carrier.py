"""Our node in a ROS 1 graph, and peers that are not as they should be."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import struct
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.ros1.events import Limits
from mobilesim_py.protocols.ros1.header import encode_header
from mobilesim_py.protocols.ros1.http import HttpServer
from mobilesim_py.protocols.ros1.inbound import InboundLink, TopicOffer
from mobilesim_py.protocols.ros1.slave import Slave
from mobilesim_py.services.ros.ros1.carrier import Ros1Settings
from tests.services.ros.running import (
    GOALS,
    HOST,
    PATIENCE,
    TWENTY,
    TYPES,
    Running,
    Subscriber,
    call,
    play,
    post,
    running,
    shrink_buffer,
    subscribe,
    wish,
)

WORDS = ("--nomap", "-r", "p3dx-sh-lms1xx", "--ros1", "0", "--ros-time", "sim")


class Publisher:
    """A node elsewhere that publishes one topic."""

    def __init__(self, topic: str, kind: str, name: str = "/driver") -> None:
        self.name = name
        self.offer = TopicOffer(topic, TYPES.message(kind))
        self.slave = Slave(name, "", publications={topic: kind})
        self.links: list[tuple[InboundLink, asyncio.StreamWriter]] = []

    def topic(self, name: str) -> TopicOffer | None:
        return self.offer

    def service(self, name: str) -> None:
        return None

    async def start(self, master: str) -> None:
        tcpros = await asyncio.start_server(self._subscriber, HOST, 0)
        self.slave.tcpros_port = tcpros.sockets[0].getsockname()[1]
        api = await asyncio.start_server(self._post, HOST, 0)
        self.servers = (tcpros, api)
        self.api = f"http://{HOST}:{api.sockets[0].getsockname()[1]}/"
        code, *_ = await post(master, "registerPublisher", self.name, self.offer.name, self.offer.type.name, self.api)
        assert code == 1

    async def _post(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        http = HttpServer()
        while not http.is_closed and (data := await reader.read(65536)):
            http.receive_data(data)
            for posted in http.events():
                http.answer(self.slave.answer(posted.body, HOST))
            writer.write(http.data_to_send())
        writer.close()

    async def _subscriber(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = InboundLink(self.name, self)
        while data := await reader.read(65536):
            link.receive_data(data)
            writer.write(link.data_to_send())
            if (link, writer) not in self.links:
                self.links.append((link, writer))

    def publish(self, **fields: Any) -> None:
        body = self.offer.type.serialise(self.offer.type.fill(fields, Time()))
        for link, writer in self.links:
            link.send(body)
            writer.write(link.data_to_send())

    def follow(self, odom: Subscriber, speed: Callable[[Message], float]) -> None:
        """Drive at a speed for each message that comes."""
        self.odom = odom  # or the task that reads it is forgotten
        odom.heard = lambda message: self.publish(linear={"x": speed(message)})

    def stop(self) -> None:
        for server in self.servers:
            server.close()
        for _, writer in self.links:
            writer.close()


def test_a_node_hears_odometry_and_scans() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            odom, scan = await subscribe(run, "/odom", "nav_msgs/Odometry"), await subscribe(run, "/scan")
            run.program.simulation.robots[0].drive(0.5)
            await run.until(lambda: len(odom.got) >= 20 and len(scan.got) >= 20)
            assert odom.got[-1]["pose"]["pose"]["position"]["x"] > 0.3
            assert len(scan.got[-1]["ranges"]) == run.program.simulation.robots[0].lasers[0].count
            stamps = [message["header"]["stamp"].seconds for message in odom.got]
            assert [b - a for a, b in itertools.pairwise(stamps)] == pytest.approx([0.1] * (len(stamps) - 1))

    play(story)


def test_a_latched_topic_is_there_for_whoever_comes_late() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            await run.step(5)
            first, second = await subscribe(run, "/map"), await subscribe(run, "/tf_static")
            await run.until(lambda: first.got and second.got)
            assert first.got[0]["info"]["width"] == run.service.hub.moment.map.width
            assert "laser" in {one["child_frame_id"] for one in second.got[0]["transforms"]}

    play(story)


def test_a_publisher_elsewhere_drives_the_robot_and_its_silence_stops_it() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            driver = Publisher("/cmd_vel", "geometry_msgs/Twist")
            await driver.start(run.ros1.registry.uri)
            await run.until(lambda: driver.links)
            (robot,) = run.program.simulation.robots

            def drives() -> bool:
                driver.publish(linear={"x": 0.4})
                return robot.velocity[0] > 0.3

            await run.until(drives)
            assert robot in run.service.held()
            await asyncio.sleep(0.7)
            await run.until(lambda: robot.velocity[0] == 0.0)
            assert robot not in run.service.held()
            driver.stop()

    play(story)


def test_twenty_robots_are_driven_to_their_goals() -> None:
    async def drive(run: Running, robot: str) -> Publisher:
        driver = Publisher(f"/{robot}/cmd_vel", "geometry_msgs/Twist", f"/driver_{robot}")
        await driver.start(run.ros1.registry.uri)
        odom = await subscribe(run, f"/{robot}/odom")
        driver.follow(odom, lambda message: wish(GOALS[robot], message["pose"]["pose"]["position"]["x"]))
        return driver

    async def story() -> None:
        async with running(*TWENTY, "--ros1", "0", "--lockstep") as run:
            drivers = await asyncio.gather(*(drive(run, robot) for robot in GOALS))
            await run.until(lambda: len(run.service.held()) == len(GOALS))
            await run.until(lambda: max(run.errors()) < 0.01)
            for driver in drivers:
                driver.stop()

    play(story)


def test_a_service_is_found_and_answers() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            response = await call(run, "/static_map")
            assert response["map"]["info"]["width"] == run.service.hub.moment.map.width
            await call(run, "/disable_motors")
            assert not run.program.simulation.robots[0].motors
            answer = await call(run, "/get_entities")
            assert answer["entities"] == [run.program.simulation.robots[0].name]

    play(story)


def test_the_master_knows_all_topics_and_what_came_later() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            _, _, rows = await post(run.ros1.registry.uri, "getPublishedTopics", "/test", "")
            assert ["/odom", "nav_msgs/Odometry"] in rows
            assert await post(run.ros1.registry.uri, "getParam", "/test", "/use_sim_time") == [
                1,
                "Parameter [/use_sim_time]",
                True,
            ]
            thing = run.program.add_running("p3dx", "late")
            await run.step()
            _, _, rows = await post(run.ros1.registry.uri, "getPublishedTopics", "/test", "")
            assert ["/late/odom", "nav_msgs/Odometry"] in rows
            run.program.remove(thing)
            await run.step()
            _, _, rows = await post(run.ros1.registry.uri, "getPublishedTopics", "/test", "")
            assert ["/late/odom", "nav_msgs/Odometry"] not in rows

    play(story)


def test_a_request_to_shut_down_does_not_end_the_simulator() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            assert (await post(run.ros1.api, "shutdown", "/test", "because"))[0] == 1
            await run.step(3)
            assert run.program.exit_code is None
            assert run.said("asked the node to end. The simulator goes on.")
            assert (await post(run.ros1.api, "getPid", "/test"))[0] == 1

    play(story)


def test_links_are_told_to_who_asks() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            subscriber = await subscribe(run, "/odom")
            await run.until(lambda: subscriber.got)
            _, _, rows = await post(run.ros1.api, "getBusInfo", "/test")
            assert [row[1:5] for row in rows] == [["/test", "o", "TCPROS", "/odom"]]
            (facts,) = run.service.clients()
            assert (facts.peer, facts.packets_left_out) == ("/test", 0)
            subscriber.writer.close()
            await run.until(lambda: not run.service.clients())
            assert not run.service.is_busy()

    play(story)


# Peers that are not as they should be


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"topic": "/odom", "md5sum": "0" * 32, "type": "nav_msgs/Odometry", "callerid": "/x"}, "md5 sum"),
        ({"topic": "/nope", "md5sum": "*", "type": "*", "callerid": "/x"}, "is not a topic"),
        ({"service": "/nope", "md5sum": "*", "callerid": "/x"}, "is not a service"),
        ({"callerid": "/x"}, "neither a topic nor a service"),
        ({"topic": "/odom", "callerid": "/x"}, "md5sum"),
    ],
)
def test_a_header_that_does_not_fit_is_answered_with_an_error(fields: dict[str, str], why: str) -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            reader, writer = await asyncio.open_connection(HOST, run.ros1.slave.tcpros_port)
            writer.write(encode_header(fields))
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            assert b"error=" in answer
            assert why.encode() in answer
            writer.close()
            await run.until(lambda: not run.ros1._inbound_links)

    play(story)


def test_an_oversized_length_is_refused_without_reserving_memory() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            reader, writer = await asyncio.open_connection(HOST, run.ros1.slave.tcpros_port)
            writer.write(struct.pack("<I", 0xFFFFFFF0) + b"x" * 100)
            assert b"error=" in await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()

    play(story)


def test_a_peer_that_falls_silent_in_its_header_loses_its_connection() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            run.ros1._tcpros_door._handshake_seconds = 0.2
            run.ros1._api_door._handshake_seconds = 0.2
            for port, data in (
                (run.ros1.slave.tcpros_port, struct.pack("<I", 100) + b"topic"),
                (run.ros1._api_door.port, b"POST / HTTP/1.1\r\nContent-Le"),
            ):
                reader, writer = await asyncio.open_connection(HOST, port)
                writer.write(data)
                assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
                writer.close()
            await run.step(2)
            assert not run.ros1._inbound_links

    play(story)


def test_a_subscriber_that_never_reads_loses_old_messages_and_costs_no_memory() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            link_limits = Limits()
            _reader, writer = await asyncio.open_connection(HOST, run.ros1.slave.tcpros_port, limit=1024)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            header = {"topic": "/scan", "md5sum": "*", "type": "*", "callerid": "/slow"}
            writer.write(encode_header(header))
            await run.until(lambda: run.service.is_busy())
            (session,) = run.ros1._inbound_links
            shrink_buffer(session.link)
            await run.until(lambda: session.tcpros.dropped > 200)
            assert session.tcpros.backlog <= link_limits.queued_octets
            good = await subscribe(run, "/odom")
            await run.until(lambda: len(good.got) > 3)
            writer.transport.abort()

    play(story)


@pytest.mark.parametrize("door", ["api", "tcpros", "master"])
def test_a_million_bytes_of_noise_leave_nothing_behind(door: str) -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            port = {
                "api": run.ros1._api_door.port,
                "tcpros": run.ros1.slave.tcpros_port,
                "master": int(run.ros1.registry.uri.rstrip("/").rpartition(":")[2]),
            }[door]
            rng = random.Random(7)
            tracemalloc.start()
            before = 0
            for number in range(20):
                data = bytearray(rng.randbytes(50_000))
                if number % 2:
                    data[:4] = struct.pack("<I", rng.randrange(60_000))
                    data[4:8] = struct.pack("<I", rng.randrange(200))
                else:
                    data[:60] = b"POST / HTTP/1.1\r\nContent-Length: 40000\r\n\r\n<?xml version='1.0'?>"[:60]
                reader, writer = await asyncio.open_connection(HOST, port)
                writer.write(bytes(data))
                writer.write_eof()
                with contextlib.suppress(ConnectionError):
                    await asyncio.wait_for(reader.read(), PATIENCE)
                writer.close()
                await run.step()
                if number == 4:
                    before = tracemalloc.get_traced_memory()[0]
            await run.step(5)
            grown = tracemalloc.get_traced_memory()[0] - before
            tracemalloc.stop()
            assert grown < 1_000_000
            await run.until(lambda: not run.ros1._inbound_links)
            assert (await post(run.ros1.api, "getPid", "/test"))[0] == 1

    play(story)


def test_a_publisher_of_another_type_is_not_obeyed() -> None:
    async def story() -> None:
        async with running(*WORDS) as run:
            wrong = Publisher("/cmd_vel", "std_msgs/Bool")
            await wrong.start(run.ros1.registry.uri)
            await run.until(lambda: run.said("md5 sum"))
            assert run.program.simulation.robots[0].velocity[0] == 0.0
            wrong.stop()

    play(story)


@pytest.mark.parametrize(
    ("bind", "environ", "host"),
    [
        ("127.0.0.1", {}, "127.0.0.1"),
        ("127.0.0.1", {"ROS_IP": "10.0.0.7"}, "10.0.0.7"),
        ("10.0.0.5", {"ROS_HOSTNAME": "robo", "ROS_IP": "10.0.0.7"}, "robo"),
    ],
)
def test_others_reach_us_where_the_environment_says(bind: str, environ: dict[str, str], host: str) -> None:
    assert Ros1Settings(bind=bind).host(environ) == host
