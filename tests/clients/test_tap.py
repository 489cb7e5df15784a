"""A port between a client and its robot."""

from __future__ import annotations

import socket
import threading

import pytest

from mobilesim_py.clients.sync.pioneer import Pioneer
from mobilesim_py.clients.tap import Tap
from mobilesim_py.errors import MobileSimError, NoAnswerError, PortError
from mobilesim_py.protocols.arcos.client import CLOSE
from mobilesim_py.protocols.arcos.config import Config, pack_config
from mobilesim_py.protocols.arcos.measured import Sip
from tests.clients.conftest import PlayedRobot, stage

CONFIG = pack_config(Config())


def play(robot: PlayedRobot) -> None:
    robot.welcome()
    robot.say(CONFIG)
    robot.hear(11)
    robot.tell_sip()
    robot.hear(CLOSE[3])


def test_everything_passes_both_ways_and_is_shown_and_the_next_client_may_come() -> None:
    crossed: dict[bool, bytes] = {True: b"", False: b""}

    def note(incoming: bool, data: bytes) -> None:
        crossed[incoming] += data

    with stage(play, play) as address, Tap(address, note) as tap:
        for _ in range(2):
            with Pioneer(f"127.0.0.1:{tap.port}") as robot:
                sips = robot.listen(Sip, timeout=20.0)
                robot.drive(0.1)
                assert next(sips)
    assert crossed[False].count(CLOSE) == 2
    assert crossed[True].count(CONFIG) == 2
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tap ")]


def test_a_robot_that_hangs_up_is_told_to_the_client() -> None:
    with (
        stage(lambda robot: None) as address,
        Tap(address, lambda incoming, data: None) as tap,
        socket.create_connection(("127.0.0.1", tap.port)) as client,
    ):
        client.settimeout(20.0)
        assert client.recv(10) == b""


def test_a_robot_that_is_not_there_is_remembered() -> None:
    with Tap("127.0.0.1:1", lambda incoming, data: None) as tap:
        with pytest.raises(NoAnswerError):
            Pioneer(f"127.0.0.1:{tap.port}")
        assert isinstance(tap.problem, MobileSimError)
        assert "Connection refused" in str(tap.problem)


def test_a_tap_that_is_closed_hangs_up() -> None:
    with stage(lambda robot: robot.hear(99)) as address:
        with Tap(address, lambda incoming, data: None) as tap:
            client = socket.create_connection(("127.0.0.1", tap.port))
            client.sendall(b"x")
        client.settimeout(20.0)
        assert client.recv(10) == b""
        client.close()


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(PortError, match="Cannot listen on port"):
        Tap("localhost:1", lambda incoming, data: None, port=taken.getsockname()[1])
