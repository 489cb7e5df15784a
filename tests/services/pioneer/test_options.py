"""Options of the command line reach what they are for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.simulator import HAS_MAP, unpack_simstat

from .conftest import Stand

Make = Callable[..., Stand]


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
    modem.send(client.command(Command.OLD_LRF_ENABLE, 2))
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
