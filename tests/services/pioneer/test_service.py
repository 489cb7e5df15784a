"""ARCOS as a service of the program: its doors, every model that it serves, and the options that reach it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.net.door import Door
from mobilesim_py.net.pseudo_terminal import PtyPort
from mobilesim_py.net.serial_line import SerialPort
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.client import CLOSE
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.simulator import HAS_MAP, MapChanged, unpack_map_changed, unpack_simstat
from mobilesim_py.protocols.arcos.sip import unpack_sip
from mobilesim_py.services.pioneer.service import PioneerService
from mobilesim_py.testing import ArcosClient

from .conftest import Stand

Make = Callable[..., Stand]
CATALOGUE = Catalogue.load()
ROBOTS = [name for name in CATALOGUE.names() if CATALOGUE.find(name).protocol == "arcos" and not CATALOGUE.find(name).is_box]
BOXES = [name for name in CATALOGUE.names() if CATALOGUE.find(name).is_box]


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


def test_port_zero_lets_the_system_choose_for_each_robot_and_factory(stand: Make) -> None:
    bench = stand("--nomap", "--port", "0", "-r", "p3dx", "-r", "p3dx", "-R", "amigo")
    bench.program.add_running("p3dx")
    ports = [door.port for door in bench.doors]
    assert len(set(ports)) == 4
    assert not {0, 8101} & set(ports)
    ready = [line.text for line in bench.program.log.recent(50) if "chosen by the system" in line.text]
    assert len(ready) == 3


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


@pytest.mark.parametrize("name", ROBOTS)
def test_a_client_of_any_model_gets_its_sips_scans_and_limits(stand: Callable[..., Stand], name: str) -> None:
    model = CATALOGUE.find(name)
    bench = stand("--nomap", "-r", name, "--no-noise")
    modem = bench.dial()
    modem.send(*client.SYNCS)
    assert modem.take()[2].data.split(b"\0")[1:3] == [model.pioneer.robot_class.encode(), model.pioneer.subclass.encode()]
    modem.send(client.OPEN, client.command(Command.CONFIG), client.command(Command.SIM_LRF_ENABLE, 2))
    config = unpack_config(modem.take(0x20)[0])
    assert config.speed_top > 0
    assert config.rotation_speed_top > 0
    modem.send(client.command(Command.VEL, 100))
    bench.step(10)
    packets = modem.take()
    sips = [unpack_sip(packet) for packet in packets if packet.id in (0x32, 0x33)]
    assert [index for index, _ in sips[-1].sonar] == list(range(len(model.sonar.transducers)))
    assert sips[-1].left_speed > 0
    scans = [unpack_laser(packet) for packet in packets if packet.id == 0x61]
    assert bool(scans) == bool(model.lasers)
    if model.lasers:
        assert scans[0].total == model.lasers[0].samples


@pytest.mark.parametrize("name", BOXES)
def test_a_box_is_there_and_has_no_client(stand: Callable[..., Stand], name: str) -> None:
    bench = stand("--nomap", "-r", "p3dx", "-r", name)
    assert len(bench.robots) == 1
    assert len(bench.simulation.boxes) == 1


def test_a_stage_world_brings_its_walls_and_robots(stand: Make, tmp_path: Path) -> None:
    world = tmp_path / "small.world"
    world.write_text(
        'include "PioneerRobotModels.world.inc"\n'
        'model ( name "wall" pose [3 0 0] size [0.2 4] obstacle_return 1 laser_return 1 )\n'
        'p3dx-sh ( name "stage1" pose [1 0 0] )\n'
    )
    bench = stand("-W", str(world), "--no-noise")
    assert [robot.name for robot in bench.robots] == ["stage1"]
    robot = bench.robots[0]
    robot.lasers[0].on = True
    assert robot.lasers[0].ranges[90] == pytest.approx(3.0 - 0.1 - 1.0 - robot.model.lasers[0].pose.x, abs=0.01)


@pytest.mark.parametrize("words", [["-W"], ["--nomap"]])
def test_a_stage_world_counts_as_a_map(stand: Make, tmp_path: Path, words: list[str]) -> None:
    world = tmp_path / "small.world"
    world.write_text("model ( pose [3 0 0] size [0.2 4] )\n")
    has_map = words == ["-W"]
    bench = stand(*words, *([str(world)] if has_map else []), "-r", "p3dx-sh")
    modem = bench.connect()
    modem.send(client.command(Command.SIM_STAT, 1))
    assert bool(unpack_simstat(modem.take(0x62)[0]).flags & HAS_MAP) is has_map


def test_the_old_laser_commands_can_be_turned_off(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--no-srisim-laser-compat")
    modem = bench.connect()
    modem.send(client.command(Command.OLD_LRF_PARMSTART, -90), client.command(Command.OLD_LRF_ENABLE, 2))
    bench.step()
    assert modem.take(0x60, 0x61) == []


def test_packets_received_and_movement_sent_are_logged_when_asked_for(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--log-packets-received", "--log-movement-sent")
    modem = bench.connect()
    modem.send(client.command(Command.VEL, 200))
    bench.step(2)
    assert "< VEL (11) 3b c8 00" in bench.lines()
    assert any(line.startswith("> SIP x=") and "vel=60" in line for line in bench.lines())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "map's default starting place of: 1000.000000, 500.000000, 90.000000"),
        (("--start", "200,300,45"), "given by --start option: 200.000000, 300.000000, 45.000000."),
        (("--start", "outside"), "2m outside edge of map, at: -7000.000000, 5000.000000"),
        (("--start", "random"), "at random positions in map"),
    ],
)
def test_the_log_says_where_robots_start(stand: Make, room_map: Path, words: tuple[str, ...], said: str) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx", *words)
    assert any(said in line for line in bench.lines())
