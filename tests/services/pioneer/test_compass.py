"""The compass: its byte in the SIP, packets, calibration and disturbed places."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.services.pioneer.compass import sip_units

from .conftest import Make, NullModem, Stand, last_sip, tell


def compass(stand: Make, *words: str) -> tuple[Stand, NullModem]:
    bench = stand(*(words or ("--nomap",)), "-r", "p3dx-equipped", "--no-noise")
    return bench, bench.connect()


def told(modem: NullModem) -> list[tuple[float, ...]]:
    return [struct.unpack("<HhhhhhhHBBh", packet.data) for packet in modem.take(0xC0)]


@pytest.mark.parametrize(("degrees", "units"), [(0.0, 180), (359.9, 180), (2.0, 1), (90.0, 45), (357.0, 178)])
def test_north_is_180_because_0_says_that_there_is_none(degrees: float, units: int) -> None:
    assert sip_units(math.radians(degrees)) == units


def test_the_sip_tells_the_heading_unless_it_is_off(stand: Make) -> None:
    bench, modem = compass(stand)
    bench.robots[0].place(0.0, 0.0, math.radians(60.0))
    assert last_sip(bench, modem).compass == 15
    tell(modem, Command.TCM2, 0)
    assert last_sip(bench, modem).compass == 0


def test_one_packet_comes_after_200_ms_and_a_stream_every_200_ms(stand: Make) -> None:
    bench, modem = compass(stand)
    tell(modem, Command.TCM2, 2)
    bench.run(1.0)
    assert [packet[0] for packet in told(modem)] == [900]
    tell(modem, Command.TCM2, 3)
    bench.run(2.0)
    assert len(told(modem)) == 10
    tell(modem, Command.TCM2, 1)
    bench.run(1.0)
    assert told(modem) == []


def test_two_turns_make_a_good_calibration(stand: Make) -> None:
    bench, modem = compass(stand)
    tell(modem, Command.TCM2, 4)
    tell(modem, Command.RVEL, 90)
    bench.run(4.0)
    tell(modem, Command.TCM2, 6)
    bench.run(0.5)
    assert told(modem)[0][8:] == (5, 5, 2000)
    tell(modem, Command.CALCOMP, 1)
    bench.run(10.0)
    tell(modem, Command.CALCOMP, 0)
    bench.run(0.5)
    assert told(modem)[0][8:] == (9, 9, 2000)
    tell(modem, Command.TCM2, 7)
    assert modem.session.equipment.compass_score == 5


def test_iron_near_by_disturbs_it(stand: Make, tmp_path: Path) -> None:
    path = tmp_path / "iron.map"
    path.write_text(
        "2D-Map\nMapInfo: SectorType Name=Iron Sim.Magnetic=1\n"
        'Cairn: Iron 0 0 0 "" ICON "iron" -500 -500 500 500\n'
        "LineMinPos: -5000 -5000\nLineMaxPos: 5000 5000\nNumLines: 1\nLINES\n-5000 -5000 5000 -5000\nDATA\n"
    )
    bench, _ = compass(stand, "-m", str(path))
    robot = bench.robots[0]
    robot.place(0.1, 0.1, 0.0)
    off = math.degrees(bench.program.services[-1].equipment(robot).north) - 90.0  # type: ignore[attr-defined]
    assert 10.0 <= abs(off) <= 30.0
    robot.place(1.0, 1.0, 0.0)
    assert math.degrees(bench.program.services[-1].equipment(robot).north) == pytest.approx(90.0)  # type: ignore[attr-defined]


def test_a_robot_without_a_compass_answers_nothing(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.TCM2, 3)
    bench.run(1.0)
    assert modem.take(0xC0) == []
