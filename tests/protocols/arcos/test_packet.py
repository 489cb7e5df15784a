"""Frames, checksums, and the reader that finds packets in any stream."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos import packet as packet_module
from mobilesim_py.protocols.arcos.packet import MAX_LENGTH, FaultKind, Packet, PacketReader, checksum, encode

SYNC0 = bytes.fromhex("fafb03000000")
SIM_STAT = bytes.fromhex("fafb06ed3b0100ee3b")


def slow_checksum(body: bytes) -> int:
    total = 0
    for i in range(0, len(body) - 1, 2):
        total = (total + (body[i] << 8 | body[i + 1])) & 0xFFFF
    return total ^ body[-1] if len(body) % 2 else total


def slow_scan(data: bytes) -> list[Packet]:
    """Find packets as plainly as possible: try every place, from left to right."""
    found, i = [], 0
    while i < len(data):
        length = data[i + 2] if data[i : i + 2] == b"\xfa\xfb" and i + 2 < len(data) else 0
        end = i + 3 + length
        if 3 <= length <= 207 and end > len(data):
            break
        body = data[i + 3 : end - 2]
        if 3 <= length <= 207 and slow_checksum(body) == int.from_bytes(data[end - 2 : end], "big"):
            found.append(Packet(body[0], body[1:]))
            i = end
        else:
            i += 1
    return found


@pytest.mark.parametrize(
    ("packet_id", "data", "wire"),
    [
        (0, "", "fafb03000000"),
        (1, "", "fafb03010001"),
        (1, "3b0100", "fafb06013b0100023b"),
        (0xEE, "2b0568656c6c6f00", "fafb0bee2b0568656c6c6f00c56e"),
    ],
)
def test_a_packet_is_framed_as_clients_frame_it(packet_id: int, data: str, wire: str) -> None:
    assert encode(packet_id, bytes.fromhex(data)).hex() == wire
    assert Packet(packet_id, bytes.fromhex(data)).encode().hex() == wire


def test_a_packet_longer_than_the_longest_legal_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 204 bytes, not 205"):
        encode(1, bytes(205))


@given(st.binary(min_size=1, max_size=300))
def test_the_checksum_is_that_of_the_plain_loop(body: bytes) -> None:
    assert checksum(body) == slow_checksum(body)


@pytest.mark.parametrize("length", range(3, MAX_LENGTH + 1))
def test_every_legal_length_is_read(length: int) -> None:
    packet = Packet(11, bytes(range(length - 3)))
    assert PacketReader().feed(packet.encode()) == [packet]


@pytest.mark.parametrize("length", [0, 1, 2, 208, 255])
def test_an_illegal_length_is_counted_and_the_next_packet_found(length: int) -> None:
    reader = PacketReader()
    assert reader.feed(b"\xfa\xfb" + bytes((length,)) + SYNC0) == [Packet(0)]
    assert reader.bad_lengths == 1
    (fault,) = reader.faults()
    assert (fault.kind, fault.count) == (FaultKind.BAD_LENGTH, 1)
    assert str(length) in fault.detail


def test_a_bad_checksum_is_counted_and_the_next_packet_found() -> None:
    reader = PacketReader()
    assert reader.feed(bytes.fromhex("fafb060b3bc800d36e") + SYNC0) == [Packet(0)]
    assert reader.bad_checksums == 1
    assert reader.skipped_bytes == 9
    (fault,) = reader.faults()
    assert (fault.kind, fault.count) == (FaultKind.BAD_CHECKSUM, 1)
    assert "id 11" in fault.detail


def test_a_packet_inside_a_bad_one_is_found() -> None:
    reader = PacketReader()
    assert reader.feed(b"\xfa\xfb\x20\x0b" + SIM_STAT + bytes(40)) == [Packet(0xED, bytes.fromhex("3b0100"))]


def test_a_packet_inside_the_data_of_a_good_one_is_data() -> None:
    outer = Packet(238, b"\x2b\x06" + SYNC0)
    assert PacketReader().feed(outer.encode()) == [outer]


@pytest.mark.parametrize("noise", [b"hello\r\n", b"\xfa", b"\xfa\xfa", b"\xfb", b"\x00\x01\x02\xff" * 10])
def test_garbage_before_a_packet_is_skipped(noise: bytes) -> None:
    reader = PacketReader()
    assert reader.feed(noise + SYNC0) == [Packet(0)]
    assert reader.skipped_bytes == len(noise)
    (fault,) = reader.faults()
    assert (fault.kind, fault.count) == (FaultKind.GARBAGE, len(noise))


def test_packets_are_found_when_bytes_come_one_at_a_time() -> None:
    reader = PacketReader()
    stream = b"\xfa" + SYNC0 + b"\xfa\xfb" + SIM_STAT
    found = [packet for byte in stream for packet in reader.feed(bytes((byte,)))]
    assert [packet.id for packet in found] == [0, 0xED]


def test_the_end_of_a_good_packet_is_not_taken_for_half_a_header() -> None:
    reader = PacketReader()
    assert reader.feed(encode(0xFA)) == [Packet(0xFA)]
    assert encode(0xFA).endswith(b"\xfa")
    assert (reader.pending, reader.skipped_bytes) == (0, 0)
    assert reader.feed(SYNC0[1:]) == []


def test_what_is_left_of_a_bad_packet_is_not_reported_again_as_garbage() -> None:
    reader = PacketReader()
    reader.feed(bytes.fromhex("fafb060b3bc800d3fa"))
    reader.feed(SYNC0[2:])
    assert [(fault.kind, fault.count) for fault in reader.faults()] == [
        (FaultKind.BAD_CHECKSUM, 1),
        (FaultKind.GARBAGE, 4),
    ]


def test_faults_of_one_kind_are_gathered_and_told_once() -> None:
    reader = PacketReader()
    for _ in range(1000):
        reader.feed(b"\xfa\xfb\x00")
    (fault,) = reader.faults()
    assert fault.count == 1000
    assert reader.faults() == []


def test_what_is_kept_of_an_incomplete_packet_is_bounded() -> None:
    reader = PacketReader()
    for _ in range(100):
        reader.feed(b"\xfa\xfb\xcf" + bytes(100) + b"\xfa\xfb\xcf")
        assert reader.pending <= 2 + MAX_LENGTH


def test_after_a_silence_half_a_packet_gives_free_what_it_held_back() -> None:
    reader = PacketReader()
    assert reader.feed(b"\xfa\xfb\xcf" + SYNC0 + SIM_STAT + b"\xfa\xfb\x06") == []
    assert [packet.id for packet in reader.give_up_partial()] == [0, 0xED]
    assert reader.pending == 0
    assert reader.feed(SYNC0) == [Packet(0)]


def test_a_silence_between_packets_changes_nothing() -> None:
    reader = PacketReader()
    reader.feed(SYNC0)
    assert reader.give_up_partial() == []
    assert reader.skipped_bytes == 0


@pytest.mark.parametrize("count", [1_000, 4_000])
def test_the_work_on_the_worst_garbage_grows_with_its_length_only(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    summed = 0

    def counting(body: bytes) -> int:
        nonlocal summed
        summed += len(body)
        return checksum(body)

    monkeypatch.setattr(packet_module, "checksum", counting)
    worst = b"\xfa\xfb\xcf" * count
    PacketReader().feed(worst)
    assert summed <= len(worst) * MAX_LENGTH / 3


pieces = st.one_of(
    st.binary(max_size=12),
    st.sampled_from([b"\xfa", b"\xfa\xfb", b"\xfa\xfb\x00", b"\xfa\xfb\x04", b"\xfa\xfb\xcf", b"\xfa\xfb\xff"]),
    st.builds(encode, st.integers(0, 255), st.binary(max_size=20)),
)
streams = st.lists(pieces, max_size=30).map(b"".join)


def cut(stream: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(stream), *(place % (len(stream) + 1) for place in cuts)})
    return [stream[a:b] for a, b in itertools.pairwise(places)]


@given(streams, st.lists(st.integers(0, 2000), max_size=12))
def test_every_valid_packet_of_any_stream_is_found_however_it_is_cut(stream: bytes, cuts: list[int]) -> None:
    reader = PacketReader()
    found = [packet for part in cut(stream, cuts) for packet in reader.feed(part)]
    assert found == slow_scan(stream)


@given(streams, st.lists(st.integers(0, 2000), max_size=12))
def test_every_byte_is_part_of_a_packet_or_skipped_or_pending(stream: bytes, cuts: list[int]) -> None:
    reader = PacketReader()
    found = [packet for part in cut(stream, cuts) for packet in reader.feed(part)]
    assert sum(len(packet.data) + 6 for packet in found) + reader.skipped_bytes + reader.pending == len(stream)


@given(streams)
def test_a_silence_leaves_nothing_pending(stream: bytes) -> None:
    reader = PacketReader()
    found = reader.feed(stream) + reader.give_up_partial()
    assert sum(len(packet.data) + 6 for packet in found) + reader.skipped_bytes == len(stream)


@given(st.lists(st.builds(Packet, st.integers(0, 255), st.binary(max_size=204)), max_size=8), st.data())
def test_packets_with_garbage_between_them_are_all_found(packets: list[Packet], data: st.DataObject) -> None:
    quiet = st.binary(max_size=10).map(lambda noise: noise.replace(b"\xfa", b""))
    stream = b"".join(data.draw(quiet) + packet.encode() for packet in packets)
    assert PacketReader().feed(stream) == packets
