"""Commands that move a robot, and what its SIPs tell of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.protocols.arcos.simulator import unpack_simstat

from .conftest import Stand, last_sip, tell

Make = Callable[..., Stand]
SIPS = (0x32, 0x33)


def test_a_sip_tells_motion_by_its_id(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.VEL, 200)
    sip = last_sip(bench, modem, 3)
    assert sip.id == 0x33
    assert sip.left_speed == sip.right_speed == 90
    tell(modem, Command.STOP)
    assert last_sip(bench, modem, 5).id == 0x32


def test_positions_are_in_units_of_the_model(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx", "--no-noise")
    modem = bench.connect()
    tell(modem, Command.MOVE, 970)
    sip = last_sip(bench, modem, 60)
    assert sip.x == 2000, "a p3dx counts 0.485 mm"


def test_negative_positions_keep_their_low_bits(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.MOVE, -300)
    assert last_sip(bench, modem, 60).x == -300


def test_setv_limits_vel(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SETV, 150)
    tell(modem, Command.VEL, 600)
    assert last_sip(bench, modem, 30).left_speed == 150


@pytest.mark.parametrize(("left", "right"), [(10, 10), (10, 5), (-10, -10), (10, -10), (-5, 5)])
def test_vel2_drives_each_wheel_also_when_the_argument_is_negated(stand: Make, left: int, right: int) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(client.two_byte_command(Command.VEL2, left, right))
    sip = last_sip(bench, modem, 40)
    assert (sip.left_speed, sip.right_speed) == pytest.approx((20 * left, 20 * right), abs=1)


def test_heading_commands_turn_in_the_odometrys_frame(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.HEAD, 90)
    assert last_sip(bench, modem, 60).heading == 1024
    tell(modem, Command.DHEAD, -45)
    assert last_sip(bench, modem, 60).heading == 512
    tell(modem, Command.HEAD, 350)
    assert last_sip(bench, modem, 60).heading == pytest.approx(-114, abs=1)


def test_seto_changes_odometry_only(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.MOVE, 500)
    bench.step(50)
    pose = bench.robots[0].pose
    tell(modem, Command.SETO)
    assert last_sip(bench, modem).x == 0
    modem.send(encode(Command.SETO, b"\x3b\xe8\x03\x30\xf8\x5a\x00"))
    sip = last_sip(bench, modem)
    assert (sip.x, sip.y, sip.heading) == (1000, -2000, 1024)
    assert bench.robots[0].pose == pose


def test_set_pose_moves_the_robot_and_marks_the_next_scan(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SIM_LRF_ENABLE, 2)
    modem.send(client.set_pose(client.WirePose(1000, -2000, 90)))
    bench.step()
    flags = [unpack_laser(packet).flags for packet in modem.take(0x61)]
    assert flags == [1, 0, 0, 0, 0, 0]
    assert bench.robots[0].pose == Pose(1.0, -2.0, math.radians(90))
    bench.step()
    assert {unpack_laser(packet).flags for packet in modem.take(0x61)} == {0}


def test_sim_reset_goes_back_to_the_start_and_zeroes_odometry(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh")
    modem = bench.connect()
    tell(modem, Command.VEL, 300)
    bench.step(20)
    modem.send(client.command(Command.SIM_RESET))
    robot = bench.robots[0]
    assert (robot.pose.x, robot.pose.y, math.degrees(robot.pose.heading)) == pytest.approx((1.0, 0.5, 90.0))
    assert robot.odometry == Pose()


@pytest.mark.parametrize(("model", "sideways"), [("seekur", 300), ("p3dx-sh", 0)])
def test_pulse_with_an_argument_limits_the_lateral_speed_of_robots_that_have_one(
    stand: Make, model: str, sideways: int
) -> None:
    bench = stand("--nomap", "-r", model, "--no-noise")
    modem = bench.connect()
    tell(modem, Command.PULSE, 300)
    tell(modem, Command.LATVEL, 800)
    assert last_sip(bench, modem, 40).lateral_speed == sideways


def test_pulse_without_an_argument_limits_nothing(stand: Make) -> None:
    bench = stand("--nomap", "-r", "seekur", "--no-noise")
    modem = bench.connect()
    tell(modem, Command.PULSE)
    tell(modem, Command.LATVEL, 800)
    assert last_sip(bench, modem, 40).lateral_speed == 800


def test_a_robot_that_does_not_know_move_ignores_it_and_the_log_says_so(stand: Make) -> None:
    bench = stand("--nomap", "-r", "seekur", "--no-noise")
    modem = bench.connect()
    tell(modem, Command.MOVE, 1000)
    assert last_sip(bench, modem, 10).x == 0
    assert any("unsupported command 8 (MOVE)" in line for line in bench.lines())


def test_the_odometry_error_is_drawn_before_the_robot_moves(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh")
    modem = bench.connect()
    tell(modem, Command.SIM_STAT)
    stat = unpack_simstat(modem.take(0x62)[0])
    assert 0 < abs(stat.error_x) <= 0.0075 * 1e10
    assert 0 < abs(stat.error_heading) <= 0.0075 * 1e7
