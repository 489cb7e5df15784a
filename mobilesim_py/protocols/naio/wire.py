"""The types of fields on the wire.

Every type packs a value of its own, unpacks it at a place of a payload, and knows its name and the fewest and most
bytes it takes, for checks and for the documentation. `shorthand` has their short names.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field
from enum import IntEnum, IntFlag
from functools import cached_property
from typing import Any

NAMES = {"b": "i8", "B": "u8", "h": "i16", "H": "u16", "i": "i32", "I": "u32", "Q": "u64", "f": "f32", "d": "f64"}
"""Codes of `struct` as the documentation writes them."""


class PayloadError(ValueError):
    """A payload that its kind of packet cannot have: too short, or a count above its limit."""


def need(payload: bytes, end: int) -> None:
    """Refuse a payload that ends before `end`."""
    if end > len(payload):
        raise PayloadError(f"{len(payload)} bytes where at least {end} belong")


@dataclass(frozen=True)
class Wire(ABC):
    """What every type of field has."""

    meaning: str
    _: KW_ONLY
    unit: str = ""
    values: type[IntEnum] | type[IntFlag] | None = None
    """What the numbers mean, where they are names for something."""
    only: frozenset[int] = frozenset()
    """Values of the packet's first field with which this one is there; empty: always."""

    @property
    @abstractmethod
    def type_name(self) -> str:
        """The type as the documentation writes it."""

    @property
    @abstractmethod
    def smallest(self) -> int:
        """The fewest bytes it takes."""

    @property
    def largest(self) -> int:
        """The most bytes it takes: as many, unless a type says otherwise."""
        return self.smallest

    @abstractmethod
    def pack(self, value: Any) -> bytes:
        """Return the bytes of a value, or raise an error that is caught as one of `PACKING_ERRORS`."""

    @abstractmethod
    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the value at `start` and where the next one begins; raise `PayloadError` where there is none."""


PACKING_ERRORS = (struct.error, OverflowError, TypeError, ValueError)
"""What `pack` raises for a value that does not fit."""


@dataclass(frozen=True)
class Number(Wire):
    """One number."""

    code: str = field(kw_only=True)
    """A code of `struct`."""
    order: str = field(default=">", kw_only=True)
    """Byte order as `struct` writes it: `>` big-endian, `<` little-endian."""

    @property
    def is_byte(self) -> bool:
        """Whether it is a single byte, which has no byte order."""
        return self.code in "bB"

    @cached_property
    def structure(self) -> struct.Struct:
        """The packer of the number."""
        return struct.Struct(self.order + self.code)

    @property
    def type_name(self) -> str:
        """Return such as `i16`; the order is said where it is not the usual one of the type."""
        usual = "<" if self.code in "fd" else ">"
        return NAMES[self.code] + ("" if self.order == usual else " big-endian")

    @property
    def smallest(self) -> int:
        """Return the size."""
        return self.structure.size

    def pack(self, value: Any) -> bytes:
        """Return the bytes of a number."""
        return self.structure.pack(value)

    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the number."""
        end = start + self.structure.size
        need(payload, end)
        return self.structure.unpack_from(payload, start)[0], end


@dataclass(frozen=True)
class Numbers(Wire):
    """A fixed count of numbers of one type: a tuple."""

    code: str = field(kw_only=True)
    count: int = field(kw_only=True)
    order: str = field(default=">", kw_only=True)

    @cached_property
    def structure(self) -> struct.Struct:
        """The packer of all of them."""
        return struct.Struct(f"{self.order}{self.count}{self.code}")

    @property
    def type_name(self) -> str:
        """Return such as `u16[271]`."""
        return f"{NAMES[self.code]}[{self.count}]"

    @property
    def smallest(self) -> int:
        """Return the size."""
        return self.structure.size

    def pack(self, value: Any) -> bytes:
        """Return the bytes of a sequence of numbers."""
        return self.structure.pack(*value)

    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the numbers as a tuple."""
        end = start + self.structure.size
        need(payload, end)
        return self.structure.unpack_from(payload, start), end


@dataclass(frozen=True)
class Text(Wire):
    """Text in a fixed room, NUL behind it where there is room left."""

    size: int = field(kw_only=True)

    @property
    def type_name(self) -> str:
        """Return such as `char[20]`."""
        return f"char[{self.size}]"

    @property
    def smallest(self) -> int:
        """Return the size of the room."""
        return self.size

    def pack(self, value: Any) -> bytes:
        """Return the text with NULs up to the size of the room."""
        characters: bytes = value.encode()
        if len(characters) > self.size or b"\0" in characters:
            raise ValueError(f"text must have at most {self.size} bytes and no NUL")
        return characters.ljust(self.size, b"\0")

    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the text up to the first NUL: UTF-8 where it is, else the old western one-byte code."""
        end = start + self.size
        need(payload, end)
        characters = payload[start:end].partition(b"\0")[0]
        try:
            return characters.decode(), end
        except UnicodeDecodeError:
            return characters.decode("latin-1"), end


@dataclass(frozen=True)
class Texts(Wire):
    """A fixed count of texts, each in a room of its own: a tuple."""

    size: int = field(kw_only=True)
    count: int = field(kw_only=True)

    @cached_property
    def one(self) -> Text:
        """The type of each of them."""
        return Text(self.meaning, size=self.size)

    @property
    def type_name(self) -> str:
        """Return such as `char[20][20]`."""
        return f"{self.one.type_name}[{self.count}]"

    @property
    def smallest(self) -> int:
        """Return the size of all rooms."""
        return self.size * self.count

    def pack(self, value: Any) -> bytes:
        """Return the texts one behind the other."""
        if len(value) != self.count:
            raise ValueError(f"there must be {self.count} texts")
        return b"".join(self.one.pack(text) for text in value)

    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the texts as a tuple."""
        starts = range(start, start + self.smallest, self.size)
        return tuple(self.one.unpack(payload, place)[0] for place in starts), start + self.smallest


@dataclass(frozen=True)
class Blob(Wire):
    """Bytes behind their count."""

    count_code: str = field(kw_only=True)
    limit: int = field(kw_only=True)
    """The largest count."""

    @cached_property
    def counter(self) -> struct.Struct:
        """The packer of the count."""
        return struct.Struct(">" + self.count_code)

    @property
    def type_name(self) -> str:
        """Return such as `u8 n, n bytes`."""
        return f"{NAMES[self.count_code]} n, n bytes"

    @property
    def smallest(self) -> int:
        """Return the size of an empty one."""
        return self.counter.size

    @property
    def largest(self) -> int:
        """Return the size of the largest one."""
        return self.counter.size + self.limit

    def pack(self, value: Any) -> bytes:
        """Return the bytes behind their count."""
        if len(value) > self.limit:
            raise ValueError(f"there must be at most {self.limit} bytes")
        return self.counter.pack(len(value)) + bytes(value)

    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the bytes."""
        count, start = unpack_count(self.counter, self.limit, payload, start)
        need(payload, start + count)
        return payload[start : start + count], start + count


def unpack_count(counter: struct.Struct, limit: int, payload: bytes, start: int) -> tuple[int, int]:
    """Return a count and where it ends; refuse one that is above its limit."""
    need(payload, start + counter.size)
    (count,) = counter.unpack_from(payload, start)
    if count > limit:
        raise PayloadError(f"a count of {count} where at most {limit} is allowed")
    return int(count), start + counter.size
