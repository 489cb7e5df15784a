"""Short names for the types of fields, as the annotations of the packets write them.

    left: Annotated[int, i8("power of the left wheels", "1/127")]

Integers are big-endian, `f32` and `f64` little-endian (the order of the maker's computers); `f64_be` is what the
manuals print.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

from .wire import Blob, Number, Numbers, Text, Texts

Values = type[IntEnum] | type[IntFlag] | None
_ALWAYS: frozenset[int] = frozenset()


def u8(meaning: str, unit: str = "", values: Values = None) -> Number:
    """Describe an unsigned byte."""
    return Number(meaning, unit=unit, values=values, code="B")


def i8(meaning: str, unit: str = "") -> Number:
    """Describe a signed byte."""
    return Number(meaning, unit=unit, code="b")


def u16(meaning: str, unit: str = "", only: frozenset[int] = _ALWAYS) -> Number:
    """Describe an unsigned 16-bit integer."""
    return Number(meaning, unit=unit, code="H", only=only)


def i16(meaning: str, unit: str = "") -> Number:
    """Describe a signed 16-bit integer."""
    return Number(meaning, unit=unit, code="h")


def i32(meaning: str, unit: str = "") -> Number:
    """Describe a signed 32-bit integer."""
    return Number(meaning, unit=unit, code="i")


def u64(meaning: str, unit: str = "") -> Number:
    """Describe an unsigned 64-bit integer."""
    return Number(meaning, unit=unit, code="Q")


def f32(meaning: str, unit: str = "") -> Number:
    """Describe a little-endian float."""
    return Number(meaning, unit=unit, code="f", order="<")


def f64(meaning: str, unit: str = "") -> Number:
    """Describe a little-endian double."""
    return Number(meaning, unit=unit, code="d", order="<")


def f64_be(meaning: str, unit: str = "") -> Number:
    """Describe a big-endian double, as the manuals print it."""
    return Number(meaning, unit=unit, code="d")


def u8s(count: int, meaning: str, unit: str = "") -> Numbers:
    """Describe a row of unsigned bytes."""
    return Numbers(meaning, unit=unit, code="B", count=count)


def u16s(count: int, meaning: str, unit: str = "") -> Numbers:
    """Describe a row of unsigned 16-bit integers."""
    return Numbers(meaning, unit=unit, code="H", count=count)


def f64s(count: int, meaning: str, unit: str = "") -> Numbers:
    """Describe a row of little-endian doubles."""
    return Numbers(meaning, unit=unit, code="d", count=count, order="<")


def text(size: int, meaning: str, only: frozenset[int] = _ALWAYS) -> Text:
    """Describe text in a room of `size` bytes."""
    return Text(meaning, size=size, only=only)


def texts(count: int, size: int, meaning: str) -> Texts:
    """Describe `count` texts in rooms of `size` bytes."""
    return Texts(meaning, size=size, count=count)


def blob8(limit: int, meaning: str) -> Blob:
    """Describe bytes behind a count of one byte."""
    return Blob(meaning, count_code="B", limit=limit)


def blob16(meaning: str, only: frozenset[int]) -> Blob:
    """Describe bytes behind a count of two bytes."""
    return Blob(meaning, count_code="H", limit=0xFFFF, only=only)


def blob32(limit: int, meaning: str) -> Blob:
    """Describe bytes behind a count of four bytes."""
    return Blob(meaning, count_code="I", limit=limit)
