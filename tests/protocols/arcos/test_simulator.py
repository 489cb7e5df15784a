"""SIMSTAT, SIMINFO and SIM_MAP_CHANGED."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.simulator import (
    Device,
    Georeference,
    MapChanged,
    OdometryError,
    SimInfo,
    SimStat,
    WireSimStat,
    pack_gps,
    pack_map_changed,
    pack_siminfo,
    pack_simstat,
    unpack_map_changed,
    unpack_siminfo,
    unpack_simstat,
)


def only(data: bytes) -> Packet:
    (packet,) = PacketReader().feed(data)
    return packet


def stat(**values: Any) -> WireSimStat:
    return unpack_simstat(only(pack_simstat(SimStat(**values))))


def test_recorded_simstats_are_read_and_written_back_byte_for_byte(recorded: Callable[..., list[bytes]]) -> None:
    packets = recorded("rx", None, 0x62)
    assert len(packets) > 400
    assert [unpack_simstat(only(packet)).encode() for packet in packets] == packets


def test_recorded_siminfos_are_read_and_written_back_byte_for_byte(recorded: Callable[..., list[bytes]]) -> None:
    packets = recorded("rx", None, 0x63)
    assert len(packets) > 40
    assert [pack_siminfo(unpack_siminfo(only(packet))) for packet in packets] == packets


def test_recorded_map_changes_are_read_and_written_back_byte_for_byte(recorded: Callable[..., list[bytes]]) -> None:
    packets = recorded("rx", None, 0x66)
    assert len(packets) >= 6
    assert [pack_map_changed(unpack_map_changed(only(packet))) for packet in packets] == packets


def test_a_recorded_simstat_is_packed_into_the_recorded_bytes_but_for_the_map_bit(
    recorded: Callable[..., list[bytes]],
) -> None:
    packet = recorded("rx", "handshake_p3dx", 0x62)[0]
    fields = unpack_simstat(only(packet))
    place = Georeference(fields.latitude / 1e7, fields.longitude / 1e7, fields.altitude / 100, fields.gps / 100)
    state = SimStat(fields.x / 1000, fields.y / 1000, 0.0, math.radians(fields.heading), georeference=place)
    error = OdometryError(fields.error_x / 1e10, fields.error_y / 1e10, fields.error_heading / 1e7)
    state = replace(state, last_interval=fields.last_interval / 1000, odometry_error=error if fields.flags & 4 else None)
    assert pack_simstat(state) == packet
    assert unpack_simstat(only(pack_simstat(replace(state, has_map=True)))).flags == fields.flags | 1


def test_flags_tell_map_georeference_and_odometry_error() -> None:
    assert stat().flags == 0
    assert stat(has_map=True).flags == 1
    assert stat(georeference=Georeference(0, 0)).flags == 2
    assert stat(odometry_error=OdometryError()).flags == 4


def test_a_pose_that_was_set_in_millimetres_comes_back_the_same() -> None:
    assert [stat(x=x / 1000).x for x in (1003, -1003, 2007, 4097)] == [1003, -1003, 2007, 4097]


def test_true_positions_are_cut_toward_zero_and_stop_at_the_end_of_their_field() -> None:
    assert (stat(x=1.0039).x, stat(x=-1.0039).x) == (1003, -1003)
    assert (stat(x=1e9).x, stat(x=-1e9).x) == (2**31 - 1, -(2**31))


@pytest.mark.parametrize(("degrees", "told"), [(90, 90), (270, -90), (5157, 117), (-5265, 135), (179.4, 179), (180, 180)])
def test_the_true_heading_is_whole_degrees_within_half_a_turn(degrees: float, told: int) -> None:
    assert stat(heading=math.radians(degrees)).heading == told


def test_the_gps_field_tells_reception() -> None:
    assert stat().gps == -1
    assert stat(georeference=Georeference(42.0, -71.0)).gps == 100
    assert stat(georeference=Georeference(42.0, -71.0, dop=0.0)).gps == 0


def test_coordinates_have_seven_decimals() -> None:
    here = stat(georeference=Georeference(42.8060044, -71.5786632, -49.05))
    assert (here.latitude, here.longitude, here.altitude) == (428060044, -715786632, -4905)


def test_intervals_are_milliseconds() -> None:
    fields = stat(sim_interval=0.1, real_interval=0.025, last_interval=100.0)
    assert (fields.sim_interval, fields.real_interval, fields.last_interval) == (100, 25, 65535)


def test_odometry_errors_have_the_original_s_scale() -> None:
    fields = stat(odometry_error=OdometryError(0.0075, -0.0075, 0.0075))
    assert (fields.error_x, fields.error_y, fields.error_heading) == (75_000_000, -75_000_000, 75_000)


def test_siminfo_says_mobilesim_and_lists_the_devices() -> None:
    info = SimInfo("1.0", (Device("r.sonar:0", "sonar"), Device("r.lms200:0", "lms200", 0, 1)), interactive=True)
    again = unpack_siminfo(only(pack_siminfo(info)))
    assert again == info
    assert again.name == "MobileSim"


@pytest.mark.parametrize("name_length", range(1, 41))
def test_siminfo_lists_as_many_devices_as_it_has_room_for(name_length: int) -> None:
    info = SimInfo("1.0", tuple(Device("n" * name_length, "some kind", i) for i in range(40)))
    packet = only(pack_siminfo(info))
    devices = unpack_siminfo(packet).devices
    assert devices == info.devices[: len(devices)]
    one_more = name_length + 1 + len("some kind") + 1 + 5
    assert len(packet.data) <= 204 < len(packet.data) + one_more


def test_a_siminfo_that_promises_too_many_devices_is_read() -> None:
    data = b"x\0y\0" + b"\x03\0\0\0" + b"\xff\xff\xff\xff" + b"name\0type\0\0\0"
    info = unpack_siminfo(Packet(0x63, data))
    assert [device.name for device in info.devices] == ["name"]
    assert (info.interactive, info.restarted) == (True, True)


@pytest.mark.parametrize("change", [MapChanged("a.map"), MapChanged("a.map", loaded=False), MapChanged("a", by_user=True)])
def test_a_map_change_is_read_as_it_was_written(change: MapChanged) -> None:
    assert unpack_map_changed(only(pack_map_changed(change))) == change


def test_of_a_very_long_file_name_the_end_is_told() -> None:
    name = unpack_map_changed(only(pack_map_changed(MapChanged("/x" * 300 + "/office.map")))).file_name
    assert name.endswith("/x/office.map")


@given(st.integers(0x62, 0x66), st.binary(max_size=204))
def test_any_bytes_can_be_read(packet_id: int, data: bytes) -> None:
    packet = Packet(packet_id, data)
    assert unpack_simstat(packet).encode()
    assert len(unpack_siminfo(packet).devices) <= len(data)
    assert isinstance(unpack_map_changed(packet).file_name, str)


def test_gps_data_have_the_layout_that_test_mobile_sim_reads() -> None:
    (packet,) = PacketReader().feed(pack_gps("r.gps:0", 0, Georeference(42.8, -71.5, dop=1.5)))
    assert packet.id == 0x64
    assert packet.data == b"r.gps:0\0gps\0" + struct.pack("<Hiih", 0, 428000000, -715000000, 1500)


@pytest.mark.parametrize("place", [None, Georeference(42.8, -71.5, dop=0.0)])
def test_gps_data_without_reception_are_zero(place: Georeference | None) -> None:
    (packet,) = PacketReader().feed(pack_gps("r", 0, place))
    assert packet.data[-10:] == bytes(10)


def test_a_dilution_beyond_the_field_is_its_largest_number() -> None:
    (packet,) = PacketReader().feed(pack_gps("r", 0, Georeference(1.0, 1.0, dop=99.0)))
    assert packet.data[-2:] == b"\xff\x7f"
