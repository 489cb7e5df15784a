"""Commands by name."""

from __future__ import annotations

import pytest

from mobilesim_py.errors import UsageError
from mobilesim_py.protocols.arcos.client import (
    command,
    control,
    device_request,
    set_pose,
    text_command,
    two_byte_command,
)
from mobilesim_py.protocols.arcos.command_rows import ArgumentKind, Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation, WirePose, decode
from mobilesim_py.protocols.arcos.named_command import KINDS, named_command
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader, encode

SAMPLES: dict[ArgumentKind, tuple[object, ...]] = {
    ArgumentKind.NONE: (),
    ArgumentKind.INT: (-5,),
    ArgumentKind.OPTIONAL_INT: (7,),
    ArgumentKind.TWO_BYTES: (-5, 5),
    ArgumentKind.STRING: ("hello",),
    ArgumentKind.DATA: (b"\1\2",),
    ArgumentKind.ODOMETRY: (1, -2, 3),
    ArgumentKind.POSE: (1000, -2000, 90),
    ArgumentKind.LASER: (-90, 1),
    ArgumentKind.CONTROL: (1, "a.map"),
    ArgumentKind.DEVICE: ("gps", 0),
}


def one(data: bytes) -> Packet:
    (packet,) = PacketReader().feed(data)
    return packet


@pytest.mark.parametrize("name", Command.__members__)
def test_every_command_can_be_sent_by_its_name(name: str) -> None:
    packet = one(named_command(name.lower(), *SAMPLES[KINDS[name]]))
    assert packet.id == Command[name]


def test_the_bytes_are_those_of_aria() -> None:
    assert named_command("VEL", -200) == command(11, -200) == named_command(11, -200) == named_command(Command.VEL, -200)
    assert named_command("PULSE") == command(0)
    assert named_command("SETLATV", 300) == command(0, 300)
    assert named_command("VEL2", -5, 5) == two_byte_command(32, -5, 5) == encode(32, b"\x1b\xfb\x04")
    assert named_command("SIM_MESSAGE", "hello") == text_command(238, "hello")
    assert named_command("SIM_SET_POSE", 1000, -2000, 90) == set_pose(WirePose(1000, -2000, 90))
    assert named_command("SIM_CTRL", 6) == control(ControlOperation.SIM_INFO)
    assert named_command("SIM_DEVICE_DATA", "gps") == device_request("gps")
    assert named_command("WHEEL_LIGHT", b"\1\2\3\4") == encode(212, b"\x2b\1\2\3\4")
    assert named_command("SIM_LRF_ENABLE", 2) == command(230, 2)
    assert named_command("SIM_LRF_SET_FOV_START", -90, 1) == encode(231, b"\x1b\x5a\x00\x01")
    assert named_command("SIM_LRF_SET_FOV_END", 90, 2) == encode(232, b"\x3b\x5a\x00\x02")


def test_our_own_robot_understands_the_odometry() -> None:
    assert named_command("SETO") == command(7)
    assert decode(one(named_command("SETO", 10, -20, 30))).odometry() == WirePose(10, -20, 30)


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("VELL", (1,), 'There is no command "VELL". Did you mean VEL'),
        ("QQQQQ", (), r'There is no command "QQQQQ"\.$'),
        (200, (), 'There is no command "200"'),
        ("VEL", (), "VEL takes int, not nothing"),
        ("VEL", ("fast",), "VEL takes int, not 'fast'"),
        ("VEL", (1.5,), "VEL takes int, not 1.5"),
        ("VEL", (40000,), "VEL takes int, not 40000"),
        ("STOP", (1,), "STOP takes none, not 1"),
        ("VEL2", (300, 0), "VEL2 takes 2 bytes, not 300, 0"),
        ("SETO", (1, 2), "SETO takes none, or int,int,int, not 1, 2"),
        ("SIM_CTRL", (99,), "SIM_CTRL takes int, then more, not 99"),
        ("SIM_MESSAGE", ("x" * 300,), "SIM_MESSAGE takes string"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(name: str | int, arguments: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        named_command(name, *arguments)
