"""`mobilesim drive`: what keys do, and what is shown."""

from __future__ import annotations

import math
import os
import pty
import re
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from mobilesim_py.clients.orders import Orders
from mobilesim_py.errors import UsageError
from mobilesim_py.protocols.arcos.measured import LaserScan, Odometer, Sip, Units, read_sip
from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.sip import WireSip
from mobilesim_py.tools.drive import Steering, main, picture, rows, sectors, split
from tests.clients.conftest import PlayedRobot, stage


class Notes(Orders):
    def __init__(self, simulated: bool = True) -> None:
        self.sent: list[tuple[Any, ...]] = []
        self._simulated = simulated

    def command(self, name: str | int, *arguments: Any) -> None:
        self.sent.append((name, *arguments))

    @property
    def units(self) -> Units:
        return Units()

    @property
    def is_simulated(self) -> bool:
        return self._simulated

    def expect_scans(self, start: float, increment: float) -> None:
        pass


def sip_of(**fields: Any) -> Sip:
    data = WireSip(0x32, **fields).encode()
    return read_sip(Packet(0x32, data[4:-2]), Units(), Odometer())


def pressed(*keys: str, robot: Notes | None = None) -> tuple[Steering, Notes]:
    notes = robot or Notes()
    steering = Steering(notes, 5.0)
    for key in keys:
        steering.press(key, 100.0)
    return steering, notes


def test_keys_are_faster_and_slower_left_and_right() -> None:
    steering, notes = pressed("w", "w", "W", "s", "a", "a", "d")
    assert (steering.speed, steering.turn) == (0.2, 10.0)
    assert notes.sent[-2:] == [("VEL", 200), ("RVEL", 10)]


def test_there_is_a_greatest_speed() -> None:
    steering, _ = pressed(*"w" * 30, *"d" * 30)
    assert (steering.speed, steering.turn) == (1.0, -90.0)


def test_space_stops() -> None:
    steering, notes = pressed("w", " ")
    assert steering.speed == 0.0
    assert ("STOP",) in notes.sent


@pytest.mark.parametrize("key", ["q", "\x03", "\x04", "\x1b"])
def test_it_is_ended(key: str) -> None:
    assert pressed(key)[0].is_over


def test_a_robot_that_nobody_drives_any_more_stops() -> None:
    steering, notes = pressed("w")
    steering.pass_time(104.9)
    assert steering.speed == 0.1
    assert notes.sent[-2] == ("VEL", 100), "a robot whose client is silent would stop"
    steering.pass_time(105.0)
    assert steering.speed == 0.0
    assert notes.sent[-2] == ("VEL", 0)
    assert "no key for 5 s" in steering.said


def test_or_drives_on_if_that_is_wished() -> None:
    notes = Notes()
    steering = Steering(notes, 0.0)
    steering.press("w", 100.0)
    steering.pass_time(1e6)
    assert steering.speed == 0.1


def test_devices_are_switched() -> None:
    steering, notes = pressed("m", "o", "l", "l", "z", "?")
    assert ("ENABLE", 0) in notes.sent
    assert ("SONAR", 0) in notes.sent
    assert [command for command in notes.sent if command[0] == "OLD_LRF_ENABLE"] == [
        ("OLD_LRF_ENABLE", 2),
        ("OLD_LRF_ENABLE", 0),
    ]
    assert ("SETO",) in notes.sent
    assert steering.said == "odometry is zero"


def test_a_real_robot_has_its_laser_elsewhere() -> None:
    steering, notes = pressed("l", robot=Notes(simulated=False))
    assert not steering.laser
    assert "line of its own" in steering.said
    assert {command[0] for command in notes.sent} == {"VEL", "RVEL"}


def test_it_begins_with_motors_and_sonar() -> None:
    notes = Notes()
    Steering(notes, 5.0).begin()
    assert notes.sent == [("ENABLE", 1), ("SONAR", 1)]


def test_keys_of_a_terminal() -> None:
    assert split(b"\x1b[Aw\x1bOD ") == ["w", "w", "a", " "]
    assert split(b"\x1b") == ["\x1b"]
    assert split(b"") == ["q"]


def shown(steering: Steering, sip: Sip | None, scan: LaserScan | None = None, sonar: dict[int, float] | None = None) -> str:
    console = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(picture("robot:8101", steering, sip, scan, sonar or {}))
    return console.export_text()


def test_live_values_are_shown() -> None:
    steering, _ = pressed("w")
    sip = sip_of(x=1234, heading=1024, battery=125, left_speed=100, right_speed=100, flags=1)
    text = shown(steering, sip, sonar={0: 2.5, 1: 99.0})
    assert "robot:8101" in text
    assert re.search(r"wish +\+0\.10 m/s", text)
    assert re.search(r"odometry +x 1\.23 m +y 0\.00 m +heading 90 deg", text)
    assert re.search(r"sonar 0 +2\.50 +#{12}\.{12}", text)
    assert "well" in text
    assert "has not told anything yet" in shown(steering, None)


def test_what_is_wrong_with_a_robot_is_told() -> None:
    sip = sip_of(stall_and_bumpers=0x0301, flags=0x20, state_of_charge=50)
    told = dict(rows(pressed()[0], sip))
    assert told["state"] == "stalled, bumper, emergency stop, motors off"
    assert told["battery"].endswith("50%")


def test_a_scan_is_shown_by_its_parts_from_the_left() -> None:
    ranges = np.full(181, 5.0)
    ranges[:36] = 1.0
    scan = LaserScan(ranges, np.zeros(0, np.uint8), 0, -math.pi / 2.0, math.radians(1.0))
    found = sectors(scan)
    assert [name for name, _ in found] == ["+72", "+35", "-1", "-37", "-73"]
    assert found[-1][1] == 1.0
    steering, _ = pressed("l")
    assert "laser" in shown(steering, sip_of(), scan)


def test_without_a_terminal_there_is_nobody_to_drive() -> None:
    with pytest.raises(UsageError, match="needs a terminal"):
        main([])


@pytest.mark.e2e
def test_in_a_terminal_a_robot_is_driven_and_stopped() -> None:
    heard: list[int] = []

    def play(robot: PlayedRobot) -> None:
        robot.welcome()
        while not heard or heard[-1] != 2:
            heard.append(robot.hear().id)
            robot.tell_sip()

    master, terminal = pty.openpty()
    with stage(play) as address:
        words = [sys.executable, "-m", "mobilesim_py", "drive", address]
        process = subprocess.Popen(words, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
        os.close(terminal)
        screen, deadline = b"", time.monotonic() + 30.0
        try:
            while b"odometry" not in screen:
                assert time.monotonic() < deadline
                screen += os.read(master, 65536)
            os.write(master, b"\x1b[A")
            while b"+0.10" not in screen:
                assert time.monotonic() < deadline
                screen += os.read(master, 65536)
            os.write(master, b"q")
            while process.poll() is None:
                assert time.monotonic() < deadline
                try:
                    screen += os.read(master, 65536)
                except OSError:
                    break
            assert process.wait(20.0) == 0
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
            os.close(master)
    assert b"\x1b[?1049l" in screen, "the terminal is as it was"
    assert heard[-2:] == [4, 2]
