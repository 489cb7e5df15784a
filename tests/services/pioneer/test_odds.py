"""What SRISim had, an arm that no robot has, and numbers that CONFIG tells again."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.services.pioneer.settings import FIELDS

from .conftest import Make, last_sip, tell


def test_there_is_no_arm(stand: Make) -> None:
    modem = stand().connect()
    tell(modem, Command.ARM_INFO)
    assert modem.take(0xA1)[0].data == b"No arm\0\0"


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_what_was_set_is_told_again_and_forgotten_with_the_session(stand: Make, name: str) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--no-srisim-laser-compat")
    modem = bench.connect()
    before = unpack_config((tell(modem, Command.CONFIG), modem.take(0x20))[1][0])
    tell(modem, Command[name], 77)
    tell(modem, Command.CONFIG)
    assert getattr(unpack_config(modem.take(0x20)[0]), FIELDS[name]) == 77
    modem.send(client.CLOSE)
    modem = bench.connect()
    tell(modem, Command.CONFIG)
    assert unpack_config(modem.take(0x20)[0]) == before


def test_switches_of_power_are_logged(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--verbose")
    bench.log.verbose = True
    modem = bench.connect()
    tell(modem, Command.POWER_PTZ, 0)
    modem.send(client.two_byte_command(Command.SETPBIOPORT, 11, 1))
    tell(modem, Command.ESTALL, 1)
    assert (bench.logged("Power of the camera off."), bench.logged("Power of port 11 on.")) == (1, 1)


def test_a_world_is_loaded_for_clients_of_srisim(stand: Make, room_map: Path) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--srisim-compat", "--map-dir", str(room_map.parent))
    modem = bench.connect()
    modem.send(client.text_command(Command.OLD_LOADWORLD, str(room_map)))
    assert bench.logged("room.map") >= 1


def test_a_step_is_taken_while_the_simulation_is_paused(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--srisim-compat")
    modem = bench.connect()
    tell(modem, Command.OLD_STEP, 1)
    bench.program.clock.pause()
    tell(modem, Command.OLD_STEP, 1)
    assert bench.program.clock.paused


def test_a_robot_becomes_one_of_another_model(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "-r", "p3dx-sh", "--srisim-compat", "--no-noise")
    modem, robot = bench.connect(), bench.robots[0]
    robot.place(1.0, 2.0, 0.5)
    modem.send(client.text_command(Command.OLD_LOADPARAM, "params/peoplebot-sh.p"))
    assert (robot.model.name, robot.pose.x, len(robot.lasers)) == ("peoplebot-sh", 1.0, 1)
    assert len(last_sip(bench, modem).sonar) == 0  # they are off on a new robot
    tell(modem, Command.SONAR, 1)
    assert len(last_sip(bench, modem).sonar) == len(robot.model.sonar.transducers) > 16
    tell(modem, Command.CONFIG)
    assert unpack_config(modem.take(0x20)[0]).front_bumpers == 5
    tell(modem, Command.VEL, 200)
    bench.run(2.0)
    assert robot.pose.x > 1.1
    for wrong in ("nothing", "can", "oz"):
        modem.send(client.text_command(Command.OLD_LOADPARAM, wrong))
    assert robot.model.name == "peoplebot-sh"
    assert bench.robots[1].model.name == "p3dx-sh"
    last_sip(bench, modem, 5)


def test_a_turn_is_counted_from_the_heading_that_was_asked_for_last(stand: Make) -> None:
    bench = stand()
    modem, robot = bench.connect(), bench.robots[0]
    tell(modem, Command.DCHEAD, 10)
    tell(modem, Command.HEAD, 40)
    tell(modem, Command.DCHEAD, 30)
    bench.run(5.0)
    assert math.degrees(robot.pose.heading) == pytest.approx(70.0, abs=0.2)
    tell(modem, Command.DHEAD, 20)
    tell(modem, Command.DCHEAD, -20)
    bench.run(5.0)
    assert math.degrees(robot.pose.heading) == pytest.approx(70.0, abs=0.2)


def test_turning_is_limited_in_one_direction(stand: Make) -> None:
    bench = stand()
    modem, robot = bench.connect(), bench.robots[0]
    tell(modem, Command.SETRVDIR, 10)
    tell(modem, Command.SETRVDIR, -5)
    for wanted, got in ((50, 10.0), (-50, -5.0)):
        tell(modem, Command.RVEL, wanted)
        bench.run(3.0)
        assert math.degrees(robot.velocity[2]) == pytest.approx(got)
