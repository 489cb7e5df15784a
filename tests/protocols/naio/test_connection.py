"""Both ends of a line: packets, faults, odd streams as the maker's decoder reads them, or better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.naio import (
    Connection,
    Dialect,
    End,
    FaultKind,
    Packet,
    PacketReceived,
    StreamFault,
    decode,
    encode,
)
from mobilesim_py.protocols.naio.api_packets import ApiCommand, ApiMotors, ApiMoveActuator, ApiStereo, ApiWatchdog
from mobilesim_py.protocols.naio.framing import encode_frame
from mobilesim_py.protocols.naio.hardware_packets import HaGyro, HaMotors, HaOdo
from mobilesim_py.protocols.naio.stereo import UNRECTIFIED
from mobilesim_py.protocols.naio.values import ImageType

from .conftest import packets, pieces, received

MOTORS = encode(HaMotors(127, -127))
ODO = encode(HaOdo(1, 0, 1, 0))


def faults(connection: Connection, data: bytes) -> list[StreamFault]:
    connection.receive_data(data)
    return [event for event in connection.events() if isinstance(event, StreamFault)]


# The streams that were given to the maker's decoder, by their names in codec_quirks.txt.
ODD_STREAMS = {
    "two packets in one chunk": [MOTORS + ODO],
    "split in every byte": [bytes((byte,)) for byte in MOTORS + ODO],
    "garbage 'xyz' before": [b"xyz" + MOTORS],
    "stray 'N' before header (NNAIO01)": [b"N" + MOTORS],
    "stray 'NAI' before header": [b"NAI" + MOTORS],
    "stray 'NAIO0' before": [b"NAIO0" + MOTORS],
    "bad CRC 0xCDCDCDCD": [encode(HaMotors(1, 2))[:-4] + b"\xcd" * 4],
    "unknown id 0x05 then motors": [encode_frame(0x05, bytes(4)) + MOTORS],
    "unknown id 0x19 size 5 (doc example)": [encode_frame(0x19, bytes(5)) + MOTORS],
    "motors with size 5 (FAQ frame)": [encode_frame(0x01, b"\x7f\x7f\0\0\0") + MOTORS],
    "motors with size 0": [encode_frame(0x01, b"") + MOTORS],
    "header 00 01 instead of '0','1' (FAQ)": [b"NAIO\0\1\1\0\0\0\5\x7f\x7f\0\0\0\0\0\0\0" + MOTORS],
    "first 10 bytes only, then rest": [MOTORS[:10], MOTORS[10:]],
}
# Where the maker's decoder loses packets, or invents one, ours does not.
BETTER = {
    "stray 'N' before header (NNAIO01)": ["id=0x01(127,-127)"],
    "stray 'NAI' before header": ["id=0x01(127,-127)"],
    "motors with size 0": ["id=0x01(127,-127)"],
}


def as_the_list_writes_it(packet: Packet) -> str:
    power = f"({packet.left},{packet.right})" if isinstance(packet, HaMotors) else ""
    return f"id=0x{packet.kind:02x}{power}"


def test_every_odd_stream_is_tried(quirks: dict[str, list[str]]) -> None:
    assert quirks.keys() == ODD_STREAMS.keys()


@pytest.mark.parametrize("name", ODD_STREAMS)
def test_an_odd_stream_is_read_as_the_makers_decoder_does_or_better(quirks: dict[str, list[str]], name: str) -> None:
    robot = Connection(End.ROBOT)
    found = [as_the_list_writes_it(packet) for chunk in ODD_STREAMS[name] for packet in received(robot, chunk)]
    assert found == BETTER.get(name, quirks[name])
    assert BETTER.get(name) != quirks[name]


def test_everything_that_the_makers_client_sent_is_understood(client_lines: list[dict[str, Any]]) -> None:
    robot = Connection(End.ROBOT)
    stream = b"".join(encode_frame(line["id"], bytes.fromhex(line["hex"])) for line in client_lines)
    found = received(robot, stream)
    assert b"".join(map(encode, found)) == stream
    assert {type(packet) for packet in found} == {HaMotors, ApiMotors, ApiMoveActuator, ApiCommand, ApiWatchdog}
    assert robot.fault_counts == {}


def test_motors_with_more_bytes_drive_with_the_first_two() -> None:
    assert received(Connection(End.ROBOT), encode_frame(0x01, bytes.fromhex("7f81000000"))) == [HaMotors(127, -127)]


@pytest.mark.parametrize("packet_id", [0x01, 0xA8])
@pytest.mark.parametrize("payload", [b"", b"\x7f"])
def test_motors_that_are_too_short_are_ignored_and_told_once(packet_id: int, payload: bytes) -> None:
    robot = Connection(End.ROBOT)
    short = encode_frame(packet_id, payload)
    (event,) = faults(robot, short + short)
    assert (event.fault.kind, event.fault.packet_id) == (FaultKind.BAD_PAYLOAD, packet_id)
    assert f"{len(payload)} bytes where at least 2 belong" in event.fault.detail
    robot.receive_data(short)
    assert robot.events() == []
    assert robot.fault_counts == {FaultKind.BAD_PAYLOAD: 3}


def test_a_count_that_cannot_be_is_told_with_the_name_of_the_packet() -> None:
    (event,) = faults(Connection(End.ROBOT), encode_frame(0x66, b"\x15" + bytes(3)))
    assert event.fault.detail == "HaCan (id 0x66) is ignored: 4 bytes where at least 22 belong"


def test_of_what_comes_at_once_packets_are_told_before_faults() -> None:
    robot = Connection(End.ROBOT)
    robot.receive_data(b"xyz" + MOTORS)
    packet, fault = robot.events()
    assert packet == PacketReceived(HaMotors(127, -127))
    assert isinstance(fault, StreamFault)
    assert "78 79 7a" in fault.fault.detail
    assert robot.events() == []


def test_what_one_end_sends_the_other_receives() -> None:
    robot, client = Connection(End.ROBOT), Connection(End.CLIENT)
    client.send(HaMotors(126, 126))
    client.send(ApiMoveActuator(1))
    robot.send(HaGyro(0, 0, -328))
    assert received(robot, client.data_to_send()) == [HaMotors(126, 126), ApiMoveActuator(1)]
    assert received(client, robot.data_to_send()) == [HaGyro(0, 0, -328)]
    assert client.data_to_send() == robot.data_to_send() == b""


def test_a_packet_that_cannot_be_sent_leaves_nothing_to_send() -> None:
    robot = Connection(End.ROBOT)
    with pytest.raises(ValueError, match="x: 40000 is no i16"):
        robot.send(HaGyro(40000, 0, 0))
    with pytest.raises(ValueError, match="at most 2199980 bytes"):
        robot.send(ApiStereo(1, bytes(2_199_981)))
    assert robot.data_to_send() == b""


def test_a_client_takes_the_largest_pictures_and_a_robot_does_not() -> None:
    packet = ApiStereo(ImageType.UNRECTIFIED, bytes(2 * UNRECTIFIED.size))
    robot, client = Connection(End.ROBOT), Connection(End.CLIENT)
    robot.send(packet)
    data = robot.data_to_send()
    assert len(data) <= 2_200_000
    assert received(client, data) == [packet]
    assert received(Connection(End.ROBOT), data) == []


@pytest.mark.parametrize("dialect", Dialect)
def test_ids_are_those_of_the_dialect(dialect: Dialect) -> None:
    five, six = encode_frame(0x05, b"\1\0\1\0"), encode_frame(0x06, b"\1\0\1\0")
    known, unknown = (five, six) if dialect is Dialect.MANUAL else (six, five)
    client = Connection(End.CLIENT, dialect)
    assert received(client, known) == [HaOdo(1, 0, 1, 0)]
    assert received(client, unknown) == []
    assert client.fault_counts == {FaultKind.UNKNOWN_ID: 1}


def test_an_unknown_id_cannot_be_decoded() -> None:
    with pytest.raises(KeyError):
        decode(0x05, bytes(4))


@pytest.mark.parametrize("dialect", Dialect)
@given(data=st.data(), cuts=st.lists(st.integers(0, 5000), max_size=10))
@settings(max_examples=50, deadline=None)
def test_packets_arrive_in_order_however_they_are_cut(dialect: Dialect, data: st.DataObject, cuts: list[int]) -> None:
    sent = data.draw(st.lists(packets(dialect), max_size=6))
    robot, client = Connection(End.ROBOT, dialect), Connection(End.CLIENT, dialect)
    for packet in sent:
        robot.send(packet)
    found = [packet for piece in pieces(robot.data_to_send(), cuts) for packet in received(client, piece)]
    assert found == sent
    assert client.pending == 0
    assert client.fault_counts == {}


noise = st.lists(
    st.one_of(
        st.binary(max_size=40),
        st.sampled_from([b"NAIO01", b"NAIO\0\1", b"N", bytes(4)]),
        st.builds(encode_frame, st.integers(0, 255), st.binary(max_size=60)),
    ),
    max_size=30,
).map(b"".join)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("end", End)
@given(data=noise, cuts=st.lists(st.integers(0, 1000), max_size=5))
@settings(deadline=None)
def test_no_bytes_are_too_strange(end: End, dialect: Dialect, data: bytes, cuts: list[int]) -> None:
    it = Connection(end, dialect)
    for piece in pieces(data, cuts):
        it.receive_data(piece)
        assert it.pending <= len(data)
    for event in it.events():
        if isinstance(event, PacketReceived):
            it.send(event.packet)
    received(Connection(end, dialect), it.data_to_send())


NOISES: dict[str, Callable[[], bytes]] = {
    "zeros": lambda: bytes(10_000_000),
    "every byte": lambda: bytes(range(256)) * 39_063,
    "headers": lambda: b"NAIO01" * 1_666_667,
    "motors that are too short": lambda: encode_frame(0x01, b"") * 50_000,
}


@pytest.mark.parametrize("name", NOISES)
def test_millions_of_bytes_of_noise_leave_a_few_events(name: str) -> None:
    data = NOISES[name]()
    robot = Connection(End.ROBOT)
    for place in range(0, len(data), 65536):
        robot.receive_data(data[place : place + 65536])
        assert robot.pending <= 10
    assert len(robot.events()) <= 3
    robot.receive_data(MOTORS)
    assert PacketReceived(HaMotors(127, -127)) in robot.events()
