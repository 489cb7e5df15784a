"""SIPs and scans in metres and radians."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.protocols.arcos.laser import LaserPacket, Scan, pack_scan, unpack_laser
from mobilesim_py.protocols.arcos.measured import LaserScan, Odometer, ScanAssembler, Units, read_sip
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.sip import WireSip

P3DX = Units(distance=0.485)


def packet_of(sip: WireSip) -> Packet:
    (packet,) = PacketReader().feed(sip.encode())
    return packet


def test_a_sip_is_told_in_metres_and_radians() -> None:
    wire = WireSip(
        0x33,
        x=2000,
        y=-1000,
        heading=1024,
        left_speed=100,
        right_speed=300,
        battery=120,
        battery_voltage=131,
        stall_and_bumpers=0x0B01,
        flags=0x23,
        sonar=((0, 1500), (7, 5000)),
        rotation_speed=-100,
        lateral_speed=50,
        temperature=30,
        state_of_charge=80,
        digital_in=3,
        digital_out=4,
    )
    sip = read_sip(packet_of(wire), P3DX, Odometer())
    assert (sip.pose.x, sip.pose.y, sip.pose.heading) == pytest.approx((0.97, -0.485, math.pi / 2))
    assert (sip.forward, sip.lateral, sip.rotation) == pytest.approx((0.2, 0.05, math.radians(-10)))
    assert (sip.left, sip.right) == pytest.approx((0.1, 0.3))
    assert sip.moving
    assert not sip.is_still
    assert sip.stalled == (True, True)
    assert (sip.front_bumpers, sip.rear_bumpers) == (0b101, 0)
    assert (sip.motors, sip.sonar_on, sip.emergency_stop) == (True, True, True)
    assert (sip.battery, sip.charge, sip.temperature) == (13.1, 0.8, 30.0)
    assert sip.sonar == {0: 1.5, 7: 5.0}
    assert (sip.digital_in, sip.digital_out) == (3, 4)
    assert sip.wire == wire


def test_what_an_old_robot_leaves_out_is_reckoned() -> None:
    whole = packet_of(WireSip(0x32, left_speed=-100, right_speed=100, battery=125, sonar=((1, 700),), rotation_speed=999))
    short = Packet(0x32, whole.data[: 19 + 3])
    sip = read_sip(short, Units(), Odometer())
    assert sip.rotation == pytest.approx(100 * 0.0056)
    assert (sip.battery, sip.charge, sip.temperature) == (12.5, None, None)
    assert sip.sonar == {1: 0.7}


@pytest.mark.parametrize("size", [0, 3, 18, 19, 21, 30])
def test_a_sip_that_is_cut_anywhere_is_read(size: int) -> None:
    packet = packet_of(WireSip(0x32, x=5, sonar=((1, 700), (2, 800))))
    assert read_sip(Packet(0x32, packet.data[:size]), Units(), Odometer()).lateral == 0.0


def test_no_thermometer_and_no_charge_are_none() -> None:
    sip = read_sip(packet_of(WireSip(0x32, temperature=-127)), Units(), Odometer())
    assert (sip.temperature, sip.charge, sip.is_still) == (None, None, True)


def test_odometry_is_followed_over_its_ends() -> None:
    odometer = Odometer()
    assert odometer.follow(0x3FFF, -5) == (0x3FFF, -5)
    assert odometer.follow(-0x4000, 5) == (0x4000, 5)
    assert odometer.follow(-0x3F00, -10) == (0x4100, -10)
    assert odometer.follow(0x3FF0, 0) == (0x3FF0, 0)
    assert Odometer().follow(0x7FFF, 0x8001) == (-1, 1), "bit 15 means nothing"


def packets_of(count: int, extended: bool = True, device: int = 0) -> list[LaserPacket]:
    ranges = np.arange(count) / 100.0
    data = pack_scan(Scan(ranges, 1, extended, device=device))
    return [unpack_laser(packet) for packet in PacketReader().feed(data)]


@pytest.mark.parametrize("extended", [True, False])
def test_a_scan_is_put_together(extended: bool) -> None:
    assembler = ScanAssembler()
    scans = [assembler.take(packet) for packet in packets_of(181, extended)]
    assert scans[:-1] == [None] * 5
    assert scans[-1] is not None
    assert scans[-1].ranges.tolist() == pytest.approx((np.arange(181) / 100.0).tolist())
    assert len(scans[-1].reflectance) == (181 if extended else 0)


def test_scans_of_two_lasers_do_not_mix() -> None:
    assembler = ScanAssembler()
    pairs = zip(packets_of(70, device=0), packets_of(70, device=1), strict=True)
    scans = [assembler.take(packet) for pair in pairs for packet in pair]
    assert [scan.device for scan in scans if scan is not None] == [0, 1]


def test_a_scan_with_a_hole_is_dropped_and_the_next_is_whole() -> None:
    assembler = ScanAssembler()
    first, _, *rest = packets_of(181)
    assert [assembler.take(packet) for packet in (first, *rest)] == [None] * 5
    assert [assembler.take(packet) is not None for packet in packets_of(181)] == [False] * 5 + [True]


@pytest.mark.parametrize(
    "packet",
    [
        LaserPacket(10, 0, (1,) * 11, (0,) * 11),
        LaserPacket(0, 0, (), ()),
        LaserPacket(10, 5, (1,) * 5, (0,) * 5),
        LaserPacket(181, 0, (), ()),
    ],
)
def test_nonsense_is_no_scan(packet: LaserPacket) -> None:
    assert ScanAssembler().take(packet) is None


def test_a_changed_total_begins_anew() -> None:
    assembler = ScanAssembler()
    assert assembler.take(packets_of(181)[0]) is None
    assert assembler.take(packets_of(90)[1]) is None


def test_angles_are_those_that_were_asked_for_or_half_a_turn() -> None:
    assert LaserScan(np.ones(3), np.zeros(0, np.uint8)).angles == pytest.approx([-math.pi / 2, 0, math.pi / 2])
    assert LaserScan(np.ones(3), np.zeros(0, np.uint8), 0, 1.0, 0.5).angles == pytest.approx([1.0, 1.5, 2.0])
