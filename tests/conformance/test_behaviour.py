"""What clients do of which there is no recording: the same scripts, checked against what the facts say must come of it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mobilesim_py.core.simulation import OdometryError
from mobilesim_py.protocols.arcos.client import CLOSE, OPEN, SYNCS, command, control, device_request, set_pose
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.protocols.arcos.instruction import ControlOperation, WirePose
from mobilesim_py.protocols.arcos.simulator import DEVICE_DATA, MapChanged, unpack_map_changed, unpack_simstat

from .recording import CONFIG, LASER_EXTENDED, MAP_CHANGED, SIMSTAT
from .stand import Client, Stand

EMPTY = ("--nomap", "--odom-error-mode", "none", "-r", "p3dx-sh:robot1")
DEGREE = 4096 / 360
"""Units of a SIP's heading in a degree."""


def go(client: Client, number: int, value: int, seconds: float, stand: Stand) -> None:
    client.send(command(number, value))
    stand.run(seconds)


def heading(client: Client) -> float:
    return client.sip.heading / DEGREE


# Motion


def test_driving_and_turning_at_once_is_a_circle_of_speed_over_rotation() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    client.send(command(Command.VEL, 400), command(Command.ROTATE, 20))
    stand.run(8.0)
    radius = 400.0 / math.radians(20.0)
    start, way = client.sip, [client.sip]
    for _ in range(180):
        stand.step()
        way.append(client.sip)
    xs, ys = [sip.x for sip in way], [sip.y for sip in way]
    assert max(xs) - min(xs) == pytest.approx(2 * radius, abs=15)
    assert max(ys) - min(ys) == pytest.approx(2 * radius, abs=15)
    assert math.hypot(client.sip.x - start.x, client.sip.y - start.y) < 15
    assert (client.sip.left_speed + client.sip.right_speed) / 2 == pytest.approx(400, abs=1)
    assert client.sip.rotation_speed == pytest.approx(200, abs=1)
    client.send(command(Command.VEL, 0), command(Command.ROTATE, 0))
    stand.run(2.0)
    assert (client.sip.left_speed, client.sip.right_speed, client.sip.rotation_speed) == (0, 0, 0)


def test_a_move_at_45_degrees_goes_its_whole_length() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    go(client, Command.HEAD, 45, 8.0, stand)
    go(client, Command.MOVE, 1000, 8.0, stand)
    assert (client.sip.x, client.sip.y) == pytest.approx((707, 707), abs=5)


def test_relative_turns_across_half_a_turn_are_exact() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    for number, value, end in (
        *((Command.HEAD, 150, 150), (Command.DHEAD, 90, -120), (Command.DHEAD, -90, 150), (Command.HEAD, -20, -20)),
        (Command.DHEAD, 40, 20),
    ):
        go(client, number, value, 9.0, stand)
        assert math.remainder(heading(client) - end, 360.0) == pytest.approx(0.0, abs=0.3)


@pytest.mark.parametrize("number", [Command.HEAD, Command.VEL])
def test_a_command_that_is_repeated_every_cycle_goes_on_with_the_motion_under_way(number: int) -> None:
    once, often = Stand(EMPTY), Stand(EMPTY)
    a, b = once.open(), often.open()
    a.send(command(number, 90))
    for _ in range(60):
        b.send(command(number, 90))
        once.step()
        often.step()
        assert b.sip.x == pytest.approx(a.sip.x, abs=1)
        assert b.sip.heading == pytest.approx(a.sip.heading, abs=2)


def test_a_robot_that_drives_into_a_corner_stalls_there_and_can_back_off(maps: Path) -> None:
    stand = Stand(("-m", "room.map", "--odom-error-mode", "none", "-r", "p3dx-sh:robot1"), maps)
    client = stand.open()
    client.send(set_pose(WirePose(3500, 3500, 45)))
    go(client, Command.VEL, 300, 8.0, stand)
    assert client.sip.stall_and_bumpers == 0x0101
    pose = client.robot.pose
    assert max(x for x, _ in placed(client)) < 5.0
    assert max(y for _, y in placed(client)) < 5.0
    assert math.hypot(pose.x - 3.5, pose.y - 3.5) > 1.2
    go(client, Command.VEL, 0, 0.6, stand)
    assert client.sip.stall_and_bumpers == 0
    go(client, Command.VEL, -200, 2.0, stand)
    assert client.sip.stall_and_bumpers == 0
    assert math.hypot(client.robot.pose.x - pose.x, client.robot.pose.y - pose.y) > 0.25


def placed(client: Client) -> list[tuple[float, float]]:
    """The corners of a robot's outline where it stands [m]."""
    pose = client.robot.pose
    c, s = math.cos(pose.heading), math.sin(pose.heading)
    return [
        (pose.x + x * c - y * s, pose.y + x * s + y * c) for polygon in client.robot.model.body.footprint for x, y in polygon
    ]


def test_a_silent_client_gets_its_sips_for_ever_and_its_robot_drives_on() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    client.send(command(Command.VEL, 50))
    stand.run(70.0)
    assert len(client.sips) == 700
    assert client.sip.x == pytest.approx(3500, abs=20)
    assert stand.logged("Have not received a valid command packet") == 1
    client.send(command(Command.PULSE))
    assert stand.logged("Data reception restored") == 1


# Odometry


@pytest.mark.parametrize(("mode", "most"), [("random_init", 0.0075), ("constant", 0.0075), ("none", 0.0)])
def test_odometry_errs_by_one_share_for_the_whole_way(mode: str, most: float) -> None:
    shares = []
    for seed in range(4):
        stand = Stand(("--nomap", "-r", "p3dx-sh:robot1", "--odom-error-mode", mode, "--seed", str(seed)))
        client = stand.open()
        client.send(command(Command.VEL, 1000))
        stand.run(5.0)
        first = client.robot.odometry.x / client.robot.pose.x - 1.0
        stand.run(5.0)
        share = client.robot.odometry.x / client.robot.pose.x - 1.0
        assert share == pytest.approx(first, abs=1e-9)
        shares.append(share)
    assert all(abs(share) <= most + 1e-9 for share in shares)
    assert len({round(share, 7) for share in shares}) == (4 if OdometryError(mode) is OdometryError.RANDOM_INIT else 1)


def test_errors_that_are_redrawn_at_every_step_average_out_as_recorded() -> None:
    stand = Stand(("--nomap", "-r", "p3dx-sh:robot1"))
    client = stand.open()
    client.send(command(Command.VEL, 1000))
    stand.run(20.0)
    # Recorded: 4 mm on 19 m. A random walk of 0.43 mm steps is within 25 mm after 200 of them.
    assert 1000 * abs(client.robot.odometry.x - client.robot.pose.x) < 25.0
    assert client.robot.odometry.x != client.robot.pose.x


# Bytes


def test_syncs_and_open_in_one_write_are_all_answered() -> None:
    stand = Stand(EMPTY)
    client = stand.connect()
    client.send(b"".join(SYNCS) + OPEN)
    assert [packet.id for packet in client.packets()] == [0, 1, 2]
    stand.step(15)
    assert len(client.sips) == 15


def test_a_split_packet_with_another_behind_it_does_not_stop_the_receiver() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    packet = command(Command.SIM_STAT, 1)
    client.send(packet[:4], packet[4:] + packet, packet, packet)
    assert len(client.packets(SIMSTAT)) == 4


def test_a_client_that_does_not_read_loses_packets_and_nothing_else() -> None:
    stand = Stand(EMPTY)
    slow = stand.open()
    slow.send(command(Command.SIM_LRF_ENABLE, 2))
    stand.step(5)
    slow.reads = False
    stand.run(20.0)
    slow.reads = True
    stand.step(10)
    assert slow.dropped == 200
    assert len(slow.sips) == 15
    assert len(slow.packets(LASER_EXTENDED)) == 15 * 6
    assert not slow.closed


def test_a_client_of_an_amigobot_gets_the_speed_that_it_asked_for() -> None:
    stand = Stand(("--nomap", "-r", "amigo:robot1"))
    client = stand.open()
    go(client, Command.VEL, 200, 2.0, stand)
    assert client.sip.left_speed * client.robot.model.pioneer.conversion.velocity == pytest.approx(200, abs=1)
    assert client.robot.model.pioneer.conversion.velocity != 1.0


# Several robots


def test_different_robots_are_on_the_ports_in_the_order_of_the_command_line(maps: Path) -> None:
    robots = ("-r", "powerbot-sh:a", "-r", "amigo-sh:b", "-r", "seekur:c", "-r", "p3dx-sh:d")
    stand = Stand(("-m", "columbia.map", *robots), maps)
    names = []
    for offset in range(4):
        client = stand.open(offset)
        client.send(command(Command.CONFIG, 1))
        names.append(unpack_config(client.packets(CONFIG)[0]).subclass)
    assert names == ["powerbot-sh", "amigo-sh", "seekur", "p3dx-sh"]


def test_factories_take_the_ports_after_the_robots(maps: Path) -> None:
    stand = Stand(("-m", "columbia.map", "-R", "p3dx-sh", "-R", "amigo-sh", "-r", "p3at-sh:single"), maps)
    names = []
    for offset in range(3):
        client = stand.open(offset)
        names.append(client.robot.model.name)
    assert names == ["p3at-sh", "p3dx-sh", "amigo-sh"]
    assert len(stand.doors) == 3
    with pytest.raises(ConnectionRefusedError):
        stand.connect(0)
    assert stand.open(1).robot.model.name == "p3dx-sh"


def test_factories_of_different_models_make_robots_that_do_not_overlap(maps: Path) -> None:
    stand = Stand(("-m", "columbia.map", "-R", "p3dx-sh", "-R", "amigo-sh", "-R", "powerbot-sh"), maps)
    clients = [stand.open(offset) for offset in range(3)]
    assert [client.robot.model.name for client in clients] == ["p3dx-sh", "amigo-sh", "powerbot-sh"]
    for client in clients:
        client.send(command(Command.VEL, 100))
    stand.run(1.0)
    assert [client.sip.stall_and_bumpers for client in clients] == [0, 0, 0]


def test_random_starts_differ_and_are_free(maps: Path) -> None:
    robots = ("-r", "p3dx-sh:r1", "-r", "p3dx-sh:r2", "-r", "p3dx-sh:r3")
    stand = Stand(("-m", "room.map", *robots, "--start", "random"), maps)
    poses = []
    for offset in range(3):
        client = stand.open(offset)
        client.send(command(Command.SIM_STAT, 1))
        stat = unpack_simstat(client.packets(SIMSTAT)[0])
        poses.append((stat.x, stat.y))
        assert max(abs(value) for corner in placed(client) for value in corner) < 5.0
    assert all(math.dist(a, b) > 400 for index, a in enumerate(poses) for b in poses[:index])


def test_every_client_hears_of_a_new_map_and_a_master_keeps_others_from_changing_it(maps: Path) -> None:
    stand = Stand(("-m", "room.map", "-r", "p3dx-sh:r1", "-r", "p3dx-sh:r2"), maps)
    a, b = stand.open(0), stand.open(1)

    def heard(client: Client) -> list[MapChanged]:
        return [unpack_map_changed(packet) for packet in client.packets(MAP_CHANGED)]

    a.send(control(ControlOperation.LOAD_MAP, "dock.map"))
    stand.step(3)
    assert heard(a) == heard(b) == [MapChanged("dock.map", loaded=True)]
    b.send(control(ControlOperation.LOAD_MAP, "dock.map"))
    stand.step(3)
    assert heard(a)[1:] == heard(b)[1:] == [MapChanged("dock.map", loaded=False)]
    b.send(control(ControlOperation.MASTER_LOAD_MAP, "room.map"))
    stand.step(3)
    assert heard(a)[2:] == heard(b)[2:] == [MapChanged("room.map", loaded=True)]
    a.send(control(ControlOperation.LOAD_MAP, "dock.map"))
    stand.step(3)
    assert len(heard(a)) == len(heard(b)) == 3
    a.send(control(ControlOperation.MASTER_LOAD_MAP, "room.map"))
    stand.step(3)
    assert heard(b)[3:] == [MapChanged("room.map", loaded=False)]


def test_after_close_the_port_is_free_at_once_and_the_next_session_begins_like_the_first() -> None:
    stand = Stand(EMPTY)
    first = stand.open()
    with pytest.raises(ConnectionRefusedError):
        stand.connect()
    stand.step()
    fresh = first.sip
    first.send(command(Command.SETA, 1000), command(Command.BATTEST, 105), command(Command.DIGOUT, 0x5500))
    go(first, Command.VEL, 300, 2.0, stand)
    first.send(CLOSE)
    assert first.closed
    second = stand.open()
    stand.step()
    assert second.sip == fresh


def test_each_unsupported_command_is_named_once() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    for _ in range(3):
        client.send(command(Command.POLLING, 1), command(Command.TORQUEINFO, 1))
    assert [stand.logged(f"unsupported command {number}") for number in (3, 124)] == [1, 1]


@pytest.mark.parametrize(("model", "goes"), [("seekur", False), ("p3dx-sh", True)])
def test_a_robot_that_does_not_know_move_stays(model: str, goes: bool) -> None:
    stand = Stand(("--nomap", "-r", f"{model}:robot1"))
    client = stand.open()
    go(client, Command.MOVE, 500, 5.0, stand)
    assert (client.sip.x > 400) == goes


def test_a_request_for_gps_data_is_answered() -> None:
    client = Stand(EMPTY).open()
    client.send(device_request("gps"))
    (packet,) = client.packets(DEVICE_DATA)
    assert packet.data.startswith(b"robot1.gps:0\0gps\0")


def test_syncs_that_were_sent_again_before_they_were_heard_get_one_answer() -> None:
    client = Stand(EMPTY).connect()
    client.send(SYNCS[0] * 3)
    assert [packet.id for packet in client.packets()] == [0]
    client.send(*SYNCS[1:])
    assert [packet.id for packet in client.packets()] == [0, 1, 2]


def test_35_alone_chooses_an_analog_port() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    client.send(command(35, 2))
    stand.run(0.2)
    assert (client.sip.analog_port, client.packets(0x60, 0x61)) == (2, [])


def test_devices_that_the_original_never_had_answer() -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    client.send(*(command(number, 1) for number in (Command.ENCODER, Command.IOREQUEST, Command.BATTERYINFO)))
    stand.run(0.2)
    assert [packet.id for packet in client.packets(0x90, 0xF0, 0xFA)] == [0x90, 0xF0, 0xFA]
