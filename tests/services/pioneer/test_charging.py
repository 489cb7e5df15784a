"""Batteries: packets, docks, and batteries that get empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos.commands import Command

from .conftest import Make, last_sip, tell


@pytest.fixture
def dock_map(tmp_path: Path) -> Path:
    path = tmp_path / "dock.map"
    path.write_text(
        '2D-Map\nCairn: Dock 1000 500 90 "" ICON "dock"\n'
        "LineMinPos: -5000 -5000\nLineMaxPos: 5000 5000\nNumLines: 1\nLINES\n-5000 -5000 5000 -5000\nDATA\n"
    )
    return path


@pytest.mark.parametrize(("model", "data"), [("p3dx-sh", "00 05"), ("mt400", "01 05 00 00 00 64 64")])
def test_only_robots_that_know_their_charge_have_batteries_to_tell_of(stand: Make, model: str, data: str) -> None:
    bench = stand("--nomap", "-r", model)
    modem = bench.connect()
    tell(modem, Command.BATTERYINFO, 1)
    bench.step()
    assert modem.take(0xFA)[0].data.hex(" ") == data


def test_a_robot_at_a_dock_charges_when_its_contacts_are_out(stand: Make, dock_map: Path) -> None:
    bench = stand("-m", str(dock_map), "-r", "p3dx-sh")
    modem, robot = bench.connect(), bench.robots[0]
    tell(modem, Command.BATTEST, 117)
    bench.run(1.0)
    assert last_sip(bench, modem).charge_state == 0
    tell(modem, Command.CHARGE, 1)
    bench.run(1.0)
    sip = last_sip(bench, modem)
    assert (sip.charge_state, sip.flags & 0x400, sip.digital_in, sip.digital_out & 0x30) == (1, 0x400, 0xBF, 0x20)
    assert 120 <= sip.battery <= 135
    bench.run(36.0 * 50)
    assert last_sip(bench, modem).charge_state == 2
    assert last_sip(bench, modem).digital_in == 0x3F
    bench.run(36.0 * 20)
    assert (last_sip(bench, modem).charge_state, last_sip(bench, modem).battery) == (3, 135)
    robot.place(2.0, 2.0, 0.0)
    bench.run(1.0)
    assert (last_sip(bench, modem).charge_state, last_sip(bench, modem).digital_in) == (0, 0xFF)
    tell(modem, Command.CHARGE, 0)
    assert last_sip(bench, modem).digital_out & 0x30 == 0x10


def test_a_patrolbot_charges_by_contact(stand: Make, dock_map: Path) -> None:
    bench = stand("-m", str(dock_map), "-r", "patrolbot-sh")
    modem = bench.connect()
    bench.run(1.0)
    assert last_sip(bench, modem).charge_state == 3


def test_a_battery_gets_empty_in_the_hours_that_were_asked_for(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--battery-drain", "0.1")
    modem = bench.connect()
    bench.run(180.0)
    assert last_sip(bench, modem).battery == pytest.approx(120, abs=1)
    bench.run(190.0)
    sip = last_sip(bench, modem)
    assert (sip.battery, sip.faults) == (110, 0x08)
    modem.hang_up()
    modem = bench.connect()
    assert last_sip(bench, modem).battery == 110
