"""The SIP: the same bytes as the original where nothing is meant to differ, one robot or many."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.catalogue.model import Conversion
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.sip import MAX_READINGS, Sip, SipBatch, WireSip, pack_sip, pack_sips, unpack_sip

STANDING, MOVING = 0x32, 0x33


def read(packet: bytes) -> WireSip:
    (only,) = PacketReader().feed(packet)
    return unpack_sip(only)


def wire(**values: Any) -> WireSip:
    return read(pack_sip(Sip(**values)))


def test_every_recorded_sip_is_read_and_written_back_byte_for_byte(recorded: Callable[..., list[bytes]]) -> None:
    sips = recorded("rx", None, STANDING)
    assert len(sips) > 700
    assert [read(packet).encode() for packet in sips] == sips


def test_a_robot_at_rest_sends_the_recorded_bytes(recorded: Callable[..., list[bytes]]) -> None:
    first = recorded("rx", "handshake_p3dx", STANDING)[0]
    ranges = tuple(distance / 1000 for _, distance in read(first).sonar)
    assert pack_sip(Sip(sonar_ranges=ranges)) == first


@pytest.mark.parametrize(("sonars", "size"), [(0, 41), (8, 65), (16, 89), (32, 137)])
def test_the_length_depends_on_the_number_of_sonars(sonars: int, size: int) -> None:
    assert len(pack_sip(Sip(sonar_ranges=(1.0,) * sonars))) == size


def test_positions_are_in_units_of_the_distance_factor_cut_toward_zero() -> None:
    conversion = Conversion(distance=0.485)
    assert wire(x=1.0, y=-1.0, conversion=conversion).x == 2061
    assert wire(x=1.0, y=-1.0, conversion=conversion).y == -2061


def test_positions_wrap_to_16_bits() -> None:
    assert wire(x=40.0).x == 40000 - 65536
    assert wire(x=-40.0).x == 65536 - 40000
    assert wire(x=1e6).x == ((10**9 + 32768) % 65536) - 32768


def test_recorded_positions_follow_from_the_true_ones(recorded: Callable[..., list[bytes]]) -> None:
    """Odometry had no error in this recording: SIMSTAT (cut to mm) and the SIP after it tell the same place."""
    packets = PacketReader().feed(b"".join(recorded("rx", "vel_forward_p3dx_distconv", 0x62, STANDING)))
    pairs = [(a, b) for a, b in itertools.pairwise(packets) if (a.id, b.id) == (0x62, STANDING)]
    assert len(pairs) > 200
    for stat, sip in pairs:
        true_x = int.from_bytes(stat.data[12:16], "little", signed=True)
        possible = {wire(x=(true_x + d) / 1000, conversion=Conversion(distance=0.485)).x for d in (-1, 0, 1)}
        assert min(abs(unpack_sip(sip).x - x) for x in possible) <= 1


@pytest.mark.parametrize(
    ("degrees", "units"), [(0, 0), (1, 11), (90, 1024), (-90, -1024), (180, 2048), (270, -1024), (720.5, 6)]
)
def test_headings_have_4096_units_in_a_turn(degrees: float, units: int) -> None:
    assert wire(heading=math.radians(degrees)).heading == units


def test_recorded_headings_are_met_within_the_degree_that_they_were_cut_to() -> None:
    for degrees, recorded_units in ((1, 11), (90, 1023), (180, 2047), (-45, -511)):
        assert abs(wire(heading=math.radians(degrees)).heading - recorded_units) <= 1


def test_wheel_speeds_are_those_of_the_recording(recorded: Callable[..., list[bytes]]) -> None:
    turning = [sip for sip in map(read, recorded("rx", "rotate", STANDING)) if sip.rotation_speed]
    assert len(turning) > 50
    for sip in turning:
        ours = wire(rotation_speed=math.radians(sip.rotation_speed / 10))
        assert abs(ours.left_speed - sip.left_speed) <= 1
        assert abs(ours.right_speed - sip.right_speed) <= 1
        assert ours.rotation_speed == sip.rotation_speed


def test_speeds_are_in_units_of_the_velocity_factor() -> None:
    sip = wire(forward_speed=0.3, conversion=Conversion(velocity=0.6154))
    assert (sip.left_speed, sip.right_speed) == (487, 487)


def test_without_a_difference_factor_both_wheels_have_the_same_speed() -> None:
    sip = wire(forward_speed=0.3, rotation_speed=1.0, conversion=Conversion(difference=0.0))
    assert (sip.left_speed, sip.right_speed) == (300, 300)


def test_rotation_is_told_in_tenths_of_a_degree() -> None:
    assert wire(rotation_speed=math.radians(12.3)).rotation_speed == 123


@pytest.mark.parametrize(
    "speed", [{"forward_speed": 0.1}, {"forward_speed": -0.1}, {"lateral_speed": 0.1}, {"rotation_speed": 0.1}]
)
def test_the_id_tells_whether_the_robot_moves(speed: dict[str, float]) -> None:
    assert wire().id == STANDING
    assert wire(**speed).id == MOVING


def test_on_a_line_that_does_not_hang_up_the_id_tells_no_motion() -> None:
    assert wire(forward_speed=0.1, tells_motion=False).id == STANDING


def test_stalls_and_bumpers_share_a_word() -> None:
    assert wire(stall_left=True, stall_right=True).stall_and_bumpers == 0x0101
    assert wire(rear_bumpers=0b11111).stall_and_bumpers == 0x003E
    assert wire(front_bumpers=0b00001, stall_left=True).stall_and_bumpers == 0x0201


def test_flags_tell_motors_sonar_and_emergency_stop() -> None:
    assert wire().flags == 0x1F
    assert wire(motors_on=False).flags == 0x1E
    assert wire(sonar_on=False).flags == 0x01
    assert wire(estop=True, flags=0x0400).flags == 0x043F


def test_batteries_tell_tenths_of_a_volt_of_which_one_byte_wraps() -> None:
    assert (wire(battery=10.5).battery, wire(battery=10.5).battery_voltage) == (105, 105)
    assert (wire(battery=30.0).battery, wire(battery=30.0).battery_voltage) == (44, 300)


def test_temperature_and_state_of_charge_have_their_places() -> None:
    assert (wire().temperature, wire().state_of_charge) == (-127, 0)
    assert (wire(temperature=36.6).temperature, wire(state_of_charge=100).state_of_charge) == (37, 100)


def test_sonar_ranges_are_in_units_of_the_range_factor_and_numbered() -> None:
    sip = wire(sonar_ranges=(1.0, 5.0), sonar_first=6, conversion=Conversion(range=0.268))
    assert sip.sonar == ((6, 3731), (7, 18657))


def test_values_beyond_their_field_stop_at_its_end() -> None:
    sip = wire(forward_speed=1e9, lateral_speed=-1e9, sonar_ranges=(1e9, -1.0, math.inf, math.nan), temperature=1000)
    assert (sip.left_speed, sip.lateral_speed, sip.temperature) == (32767, -32768, 127)
    assert [distance for _, distance in sip.sonar] == [65535, 0, 65535, 0]


def test_no_more_readings_are_packed_than_a_packet_can_hold() -> None:
    assert len(wire(sonar_ranges=(1.0,) * 200).sonar) == MAX_READINGS


def test_a_sip_that_ends_early_reads_as_zeros() -> None:
    assert unpack_sip(Packet(STANDING)).sonar == ()
    assert unpack_sip(Packet(STANDING, pack_sip(Sip(x=1.0))[4:10])).x == 1000


def test_a_sip_that_ends_inside_its_readings_has_the_whole_ones() -> None:
    whole = pack_sip(Sip(sonar_ranges=(1.0, 2.0, 3.0)))
    assert unpack_sip(Packet(STANDING, whole[4 : 4 + 19 + 7])).sonar == ((0, 1000), (1, 2000))


metres = st.floats(-1e4, 1e4)
conversions = st.builds(
    Conversion,
    distance=st.sampled_from([1.0, 0.485, 0.05066]),
    velocity=st.sampled_from([1.0, 0.6154, 2.5332]),
    range=st.sampled_from([1.0, 0.268, 0.1734]),
    angle=st.sampled_from([0.001534, 0.0061359]),
    difference=st.sampled_from([0.0056, 0.0034, 0.0]),
)
sips = st.builds(
    Sip,
    x=metres,
    y=metres,
    heading=st.floats(-100, 100),
    forward_speed=st.floats(-4, 4),
    lateral_speed=st.floats(-4, 4),
    rotation_speed=st.floats(-10, 10),
    battery=st.floats(0, 40),
    state_of_charge=st.floats(0, 100),
    temperature=st.floats(-127, 100),
    stall_left=st.booleans(),
    stall_right=st.booleans(),
    front_bumpers=st.integers(0, 255),
    rear_bumpers=st.integers(0, 255),
    motors_on=st.booleans(),
    sonar_on=st.booleans(),
    estop=st.booleans(),
    flags=st.integers(0, 0xFFFF),
    sonar_ranges=st.lists(st.floats(0, 6), max_size=8).map(tuple),
    sonar_first=st.integers(0, 8),
    gripper=st.integers(0, 255),
    digital_in=st.integers(0, 255),
    digital_out=st.integers(0, 255),
    charge_state=st.integers(0, 4),
    faults=st.integers(0, 0xFFFF),
    tells_motion=st.booleans(),
    conversion=conversions,
)


def batch_of(robots: list[Sip]) -> SipBatch:
    names = set(Sip.__dataclass_fields__) - {"sonar_ranges", "sonar_first", "conversion"}
    columns = {name: np.array([getattr(robot, name) for robot in robots]) for name in names}
    factors = {
        f"{name}_factor": np.array([getattr(robot.conversion, name) for robot in robots])
        for name in ("distance", "velocity", "range", "angle", "difference")
    }
    ranges = np.full((len(robots), 16), 99.0)
    for row, robot in zip(ranges, robots, strict=True):
        row[robot.sonar_first : robot.sonar_first + len(robot.sonar_ranges)] = robot.sonar_ranges
    first = np.array([robot.sonar_first for robot in robots])
    count = np.array([len(robot.sonar_ranges) for robot in robots])
    return SipBatch(**columns, **factors, sonar_ranges=ranges, sonar_first=first, sonar_count=count)


@given(st.lists(sips, min_size=1, max_size=6))
def test_many_robots_get_the_same_bytes_as_each_alone(robots: list[Sip]) -> None:
    assert pack_sips(batch_of(robots)) == [pack_sip(robot) for robot in robots]


def test_what_all_robots_share_can_be_one_number() -> None:
    zeros = np.zeros(2)
    counts = np.array([2, 0])
    batch = SipBatch(zeros, zeros, zeros, zeros, zeros, zeros, np.ones((2, 3)), np.zeros(2, int), counts)
    assert pack_sips(batch) == [pack_sip(Sip(sonar_ranges=(1.0, 1.0))), pack_sip(Sip())]


def test_no_robots_have_no_packets() -> None:
    none = np.zeros(0)
    whole_none = np.zeros(0, int)
    assert pack_sips(SipBatch(none, none, none, none, none, none, np.zeros((0, 0)), whole_none, whole_none)) == []


@pytest.mark.parametrize(("heading", "told"), [(0.0, 0), (1e-9, 1), (-1e-9, -1), (0.0007, 1), (-0.0007, -1), (0.0016, 1)])
def test_a_heading_that_is_not_zero_is_never_told_as_zero(heading: float, told: int) -> None:
    assert read(pack_sip(Sip(heading=heading))).heading == told
    batch = SipBatch(
        *(np.array([v]) for v in (0.0, 0.0, heading, 0.0, 0.0, 0.0)), np.zeros((1, 1)), np.array([0]), np.array([0])
    )
    assert read(pack_sips(batch)[0]).heading == told
