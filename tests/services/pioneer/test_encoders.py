"""Encoders: ticks of the wheels, and the factors of odometry."""

from __future__ import annotations

import struct

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config

from .conftest import Make, NullModem, Stand, last_sip, tell


def ticks(bench: Stand, modem: NullModem) -> tuple[int, int]:
    tell(modem, Command.ENCODER, 1)
    bench.step()
    (packet,) = modem.take(0x90)
    left, right = struct.unpack("<ii", packet.data)
    return left, right


def test_a_metre_straight_ahead_is_128000_ticks(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.MOVE, 1000)
    bench.run(10.0)
    left, right = ticks(bench, modem)
    assert (left, right) == (pytest.approx(128_000, abs=2), pytest.approx(128_000, abs=2))


def test_a_turn_lets_the_wheels_roll_against_each_other(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.DHEAD, 90)
    bench.run(5.0)
    left, right = ticks(bench, modem)
    assert left == -right
    assert right == pytest.approx(128_000 * 0.5 * bench.robots[0].model.drive.track * 1.5708, rel=0.001)


def test_setting_the_odometry_does_not_touch_the_counts(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.MOVE, 500)
    bench.run(5.0)
    before = ticks(bench, modem)
    modem.send(client.command(Command.SETO))
    assert ticks(bench, modem) == before


def test_a_pioneer_1_does_not_know_the_command(stand: Make) -> None:
    bench = stand("--nomap", "-r", "pion1x")
    modem = bench.connect()
    tell(modem, Command.ENCODER, 2)
    bench.step(3)
    assert modem.take(0x90) == []


def test_more_ticks_of_a_millimetre_make_ways_shorter_and_config_tells_them(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.TICKSMM, 256)
    tell(modem, Command.MOVE, 500)
    bench.run(8.0)
    assert last_sip(bench, modem).x == pytest.approx(250, abs=1)
    assert bench.robots[0].pose.x == pytest.approx(0.5, abs=0.001)
    tell(modem, Command.CONFIG)
    config = unpack_config(modem.take(0x20)[0])
    assert (config.ticks_per_mm, config.rev_count) == (256, 16500)


def test_fewer_ticks_of_half_a_turn_make_turns_larger(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.REVCOUNT, 8250)
    tell(modem, Command.RVEL, 30)
    bench.run(1.0)
    tell(modem, Command.RVEL, 0)
    bench.run(2.0)
    robot = bench.robots[0]
    assert robot.odometry.heading == pytest.approx(2.0 * robot.pose.heading, abs=0.001)


def test_a_drift_factor_lets_odometry_turn_to_the_right_and_ends_with_the_session(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.DRIFTFACTOR, 100)
    tell(modem, Command.MOVE, 1000)
    bench.run(8.0)
    robot = bench.robots[0]
    assert robot.odometry.heading == pytest.approx(-100 / 8192 / robot.model.drive.track, rel=0.02)
    modem.send(client.CLOSE)
    bench.connect()
    assert bench.simulation.calibration.robots == {}
