"""Telegrams of the LMS2xx: what its drivers send, and what they are answered."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.lasers.lms2xx import ACK, NAK, PASSWORD, Lms2xxServer, crc, telegram
from mobilesim_py.protocols.lasers.scanner import Beams

from .conftest import Ramp

CONFIGURATION = bytes([0, 0, 70, 0, 0, 5, 1]) + bytes(25)


def server() -> Lms2xxServer:
    return Lms2xxServer(Ramp())


def ask(laser: Lms2xxServer, *bodies: bytes) -> list[bytes]:
    """Send commands; return the bodies of the answers, whose frames must be right."""
    laser.receive_data(b"".join(telegram(body, 0) for body in bodies))
    return [body_of(answer) for answer in laser.data_to_send()]


def body_of(answer: bytes, ack: bytes = ACK) -> bytes:
    assert answer[: len(ack)] == ack
    answer = answer[len(ack) :]
    assert answer == telegram(answer[4:-2])
    assert answer[-3] == 0x10
    return answer[4:-3]


def values(body: bytes) -> list[int]:
    return [value for (value,) in struct.iter_unpack("<H", body[3:])]


def test_the_sum_is_that_of_the_manual() -> None:
    assert telegram(b"\x20\x24", 0) == bytes.fromhex("02 00 02 00 20 24 34 08")
    assert crc(b"") == 0


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (b"\x3b\xb4\x00\x64\x00", b"\xbb\x01\xb4\x00\x64\x00"),
        (b"\x3b\xb4\x00\x32\x00", b"\xbb\x01\xb4\x00\x32\x00"),
        (b"\x3b\xb4\x00\x00\x00", b"\xbb\x01\xb4\x00\x64\x00"),
        (b"\x3b\xb4\x00\x19\x00", b"\xbb\x00\xb4\x00\x64\x00"),
        (b"\x20\x00" + PASSWORD, b"\xa0\x00"),
        (b"\x20\x00guess", b"\xa0\x01"),
        (b"\x20\x24", b"\xa0\x00"),
        (b"\x20\x25", b"\xa0\x00"),
        (b"\x20\x42", b"\xa0\x00"),
        (b"\x77" + CONFIGURATION, b"\xf7\x01" + CONFIGURATION),
        (b"\x77\x00", b"\x92"),
        (b"\x3b\x00", b"\x92"),
        (b"\x20", b"\x92"),
        (b"\x99", b"\x92"),
    ],
)
def test_a_command_has_its_answer(body: bytes, answer: bytes) -> None:
    assert ask(server(), body) == [answer]


def test_a_scan_begins_as_drivers_expect() -> None:
    laser = server()
    ask(laser, b"\x20\x24")
    assert laser.is_scanning
    laser.tell()
    (scan,) = laser.data_to_send()
    # The first value has the bit of a reflector above its 1000 mm.
    assert scan[:9] == bytes.fromhex("02 80 6E 01 B0 B5 40 E8 83")
    seen = values(body_of(scan, b""))
    assert (len(seen), seen[1], seen[-1]) == (181, 1010, 32767)
    assert laser._measure.asked == [Beams(-90.0, 1.0, 181)]  # type: ignore[attr-defined]
    assert laser.period == pytest.approx(372 * 10 / 38400)
    ask(laser, b"\x20\x25")
    assert not laser.is_scanning


def test_without_reflector_bits_values_are_distances_alone() -> None:
    laser = server()
    ask(laser, b"\x77" + CONFIGURATION[:5] + b"\x06\x01" + bytes(25))
    laser.tell()
    assert laser.data_to_send()[0][:9] == bytes.fromhex("02 80 6E 01 B0 B5 40 E8 03")


@pytest.mark.parametrize(
    ("mode", "unit", "head", "first", "second", "last"),
    [
        (6, 0, 0x00B5, 100, 101, 0x7FFF),
        (3, 1, 0x40B5, 0xC000 + 1000, 1010, 0x3FFF),
        (1, 2, 0x80B5, 0xE000 + 10, 10, 0x1FFF),
        (1, 9, 0x40B5, 0xE000 + 1000, 1010, 0x1FFF),
    ],
)
def test_units_and_reflector_bits_are_as_configured(
    mode: int, unit: int, head: int, first: int, second: int, last: int
) -> None:
    (_, scan) = ask(server(), b"\x77" + CONFIGURATION[:5] + bytes([mode, unit]) + bytes(25), b"\x30\x01")
    assert scan[0] == 0xB0
    assert struct.unpack_from("<H", scan, 1) == (head,)
    seen = values(scan)
    assert (seen[0], seen[1], seen[-1]) == (first, second, last)


def test_a_narrow_field_is_fine() -> None:
    laser = server()
    ask(laser, b"\x3b\x64\x00\x19\x00")
    assert laser.beams == Beams(-50.0, 0.25, 401)


def test_a_wrong_sum_is_told_and_telegrams_may_come_in_pieces() -> None:
    laser = server()
    broken = telegram(b"\x20\x24", 0)[:-1] + b"\x00"
    for byte in b"noise\x02\x00\xff\xff" + broken + telegram(b"\x20\x42", 0):
        laser.receive_data(bytes([byte]))
    nak, answer = laser.data_to_send()
    assert (nak, body_of(answer)) == (NAK, b"\xa0\x00")
    assert not laser.is_scanning


@given(st.lists(st.one_of(st.binary(max_size=80), st.binary(max_size=60).map(lambda body: telegram(body, 0)))))
def test_no_bytes_are_too_strange(parts: list[bytes]) -> None:
    laser = server()
    for part in parts:
        laser.receive_data(part)
        assert len(laser._buffer) <= 70
    laser.tell()
    laser.data_to_send()
    laser.receive_data(bytes(80) + telegram(b"\x20\x42", 0))
    assert body_of(laser.data_to_send()[-1]) == b"\xa0\x00"
