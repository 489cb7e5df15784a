"""Commands for the simulator itself: poses, state, GPS, maps, messages and its end."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest

from mobilesim_py.errors import ExitCode
from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.protocols.arcos.simulator import MapChanged, unpack_map_changed, unpack_siminfo, unpack_simstat

from .conftest import Make, NullModem, Stand, tell


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


def test_gps_is_that_of_the_antenna_which_turns_with_the_robot(stand: Make, earth: str) -> None:
    bench = stand("-m", earth, "-r", "p3dx-sh", "--no-noise")
    modem = bench.connect()
    forward, left = bench.robots[0].model.gps
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


def gps_data(modem: NullModem) -> tuple[str, str, int, float, float, float]:
    modem.send(client.device_request("gps"))
    (packet,) = modem.take(0x64)
    name, kind, rest = packet.data.split(b"\0", 2)
    index, latitude, longitude, dop = struct.unpack("<Hiih", rest)
    return name.decode(), kind.decode(), index, latitude / 1e7, longitude / 1e7, dop / 1000


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


def test_simstat_once_streaming_and_off(stand: Make, room_map: Path) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "--no-noise")
    modem = bench.connect()
    for value in (1, None):
        modem.send(client.command(Command.SIM_STAT, value))
        stat = unpack_simstat(modem.take(0x62)[0])
        assert (stat.x, stat.y, stat.heading, stat.flags & 3) == (1000, 500, 90, 3)
        assert stat.latitude == pytest.approx(428000000, abs=100)
    tell(modem, Command.SIM_STAT, 2)
    bench.step(2)
    assert [packet.id for packet in modem.take()] == [0x62, 0x32, 0x62, 0x32]
    tell(modem, Command.SIM_STAT, 0)
    bench.step(2)
    assert modem.take(0x62) == []


def test_siminfo_lists_the_devices(stand: Make) -> None:
    modem = stand().connect()
    modem.send(client.control(client.ControlOperation.SIM_INFO))
    info = unpack_siminfo(modem.take(0x63)[0])
    assert info.name == "MobileSim"
    assert [device.type for device in info.devices] == ["sonar", "laser"]


def test_srisim_commands_work_only_when_asked_for(stand: Make) -> None:
    plain = stand()
    modem = plain.connect()
    tell(modem, Command.OLD_SETORIGINX, 1000)
    assert plain.robots[0].pose.x == 0.0
    tell(modem, Command.OLD_END_SIM)
    assert plain.program.exit_code is None
    compatible = stand("--nomap", "-r", "p3dx-sh", "--srisim-compat")
    modem = compatible.connect()
    for command, value in ((Command.OLD_SETORIGINX, 1000), (Command.OLD_SETORIGINY, -500), (Command.OLD_SETORIGINTH, 90)):
        tell(modem, command, value)
    pose = compatible.robots[0].pose
    assert (pose.x, pose.y, math.degrees(pose.heading)) == pytest.approx((1.0, -0.5, 90.0))
    modem.send(client.command(Command.OLD_END_SIM))
    assert compatible.program.exit_code == 0


@pytest.mark.parametrize(("value", "code"), [(0, 0), (5, 5), (300, 44), (-3, 3)])
def test_sim_exit_ends_with_the_clients_code(stand: Make, value: int, code: int) -> None:
    bench = stand()
    tell(bench.connect(), Command.SIM_EXIT, value)
    assert bench.program.exit_code == code


@pytest.mark.parametrize("number", [Command.RESET, Command.MAINTENANCE])
def test_maintenance_commands_crash_the_program(stand: Make, number: Command) -> None:
    bench = stand()
    bench.connect().send(client.command(number))
    assert bench.program.exit_code == ExitCode.CRASH


def test_every_client_is_told_of_a_new_map_and_of_one_that_has_not_changed(stand: Make, room_map: Path) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh:a", "-r", "p3dx-sh:b")
    clients = [bench.connect(robot) for robot in bench.robots]
    place = bench.robots[0].pose
    for loaded in (True, False):
        clients[0].send(client.control(client.ControlOperation.LOAD_MAP, str(room_map)))
        for modem in clients:
            change = unpack_map_changed(modem.take(0x66)[0])
            assert (change.file_name, change.loaded, change.by_user) == (str(room_map), loaded, False)
    assert bench.simulation.world.has_map
    assert bench.robots[0].pose == place


def test_a_map_that_cannot_be_loaded_leaves_the_old_one_and_its_asker_is_told(
    stand: Make, room_map: Path, tmp_path: Path
) -> None:
    bench = stand("-m", str(room_map), "-r", "p3dx-sh", "-r", "p3dx-sh")
    modem, other = (bench.connect(robot) for robot in bench.robots)
    world = bench.simulation.world
    (tmp_path / "bad.map").write_text("no map\n")
    for name in ("missing.map", str(tmp_path / "bad.map")):
        modem.send(client.control(client.ControlOperation.LOAD_MAP, name))
        answers = [unpack_map_changed(packet) for packet in modem.take(0x66)]
        assert answers == [MapChanged(str(room_map), loaded=False)], "the asker is told the map in force"
        assert other.take(0x66) == []
        assert any("Error loading map" in line and name in line for line in bench.lines())
    assert bench.simulation.world is world


def test_a_map_master_keeps_others_from_changing_the_map(stand: Make, room_map: Path) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh")
    modem = bench.connect()
    modem.send(client.control(client.ControlOperation.MASTER_LOAD_MAP, str(room_map)))
    other = room_map.with_name("other.map")
    other.write_text(room_map.read_text().replace("5000", "6000"))
    modem.take()
    modem.send(client.control(client.ControlOperation.LOAD_MAP, str(other)))
    assert modem.take(0x66) == []
    modem.send(client.control(client.ControlOperation.CLEAR_MASTER_MAP))
    modem.send(client.control(client.ControlOperation.LOAD_MAP, str(other)))
    assert len(modem.take(0x66)) == 1


def test_messages_of_clients_are_logged_and_cannot_forge_lines(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--verbose")
    modem = bench.connect()
    modem.send(client.text_command(Command.SIM_MESSAGE, "hello\nWed Jan  1 forged"))
    assert any(line.startswith("hello") and "\n" not in line for line in bench.lines())
