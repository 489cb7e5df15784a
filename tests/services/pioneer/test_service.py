"""ARCOS as a service of the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.net.door import Door
from mobilesim_py.net.pseudo_terminal import PtyPort
from mobilesim_py.net.serial_line import SerialPort
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.client import CLOSE
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.simulator import MapChanged, unpack_map_changed
from mobilesim_py.services.pioneer.service import PioneerService
from mobilesim_py.testing import ArcosClient

from .conftest import Stand

Make = Callable[..., Stand]


def service_of(bench: Stand) -> PioneerService:
    (service,) = bench.program.services
    assert isinstance(service, PioneerService)
    return service


def test_every_robot_has_a_door_as_the_command_line_says(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx", "-r", "p3dx", "--serial", "/dev/null:9600", "--pty", "-R", "amigo", "-r", "p3at")
    service = service_of(bench)
    doors = [service.door_of(robot) for robot in bench.robots]
    assert [door.port if isinstance(door, Door) else -1 for door in doors] == [8101, None, None, 8102]
    assert [type(door) for door in doors[1:3]] == [SerialPort, PtyPort]
    assert [(name, door.port) for name, door in service.factories()] == [("amigo", 8103)]


def test_a_factory_makes_a_robot_for_every_client_and_takes_it_away_with_it(stand: Make) -> None:
    bench = stand("--nomap", "-R", "amigo")
    (door,) = bench.doors
    clients = [bench.doors.connect(door, ArcosClient).synchronise() for _ in range(2)]
    assert [robot.name for robot in bench.robots] == ["127.0.0.1", "127.0.0.1-2"]
    clients[0].send(CLOSE)
    assert [robot.name for robot in bench.robots] == ["127.0.0.1-2"]
    assert [facts.robot for facts in service_of(bench).clients()] == [clients[1].robot]


def test_clients_are_described_with_the_door_through_which_they_came(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx")
    modem = bench.dial()
    (facts,) = service_of(bench).clients()
    assert (facts.service, facts.peer, facts.robot, facts.is_active) == ("ARCOS", modem.peer, bench.robots[0], False)
    assert facts.door is service_of(bench).door_of(bench.robots[0])
    modem.synchronise()
    modem.pending = 4711
    (facts,) = service_of(bench).clients()
    assert (facts.is_active, facts.backlog) == (True, 4711)
    assert service_of(bench).held() == [bench.robots[0]]


def test_lockstep_awaits_who_was_told_and_has_not_spoken(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx", "-r", "p3dx", "--lockstep")
    service = service_of(bench)
    assert not service.is_busy()
    first, second = (bench.connect(robot) for robot in bench.robots)
    assert service.is_busy()
    assert not service.awaits()
    bench.step()
    first.send(client.command(Command.PULSE))
    assert service.awaits()
    second.send(client.command(Command.PULSE))
    assert not service.awaits()


def test_the_backlog_is_that_of_the_slowest_client(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx", "-r", "p3dx")
    first, second = (bench.connect(robot) for robot in bench.robots)
    first.pending, second.pending = 10, 500
    assert service_of(bench).backlog() == 500


def test_whoever_leaves_the_map_tells_every_client(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx", "-r", "p3dx")
    modems = [bench.connect(robot) for robot in bench.robots]
    bench.program.worlds.leave(by_user=True)
    for modem in modems:
        assert [unpack_map_changed(packet) for packet in modem.take(0x66)] == [MapChanged("", loaded=True, by_user=True)]


def test_closing_hangs_up_on_everybody(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx", "-R", "p3dx")
    modems = [bench.connect(), bench.doors.connect(bench.doors.at(8102), ArcosClient)]
    bench.program.close()
    assert all(modem.closed for modem in modems)
    assert service_of(bench).clients() == []
    assert len(bench.doors) == 0


def test_a_port_that_is_taken_leaves_no_robot_behind(stand: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    from mobilesim_py.errors import PortError

    bench = stand("--nomap", "-r", "p3dx")

    def refuse(door: Door) -> None:
        raise PortError("taken")

    monkeypatch.setattr(bench.doors, "unlock", refuse)
    with pytest.raises(PortError):
        bench.program.add_running("p3dx")
    assert len(bench.robots) == 1
    assert len(bench.doors) == 1
