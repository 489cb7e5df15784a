"""Lasers, sonar, GPS and battery as clients command and hear them."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import PacketReader, encode
from mobilesim_py.protocols.arcos.simulator import unpack_siminfo, unpack_simstat
from mobilesim_py.protocols.arcos.sip import unpack_sip
from mobilesim_py.services.service import clients_of

from .conftest import NullModem, Stand, last_sip, tell

Make = Callable[..., Stand]
SIPS = (0x32, 0x33)


GPS_MAP = """\
2D-Map
LineMinPos: -5000 -5000
LineMaxPos: 5000 5000
NumLines: 1
OriginLatLongAlt: 42.8 -71.5 70
Cairn: BadGPSSector 0 0 0 "" ICON "" 2000 -1000 4000 1000
LINES
-5000 -5000 5000 -5000
DATA
"""


def for_laser(index: int, number: Command, value: int) -> bytes:
    """A laser command with the byte that says which laser."""
    (packet,) = PacketReader().feed(client.command(number, value))
    return encode(packet.id, packet.data + bytes((index,)))


def totals(bench: Stand, modem: NullModem) -> dict[int, int]:
    """How many readings each laser sends, by its number."""
    modem.take()
    bench.step()
    return {packet.device: packet.total for packet in map(unpack_laser, modem.take(0x61))}


@pytest.fixture
def earth(tmp_path: Path) -> str:
    """A map that says where on earth it lies, with a sector of bad GPS two to four metres ahead of 0,0."""
    path = tmp_path / "earth.map"
    path.write_text(GPS_MAP)
    return str(path)


def gps_at(bench: Stand, modem: NullModem, x: int, y: int, heading: int) -> tuple[int, int, int]:
    """Latitude, longitude and quality that SIMSTAT tells of a place."""
    modem.send(client.set_pose(client.WirePose(x, y, heading)), client.command(Command.SIM_STAT, 1))
    (packet,) = modem.take(0x62)
    stat = unpack_simstat(packet)
    return stat.latitude, stat.longitude, stat.gps


def gps_data(modem: NullModem) -> tuple[str, str, int, float, float, float]:
    modem.send(client.device_request("gps"))
    (packet,) = modem.take(0x64)
    name, kind, rest = packet.data.split(b"\0", 2)
    index, latitude, longitude, dop = struct.unpack("<Hiih", rest)
    return name.decode(), kind.decode(), index, latitude / 1e7, longitude / 1e7, dop / 1000


@pytest.mark.parametrize(
    ("start", "end", "hundredths", "count"),
    [
        (-90, 90, 100, 181),
        (-90, 90, 50, 361),
        (0, 180, 100, 181),
        (90, -90, 100, 181),
        (-60, 30, 100, 91),
        (-135, 135, 33, 811),
    ],
)
def test_the_laser_scans_the_field_that_was_asked_for(
    stand: Make, room_map: Path, start: int, end: int, hundredths: int, count: int
) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "--no-noise", "--start", "0,0,0")
    modem = bench.connect()
    for command, value in ((Command.OLD_LRF_PARMSTART, start), (Command.OLD_LRF_PARMEND, end)):
        tell(modem, command, value)
    tell(modem, Command.OLD_LRF_PARMINC, hundredths)
    tell(modem, Command.OLD_LRF_ENABLE, 2)
    bench.step()
    packets = [unpack_laser(packet) for packet in modem.take(0x61)]
    ranges = [distance for packet in packets for distance in packet.ranges]
    assert {packet.total for packet in packets} == {count} == {len(ranges)}
    assert all(packet.first + len(packet.ranges) <= packet.total for packet in packets)
    laser = bench.robots[0].model.lasers[0].pose
    step = {33: 1 / 3}.get(hundredths, hundredths / 100) * (1 if end > start else -1)
    for k, found in enumerate(ranges):
        angle = math.radians(start + k * step)
        towards = [
            (5 - laser.x) / math.cos(angle) if math.cos(angle) > 1e-9 else 1e9,
            (5 + laser.x) / -math.cos(angle) if math.cos(angle) < -1e-9 else 1e9,
        ]
        towards += [5 / abs(math.sin(angle)) if abs(math.sin(angle)) > 1e-9 else 1e9]
        assert found == pytest.approx(1000 * min(towards), abs=1)


def test_command_37_is_the_grippers_before_a_laser_runs_and_while_it_does(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.GRIPPERPACREQUEST, 2)
    tell(modem, Command.OLD_LRF_PARMSTART, -90)
    tell(modem, Command.OLD_LRF_ENABLE, 2)
    tell(modem, Command.GRIPPERPACREQUEST, 2)
    bench.step()
    assert unpack_laser(modem.take(0x61)[0]).total == 181


@pytest.mark.parametrize("command", [Command.OLD_LRF_PARMSTART, Command.OLD_LRF_PARMEND])
def test_the_old_commands_for_the_field_of_view_turn_the_laser_off_until_it_is_enabled_again(
    stand: Make, command: Command
) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SIM_LRF_ENABLE, 2)
    tell(modem, command, 45)
    bench.step()
    assert modem.take(0x61) == []
    tell(modem, Command.OLD_LRF_PARMINC, 100)
    tell(modem, Command.OLD_LRF_ENABLE, 2)
    bench.step()
    assert unpack_laser(modem.take(0x61)[0]).total == (46 if command is Command.OLD_LRF_PARMSTART else 136)


@pytest.mark.parametrize("command", [Command.SIM_LRF_SET_FOV_START, Command.SIM_LRF_SET_FOV_END])
def test_the_new_commands_for_the_field_of_view_leave_the_laser_on(stand: Make, command: Command) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SIM_LRF_ENABLE, 2)
    tell(modem, command, 45)
    bench.step()
    assert modem.take(0x61)


def test_each_laser_is_commanded_by_its_number_and_tells_it(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-with-rear-laser", "--no-noise")
    modem = bench.connect()
    modem.send(for_laser(1, Command.SIM_LRF_ENABLE, 2))
    assert totals(bench, modem) == {1: 181}
    modem.send(for_laser(1, Command.SIM_LRF_SET_RES, 50), for_laser(0, Command.SIM_LRF_ENABLE, 2))
    assert totals(bench, modem) == {0: 181, 1: 361}
    modem.send(for_laser(0, Command.SIM_LRF_SET_FOV_START, 0), for_laser(1, Command.SIM_LRF_SET_FOV_END, 0))
    assert totals(bench, modem) == {0: 91, 1: 181}
    modem.send(for_laser(1, Command.SIM_LRF_ENABLE, 0))
    assert totals(bench, modem) == {0: 91}


def test_laser_commands_without_a_number_are_for_the_first(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-with-rear-laser", "--no-noise")
    modem = bench.connect()
    tell(modem, Command.SIM_LRF_ENABLE, 2)
    assert totals(bench, modem) == {0: 181}


def test_plain_laser_packets_carry_the_odometry(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.MOVE, 400)
    bench.step(50)
    tell(modem, Command.SIM_LRF_ENABLE, 1)
    modem.take()
    bench.step()
    packet = unpack_laser(modem.take(0x60)[0])
    assert (packet.x, packet.y, packet.heading, packet.total) == (400, 0, 0, 181)


def test_a_robot_without_sonar_tells_none_beside_one_that_has_them(stand: Make) -> None:
    bench = stand("--nomap", "-r", "amigo-nosonar", "-r", "p3dx-sh", "--no-noise")
    without, with_sonar = (bench.connect(robot) for robot in bench.robots)
    without.send(client.command(Command.CONFIG), client.control(ControlOperation.SIM_INFO))
    config, info = without.take(0x20, 0x63)
    assert (unpack_config(config).front_sonar, unpack_config(config).rear_sonar) == (0, 0)
    assert unpack_siminfo(info).devices == ()
    bench.step()
    assert unpack_sip(without.take(*SIPS)[-1]).sonar == ()
    assert len(unpack_sip(with_sonar.take(*SIPS)[-1]).sonar) == 16


def test_gps_is_that_of_the_antenna_which_turns_with_the_robot(stand: Make, earth: str) -> None:
    bench = stand("-m", earth, "-r", "p3dx-sh", "--no-noise")
    modem = bench.connect()
    forward, left = bench.robots[0].model.pioneer.gps
    assert (forward, left) == (-0.16, 0.12)
    place = bench.simulation.world.georeference.at
    for heading, x, y in ((0, forward, left), (90, -left, forward), (180, -forward, -left)):
        latitude, longitude, _ = place(x, y)
        found = gps_at(bench, modem, 0, 0, heading)
        assert found[:2] == (pytest.approx(latitude * 1e7, abs=1.1), pytest.approx(longitude * 1e7, abs=1.1))


def test_gps_has_no_reception_where_the_antenna_is_in_a_bad_sector(stand: Make, earth: str) -> None:
    bench = stand("-m", earth, "-r", "p3dx-sh", "--no-noise")
    modem = bench.connect()
    assert gps_at(bench, modem, 0, 0, 0)[2] == 100
    assert gps_at(bench, modem, 3000, 0, 0)[2] == 0
    assert gps_at(bench, modem, 2100, 0, 0)[2] == 100  # The antenna is 160 mm behind the centre ...
    assert gps_at(bench, modem, 4100, 0, 0)[2] == 0
    assert gps_at(bench, modem, 2100, 0, 180)[2] == 0  # ... which is ahead once the robot has turned.


def test_a_client_that_asks_for_the_gps_device_gets_its_data(stand: Make, earth: str) -> None:
    bench = stand("-m", earth, "-r", "p3dx-sh:rob", "--no-noise")
    modem = bench.connect()
    modem.send(client.set_pose(client.WirePose(0, 0, 0)))
    close = pytest.approx((42.8, -71.5), abs=1e-5)
    name, kind, index, latitude, longitude, dop = gps_data(modem)
    assert (name, kind, index, dop) == ("rob.gps:0", "gps", 0, 1.0)
    assert (latitude, longitude) == close
    modem.send(client.set_pose(client.WirePose(3000, 0, 0)))
    assert gps_data(modem)[3:] == (0.0, 0.0, 0.0)


def test_without_a_place_on_earth_the_gps_device_has_no_reception(stand: Make) -> None:
    assert gps_data(stand().connect())[3:] == (0.0, 0.0, 0.0)


def test_nobody_answers_for_a_device_that_is_not_there(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(client.device_request("gps", 1), client.device_request("camera"), encode(Command.SIM_DEVICE_DATA))
    modem.send(encode(Command.SIM_DEVICE_DATA, b"\x2b\0gps\0\0\0"))  # No more of them, please.
    assert modem.take() == []
    assert any("data of gps 1" in line for line in bench.lines())


def test_sonar_off_means_no_readings(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    assert len(last_sip(bench, modem).sonar) == 16
    tell(modem, Command.SONAR, 0)
    sip = last_sip(bench, modem)
    assert (sip.sonar, sip.flags) == ((), 0x01)
    tell(modem, Command.SONAR, 1)
    assert last_sip(bench, modem).flags == 0x1F


def test_more_sonar_than_fit_are_sent_in_turn(stand: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    include = tmp_path / ".MobileSim" / "include"
    include.mkdir(parents=True)
    (include / "few.inc").write_text("define few p3dx-sh ( pioneer_max_readings_per_packet 6 )\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    bench = stand("--nomap", "-r", "few", "--no-noise")
    modem = bench.connect()
    seen = [[index for index, _ in last_sip(bench, modem).sonar] for _ in range(4)]
    assert seen == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [12, 13, 14, 15], [0, 1, 2, 3, 4, 5]]


def test_siminfo_lists_the_devices(stand: Make) -> None:
    modem = stand().connect()
    modem.send(client.control(client.ControlOperation.SIM_INFO))
    info = unpack_siminfo(modem.take(0x63)[0])
    assert info.name == "MobileSim"
    assert [device.type for device in info.devices] == ["sonar", "laser"]


def test_battery_and_temperature_and_outputs_show_in_the_sip(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    for command, value in ((Command.BATTEST, 105), (Command.DIGTEMPTEST, 1), (Command.SPOOFANALOGTEMP, -20)):
        tell(modem, command, value)
    modem.send(client.two_byte_command(Command.DIGOUT, 0x0F, 0x05))
    sip = last_sip(bench, modem)
    assert (sip.battery, sip.battery_voltage, sip.faults, sip.temperature, sip.digital_out) == (105, 105, 2, -20, 0xF5)
    modem.send(client.two_byte_command(Command.DIGOUT, 0x0F, 0x05))
    tell(modem, Command.BATTEST, 0)
    tell(modem, Command.SPOOFANALOGTEMP, -128)
    sip = last_sip(bench, modem)
    assert (sip.battery, sip.temperature, sip.digital_out) == (130, -127, 0xF5), "setting a set bit leaves it set"


def test_battest_sets_the_charge_of_robots_that_know_it(stand: Make) -> None:
    bench = stand("--nomap", "-r", "mt400")
    modem = bench.connect()
    assert (last_sip(bench, modem).state_of_charge, last_sip(bench, modem).battery) == (100, 0)
    for percent in (50, 29, 57):
        tell(modem, Command.BATTEST, percent)
        assert last_sip(bench, modem).state_of_charge == percent


def test_viewers_know_the_temperature_that_a_client_is_told(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    assert [facts.temperature for facts in clients_of(bench.program)] == [None]
    tell(modem, Command.SPOOFANALOGTEMP, 40)
    assert [facts.temperature for facts in clients_of(bench.program)] == [40.0]
