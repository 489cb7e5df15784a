"""Gyros of both types, and the inertial unit."""

from __future__ import annotations

import struct

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config

from .conftest import Make, NullModem, Stand, last_sip, tell


def readings(modem: NullModem) -> list[int]:
    found: list[int] = []
    for packet in modem.take(0x98):
        found += [rate for rate, _ in struct.iter_unpack("<HB", packet.data[1:])]
        assert packet.data[0] == len(packet.data) // 3
    return found


def gyro(stand: Make, *words: str) -> tuple[Stand, NullModem]:
    bench = stand("--nomap", "-r", "p3dx-gyro", "--no-noise", *words)
    modem = bench.connect()
    tell(modem, Command.CONFIG)
    assert unpack_config(modem.take(0x20)[0]).gyro_type == 1
    return bench, modem


@pytest.mark.parametrize("words", [(), ("--update-sim-time", "20"), ("--update-sim-time", "30")])
def test_there_is_one_reading_for_every_25_ms_of_simulated_time(stand: Make, words: tuple[str, ...]) -> None:
    bench, modem = gyro(stand, *words)
    tell(modem, Command.GYRO, 1)
    modem.take()
    bench.run(3.0)
    assert len(readings(modem)) == pytest.approx(120, abs=4)


def test_turning_to_the_left_lowers_the_readings(stand: Make) -> None:
    bench, modem = gyro(stand)
    tell(modem, Command.GYRO, 1)
    tell(modem, Command.RVEL, 20)
    bench.run(2.0)
    modem.take()
    bench.run(1.0)
    assert set(readings(modem)) == {491}


def test_the_sum_of_all_readings_is_the_turn(stand: Make) -> None:
    bench, modem = gyro(stand)
    tell(modem, Command.GYRO, 1)
    tell(modem, Command.DHEAD, 90)
    modem.take()
    bench.run(5.0)
    degrees = sum(512 - rate for rate in readings(modem)) * 0.9537 * 0.025
    assert degrees == pytest.approx(90.0, abs=2.0)


def test_who_is_put_down_elsewhere_has_not_turned(stand: Make) -> None:
    bench, modem = gyro(stand)
    tell(modem, Command.GYRO, 1)
    bench.step(2)
    modem.take()
    modem.send(client.set_pose(client.WirePose(0, 0, 170)))
    bench.step(2)
    assert set(readings(modem)) == {512}


def test_a_gyro_that_has_failed_says_so_and_nothing_else(stand: Make) -> None:
    bench, modem = gyro(stand)
    tell(modem, Command.GYRO, 1)
    bench.program.services[-1].set_devices(bench.robots[0], {"gyro_failed": True})  # type: ignore[attr-defined]
    assert last_sip(bench, modem).faults == 0x10
    modem.take()
    bench.step(3)
    assert readings(modem) == []
    tell(modem, Command.GYRO, 0)


def test_a_controller_with_a_gyro_sends_nothing_and_errs_less(stand: Make) -> None:
    turned = {}
    for mode in (0, 1, 2):
        bench = stand("--nomap", "-r", "p3dx-sh-gyro", "--odom-error-mode", "constant")
        modem = bench.connect()
        tell(modem, Command.GYRO, mode)
        tell(modem, Command.RVEL, 50)
        bench.run(10.0)
        robot = bench.robots[0]
        turned[mode] = abs(robot.odometry_error[2])
        assert modem.take(0x98) == []
    assert turned[1] == pytest.approx(0.1 * turned[0])
    assert turned[1] < turned[2] < turned[0]


def test_a_seekur_has_an_inertial_unit_and_a_pioneer_has_none(stand: Make) -> None:
    bench = stand("--nomap", "-r", "seekur", "--no-noise")
    modem = bench.connect()
    tell(modem, Command.RVEL, 20)
    bench.run(3.0)
    tell(modem, Command.IMUREQUEST, 1)
    bench.step(2)
    (packet,) = modem.take(0x9A)
    assert struct.unpack("<h", packet.data[4:6])[0] * 0.07326 == pytest.approx(20.0, abs=0.1)
    modem = stand().connect()
    tell(modem, Command.IMUREQUEST, 2)
    assert modem.take(0x9A) == []
