"""How a packet's data is described: one row per field, read by packers, unpackers and the documentation.

Where a class holds the fields of a packet, the class is the table: `wire` declares a field there, and `fields_of` returns
the rows in their order.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

MAX_NAME_BYTES = 40
TYPE_NAMES = {
    "b": "i8",
    "B": "u8",
    "h": "i16",
    "H": "u16",
    "i": "i32",
    "I": "u32",
    "s": "string",
    "16s": "16 bytes",
    "*": "bytes",
}
"""Codes of `struct` as the documentation writes them; `s` is text up to and with its NUL, `*` all bytes that are left."""

Formula = Callable[[Any, Any], Any]
"""Makes a field's value of a robot's state and conversion factors; see `quantities`."""


@dataclass(frozen=True)
class Field:
    """One field of a packet."""

    name: str
    code: str
    """A code of `struct`, little-endian, or `s` or `*`."""
    meaning: str
    formula: Formula | None = None
    """None where the field is always zero, or is not packed from a robot's state."""


def wire(code: str, meaning: str, formula: Formula | None = None, *, default: Any = 0) -> Any:
    """Declare a field of a packet in the dataclass that holds its values."""
    return dataclasses.field(default=default, metadata={Field: (code, meaning, formula)})


def fields_of(packet: type) -> tuple[Field, ...]:
    """Return the fields that a dataclass declares with `wire`, in the order of the wire."""
    return tuple(Field(row.name, *row.metadata[Field]) for row in dataclasses.fields(packet) if Field in row.metadata)


def structure(fields: Sequence[Field]) -> struct.Struct:
    """Return the packer of fields that have a fixed size."""
    return struct.Struct("<" + "".join(field.code for field in fields))


def wire_string(text: str) -> bytes:
    """Return text with its NUL, cut so that every packet has room for its names."""
    return text.encode("utf-8", "replace").partition(b"\0")[0][:MAX_NAME_BYTES] + b"\0"


class FieldReader:
    """Reads fields one after another; what is missing at the end reads as zero or empty, as in clients."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def read(self, code: str) -> int:
        """Return the next number."""
        size = struct.calcsize("<" + code)
        (value,) = struct.unpack("<" + code, self.rest[:size].ljust(size, b"\0"))
        self.rest = self.rest[size:]
        return int(value)

    def read_text(self) -> str:
        """Return the next string."""
        text, _, self.rest = self.rest.partition(b"\0")
        return text.decode("utf-8", "replace")
