"""Where robots are: start poses, SIM_SET_POSE, SIM_RESET, SETO and the SRISim commands, as SIMSTAT and scans tell."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import Packet
from mobilesim_py.protocols.arcos.simulator import WireSimStat, unpack_simstat

from .recording import LASER_EXTENDED, SIMSTAT, load
from .replay import Replay, changes
from .stand import Stand


def stats(packets: list[Packet]) -> list[WireSimStat]:
    return [unpack_simstat(packet) for packet in packets]


def first_poses(replay: Replay) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    """For every client: the first true position recorded, and ours."""
    result = []
    for name, client in replay.clients.items():
        theirs, mine = stats(replay.recording.packets(name, SIMSTAT)), stats(client.packets(SIMSTAT))
        if theirs:
            result.append((name, (theirs[0].x, theirs[0].y), (mine[0].x, mine[0].y)))
    return result


@pytest.mark.parametrize(
    "name", ["start_home_columbia", "start_home_test_dock", "start_home_test_robothome", "start_nomap", "start_fixed"]
)
def test_robots_start_where_the_original_starts_them(name: str, maps: Path) -> None:
    poses = first_poses(Replay(load(name), maps))
    assert len(poses) == 3
    assert [theirs for _, theirs, _ in poses] == [ours for _, _, ours in poses]


@pytest.mark.parametrize(
    ("name", "heading"), [("start_home_test_dock", 45), ("start_home_test_robothome", 90), ("start_fixed", 90)]
)
def test_start_headings_are_degrees_which_the_original_takes_for_radians(name: str, heading: int, maps: Path) -> None:
    replay = Replay(load(name), maps)
    assert stats(replay["A"].packets(SIMSTAT))[0].heading == heading
    wrong = stats(replay.recording.packets("A", SIMSTAT))[0].heading
    assert wrong == pytest.approx(math.degrees(heading), abs=1.0)


def test_robots_start_outside_of_the_map_beside_its_upper_left_corner(maps: Path) -> None:
    replay = Replay(load("start_outside"), maps)
    bounds = replay.stand.program.simulation.world.bounds
    ours = stats(replay["A"].packets(SIMSTAT))[0]
    assert (ours.x, ours.y) == (round(1000 * bounds.min_x) - 2000, round(1000 * bounds.max_y))
    below = stats(replay["B"].packets(SIMSTAT))[0]
    assert (below.x, below.y) == (ours.x, ours.y - 1000)


@pytest.mark.parametrize("name", ["factory_start_home", "factory_start_robothome", "factory_start_fixed"])
def test_the_first_robot_of_a_factory_starts_where_the_original_starts_it_and_no_two_overlap(name: str, maps: Path) -> None:
    poses = first_poses(Replay(load(name), maps))
    assert poses[0][1] == poses[0][2]
    ours = [mine for _, _, mine in poses]
    assert all(math.dist(a, b) > 600 for index, a in enumerate(ours) for b in ours[:index])


def test_every_factory_robot_is_gone_with_its_client(maps: Path) -> None:
    replay = Replay(load("factory"), maps)
    assert {robot.name for robot in replay.stand.program.simulation.robots} == {"127.0.0.1", "127.0.0.1-2"}
    for client in replay.clients.values():
        client.hang_up()
    assert replay.stand.program.simulation.robots == []


def test_set_pose_moves_the_true_pose_only_and_the_next_scan_says_so(maps: Path) -> None:
    replay = Replay(load("set_pose_odometry"), maps)
    for packets in (replay.recording.packets("A"), replay["A"].packets()):
        flags = [unpack_laser(p).flags for p in packets if p.id == LASER_EXTENDED]
        assert sum(flags) == 2
        first = [unpack_laser(p).first for p in packets if p.id == LASER_EXTENDED and unpack_laser(p).flags]
        assert first == [0, 0]
    theirs, ours = stats(replay.recording.packets("A", SIMSTAT))[-1], stats(replay["A"].packets(SIMSTAT))[-1]
    assert (ours.x, ours.y) == (theirs.x, theirs.y) == (1000000, -2000000)
    assert ours.heading == 40
    assert theirs.heading == 400
    assert (replay["A"].sip.x, replay["A"].sip.y) == pytest.approx((replay.recording.sips("A")[-1][1].x, 0), abs=25)


def test_sim_reset_brings_the_robot_back_to_its_start_and_its_odometry_to_zero(maps: Path) -> None:
    replay = Replay(load("sim_reset"), maps)
    ours = stats(replay["A"].packets(SIMSTAT))[-1]
    assert (ours.x, ours.y, ours.heading) == (-182, 176, 0)
    assert (replay["A"].sip.x, replay["A"].sip.y, replay["A"].sip.heading) == (0, 0, 0)


def test_the_true_pose_of_srisim_commands_is_the_recorded_one(maps: Path) -> None:
    replay = Replay(load("srisim_compat"), maps)

    def positions(packets: list[Packet]) -> list[tuple[int, int]]:
        return changes((stat.x, stat.y) for stat in stats(packets))

    assert positions(replay["A"].packets(SIMSTAT)) == positions(replay.recording.packets("A", SIMSTAT))


def test_sim_stat_without_an_argument_is_answered_once(maps: Path) -> None:
    stand = Stand(load("simstat").options, maps)
    client = stand.open()
    client.send(command(237))
    stand.step(3)
    assert len(client.packets(SIMSTAT)) == 1


def test_latitude_and_longitude_are_those_of_the_map_with_ten_million_units_per_degree(maps: Path) -> None:
    stand = Stand(load("simstat").options, maps)
    client = stand.open()
    client.robot.place(0.0, 0.0, 0.0)
    client.send(command(237, 1))
    (stat,) = stats(client.packets(SIMSTAT))
    # The receiver is not in the middle of the robot: a unit is about a centimetre.
    assert (stat.latitude, stat.longitude) == pytest.approx((428000000, -711000000), abs=40)
    assert (stat.altitude, stat.gps) == (10000, 100)
    recorded = stats(load("simstat").packets("A", SIMSTAT))[0]
    assert stat.flags & 2 == recorded.flags & 2 == 2
    assert recorded.latitude / 1e7 == pytest.approx(42.806, abs=0.001)


def longitude_of(name: str, maps: Path) -> tuple[int, int]:
    """What the recording of a model and what ours tells at the map's origin, heading east."""
    stand = Stand(load(name).options, maps)
    client = stand.open()
    client.robot.place(0.0, 0.0, 0.0)
    client.send(command(237, 1))
    return stats(load(name).packets("A", SIMSTAT))[0].longitude, stats(client.packets(SIMSTAT))[0].longitude


def test_the_longitude_of_a_p3dx_sh_is_that_of_its_antenna(maps: Path) -> None:
    (their_p3dx, p3dx), (their_p3dx_sh, p3dx_sh) = (longitude_of(f"handshake_{name}", maps) for name in ("p3dx", "p3dx-sh"))
    assert their_p3dx == their_p3dx_sh
    # 160 mm to the west, of which a ten-millionth of a degree is 8.2 here.
    assert p3dx_sh - p3dx == pytest.approx(-160 / 8.2, abs=1.0)


@pytest.mark.parametrize("edge", [100.0, 250.0])
def test_the_empty_world_has_no_edge(edge: float) -> None:
    stand = Stand(("--nomap", "--no-noise", "-r", "p3dx-sh:robot1"))
    client = stand.open()
    client.robot.place(edge - 0.5, 0.0, 0.0)
    client.send(command(230, 2))
    laser = client.robot.lasers[0]
    assert set(laser.ranges.tolist()) == {laser.model.range_max}
    client.send(command(11, 500))
    stand.run(5.0)
    assert client.robot.pose.x > edge + 1.0
