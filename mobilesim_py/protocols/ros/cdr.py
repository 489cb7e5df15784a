"""The bytes of ROS 2: CDR, little endian, each number aligned to its size, strings with a NUL at the end.

Needed for `cbor-raw` in the dialect of ROS 2 only, so the definition is walked for each message.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from mobilesim_py.protocols.ros.digest import Lookup
from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.rows import NUMBERS, TIMES, Definition, Field
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import ARRAYS, DTYPES, EMPTY, Message, fixed_array

ENCAPSULATION = b"\x00\x01\x00\x00"  # CDR of little endian, no options
_PLANS = {base: struct.Struct(f"<{code}") for base, code in {**NUMBERS, "length": "I"}.items()}
_TIME = struct.Struct("<iI")


class CdrCodec:
    """Writes and reads the messages of one type."""

    def __init__(self, definition: Definition, look_up: Lookup) -> None:
        self._definition = definition
        self._look_up = look_up

    def write(self, message: Message) -> bytes:
        """Return the bytes of a message, with their encapsulation."""
        out = _Out()
        self._write_message(out, self._definition, message)
        return ENCAPSULATION + out.data

    def read(self, data: bytes) -> tuple[Message, int]:
        """Return the message in `data`, and where it ends."""
        if data[: len(ENCAPSULATION)] != ENCAPSULATION:
            raise MessageError("this is not little-endian CDR")
        taken = _In(data[len(ENCAPSULATION) :])
        message = self._read_message(taken, self._definition)
        return message, taken.at + len(ENCAPSULATION)

    def _write_message(self, out: _Out, definition: Definition, message: Message) -> None:
        if not definition.fields:  # IDL knows no empty structures: ROS 2 puts a byte there
            out.data.append(0)
        for field in definition.fields:
            self._write_field(out, field, message[field.name])

    def _write_field(self, out: _Out, field: Field, value: Any) -> None:
        if field.length is None:
            self._write_element(out, field, value)
            return
        if field.base in NUMBERS:
            items: Any = (ARRAYS[field.base] if field.length < 0 else fixed_array(field.base, field.length))(value)
        else:
            items = value
        if field.length < 0:
            out.number("length", len(items))
        elif len(items) != field.length:
            raise ValueError(f"{field.length} elements are needed, not {len(items)}")
        if field.base in NUMBERS:
            if len(items):
                out.align(items.itemsize)
            out.data += items.tobytes()
        else:
            for item in items:
                self._write_element(out, field, item)

    def _write_element(self, out: _Out, field: Field, value: Any) -> None:
        if field.base in NUMBERS:
            out.number(field.base, value)
        elif field.base in TIMES:
            out.align(4)
            out.data += _TIME.pack(*value)
        elif field.base == "string":
            text = value.encode() + b"\0"
            out.number("length", len(text))
            out.data += text
        else:
            self._write_message(out, self._look_up(field.base), value)

    def _read_message(self, taken: _In, definition: Definition) -> Message:
        if not definition.fields:
            taken.take(1)
        return {field.name: self._read_field(taken, field) for field in definition.fields}

    def _read_field(self, taken: _In, field: Field) -> Any:
        if field.length is None:
            return self._read_element(taken, field)
        length = int(taken.number("length")) if field.length < 0 else field.length
        if field.base not in NUMBERS:
            taken.check(length)  # each element takes at least a byte
            return [self._read_element(taken, field) for _ in range(length)]
        if not length:
            return EMPTY[field.base]
        dtype = DTYPES[field.base]
        taken.align(dtype.itemsize)
        data = taken.take(length * dtype.itemsize)
        return np.frombuffer(data, np.uint8) != 0 if field.base == "bool" else np.frombuffer(data, dtype)

    def _read_element(self, taken: _In, field: Field) -> Any:
        if field.base in NUMBERS:
            return taken.number(field.base)
        if field.base in TIMES:
            taken.align(4)
            return Time(*_TIME.unpack(taken.take(_TIME.size)))
        if field.base == "string":
            return str(taken.take(int(taken.number("length"))).rstrip(b"\0"), "utf-8", "replace")
        return self._read_message(taken, self._look_up(field.base))


class _Out:
    """Bytes in the making; alignment counts from their beginning, behind the encapsulation."""

    def __init__(self) -> None:
        self.data = bytearray()

    def align(self, size: int) -> None:
        self.data += bytes(-len(self.data) % size)

    def number(self, base: str, value: Any) -> None:
        plan = _PLANS[base]
        self.align(plan.size)
        self.data += plan.pack(value)


class _In:
    """Received bytes, and how far they have been read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def align(self, size: int) -> None:
        self.at += -self.at % size

    def check(self, size: int) -> None:
        if self.at + size > len(self.data):
            raise MessageError(f"{size} bytes or items are announced at byte {self.at} of {len(self.data)}")

    def take(self, size: int) -> bytes:
        self.check(size)
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, base: str) -> Any:
        plan = _PLANS[base]
        self.align(plan.size)
        (value,) = plan.unpack(self.take(plan.size))
        return value
