"""The program as the options ask for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mobilesim_py.app.service_table import SERVICES, rows_for, step_for
from mobilesim_py.errors import MobileSimError
from mobilesim_py.protocols.arcos.client import CLOSE, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.services.service import clients_of, door_of, driver_of
from mobilesim_py.testing import Stand

CONFIG = 0x20


@pytest.fixture
def worldfile(tmp_path: Path) -> Path:
    path = tmp_path / "one.world"
    path.write_text('define pioneer position ( size [ 0.5 0.4 ] )\npioneer ( name "rover" pose [ 1 2 0 ] )\n')
    return path


# Who is there


def test_robots_of_the_command_line_come_on_top_of_those_of_the_worldfile(worldfile: Path) -> None:
    stand = Stand("-W", str(worldfile), "-r", "p3dx")
    assert [robot.name for robot in stand.robots] == ["rover", "p3dx"]
    assert [door.port for door in stand.doors] == [8101, 8102]


def test_without_a_robot_on_the_command_line_the_worldfile_has_its_own_only(worldfile: Path) -> None:
    assert [robot.name for robot in Stand("-W", str(worldfile)).robots] == ["rover"]


def test_a_robot_whose_name_the_worldfile_has_taken_gets_another(worldfile: Path) -> None:
    assert [robot.name for robot in Stand("-W", str(worldfile), "-r", "p3dx:rover").robots] == ["rover", "rover_002"]


def test_a_robot_that_is_added_has_the_next_port_and_loses_it_when_it_is_removed() -> None:
    stand = Stand("--nomap", "-r", "p3dx")
    stand.program.add_running("p3dx")
    robot = stand.robots[1]
    door = door_of(stand.program, robot)
    assert door is not None
    assert door.port == 8102
    client = stand.dial(robot)
    stand.program.remove(robot)
    assert client.closed
    assert stand.robots == [stand.robots[0]]
    assert clients_of(stand.program) == []
    with pytest.raises(ConnectionRefusedError):
        stand.connect(1)


def test_a_robot_whose_service_is_not_there_is_refused() -> None:
    elsewhere = replace(SERVICES[0], name="Klingon", serves=lambda model: model.name == "amigo", is_always_there=False)
    stand = Stand("--nomap", "-r", "p3dx", services=(elsewhere, *SERVICES))
    with pytest.raises(MobileSimError, match="Klingon"):
        stand.program.add_running("amigo")
    assert len(stand.robots) == 1


# The step


def test_the_step_is_chosen_from_who_is_there() -> None:
    hasty = replace(SERVICES[0], name="hasty", step=0.02, serves=lambda model: model.name == "amigo", is_always_there=False)
    rows = (hasty, *SERVICES)
    assert Stand("--nomap", "-r", "p3dx", services=rows).simulation.dt == 0.1
    with_one = Stand("--nomap", "-r", "p3dx", "-r", "amigo", services=rows)
    assert with_one.simulation.dt == 0.02
    assert with_one.program.clock.real_interval() == pytest.approx(0.02)
    assert step_for(rows_for((), rows)) == 0.1


def test_the_options_overrule_the_choice_of_the_step() -> None:
    hasty = replace(SERVICES[0], name="hasty", step=0.02)
    stand = Stand("--nomap", "-r", "p3dx", "--update-sim-time", "100", services=(hasty,))
    assert stand.simulation.dt == 0.1


@pytest.mark.parametrize(
    ("words", "cycle"),
    [
        ("", 100),
        ("--update-interval 200", 200),
        ("--update-interval 30", 100),
        ("--update-interval 50 --update-sim-time 500", 255),
    ],
)
def test_config_tells_the_sip_cycle_that_clients_see(words: str, cycle: int) -> None:
    stand = Stand("--nomap", "-r", "p3dx", *words.split())
    client = stand.open()
    client.send(command(Command.CONFIG))
    assert unpack_config(client.packets(CONFIG)[0]).sip_cycle == cycle
    stand.run(3.0)
    times = [time for time, packet in client.received if packet.id in (0x32, 0x33)]
    mean = 1000.0 * (times[-1] - times[0]) / (len(times) - 1)
    assert min(mean, 255.0) == pytest.approx(cycle, abs=1.0)


# What is counted


def test_packets_are_counted_and_not_writes() -> None:
    stand = Stand("--nomap", "-r", "p3dx-sh")
    client = stand.open()
    client.send(command(Command.SIM_LRF_ENABLE, 2), command(Command.SIM_STAT, 2))
    stand.step(10)
    facts = driver_of(stand.program, client.robot)
    assert facts is not None
    assert facts.packets_sent == len(client.packets()) == 3 + 10 * (1 + 1 + 6)
    assert facts.packets_received == 2
    assert stand.program.packets_since_last_report() == facts.packets_sent
    stand.step()
    assert stand.program.packets_since_last_report() == 8


def test_answers_are_counted_too() -> None:
    stand = Stand("--nomap", "-r", "p3dx-sh")
    client = stand.connect().synchronise(open_session=False)
    client.send(command(Command.CONFIG) + command(Command.SIM_STAT, 1))
    facts = driver_of(stand.program, client.robot)
    assert facts is not None
    assert facts.packets_sent == len(client.packets()) == 5


def test_packets_that_a_client_does_not_read_are_counted_as_left_out() -> None:
    stand = Stand("--nomap", "-r", "p3dx-sh")
    client = stand.open()
    client.send(command(Command.SIM_LRF_ENABLE, 2))
    client.reads = False
    stand.step(10)
    facts = driver_of(stand.program, client.robot)
    assert facts is not None
    assert (facts.packets_sent, facts.packets_left_out) == (3, 70)
    assert stand.logged("Left out 7 packets") == 1


def test_the_report_of_packets_is_right_when_clients_come_and_go() -> None:
    stand = Stand("--nomap", "-r", "p3dx", "-r", "p3dx")
    first = stand.open()
    stand.step(10)
    assert stand.program.packets_since_last_report() == 13
    first.send(CLOSE)
    stand.open(1)
    stand.step(2)
    assert stand.program.packets_since_last_report() == 5
