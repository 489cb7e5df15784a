"""A master of our own that forgets the dead, and one elsewhere that goes and comes back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mobilesim_py.errors import PortError
from mobilesim_py.protocols.ros1.http import HttpServer
from mobilesim_py.protocols.ros1.master import Master
from mobilesim_py.services.ros.ros1 import masters
from mobilesim_py.services.ros.ros1.masters import ForeignMaster
from tests.services.ros.running import HOST, play, post, running

WORDS = ("--nomap", "-r", "p3dx")


class MasterElsewhere:
    """A master that can be stopped and started on the same port."""

    def __init__(self) -> None:
        self.port = 0
        self.master = Master("")
        self._writers: list[asyncio.StreamWriter] = []

    async def start(self) -> None:
        self.master = Master("")
        self.server = await asyncio.start_server(self._post, HOST, self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def _post(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        http = HttpServer()
        while not http.is_closed and (data := await reader.read(65536)):
            http.receive_data(data)
            for posted in http.events():
                http.answer(self.master.answer(posted.body))
            writer.write(http.data_to_send())
        writer.close()

    def stop(self) -> None:
        self.server.close()
        for writer in self._writers:
            writer.close()


def test_a_node_that_is_dead_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masters, "LOOK_SECONDS", 0.05)

    async def story() -> None:
        async with running(*WORDS, "--ros1", "0") as run:
            uri = run.ros1.registry.uri
            dead = f"http://{HOST}:1/"
            await post(uri, "registerSubscriber", "/ghost", "/odom", "nav_msgs/Odometry", dead)
            assert (await post(uri, "lookupNode", "/test", "/ghost"))[0] == 1
            await run.until(lambda: run.said("/ghost does not answer any more"))
            assert (await post(uri, "lookupNode", "/test", "/ghost"))[0] == -1
            assert (await post(uri, "lookupNode", "/test", "/mobilesim"))[0] == 1

    play(story)


def test_parameters_are_those_of_all_carriers() -> None:
    async def story() -> None:
        async with running(*WORDS, "--ros1", "0") as run:
            await post(run.ros1.registry.uri, "setParam", "/test", "/speed", 0.5)
            assert run.service.hub.parameters.get("/speed") == 0.5

    play(story)


def test_a_port_that_is_taken_says_what_to_do() -> None:
    async def story() -> None:
        other = MasterElsewhere()
        await other.start()
        with pytest.raises(PortError, match=f"--ros1 http://localhost:{other.port}"):
            async with running(*WORDS, "--ros1", str(other.port)):
                pass
        other.stop()

    play(story)


def test_a_master_elsewhere_may_go_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masters, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(masters, "RETRY_SECONDS", 0.1)

    async def story() -> None:
        other = MasterElsewhere()
        await other.start()
        async with running(*WORDS, "--ros1", f"http://{HOST}:{other.port}") as run:
            registry: Any = run.ros1.registry
            assert isinstance(registry, ForeignMaster)
            await run.until(lambda: "/odom" in other.master.publishers and "/static_map" in other.master.services)
            assert other.master.parameters.get("/use_sim_time") is False
            other.stop()
            await run.until(lambda: run.said("There is no master at"))
            await other.start()
            await run.until(lambda: "/odom" in other.master.publishers and "/cmd_vel" in other.master.subscribers)
            assert registry.is_there
        other.stop()

    play(story)


def test_a_master_elsewhere_that_forgot_us_is_told_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masters, "LOOK_SECONDS", 0.1)

    async def story() -> None:
        other = MasterElsewhere()
        await other.start()
        async with running(*WORDS, "--ros1", f"http://{HOST}:{other.port}") as run:
            hub = run.service.hub
            await run.until(
                lambda: len(other.master.types) == len(hub.topics) and len(other.master.services) == len(hub.services)
            )
            other.master.drop_node("/mobilesim")
            await run.until(lambda: "/odom" in other.master.publishers)
        other.stop()

    play(story)
