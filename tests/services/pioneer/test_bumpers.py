"""Bumpers in the stall word and in I/O packets, and BUMPSTALL."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.services.pioneer.bumpers import stall_bits

from .conftest import Make, NullModem, Stand, last_sip, tell


@pytest.mark.parametrize(("front", "rear", "word"), [(0x05, 0x02, 0x0A04), (0x7F, 0x1F, 0xFE3E), (0, 0, 0)])
def test_bits_of_the_stall_word(front: int, rear: int, word: int) -> None:
    assert stall_bits(front, rear) == word


def room(stand: Make, room_map: Path) -> tuple[Stand, NullModem]:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh-bumpers", "--no-noise")
    modem = bench.connect()
    bench.robots[0].place(4.5, 0.0, 0.0)
    return bench, modem


def test_a_wall_ahead_presses_the_middle_of_the_front_until_the_robot_leaves(stand: Make, room_map: Path) -> None:
    bench, modem = room(stand, room_map)
    tell(modem, Command.VEL, 200)
    bench.run(3.0)
    assert last_sip(bench, modem).stall_and_bumpers == stall_bits(0b00100, 0) | 0x0101
    tell(modem, Command.IOREQUEST, 1)
    bench.step()
    assert modem.take(0xF0)[0].data[2:4] == bytes((0xFB, 0xFF))
    tell(modem, Command.VEL, 0)
    bench.run(1.0)
    # It stands, and still touches.
    assert last_sip(bench, modem).stall_and_bumpers == stall_bits(0b00100, 0)
    tell(modem, Command.VEL, -100)
    bench.run(1.0)
    assert last_sip(bench, modem).stall_and_bumpers == 0


def test_a_wall_behind_presses_the_rear(stand: Make, room_map: Path) -> None:
    bench, modem = room(stand, room_map)
    bench.robots[0].place(-4.5, 0.0, 0.0)
    tell(modem, Command.VEL, -200)
    bench.run(3.0)
    assert last_sip(bench, modem).stall_and_bumpers & 0x00FE == stall_bits(0, 0b00100)


def test_bump_stall_stops_a_robot_that_pushes_and_lets_it_back_off(stand: Make, room_map: Path) -> None:
    bench, modem = room(stand, room_map)
    bench.program.add(bench.program.catalogue.find("light-box"), "light-box", Pose(3.0, 0.0, 0.0))
    robot = bench.robots[0]
    robot.place(2.0, 0.0, 0.0)
    tell(modem, Command.BUMPSTALL, 1)
    robot.place(4.5, 0.0, 0.0)
    tell(modem, Command.VEL, 200)
    bench.run(3.0)
    assert last_sip(bench, modem).stall_and_bumpers & 0x0101 == 0x0101
    tell(modem, Command.VEL, -100)
    bench.run(1.5)
    assert last_sip(bench, modem).stall_and_bumpers == 0
    assert robot.pose.x < 4.7


def test_the_next_session_has_no_bump_stall(stand: Make, room_map: Path) -> None:
    bench, modem = room(stand, room_map)
    tell(modem, Command.BUMPSTALL, 3)
    modem.send(client.CLOSE)
    assert bench.connect().session.equipment.bump_stall == 0


def test_a_robot_without_bumpers_tells_nothing(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "--no-noise")
    modem = bench.connect()
    bench.robots[0].place(4.5, 0.0, 0.0)
    tell(modem, Command.VEL, 200)
    bench.run(3.0)
    assert last_sip(bench, modem).stall_and_bumpers == 0x0101
