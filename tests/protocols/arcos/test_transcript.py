"""A conversation in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.client import CLOSE, OPEN, SYNCS
from mobilesim_py.protocols.arcos.command_rows import ArgumentKind, Command
from mobilesim_py.protocols.arcos.config import Config, pack_config
from mobilesim_py.protocols.arcos.device_packets import Encoders, pack_encoders
from mobilesim_py.protocols.arcos.laser import LaserPacket
from mobilesim_py.protocols.arcos.measured import Units
from mobilesim_py.protocols.arcos.named_command import named_command
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.protocols.arcos.simulator import MapChanged, pack_map_changed
from mobilesim_py.protocols.arcos.sip import WireSip
from mobilesim_py.protocols.arcos.transcript import _ARGUMENTS, LONGEST, Transcript

IDENTITY = encode(2, b"MobileSim\0Pioneer\0p3dx\0")


def test_a_session_from_hello_to_goodbye() -> None:
    talk = Transcript()
    lines: list[str] = []
    for sync, answer in zip(SYNCS, (*SYNCS[:2], IDENTITY), strict=True):
        lines += talk.heard(False, sync) + talk.heard(True, answer)
    lines += talk.heard(False, OPEN + named_command("PULSE") + CLOSE + SYNCS[0])
    assert lines == [
        *("> SYNC0", "< SYNC0", "> SYNC1", "< SYNC1", "> SYNC2", "< SYNC2 MobileSim Pioneer p3dx"),
        *("> OPEN 1", "> PULSE", "> CLOSE 1", "> SYNC0"),
    ]


@pytest.mark.parametrize(
    ("packet", "line"),
    [
        (named_command("VEL", -300), "VEL -300"),
        (named_command("STOP"), "STOP"),
        (named_command("VEL2", 10, -5), "VEL2 10 -5"),
        (named_command("SETO"), "SETO 0 0 0"),
        (named_command("SETO", 1, 2, 3), "SETO 1 2 3"),
        (named_command("SIM_SET_POSE", 1, -2, 90), "SIM_SET_POSE 1 -2 90"),
        (encode(Command.SIM_SET_POSE, b"\0"), "SIM_SET_POSE incomplete"),
        (named_command("SIM_MESSAGE", "hello"), "SIM_MESSAGE 'hello'"),
        (named_command("SIM_CTRL", 1, "a.map"), "SIM_CTRL LOAD_MAP a.map"),
        (encode(Command.SIM_CTRL, b"\x2b\x63\0"), "SIM_CTRL 99"),
        (named_command("SIM_DEVICE_DATA", "gps", 1), "SIM_DEVICE_DATA gps 1"),
        (named_command("SIM_LRF_ENABLE", 2, 1), "SIM_LRF_ENABLE 2 of laser 1"),
        (encode(201, b"\1\2"), "command 201 01 02"),
    ],
)
def test_what_a_client_says(packet: bytes, line: str) -> None:
    talk = Transcript()
    talk.heard(False, OPEN)
    assert talk.heard(False, packet) == [f"> {line}"]


def test_every_kind_of_argument_can_be_told() -> None:
    assert set(_ARGUMENTS) == set(ArgumentKind)


def test_a_sip_is_told_in_metres_and_degrees() -> None:
    talk = Transcript(lambda subclass: Units(distance=0.5))
    talk.heard(True, IDENTITY)
    quiet = WireSip(0x32, x=2000, heading=1024, battery=130)
    assert talk.heard(True, quiet.encode()) == ["< SIP x 1.000 y 0.000 heading 90.0, left 0.000 right 0.000, battery 13.0"]
    busy = WireSip(0x33, flags=0x21, stall_and_bumpers=0x0203, sonar=((0, 1200), (3, 5000)))
    (line,) = talk.heard(True, busy.encode())
    assert line.endswith("motors, stalled, emergency stop, bumpers 1 1, sonar 0:1.20 3:5.00")


def test_other_packets_are_told_by_their_fields() -> None:
    talk = Transcript()
    assert talk.heard(True, LaserPacket(33, 32, (900,), (0,), 1).encode()) == [
        "< laser 1: readings 32 to 33 of 33, nearest 0.900"
    ]
    assert talk.heard(True, LaserPacket(0, 0, (), ()).encode()) == ["< laser 0: readings 0 to 0 of 0"]
    assert talk.heard(True, pack_map_changed(MapChanged("a.map", True, False))) == [
        "< MapChanged file_name=a.map loaded=True by_user=False"
    ]
    assert talk.heard(True, pack_encoders(Encoders(0, 7))) == ["< Encoders left=0 right=7"]
    (config,) = talk.heard(True, pack_config(Config(subclass="p3dx")))
    assert config.startswith("< Config robot_class=Pioneer subclass=p3dx")
    assert talk.heard(True, encode(0x99, b"\1\2")) == ["< packet 0x99 01 02"]


def test_what_is_no_packet_is_told() -> None:
    assert Transcript().heard(False, b"garbage" + SYNCS[0]) == ["! > 7 bytes that belong to no packet", "> SYNC0"]


@given(st.lists(st.tuples(st.booleans(), st.binary(max_size=60))), st.integers(0, 255), st.binary(max_size=200))
def test_no_bytes_are_an_error(parts: list[tuple[bool, bytes]], number: int, data: bytes) -> None:
    talk = Transcript()
    for incoming, part in [*parts, (True, encode(number, data)), (False, OPEN), (False, encode(number, data))]:
        assert all(len(line) <= LONGEST for line in talk.heard(incoming, part))
