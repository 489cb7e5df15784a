"""One client's session: what its commands do, what it is sent, and how it ends."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.app.worlds import attempt
from mobilesim_py.errors import ExitCode
from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import PacketReader, encode
from mobilesim_py.protocols.arcos.simulator import MapChanged, unpack_map_changed, unpack_siminfo, unpack_simstat
from mobilesim_py.protocols.arcos.sip import WireSip, unpack_sip
from mobilesim_py.services.service import clients_of

from .conftest import NullModem, Stand

Make = Callable[..., Stand]
SIPS = (0x32, 0x33)


def tell(modem: NullModem, command: Command, value: int | None = None) -> None:
    modem.send(client.command(command, value))


def last_sip(bench: Stand, modem: NullModem, steps: int = 1) -> WireSip:
    modem.take()
    bench.step(steps)
    return unpack_sip(modem.take(*SIPS)[-1])


def test_the_handshake_names_the_simulator_and_the_model(stand: Make) -> None:
    modem = stand().dial()
    modem.send(*client.SYNCS)
    replies = modem.take()
    assert [packet.id for packet in replies] == [0, 1, 2]
    assert replies[2].data == b"MobileSim\0Pioneer\0p3dx-sh\0"


STRAY = bytes.fromhex("fafbcf")
"""Noise that looks like the beginning of a long packet."""


def test_a_pause_ends_an_incomplete_packet_and_frees_what_it_hid(stand: Make) -> None:
    bench = stand()
    modem = bench.dial()
    modem.send(STRAY + client.SYNCS[0])
    assert modem.take() == []
    bench.wait(0.31)
    assert [packet.id for packet in modem.take()] == [0]
    modem.send(*client.SYNCS[1:], client.OPEN, STRAY)
    bench.wait(0.31)
    tell(modem, Command.CONFIG)
    assert [packet.id for packet in modem.take()] == [1, 2, 0x20]


def test_a_packet_may_come_in_pieces_without_a_long_pause(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    for byte in client.command(Command.CONFIG, 1):
        bench.wait(0.2)
        modem.send(bytes((byte,)))
    assert [packet.id for packet in modem.take()] == [0x20]
    assert len(bench.timers) == 1


def test_a_client_that_leaves_in_the_middle_of_a_packet_leaves_nothing_behind(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(STRAY)
    modem.close()
    bench.wait(1.0)
    assert bench.timers == []


def test_nothing_is_sent_before_open_and_a_sip_every_step_after(stand: Make) -> None:
    bench = stand()
    modem = bench.dial()
    modem.send(*client.SYNCS)
    modem.take()
    bench.step(3)
    assert modem.take() == []
    modem.send(client.OPEN)
    bench.step(3)
    assert [packet.id for packet in modem.take()] == [0x32] * 3


def test_a_sip_tells_motion_by_its_id(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.VEL, 200)
    sip = last_sip(bench, modem, 3)
    assert sip.id == 0x33
    assert sip.left_speed == sip.right_speed == 90
    tell(modem, Command.STOP)
    assert last_sip(bench, modem, 5).id == 0x32


def test_sips_come_every_100_ms_of_simulated_time_whatever_the_step(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--update-interval", "25")
    modem = bench.connect()
    bench.step(40)
    assert len(modem.take(*SIPS)) == 10


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


def test_config_tells_the_models_limits_and_what_was_set(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(client.command(Command.CONFIG))
    config = unpack_config(modem.take(0x20)[0])
    assert (config.serial_number, config.name, config.firmware_version[:2]) == ("SIM", "MobileSim", "S.")
    assert (config.speed_top, config.speed_max) == (1000, 1000)
    for command, value in ((Command.SETV, 400), (Command.SETA, 250), (Command.SETA, -350), (Command.SETRV, 40)):
        tell(modem, command, value)
    tell(modem, Command.CONFIG, 1)
    config = unpack_config(modem.take(0x20)[0])
    assert (config.speed_max, config.acceleration, config.deceleration, config.rotation_speed_max) == (400, 250, 350, 40)


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


def for_laser(index: int, number: Command, value: int) -> bytes:
    """A laser command with the byte that says which laser."""
    (packet,) = PacketReader().feed(client.command(number, value))
    return encode(packet.id, packet.data + bytes((index,)))


def totals(bench: Stand, modem: NullModem) -> dict[int, int]:
    """How many readings each laser sends, by its number."""
    modem.take()
    bench.step()
    return {packet.device: packet.total for packet in map(unpack_laser, modem.take(0x61))}


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


def test_the_odometry_error_is_drawn_before_the_robot_moves(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh")
    modem = bench.connect()
    tell(modem, Command.SIM_STAT)
    stat = unpack_simstat(modem.take(0x62)[0])
    assert 0 < abs(stat.error_x) <= 0.0075 * 1e10
    assert 0 < abs(stat.error_heading) <= 0.0075 * 1e7


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


def test_the_condition_of_a_robot_is_as_new_in_the_next_session(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SPOOFANALOGTEMP, 40)
    modem.send(client.two_byte_command(Command.DIGOUT, 0x0F, 0x05))
    assert last_sip(bench, modem).temperature == 40
    modem.hang_up()
    sip = last_sip(bench, bench.connect())
    assert (sip.temperature, sip.digital_out) == (-127, 0xFF)


def test_the_watchdog_only_warns(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.VEL, 200)
    bench.step(40)
    assert sum("no action taken" in line for line in bench.lines()) == 1
    assert bench.robots[0].velocity[0] == pytest.approx(0.2)
    modem.send(client.SYNCS[0])
    assert any("watchdog warning reset" in line for line in bench.lines())


def test_the_watchdog_stops_the_robot_when_asked_to_until_the_next_command(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--watchdog-stop")
    modem = bench.connect()
    tell(modem, Command.VEL, 200)
    bench.step(40)
    assert bench.robots[0].velocity[0] == 0.0
    tell(modem, Command.VEL, 200)
    bench.step(10)
    assert bench.robots[0].velocity[0] > 0.0


def test_a_fast_simulation_does_not_bark_at_a_client_that_keeps_to_real_time(stand: Make) -> None:
    bench = stand()
    bench.connect()
    for _ in range(40):
        bench.now += 0.01
        bench.program.clock.step()
    assert not any("Watchdog" in line for line in bench.lines())


def test_every_session_starts_alike(stand: Make) -> None:
    bench = stand()
    first = bench.connect()
    for command, value in ((Command.SETA, 1000), (Command.SETV, 100), (Command.BATTEST, 90), (Command.ENABLE, 0)):
        tell(first, command, value)
    tell(first, Command.SIM_LRF_ENABLE, 2)
    first.send(client.control(client.ControlOperation.GHOST))
    first.send(client.CLOSE)
    assert first.closed
    second = bench.connect()
    sip = last_sip(bench, second)
    assert (sip.flags, sip.battery) == (0x1F, 130)
    tell(second, Command.VEL, 900)
    assert last_sip(bench, second).left_speed == 30
    assert not bench.robots[0].ghost
    assert second.take(0x60, 0x61) == []


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
    bench = stand("--nomap", "-r", "p3dx-sh:a", "-r", "p3dx-sh:b", "--map-dir", str(room_map.parent))
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
    bench = stand("--nomap", "-r", "p3dx-sh", "--map-dir", str(room_map.parent))
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


def test_the_state_log_says_where_the_robot_is(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    modem.send(encode(Command.SIM_CTRL, b"\x2b\x05\x00why not\0"))
    assert any("why not" in line for line in bench.lines())
    assert any("true pose" in line for line in bench.lines())


def test_a_line_that_does_not_hang_up_takes_the_next_session(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--pty", "--no-noise")
    modem = bench.dial()
    modem.send(b"WMS2\r", *client.SYNCS, client.OPEN)
    tell(modem, Command.VEL, 300)
    bench.step(5)
    assert {packet.id for packet in modem.take(*SIPS)} == {0x32}, "0x33 would keep ARIA from closing an old session"
    modem.send(client.CLOSE)
    assert not modem.closed
    bench.step(3)
    assert modem.take() == []
    modem.send(*client.SYNCS, client.OPEN)
    bench.step()
    assert [packet.id for packet in modem.take()] == [0, 1, 2, 0x32]
    assert not any("no packet" in line for line in bench.lines())


def test_a_client_that_opens_a_line_at_once_after_another_gets_a_session_of_its_own(stand: Make) -> None:
    bench = stand("--nomap", "-r", "p3dx-sh", "--pty", "--no-noise")
    modem = bench.dial()
    modem.send(b"WMS2\r", *client.SYNCS, client.OPEN)
    tell(modem, Command.VEL, 300)
    bench.step(5)
    modem.take()
    modem.send(b"WMS2\r", *client.SYNCS, client.OPEN)
    bench.step(2)
    assert [packet.id for packet in modem.take()] == [0, 1, 2, 0x32, 0x32]
    assert bench.robots[0].velocity == (0.0, 0.0, 0.0), "a session begins like every other"
    assert bench.logged("A new client begins on this line") == 1


def test_a_packet_split_over_two_reads_with_more_behind_it_is_obeyed(stand: Make) -> None:
    modem = stand().connect()
    stat = client.command(Command.SIM_STAT, 1)
    modem.send(stat[:4])
    modem.send(stat[4:] + stat)
    assert len(modem.take(0x62)) == 2


def test_one_write_holds_simstat_sip_and_scan_in_this_order(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.SIM_STAT, 2)
    tell(modem, Command.SIM_LRF_ENABLE, 2)
    writes: list[bytes] = []
    modem.write = lambda data: writes.append(data) is None  # type: ignore[method-assign]
    bench.step()
    assert len(writes) == 1
    ids = [packet.id for packet in modem.reader.feed(writes[0])]
    assert ids == [0x62, 0x32] + [0x61] * 6


def test_a_burst_of_map_requests_ends_with_its_client(tmp_path: Path) -> None:
    stand = Stand("--nomap", "-r", "p3dx", "-r", "p3dx", maps=tmp_path)
    waiting: list[Callable[[], None]] = []
    stand.program.worlds.run_beside = lambda work, done: waiting.append(lambda: done(*attempt(work)))
    flooder = stand.connect()
    for number in range(1000):
        flooder.send(client.control(client.ControlOperation.LOAD_MAP, f"map{number}.map"))
    flooder.hang_up()
    waiting.pop(0)()
    assert waiting == []
    assert not stand.program.worlds.is_loading
