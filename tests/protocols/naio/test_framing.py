"""Frames, and the reader that finds them in any stream."""

from __future__ import annotations

import re
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.naio.faults import FaultKind, FaultLog
from mobilesim_py.protocols.naio.framing import (
    MAX_CLIENT_PAYLOAD,
    MAX_PACKET_BYTES,
    Frame,
    FrameReader,
    _at_most,
    encode_frame,
)

from .conftest import pieces

LARGEST = {0x01: 2, 0x06: 4, 0xA2: 100_000}
MOTORS = encode_frame(0x01, b"\x7f\x81")
ODO = encode_frame(0x06, b"\1\0\1\0")
MOTORS_FRAME, ODO_FRAME = Frame(0x01, b"\x7f\x81"), Frame(0x06, b"\1\0\1\0")


def reader(limit: int = MAX_CLIENT_PAYLOAD) -> tuple[FrameReader, FaultLog]:
    faults = FaultLog()
    return FrameReader(LARGEST, limit, faults), faults


def slow_scan(data: bytes, limit: int) -> list[Frame]:
    """Find frames as plainly as possible: try every place, from left to right."""
    found, i = [], 0
    while i + 11 <= len(data):
        size = int.from_bytes(data[i + 7 : i + 11], "big")
        if data[i : i + 6] != b"NAIO01" or size > limit:
            i += 1
        elif i + 15 + size > len(data):
            break
        else:
            if data[i + 6] in LARGEST:
                found.append(Frame(data[i + 6], data[i + 11 : i + 11 + min(size, LARGEST[data[i + 6]])]))
            i += 15 + size
    return found


def test_a_packet_is_framed_with_a_size_and_a_crc_of_zeros() -> None:
    assert MOTORS.hex() == "4e41494f303101000000027f8100000000"


def test_the_largest_packet_that_may_be_sent_has_2_200_000_bytes() -> None:
    assert len(encode_frame(0xA2, bytes(2_199_985))) == MAX_PACKET_BYTES == 2_200_000
    with pytest.raises(ValueError, match="at most 2200000 bytes, not 2200001"):
        encode_frame(0xA2, bytes(2_199_986))


@pytest.mark.parametrize("false_start", [b"N", b"NA", b"NAI", b"NAIO", b"NAIO0", b"NAIO01", b"NNN", b"NAIO0NAI", b"xyz"])
def test_a_header_is_found_behind_a_false_start(false_start: bytes) -> None:
    it, faults = reader()
    assert it.feed(false_start + MOTORS) == [MOTORS_FRAME]
    assert faults.counts[FaultKind.GARBAGE] == len(false_start)


def test_an_unknown_id_is_skipped_by_its_size_and_told_once_per_id() -> None:
    it, faults = reader()
    unknown = encode_frame(0x19, MOTORS)
    assert it.feed(unknown + unknown + encode_frame(0x20, b"") + MOTORS) == [MOTORS_FRAME]
    assert faults.counts == {FaultKind.UNKNOWN_ID: 3}
    assert [(fault.kind, fault.packet_id) for fault in faults.take()] == [
        (FaultKind.UNKNOWN_ID, 0x19),
        (FaultKind.UNKNOWN_ID, 0x20),
    ]
    it.feed(unknown)
    assert faults.take() == []


def test_a_header_with_00_01_is_no_header_and_told_once() -> None:
    it, faults = reader()
    wrong = MOTORS.replace(b"01", b"\0\1", 1)
    assert it.feed(wrong + MOTORS + wrong) == [MOTORS_FRAME]
    assert it.feed(wrong) == []
    assert faults.counts[FaultKind.BINARY_HEADER] == 3
    (fault,) = [fault for fault in faults.take() if fault.kind is FaultKind.BINARY_HEADER]
    assert "30 31" in fault.detail


def test_a_header_with_00_01_is_seen_also_when_it_is_cut() -> None:
    for cut in range(1, 20):
        it, faults = reader()
        wrong = MOTORS.replace(b"01", b"\0\1", 1)
        assert it.feed(wrong[:cut]) == []
        assert it.feed(wrong[cut:] + MOTORS) == [MOTORS_FRAME]
        assert faults.counts[FaultKind.BINARY_HEADER] == 1


def test_a_size_above_the_limit_is_no_header() -> None:
    it, faults = reader()
    little_endian = b"NAIO01\x01\x02\0\0\0\x7f\x7f\0\0\0\0"
    assert it.feed(little_endian + MOTORS) == [MOTORS_FRAME]
    (fault,) = [fault for fault in faults.take() if fault.kind is FaultKind.BAD_SIZE]
    assert "33554432" in fault.detail
    assert "high byte first" in fault.detail


def test_a_size_of_the_limit_is_a_header_and_one_more_is_not() -> None:
    it, _ = reader(limit=1000)
    assert it.feed(b"NAIO01\x19" + (1001).to_bytes(4, "big") + MOTORS) == [MOTORS_FRAME]
    assert it.feed(b"NAIO01\x19" + (1000).to_bytes(4, "big") + MOTORS) == []
    assert it.feed(bytes(1004 - len(MOTORS)) + ODO) == [ODO_FRAME]


@given(st.integers(0, 0xFFFFFFFF), st.integers(0, 0xFFFFFFFF))
def test_the_expression_for_sizes_is_the_comparison(limit: int, size: int) -> None:
    expression = re.compile(_at_most(limit.to_bytes(4, "big")), re.DOTALL)
    for value in {size, limit, min(limit + 1, 0xFFFFFFFF), max(limit - 1, 0)}:
        assert bool(expression.fullmatch(value.to_bytes(4, "big"))) == (value <= limit)


def test_what_a_kind_cannot_have_is_cut_off_whether_the_packet_comes_whole_or_in_parts() -> None:
    wire = encode_frame(0x01, b"\x7f\x7f\0\0\0") + ODO
    it, _ = reader()
    assert it.feed(wire) == [Frame(0x01, b"\x7f\x7f"), ODO_FRAME]
    assert [frame for byte in wire for frame in it.feed(bytes((byte,)))] == [Frame(0x01, b"\x7f\x7f"), ODO_FRAME]


def test_a_packet_inside_a_payload_is_payload() -> None:
    outer = encode_frame(0xA2, MOTORS + ODO)
    assert reader()[0].feed(outer) == [Frame(0xA2, MOTORS + ODO)]


def test_a_large_payload_comes_in_many_parts() -> None:
    payload = bytes(range(256)) * 300
    wire = encode_frame(0xA2, payload) + MOTORS
    it, faults = reader()
    found = [frame for place in range(0, len(wire), 1000) for frame in it.feed(wire[place : place + 1000])]
    assert found == [Frame(0xA2, payload), MOTORS_FRAME]
    assert faults.counts == {}


def test_an_announced_megabyte_of_an_unknown_kind_is_not_kept() -> None:
    it, _ = reader()
    it.feed(b"NAIO01\x19" + MAX_CLIENT_PAYLOAD.to_bytes(4, "big"))
    for _ in range(16):
        it.feed(bytes(65536))
        assert it.pending == 0
    assert it.feed(bytes(4) + MOTORS) == [MOTORS_FRAME]


parts = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b"N", b"NA", b"NAIO", b"NAIO0", b"NAIO\0", b"NAIO\0\1", b"NAIO01", b"NAIO01\x01\0\0", b"NAIO01N\0\0\0N"]
    ),
    st.builds(encode_frame, st.sampled_from([0x01, 0x06, 0x19, 0xA2]), st.binary(max_size=20)),
    st.builds(lambda size: b"NAIO01\x01" + size.to_bytes(4, "big"), st.integers(0, 0xFFFFFFFF)),
)
streams = st.lists(parts, max_size=30).map(b"".join)


@given(streams, st.lists(st.integers(0, 1000), max_size=10))
@settings(deadline=None)
def test_frames_are_those_of_the_plain_scan_however_the_stream_is_cut(stream: bytes, cuts: list[int]) -> None:
    it, faults = reader(limit=64)
    found = [frame for piece in pieces(stream, cuts) for frame in it.feed(piece)]
    assert found == slow_scan(stream, limit=64)
    whole, all_faults = reader(limit=64)
    whole.feed(stream)
    assert faults.counts == all_faults.counts
    told = [(fault.kind, fault.packet_id) for fault in faults.take()]
    assert set(told) == {(fault.kind, fault.packet_id) for fault in all_faults.take()}
    assert len(told) == len(set(told))
    assert it.pending == whole.pending <= 64


NOISES = {
    "zeros": bytes(1_000_000),
    "letters": b"NAIO" * 250_000,
    "headers": b"NAIO01" * 170_000,
    "binary headers": b"NAIO\0\1" * 170_000,
    "empty unknown packets": (b"NAIO01\x19" + bytes(8)) * 70_000,
    "announced megabytes": (b"NAIO01\x01\0\x0f\xff\xff" + bytes(89)) * 10_000,
}


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_noise_leaves_nothing_behind(noise: bytes) -> None:
    it, faults = reader()
    tracemalloc.start()
    try:
        for place in range(0, len(noise), 4096):
            it.feed(noise[place : place + 4096])
            assert it.pending <= 10
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 50_000
    assert len(faults.take()) <= 3
