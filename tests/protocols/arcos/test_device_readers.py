"""What devices say is read as it was packed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos import device_packets as packers
from mobilesim_py.protocols.arcos.device_packets import Compass, Encoders, GripperState, Joystick, Sound
from mobilesim_py.protocols.arcos.device_readers import (
    DEVICE_READERS,
    ArmInfo,
    AuxData,
    Batteries,
    BatteryState,
    GyroReadings,
    ImuReadings,
    IoState,
)
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader, encode
from mobilesim_py.protocols.arcos.received import read

TWO = Batteries((BatteryState(b"\1\2\3", 90, 80), BatteryState(b"\0\0\0", 10, 5)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (packers.pack_encoders(Encoders(-5, 70000)), Encoders(-5, 70000)),
        (packers.pack_io((1, 2, 3, 4), 5, (0, 1023)), IoState((1, 2, 3, 4), (5,), (0, 1023))),
        (packers.pack_gripper(GripperState(1, 2, 3)), GripperState(1, 2, 3)),
        (packers.pack_battery(((1, 2, 3, 90, 80), (0, 0, 0, 10, 5))), TWO),
        (packers.pack_gyro(((512, 25), (500, 26))), GyroReadings(((512, 25), (500, 26)))),
        (packers.pack_imu(9, ((-7, 3),)), ImuReadings(9, ((-7, 3),))),
        (packers.pack_joystick(Joystick(1, 0, 3, 4, 5)), Joystick(1, 0, 3, 4, 5)),
        (packers.pack_compass(Compass(heading=900, roll=-3)), Compass(heading=900, roll=-3)),
        (packers.pack_aux(2, b"hello"), AuxData(2, b"hello")),
        (packers.pack_sound(Sound(3, 1, b"bark".ljust(16, b"\0"))), Sound(3, 1, b"bark".ljust(16, b"\0"))),
        (packers.pack_no_arm(), ArmInfo("No arm", 0)),
    ],
)
def test_a_packet_is_read_as_what_it_is(data: bytes, message: object) -> None:
    (packet,) = PacketReader().feed(data)
    assert read(packet) == message


@pytest.mark.parametrize(
    ("number", "data", "message"),
    [
        (packers.BATTERY, b"\2\0\1\2", Batteries(())),
        (packers.BATTERY, b"\1\7abcde\1\2", Batteries((BatteryState(b"abc", ord("d"), ord("e")),))),
        (packers.BATTERY, b"\1\2\1\2", Batteries((BatteryState(b"\1\2\0", 0, 0),))),
        (packers.GYRO, b"\3\0\2", GyroReadings(())),
        (packers.IO, b"\x04\1", IoState((1,), (), ())),
        (packers.ENCODER, b"\1", Encoders(1, 0)),
    ],
)
def test_what_is_missing_is_zero_or_not_there(number: int, data: bytes, message: object) -> None:
    assert read(Packet(number, data)) == message


@given(st.sampled_from(sorted(DEVICE_READERS)), st.binary(max_size=204))
def test_no_packet_is_an_error(number: int, data: bytes) -> None:
    message: Any = read(PacketReader().feed(encode(number, data))[0])
    assert not isinstance(message, Packet)
