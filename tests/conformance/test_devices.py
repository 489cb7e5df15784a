"""Sonar, lasers, battery and time, checked against what the facts say where there is no recording to play."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from mobilesim_py.protocols.arcos.client import command
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader, encode

from .recording import LASER_EXTENDED, load
from .replay import Replay
from .stand import Stand

SONAR_ON = 0x1F
"""The flags of a SIP with motors and sonar on."""
EMPTY = ("--nomap", "--odom-error-mode", "none", "-r", "p3dx-sh:robot1")


def test_a_robot_that_tells_its_state_of_charge_obeys_battest() -> None:
    stand = Stand(("--nomap", "-r", "mt400:robot1"))
    client = stand.open()
    stand.step()
    assert (client.sip.battery, client.sip.state_of_charge) == (0, 100)
    for value, charge in ((50, 50), (10, 10), (0, 100)):
        client.send(command(Command.BATTEST, value))
        stand.step()
        assert client.sip.state_of_charge == charge


def test_a_powerbot_has_its_32_sonar_readings_in_every_sip(maps: Path) -> None:
    stand = Stand(("-m", "room.map", "-r", "powerbot-sh:robot1"), maps)
    client = stand.open()
    stand.step(3)
    for sip in client.sips:
        assert [index for index, _ in sip.sonar] == list(range(32))


def test_laser_noise_is_as_wide_as_recorded(maps: Path) -> None:
    recorded = np.array(_beam_ahead(load("laser_noise_stats").packets("A", LASER_EXTENDED)))
    stand = Stand(("-m", "room.map", "-r", "p3dx-sh:robot1"), maps)
    client = stand.open()
    client.send(command(Command.SIM_LRF_ENABLE, 2))
    stand.run(20.0)
    ours = np.array(_beam_ahead(client.packets(LASER_EXTENDED)))
    assert np.ptp(ours) <= 10
    assert ours.std() == pytest.approx(recorded.std(), abs=0.6)


def _beam_ahead(packets: list[Packet]) -> list[int]:
    """The range of reading 90 in every scan [mm]."""
    found = []
    for packet in packets:
        part = unpack_laser(packet)
        if part.first <= 90 < part.first + len(part.ranges):
            found.append(part.ranges[90 - part.first])
    return found


@pytest.mark.parametrize(
    ("start", "end", "hundredths", "count"),
    [
        (-90, 90, 100, 181),
        (-90, 90, 50, 361),
        (0, 180, 100, 181),
        (-60, 30, 100, 91),
        (90, -90, 100, 181),
        (-90, 90, 33, 541),
    ],
)
def test_readings_are_an_increment_apart_from_start_to_end(
    start: int, end: int, hundredths: int, count: int, maps: Path
) -> None:
    stand = Stand(("-m", "room.map", "--no-noise", "-r", "p3dx-sh:robot1"), maps)
    client = stand.open()
    client.send(command(Command.SIM_LRF_SET_FOV_START, start), command(Command.SIM_LRF_SET_FOV_END, end))
    client.send(command(Command.SIM_LRF_SET_RES, hundredths), command(Command.SIM_LRF_ENABLE, 2))
    stand.step()
    ranges = [distance for packet in client.packets(LASER_EXTENDED) for distance in unpack_laser(packet).ranges]
    assert len(ranges) == count
    mount = client.robot.lasers[0].model.pose
    for index in (0, 1, count // 3, count - 2, count - 1):
        angle = math.radians(start + (end - start) * index / (count - 1))
        assert ranges[index] == pytest.approx(1000 * _to_the_wall(mount.x, angle), abs=1.0)


def _to_the_wall(x: float, angle: float) -> float:
    """How far it is from a place on the x axis to the walls of the room at +-5 m."""
    c, s = math.cos(angle), math.sin(angle)
    ways = [(math.copysign(5.0, c) - x) / c if abs(c) > 1e-9 else math.inf, 5.0 / abs(s) if abs(s) > 1e-9 else math.inf]
    return min(ways)


def test_boxes_are_seen_by_lasers_and_sonar_as_their_attributes_say(maps: Path) -> None:
    stand = Stand(("-m", "objects.map", "--no-noise", "-r", "p3dx-sh:robot1"), maps)
    client = stand.open()
    client.send(command(Command.SIM_LRF_ENABLE, 2))
    laser = client.robot.lasers[0]

    def ahead(degrees: int) -> float:
        client.robot.place(0.0, 0.0, math.radians(degrees))
        return float(laser.ranges[90]) + laser.model.pose.x

    assert ahead(90) == pytest.approx(2.5)  # Sim.Obstacle=yes
    assert ahead(180) == pytest.approx(2.5)  # ... Sim.LaserReflect=32
    assert ahead(-90) == pytest.approx(5.0)  # ... Sim.LaserReflect=0 Sim.SonarReflect=no
    assert ahead(0) == pytest.approx(3.0)  # a Reflector line
    client.robot.place(0.0, -1.5, math.radians(-90.0))
    client.send(command(Command.VEL, 300))
    stand.run(4.0)
    assert client.sip.stall_and_bumpers == 0x0101  # What no sensor sees is there all the same.


def test_reflectors_shine_as_recorded(maps: Path) -> None:
    replay = Replay(load("map_objects_reflectors"), maps)

    def brightest(packets: list[Packet]) -> list[int]:
        scans: list[int] = []
        for packet in packets:
            part = unpack_laser(packet)
            if part.first == 0:
                scans.append(0)
            scans[-1] = max(scans[-1], *part.reflectance)
        return scans

    theirs = brightest(replay.recording.packets("A", LASER_EXTENDED))
    ours = brightest(replay["A"].packets(LASER_EXTENDED))
    assert set(ours) == set(theirs)


def test_a_seekurjr_has_a_laser_at_each_end_with_235_readings() -> None:
    stand = Stand(("--nomap", "-r", "seekurjr:robot1"))
    client = stand.open()
    assert [laser.model.pose.x for laser in client.robot.lasers] == [0.527, -0.527]
    client.send(_for_laser(0, Command.SIM_LRF_ENABLE, 2), _for_laser(1, Command.SIM_LRF_ENABLE, 2))
    stand.step()
    assert {(part.device, part.total) for part in map(unpack_laser, client.packets(LASER_EXTENDED))} == {(0, 235), (1, 235)}


def test_the_second_laser_is_commanded_and_told_apart() -> None:
    stand = Stand(("--nomap", "-r", "p3dx-with-rear-laser:robot1"))
    client = stand.open()
    client.send(_for_laser(1, Command.SIM_LRF_ENABLE, 2))
    stand.step()
    assert {unpack_laser(packet).device for packet in client.packets(LASER_EXTENDED)} == {1}


def _for_laser(index: int, number: Command, value: int) -> bytes:
    """A laser command with the byte that says which laser."""
    (packet,) = PacketReader().feed(command(number, value))
    return encode(packet.id, packet.data + bytes((index,)))


@pytest.mark.parametrize("number", [Command.OLD_LRF_PARMSTART, Command.OLD_LRF_PARMEND])
def test_the_old_field_of_view_commands_turn_the_laser_off(number: Command) -> None:
    stand = Stand(EMPTY)
    client = stand.open()
    client.send(command(Command.SIM_LRF_ENABLE, 2), command(number, 45))
    stand.step(2)
    assert client.packets(LASER_EXTENDED) == []


def test_sonar_that_are_switched_on_tell_their_readings_at_once(maps: Path) -> None:
    replay = Replay(load("sonar_onoff"), maps)
    theirs, ours = [sip for _, sip in replay.recording.sips("A")], replay["A"].sips
    assert {len(sip.sonar) for sip in ours if sip.flags == SONAR_ON} == {16}
    assert {len(sip.sonar) for sip in theirs if sip.flags == SONAR_ON} == {0, 16}


# Time


def test_sips_follow_simulated_time_at_any_step_and_speed() -> None:
    for interval, step, steps in (("25", "25", 4), ("20", "100", 1)):
        stand = Stand((*EMPTY, "--update-interval", interval, "--update-sim-time", step))
        client = stand.open()
        stand.step(50 * steps)
        assert len(client.sips) == 50
        assert stand.time == pytest.approx(5.0)


@pytest.mark.parametrize("name", ["faster_than_realtime", "update_interval_25"])
def test_a_robot_goes_as_far_as_recorded_at_other_steps(name: str, maps: Path) -> None:
    replay = Replay(load(name), maps)
    theirs = max(sip.x for _, sip in replay.recording.sips("A"))
    ours = max(sip.x for sip in replay["A"].sips)
    # In the original acceleration is per real second and motion per simulated one, and a command is read in real time.
    ratio = replay.stand.program.simulation.dt / replay.stand.program.clock.real_interval()
    assert ours == pytest.approx(theirs, abs=0.30 * theirs if ratio > 1.0 else 60)
