"""Packets of devices, byte for byte as real clients read them."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.arcos import device_packets as packets
from mobilesim_py.protocols.arcos.device_packets import Compass, Encoders, GripperState, Joystick, Sound
from mobilesim_py.protocols.arcos.packet import PacketReader


def test_encoders_are_told_as_aria_reads_them() -> None:
    assert packets.pack_encoders(Encoders(-97920, -1120)).hex(" ") == "fa fb 0b 90 80 81 fe ff a0 fb ff ff 0e e2"


@pytest.mark.parametrize(("count", "told"), [(2**31, -(2**31)), (2**32 + 5, 5), (-(2**31) - 1, 2**31 - 1)])
def test_counts_wrap_at_32_bits(count: int, told: int) -> None:
    assert packets.pack_encoders(Encoders(count, 0)) == packets.pack_encoders(Encoders(told, 0))


def test_the_packet_of_inputs_and_outputs() -> None:
    analog = (0, 102, 205, 307, 410, 512, 614, 717, 1023)
    expected = (
        "fa fb 1d f0 04 fc ff ff ff 01 80 09 00 00 66 00 cd 00 33 01 9a 01 00 02 66 02 cd 02 ff 03 03 b7"
    )  # fmt: skip
    assert packets.pack_io((0xFC, 0xFF, 0xFF, 0xFF), 0x80, analog).hex(" ") == expected


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (GripperState(), "fa fb 06 e0 00 00 00 e0 00"),
        (GripperState(1, 0x30, 10), "fa fb 06 e0 01 30 0a 10 0b"),
        (GripperState(1, 0x3C, 10), "fa fb 06 e0 01 3c 0a 1c 0b"),
        (GripperState(1, 0xBD, 10), "fa fb 06 e0 01 bd 0a 9d 0b"),
        (GripperState(1, 0x0D, 10), "fa fb 06 e0 01 0d 0a ed 0b"),
    ],
)
def test_the_gripper(state: GripperState, expected: str) -> None:
    assert packets.pack_gripper(state).hex(" ") == expected


def test_batteries() -> None:
    assert packets.pack_battery([]).hex(" ") == "fa fb 05 fa 00 05 fa 05"
    two = packets.pack_battery([(1, 2, 3, 87, 85), (4, 5, 6, 77, 75)])
    assert two.hex(" ") == "fa fb 0f fa 02 05 01 02 03 57 55 04 05 06 4d 4b 62 e6"


def test_the_gyro() -> None:
    expected = "fa fb 10 98 04 eb 01 19 eb 01 19 eb 01 19 eb 01 19 a4 0e"
    assert packets.pack_gyro([(0x1EB, 25)] * 4).hex(" ") == expected


def test_more_readings_than_fit_are_cut_at_the_front() -> None:
    (packet,) = PacketReader().feed(packets.pack_gyro([(k, 0) for k in range(100)]))
    assert packet.data[0] == packets.MOST_READINGS
    assert packet.data[-3:] == bytes((99, 0, 0))


def test_the_inertial_unit() -> None:
    assert packets.pack_imu(100, [(100, 10)]).hex(" ") == "fa fb 0d 9a 64 01 01 01 64 00 00 01 0a 00 9d d3"


def test_the_joystick() -> None:
    assert packets.pack_joystick(Joystick()).hex(" ") == "fa fb 0b f8 00 00 00 02 00 02 ff 03 fc fc"
    pushed = packets.pack_joystick(Joystick(1, 0, 256, 1023, 1023))
    assert pushed.hex(" ") == "fa fb 0b f8 01 00 00 01 ff 03 ff 03 fd fc"


def test_the_compass() -> None:
    told = Compass(1234, -15, 20, 2011, -3022, 4033, 253, 0, 9, 8, 2345)
    expected = "fa fb 17 c0 d2 04 f1 ff 14 00 db 07 32 f4 c1 0f fd 00 00 00 09 08 29 09 d9 dd"
    assert packets.pack_compass(told).hex(" ") == expected


def test_bytes_of_a_serial_port() -> None:
    assert packets.pack_aux(1, bytes.fromhex("fe30303030ef")).hex(" ") == "fa fb 09 b0 fe 30 30 30 30 ef 11 b1"
    assert [packets.pack_aux(port, b"")[3] for port in (1, 2, 3)] == [0xB0, 0xB8, 0xC8]


def test_a_stored_sound() -> None:
    packet = packets.pack_sound(Sound(1, 1, b"hello", 0, 1000))
    assert packet.hex() == "fafb1dd0010168656c6c6f" + "00" * 11 + "00000000e8030000a72c"


def test_no_arm() -> None:
    (packet,) = PacketReader().feed(packets.pack_no_arm())
    assert (packet.id, packet.data) == (0xA1, b"No arm\0\0")
