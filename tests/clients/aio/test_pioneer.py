"""A client of a robot in a program with an event loop: the same names."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Coroutine
from typing import Any

import pytest

from mobilesim_py.clients.aio.pioneer import Pioneer
from mobilesim_py.clients.sync import pioneer as sync
from mobilesim_py.errors import LostError, NoAnswerError
from mobilesim_py.protocols.arcos.client import CLOSE
from mobilesim_py.protocols.arcos.config import Config, pack_config
from mobilesim_py.protocols.arcos.measured import LaserScan, Sip
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.protocols.arcos.sip import WireSip
from tests.clients.conftest import PlayedRobot, stage

VEL = 11


def play(robot: PlayedRobot) -> None:
    robot.welcome()
    robot.say(pack_config(Config(serial_number="SIM")))
    robot.hear(VEL)
    robot.say(WireSip(0x33, left_speed=100).encode())
    for _ in range(8):
        robot.tell_sip()
    robot.hear(18)
    robot.say(pack_config(Config(serial_number="SIM")))
    robot.hear(CLOSE[3])


def hang_up(robot: PlayedRobot) -> None:
    robot.welcome()
    robot.hear(VEL)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 30.0))


def test_a_session_from_hello_to_goodbye() -> None:
    async def session(address: str) -> None:
        heard: list[Sip] = []
        async with Pioneer(address) as robot:
            assert robot.is_connected
            assert robot.is_simulated
            assert robot.identity.name == "Fred"
            assert robot.config is not None
            assert robot.units == robot.client.units
            assert robot.sip is robot.scan is robot.sim_stat is robot.sim_info is None
            assert robot.sonar == {}
            robot.on(Sip, heard.append)
            still = asyncio.ensure_future(robot.wait_until_still())
            following = asyncio.ensure_future(robot.next())
            await asyncio.sleep(0)
            robot.drive(0.1)
            assert isinstance(await following, Sip)
            assert (await still).is_still
            assert robot.sip is not None
            assert (await robot.ask(Config, "CONFIG", 1)).serial_number == "SIM"
            with pytest.raises(TimeoutError):
                await robot.next(LaserScan, timeout=0.01)
            robot.expect_scans(0.0, 1.0)
            assert robot.conversation.laser_span == (0.0, 1.0)
            robot.send(encode(0))
        assert len(heard) >= 5
        assert not robot.is_connected

    with stage(play) as address:
        run(session(address))


def test_an_iteration_ends_with_the_connection() -> None:
    async def session(address: str) -> None:
        async with Pioneer(address) as robot:
            everything = robot.listen(object)
            waiting = asyncio.ensure_future(anext(everything))
            await asyncio.sleep(0)
            robot.drive(0.1)
            await waiting
            async for _ in everything:
                pass
            with pytest.raises(LostError):
                await robot.next()
            with pytest.raises(LostError):
                await robot.wait_until(lambda sip: True)
            assert [message async for message in robot] == []

    with stage(hang_up) as address:
        run(session(address))


def test_before_it_is_connected_there_is_nothing_to_ask() -> None:
    with pytest.raises(LostError, match=r"await robot\.connect"):
        _ = Pioneer("localhost:1").sip
    run(Pioneer("localhost:1").close())


def test_errors_are_the_same() -> None:
    async def connect() -> None:
        await Pioneer("localhost:1").connect()

    with pytest.raises(NoAnswerError, match="Connection refused"):
        run(connect())


def test_no_name_is_missing() -> None:
    names = {name for name, _ in inspect.getmembers(sync.Pioneer) if not name.startswith("_")}
    assert names - {"is_over", "check"} <= set(dir(Pioneer))
