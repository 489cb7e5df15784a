"""The SIP: the same bytes as the original where nothing is meant to differ, one robot or many."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.layout import fields_of
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.quantities import Factor, State
from mobilesim_py.protocols.arcos.sip import (
    HEAD,
    MAX_READINGS,
    NO_TEMPERATURE,
    TAIL,
    SipBatch,
    WireSip,
    pack_sips,
    unpack_sip,
)

STANDING, MOVING = 0x32, 0x33
AT_REST = {
    State.BATTERY: 13.0,
    State.TEMPERATURE: NO_TEMPERATURE,
    State.MOTORS_ON: 1.0,
    State.SONAR_ON: 1.0,
    State.DIGITAL_IN: 255.0,
    State.DIGITAL_OUT: 255.0,
}
FACTORS = {
    Factor.DISTANCE: 1.0,
    Factor.VELOCITY: 1.0,
    Factor.RANGE: 1.0,
    Factor.ANGLE: 0.001534,
    Factor.DIFFERENCE: 0.0056,
}


@dataclass(frozen=True)
class Robot:
    """What one robot tells; all that is not said is that of a robot at rest."""

    state: Mapping[State, float] = field(default_factory=dict)
    factors: Mapping[Factor, float] = field(default_factory=dict)
    ranges: tuple[float, ...] = ()
    first: int = 0
    tells_motion: bool = True


def pack(*robots: Robot) -> list[bytes]:
    ranges = np.full((len(robots), 250), 99.0)
    for row, robot in zip(ranges, robots, strict=True):
        row[robot.first : robot.first + len(robot.ranges)] = robot.ranges
    tables = [(AT_REST | dict(robot.state), FACTORS | dict(robot.factors)) for robot in robots]
    return pack_sips(
        SipBatch(
            state=np.array([[state.get(row, 0.0) for state, _ in tables] for row in State]),
            factors=np.array([[factors[row] for _, factors in tables] for row in Factor]),
            tells_motion=np.array([robot.tells_motion for robot in robots], bool),
            sonar_ranges=ranges,
            sonar_first=np.array([robot.first for robot in robots], int),
            sonar_count=np.array([len(robot.ranges) for robot in robots], int),
        )
    )


def read(packet: bytes) -> WireSip:
    (only,) = PacketReader().feed(packet)
    return unpack_sip(only)


def told(state: Mapping[State, float] | None = None, factors: Mapping[Factor, float] | None = None, **more: Any) -> WireSip:
    return read(pack(Robot(state or {}, factors or {}, **more))[0])


def test_every_recorded_sip_is_read_and_written_back_byte_for_byte(recorded: Callable[..., list[bytes]]) -> None:
    sips = recorded("rx", None, STANDING)
    assert len(sips) > 700
    assert [read(packet).encode() for packet in sips] == sips


def test_a_robot_at_rest_sends_the_recorded_bytes(recorded: Callable[..., list[bytes]]) -> None:
    first = recorded("rx", "handshake_p3dx", STANDING)[0]
    ranges = tuple(distance / 1000 for _, distance in read(first).sonar)
    assert pack(Robot(ranges=ranges)) == [first]


@pytest.mark.parametrize(("sonars", "size"), [(0, 41), (8, 65), (16, 89), (32, 137)])
def test_the_length_depends_on_the_number_of_sonars(sonars: int, size: int) -> None:
    assert [len(packet) for packet in pack(Robot(ranges=(1.0,) * sonars))] == [size]


def test_positions_are_in_units_of_the_distance_factor_cut_toward_zero() -> None:
    sip = told({State.X: 1.0, State.Y: -1.0}, {Factor.DISTANCE: 0.485})
    assert (sip.x, sip.y) == (2061, -2061)


def test_positions_wrap_to_16_bits() -> None:
    assert told({State.X: 40.0}).x == 40000 - 65536
    assert told({State.X: -40.0}).x == 65536 - 40000
    assert told({State.X: 1e6}).x == ((10**9 + 32768) % 65536) - 32768


def test_recorded_positions_follow_from_the_true_ones(recorded: Callable[..., list[bytes]]) -> None:
    """Odometry had no error in this recording: SIMSTAT (cut to mm) and the SIP after it tell the same place."""
    packets = PacketReader().feed(b"".join(recorded("rx", "vel_forward_p3dx_distconv", 0x62, STANDING)))
    pairs = [(a, b) for a, b in itertools.pairwise(packets) if (a.id, b.id) == (0x62, STANDING)]
    assert len(pairs) > 200
    for stat, sip in pairs:
        true_x = int.from_bytes(stat.data[12:16], "little", signed=True)
        possible = {told({State.X: (true_x + d) / 1000}, {Factor.DISTANCE: 0.485}).x for d in (-1, 0, 1)}
        assert min(abs(unpack_sip(sip).x - x) for x in possible) <= 1


@pytest.mark.parametrize(
    ("degrees", "units"), [(0, 0), (1, 11), (90, 1024), (-90, -1024), (180, 2048), (270, -1024), (720.5, 6)]
)
def test_headings_have_4096_units_in_a_turn(degrees: float, units: int) -> None:
    assert told({State.HEADING: math.radians(degrees)}).heading == units


def test_recorded_headings_are_met_within_the_degree_that_they_were_cut_to() -> None:
    for degrees, recorded_units in ((1, 11), (90, 1023), (180, 2047), (-45, -511)):
        assert abs(told({State.HEADING: math.radians(degrees)}).heading - recorded_units) <= 1


def test_wheel_speeds_are_those_of_the_recording(recorded: Callable[..., list[bytes]]) -> None:
    turning = [sip for sip in map(read, recorded("rx", "rotate", STANDING)) if sip.rotation_speed]
    assert len(turning) > 50
    for sip in turning:
        ours = told({State.ROTATION: math.radians(sip.rotation_speed / 10)})
        assert abs(ours.left_speed - sip.left_speed) <= 1
        assert abs(ours.right_speed - sip.right_speed) <= 1
        assert ours.rotation_speed == sip.rotation_speed


def test_speeds_are_in_units_of_the_velocity_factor() -> None:
    sip = told({State.FORWARD: 0.3}, {Factor.VELOCITY: 0.6154})
    assert (sip.left_speed, sip.right_speed) == (487, 487)


def test_without_a_difference_factor_both_wheels_have_the_same_speed() -> None:
    sip = told({State.FORWARD: 0.3, State.ROTATION: 1.0}, {Factor.DIFFERENCE: 0.0})
    assert (sip.left_speed, sip.right_speed) == (300, 300)


def test_rotation_is_told_in_tenths_of_a_degree() -> None:
    assert told({State.ROTATION: math.radians(12.3)}).rotation_speed == 123


@pytest.mark.parametrize("speed", [{State.FORWARD: 0.1}, {State.FORWARD: -0.1}, {State.LATERAL: 0.1}, {State.ROTATION: 0.1}])
def test_the_id_tells_whether_the_robot_moves(speed: dict[State, float]) -> None:
    assert told().id == STANDING
    assert told(speed).id == MOVING


def test_on_a_line_that_does_not_hang_up_the_id_tells_no_motion() -> None:
    assert told({State.FORWARD: 0.1}, tells_motion=False).id == STANDING


def test_a_stalled_robot_stalls_with_both_wheels() -> None:
    assert told().stall_and_bumpers == 0
    assert told({State.STALLED: 1.0}).stall_and_bumpers == 0x0101


def test_flags_tell_motors_and_sonar() -> None:
    assert told().flags == 0x1F
    assert told({State.MOTORS_ON: 0.0}).flags == 0x1E
    assert told({State.SONAR_ON: 0.0}).flags == 0x01


def test_heat_is_a_fault() -> None:
    assert told().faults == 0
    assert told({State.OVERHEATED: 1.0}).faults == 0x0002


def test_digital_ports_have_their_places() -> None:
    sip = told({State.DIGITAL_IN: 1.0, State.DIGITAL_OUT: 2.0})
    assert (sip.digital_in, sip.digital_out) == (1, 2)


def test_batteries_tell_tenths_of_a_volt_of_which_one_byte_wraps() -> None:
    assert (told({State.BATTERY: 10.5}).battery, told({State.BATTERY: 10.5}).battery_voltage) == (105, 105)
    assert (told({State.BATTERY: 30.0}).battery, told({State.BATTERY: 30.0}).battery_voltage) == (44, 300)


def test_temperature_and_state_of_charge_have_their_places() -> None:
    assert (told().temperature, told().state_of_charge) == (-127, 0)
    assert (told({State.TEMPERATURE: 36.6}).temperature, told({State.CHARGE: 100.0}).state_of_charge) == (37, 100)


def test_sonar_ranges_are_in_units_of_the_range_factor_and_numbered() -> None:
    sip = told({}, {Factor.RANGE: 0.268}, ranges=(1.0, 5.0), first=6)
    assert sip.sonar == ((6, 3731), (7, 18657))


def test_values_beyond_their_field_stop_at_its_end() -> None:
    sip = told({State.FORWARD: 1e9, State.LATERAL: -1e9, State.TEMPERATURE: 1000.0}, ranges=(1e9, -1.0, math.inf, math.nan))
    assert (sip.left_speed, sip.lateral_speed, sip.temperature) == (32767, -32768, 127)
    assert [distance for _, distance in sip.sonar] == [65535, 0, 65535, 0]


def test_no_more_readings_are_packed_than_a_packet_can_hold() -> None:
    assert len(told(ranges=(1.0,) * 200).sonar) == MAX_READINGS


def test_a_sip_that_ends_early_reads_as_zeros() -> None:
    assert unpack_sip(Packet(STANDING)).sonar == ()
    assert unpack_sip(Packet(STANDING, pack(Robot({State.X: 1.0}))[0][4:10])).x == 1000


def test_a_sip_that_ends_inside_its_readings_has_the_whole_ones() -> None:
    (whole,) = pack(Robot(ranges=(1.0, 2.0, 3.0)))
    assert unpack_sip(Packet(STANDING, whole[4 : 4 + 19 + 7])).sonar == ((0, 1000), (1, 2000))


def numbers(low: float, high: float, *rows: Any) -> st.SearchStrategy[dict[Any, float]]:
    return st.fixed_dictionaries({row: st.floats(low, high) for row in rows})


def merged(*parts: st.SearchStrategy[dict[Any, float]]) -> st.SearchStrategy[dict[Any, float]]:
    return st.tuples(*parts).map(lambda found: {row: value for part in found for row, value in part.items()})


robots = st.builds(
    Robot,
    state=merged(
        numbers(-1e4, 1e4, State.X, State.Y),
        numbers(-100, 100, State.HEADING, State.TEMPERATURE, State.CHARGE),
        numbers(-10, 10, State.FORWARD, State.LATERAL, State.ROTATION),
        numbers(0, 1, State.STALLED, State.MOTORS_ON, State.SONAR_ON, State.OVERHEATED),
    ),
    factors=st.fixed_dictionaries(
        {
            Factor.DISTANCE: st.sampled_from([1.0, 0.485, 0.05066]),
            Factor.VELOCITY: st.sampled_from([1.0, 0.6154, 2.5332]),
            Factor.RANGE: st.sampled_from([1.0, 0.268, 0.1734]),
            Factor.ANGLE: st.sampled_from([0.001534, 0.0061359]),
            Factor.DIFFERENCE: st.sampled_from([0.0056, 0.0034, 0.0]),
        }
    ),
    ranges=st.lists(st.floats(0, 6), max_size=8).map(tuple),
    first=st.integers(0, 8),
    tells_motion=st.booleans(),
)


@given(st.lists(robots, min_size=1, max_size=6))
def test_many_robots_get_the_same_bytes_as_each_alone(robots: list[Robot]) -> None:
    assert pack(*robots) == [packet for robot in robots for packet in pack(robot)]


@given(robots)
def test_what_is_packed_is_read_back_and_packed_to_the_same_bytes(robot: Robot) -> None:
    (packet,) = pack(robot)
    assert read(packet).encode() == packet


def test_no_robots_have_no_packets() -> None:
    assert pack() == []


def test_every_field_is_a_row_of_the_table() -> None:
    names = [row.name for row in (*HEAD, *TAIL) if row.name != "sonar_count"]
    assert names == [row.name for row in fields_of(WireSip)]
    assert HEAD[-1].name == "sonar_count"


@pytest.mark.parametrize(("heading", "units"), [(0.0, 0), (1e-9, 1), (-1e-9, -1), (0.0007, 1), (-0.0007, -1), (0.0016, 1)])
def test_a_heading_that_is_not_zero_is_never_told_as_zero(heading: float, units: int) -> None:
    assert told({State.HEADING: heading}).heading == units
