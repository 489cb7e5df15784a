"""Laser packets: the original's layout, whole scans, one robot or many."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.laser import LaserPacket, Scan, ScanBatch, pack_scan, pack_scans, unpack_laser
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader

PLAIN, EXTENDED = 0x60, 0x61


def read(data: bytes) -> list[LaserPacket]:
    return [unpack_laser(packet) for packet in PacketReader().feed(data)]


@pytest.mark.parametrize("packet_id", [PLAIN, EXTENDED])
def test_every_recorded_packet_is_read_and_written_back_byte_for_byte(
    recorded: Callable[..., list[bytes]], packet_id: int
) -> None:
    packets = recorded("rx", None, packet_id)
    assert len(packets) > 200
    assert [read(packet)[0].encode() for packet in packets] == packets


@pytest.mark.parametrize("packet_id", [PLAIN, EXTENDED])
def test_a_recorded_scan_is_packed_into_the_recorded_bytes(recorded: Callable[..., list[bytes]], packet_id: int) -> None:
    recorded_scan = b"".join(recorded("rx", "handshake_p3dx-sh", packet_id)[:6])
    packets = read(recorded_scan)
    assert [packet.first for packet in packets] == [0, 32, 64, 96, 128, 160]
    ranges = np.array([distance for packet in packets for distance in packet.ranges]) / 1000
    reflectance = np.array([value for packet in packets for value in packet.reflectance] or [0] * ranges.size)
    place = packets[0]
    pose = {"x": place.x / 1000, "y": place.y / 1000, "heading": math.radians(place.heading)}
    assert pack_scan(Scan(ranges, reflectance, packet_id == EXTENDED, **pose)) == recorded_scan


def test_181_readings_take_the_recorded_lengths() -> None:
    lengths = [len(packet.encode()) for packet in PacketReader().feed(pack_scan(Scan(np.ones(181))))]
    assert lengths == [173] * 5 + [118]


@pytest.mark.parametrize("total", [1, 31, 32, 33, 64, 181, 361, 541, 811])
@pytest.mark.parametrize("extended", [True, False])
def test_a_scan_of_any_size_is_whole_and_never_runs_over_its_end(total: int, extended: bool) -> None:
    packets = read(pack_scan(Scan(np.arange(total) / 1000, extended=extended)))
    assert [distance for packet in packets for distance in packet.ranges] == list(range(total))
    assert all(packet.total == total and packet.first + len(packet.ranges) <= total for packet in packets)
    assert [packet.first for packet in packets] == list(range(0, total, 32))


def test_only_the_first_packet_tells_that_the_robot_was_moved() -> None:
    assert [packet.flags for packet in read(pack_scan(Scan(np.ones(70), moved=True)))] == [1, 0, 0]
    assert [packet.flags for packet in read(pack_scan(Scan(np.ones(70))))] == [0, 0, 0]


def test_plain_packets_tell_the_odometry() -> None:
    (packet,) = read(pack_scan(Scan(np.ones(3), extended=False, x=1.2344, y=-40.0, heading=math.radians(270))))
    assert (packet.x, packet.y, packet.heading) == (1234, 65536 - 40000, -90)


def test_ranges_are_whole_millimetres_that_fit() -> None:
    (packet,) = read(pack_scan(Scan(np.array([1.2344, 1.2346, 100.0, -1.0, math.inf, math.nan]))))
    assert packet.ranges == (1234, 1235, 65535, 0, 65535, 0)


def test_reflectance_is_only_in_extended_packets() -> None:
    assert read(pack_scan(Scan(np.ones(2), np.array([1, 33]))))[0].reflectance == (1, 33)
    assert read(pack_scan(Scan(np.ones(2), np.array([1, 33]), extended=False)))[0].reflectance == ()


def test_a_scan_without_readings_is_no_packet() -> None:
    assert pack_scan(Scan(np.zeros(0))) == b""
    assert pack_scans(ScanBatch(np.zeros(0), np.zeros(0, int))) == []


scans = st.builds(
    Scan,
    ranges=st.lists(st.floats(0, 33), max_size=70).map(np.array),
    reflectance=st.integers(0, 255),
    extended=st.booleans(),
    moved=st.booleans(),
    x=st.floats(-100, 100),
    y=st.floats(-100, 100),
    heading=st.floats(-10, 10),
)


@given(st.lists(scans, min_size=1, max_size=6))
def test_many_robots_get_the_same_bytes_as_each_alone(robots: list[Scan]) -> None:
    columns: dict[str, Any] = {
        name: np.array([getattr(robot, name) for robot in robots]) for name in ("extended", "moved", "x", "y", "heading")
    }
    counts = np.array([robot.ranges.size for robot in robots])
    batch = ScanBatch(
        ranges=np.concatenate([robot.ranges for robot in robots]),
        counts=counts,
        reflectance=np.repeat([robot.reflectance for robot in robots], counts),
        **columns,
    )
    assert pack_scans(batch) == [pack_scan(robot) for robot in robots]


def test_a_packet_that_ends_early_reads_as_zeros() -> None:
    assert unpack_laser(Packet(EXTENDED, b"\x02\0\0\0\x02")).ranges == (0, 0)
    assert unpack_laser(Packet(PLAIN)).total == 0
