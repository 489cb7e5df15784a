"""All doors of a program in one place."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.errors import PortError
from mobilesim_py.net.datagrams import DatagramPort
from mobilesim_py.net.doors import Doors
from mobilesim_py.net.ports import FactoryPort, RobotPort


def test_doors_are_known_while_they_are_open(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        doors = Doors()
        one = doors.open(RobotPort("127.0.0.1", 0, sessions, log))
        two = doors.open(DatagramPort("127.0.0.1", 0, sessions, log))
        assert list(doors) == [one, two]
        doors.close(one)
        doors.close(one)
        assert not one.is_listening
        assert list(doors) == [two]
        doors.close_all()
        assert len(doors) == 0

    run(story())


def test_a_door_that_could_not_be_opened_is_not_among_them(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        doors = Doors()
        with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(PortError):
            doors.open(RobotPort("127.0.0.1", taken.getsockname()[1], sessions, log))
        assert len(doors) == 0

    run(story())


@pytest.mark.parametrize(
    ("kind", "host", "said"),
    [
        (RobotPort, "", "TCP port 8101"),
        (FactoryPort, "::1", "TCP port 8101 of address ::1"),
        (DatagramPort, "", "UDP port 8101"),
    ],
)
def test_a_door_says_where_it_is(kind: Any, host: str, said: str, sessions: Any, log: Log) -> None:
    assert kind(host, 8101, sessions, log).address == said


def test_the_log_calls_a_door_by_the_interface_behind_it(sessions: Any, log: Log, run: Any) -> None:
    async def story() -> None:
        doors = Doors()
        doors.open(RobotPort("127.0.0.1", 0, sessions, log, interface="Toy"))
        doors.open(RobotPort("127.0.0.1", 0, sessions, log))
        doors.close_all()

    run(story())
    said = [line.text.partition(" interface ready")[0] for line in log.recent() if "interface ready" in line.text]
    assert said == ["Toy", "Pioneer"]
