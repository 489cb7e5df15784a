"""Types of fields: text, byte order, and how the documentation names them."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.naio import decode, encode
from mobilesim_py.protocols.naio.hardware_packets import HaScreen
from mobilesim_py.protocols.naio.panel_packets import ApiLogToRobot
from mobilesim_py.protocols.naio.shorthand import blob8, blob32, f32, f64, f64_be, i16, text, texts, u16s
from mobilesim_py.protocols.naio.wire import PayloadError, Wire


def payload(packet: HaScreen) -> bytes:
    return encode(packet)[11:-4]


def test_text_is_utf8_or_the_old_western_code() -> None:
    assert payload(HaScreen("blé", "")).startswith("blé".encode() + b"\0")
    assert decode(0x0D, "blé".encode("latin-1").ljust(32, b"\0")) == HaScreen("blé", "")


def test_text_ends_at_the_first_nul() -> None:
    assert decode(0xB3, b"line\0rest".ljust(127, b"x")) == ApiLogToRobot("line")


def test_integers_have_the_high_byte_first_and_floats_the_low_one() -> None:
    assert i16("").pack(-2).hex() == "fffe"
    assert f32("").pack(1.0).hex() == "0000803f"
    assert f64("").pack(1.0).hex() == "000000000000f03f"
    assert f64_be("").pack(1.0).hex() == "3ff0000000000000"


@pytest.mark.parametrize(
    ("wire", "name", "smallest", "largest"),
    [
        (i16(""), "i16", 2, 2),
        (f64(""), "f64", 8, 8),
        (f64_be(""), "f64 big-endian", 8, 8),
        (u16s(271, ""), "u16[271]", 542, 542),
        (text(20, ""), "char[20]", 20, 20),
        (texts(20, 10, ""), "char[10][20]", 200, 200),
        (blob8(21, ""), "u8 n, n bytes", 1, 22),
        (blob32(99, ""), "u32 n, n bytes", 4, 103),
    ],
)
def test_a_type_knows_its_name_and_its_sizes(wire: Wire, name: str, smallest: int, largest: int) -> None:
    assert (wire.type_name, wire.smallest, wire.largest) == (name, smallest, largest)


@pytest.mark.parametrize(
    "wire", [i16(""), f64(""), u16s(3, ""), text(20, ""), texts(2, 2, ""), blob8(21, "")], ids=lambda wire: wire.type_name
)
def test_a_value_that_is_not_all_there_is_refused(wire: Wire) -> None:
    with pytest.raises(PayloadError, match=f"{wire.smallest + 1} bytes where at least {wire.smallest + 2} belong"):
        wire.unpack(bytes(wire.smallest + 1), 2)


@pytest.mark.parametrize(
    ("wire", "value"), [(i16(""), -2), (u16s(2, ""), (1, 65535)), (text(4, ""), "ab"), (blob8(9, ""), b"abc")]
)
def test_a_value_is_read_at_its_place(wire: Wire, value: object) -> None:
    packed = wire.pack(value)
    assert wire.unpack(b"xyz" + packed + b"more", 3) == (value, 3 + len(packed))
