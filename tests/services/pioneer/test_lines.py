"""Digital and analog lines: ADSEL, DIGOUT, KICK, I/O packets, servos, and what the place does to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.services.pioneer.condition import Flag
from mobilesim_py.services.pioneer.lines import infrared
from mobilesim_py.services.pioneer.refreshing import show

from .conftest import Make, last_sip, tell


def test_an_analog_port_is_told_in_eight_bits(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.session.equipment.volts[3] = 2.5
    tell(modem, Command.ADSEL, 3)
    sip = last_sip(bench, modem)
    assert (sip.analog_port, sip.analog) == (3, 128)
    tell(modem, Command.ADSEL, 200)
    sip = last_sip(bench, modem)
    assert (sip.analog_port, sip.analog) == (8, 0)


def test_an_io_packet_has_lines_bumpers_infrared_and_nine_voltages(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    equipment = modem.session.equipment
    equipment.digital_in, equipment.volts[1] = 0xFC, 1.0
    show(equipment)
    modem.send(client.two_byte_command(Command.DIGOUT, 0xFF, 0x80))
    tell(modem, Command.IOREQUEST, 1)
    bench.step()
    (packet,) = modem.take(0xF0)
    assert packet.data[:8] == bytes((4, 0xFC, 0xFF, 0xFF, 0xFF, 1, 0x80, 9))
    analog = [int.from_bytes(packet.data[k : k + 2], "little") for k in range(8, 26, 2)]
    assert analog == [0, 205, 0, 0, 0, 0, 0, 0, round(13.0 / 20.0 * 1023)]


def test_a_kick_sets_output_0_for_its_time(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(client.two_byte_command(Command.DIGOUT, 0xFF, 0x00))
    tell(modem, Command.KICK, 250)
    assert [last_sip(bench, modem).digital_out for _ in range(5)] == [1, 1, 1, 0, 0]


def test_widths_of_servo_pulses_are_kept(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(client.two_byte_command(Command.PTUPOS, 1, 15), client.two_byte_command(Command.PTUPOS, 99, 15))
    assert modem.session.equipment.servos == [0, 15, 0, 0, 0]


@pytest.fixture
def marked_map(tmp_path: Path) -> Path:
    """A field with a place that pulls input 2 low, a ledge and a table."""
    path = tmp_path / "marked.map"
    path.write_text(
        "2D-Map\nMapInfo: SectorType Name=Mat Sim.DigitalIn=2\nMapInfo: SectorType Name=Drop Sim.Ledge=1\n"
        "MapInfo: SectorType Name=Board Sim.Table=1\n"
        'Cairn: Mat 0 0 0 "" ICON "mat" -500 -500 500 500\nCairn: Drop 0 0 0 "" ICON "drop" 900 -500 2000 500\n'
        'Cairn: Board 0 0 0 "" ICON "board" 3000 -500 4000 0\n'
        "LineMinPos: -5000 -5000\nLineMaxPos: 5000 5000\nNumLines: 1\nLINES\n-5000 -5000 5000 -5000\nDATA\n"
    )
    return path


def test_places_pull_inputs_low_and_have_ledges(stand: Make, marked_map: Path) -> None:
    bench = stand("-m", str(marked_map), "-r", "p3dx-sh")
    modem, robot = bench.connect(), bench.robots[0]
    robot.place(0.0, 0.0, 0.0)
    sip = last_sip(bench, modem)
    assert (sip.digital_in, sip.flags & (Flag.FAR_LEDGE | Flag.NEAR_LEDGE)) == (0xFB, 0)
    robot.place(0.45, 0.0, 0.0)
    assert last_sip(bench, modem).flags & (Flag.FAR_LEDGE | Flag.NEAR_LEDGE) == Flag.FAR_LEDGE
    robot.place(0.6, 0.0, 0.0)
    sip = last_sip(bench, modem)
    assert (sip.digital_in, sip.flags & (Flag.FAR_LEDGE | Flag.NEAR_LEDGE)) == (0xFF, Flag.FAR_LEDGE | Flag.NEAR_LEDGE)


def test_a_table_is_felt_by_infrared_sensors_and_by_nothing_else(stand: Make, marked_map: Path) -> None:
    bench = stand("-m", str(marked_map), "-r", "peoplebot-sh")
    robot = bench.robots[0]
    robot.place(2.9, 0.1, 0.0)
    assert infrared(bench.simulation, robot) == 0xFE
    robot.place(-2.0, 0.0, 0.0)
    assert infrared(bench.simulation, robot) == 0xFF
    table = bench.program.catalogue.find("table")
    bench.program.add(table, "table", Pose(-2.0 + 0.333 + 0.6 + 0.03, 0.0, 0.0))
    assert infrared(bench.simulation, robot) == 0xFC
    modem = bench.connect()
    tell(modem, Command.IOREQUEST, 1)
    bench.step()
    assert modem.take(0xF0)[0].data[4] == 0xFC
