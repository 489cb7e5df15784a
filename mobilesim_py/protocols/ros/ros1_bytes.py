"""The bytes of ROS 1: little endian, packed, strings and arrays with a uint32 length in front.

Each type gets a writer and a reader of its own, compiled from its definition: neighbouring numbers are one `struct`
call, an array
of numbers is one copy (writing) or a view of the received bytes (reading).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from mobilesim_py.protocols.ros.digest import Lookup
from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.rows import NUMBERS, TIMES, Definition, Field
from mobilesim_py.protocols.ros.source import Source
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import ARRAYS, DTYPES, EMPTY, Message, NumberArray, fixed_array

Writer = Callable[[Message], bytes]
Reader = Callable[[bytes, int], tuple[Message, int]]

_LENGTH = struct.Struct("<I")
_TIMES = {base: struct.Struct(f"<{code}") for base, code in TIMES.items()}


def smallest(definition: Definition, look_up: Lookup) -> int:
    """Return the bytes that the shortest message of a type takes."""
    total = 0
    for field in definition.fields:
        if field.length is not None and field.length < 0:
            total += _LENGTH.size
            continue
        total += (1 if field.length is None else field.length) * _element_size(field, look_up)
    return total


def _element_size(field: Field, look_up: Lookup) -> int:
    if field.is_message:
        return smallest(look_up(field.base), look_up)
    return struct.calcsize(f"<{NUMBERS.get(field.base) or TIMES.get(field.base, 'I')}")


# --- writing -------------------------------------------------------------------------------------------------------------


def compile_writer(definition: Definition, look_up: Lookup, writer_of: Callable[[str], Writer]) -> Writer:
    """Return the function that turns a message into bytes."""
    writing = _Writing(look_up, writer_of)
    writing.message(definition, "message")
    writing.close_run()
    parts = "".join(f"{part}, " for part in writing.parts)
    return writing.source.compile("message", f"join(({parts}))", f"write {definition.name}")


class _Writing:
    def __init__(self, look_up: Lookup, writer_of: Callable[[str], Writer]) -> None:
        self.source = Source()
        self.source.scope["join"] = b"".join
        self.look_up = look_up
        self.writer_of = writer_of
        self.parts: list[str] = []  # expressions that give bytes, in order
        self.run = ""  # format of the numbers since the last part
        self.arguments: list[str] = []

    def close_run(self) -> None:
        if self.run:
            pack = self.source.bind(struct.Struct(f"<{self.run}").pack)
            self.parts.append(f"{pack}({', '.join(self.arguments)})")
            self.run, self.arguments = "", []

    def part(self, expression: str) -> None:
        self.close_run()
        self.parts.append(expression)

    def numbers(self, code: str, *arguments: str) -> None:
        self.run += code
        self.arguments += arguments

    def local(self, expression: str) -> str:
        name = self.source.name()
        self.source.line(f"{name} = {expression}")
        return name

    def message(self, definition: Definition, holder: str) -> None:
        for field in definition.fields:
            value = f"{holder}[{field.name!r}]"
            if field.length is not None:
                self.array(field, value)
            elif field.base in NUMBERS:
                self.numbers(NUMBERS[field.base], value)
            elif field.base in TIMES:
                time = self.local(value)
                self.numbers(TIMES[field.base], f"{time}[0]", f"{time}[1]")
            elif field.base == "string":
                text = self.local(f"{value}.encode()")
                self.numbers("I", f"len({text})")
                self.part(text)
            else:
                self.message(self.look_up(field.base), self.local(value))

    def array(self, field: Field, value: str) -> None:
        assert field.length is not None
        if field.base in NUMBERS:
            make = ARRAYS[field.base] if field.length < 0 else fixed_array(field.base, field.length)
            items = self.local(f"{self.source.bind(make)}({value})")
            result = f"{items}.tobytes()"
        else:
            items = self.local(value if field.length < 0 else f"{self.source.bind(_exactly(field.length))}({value})")
            result = f"join(map({self.source.bind(self.element(field))}, {items}))"
        if field.length < 0:
            self.numbers("I", f"len({items})")
        self.part(result)

    def element(self, field: Field) -> Callable[[Any], bytes]:
        if field.base == "string":
            return _write_string
        if field.base in TIMES:
            pack = _TIMES[field.base].pack
            return lambda time: pack(*time)
        return self.writer_of(field.base)


def _write_string(text: str) -> bytes:
    encoded = text.encode()
    return _LENGTH.pack(len(encoded)) + encoded


def _exactly(length: int) -> Callable[[Any], Any]:
    def check(items: Any) -> Any:
        if len(items) != length:
            raise ValueError(f"{length} elements are needed, not {len(items)}")
        return items

    return check


# --- reading -------------------------------------------------------------------------------------------------------------


def compile_reader(definition: Definition, look_up: Lookup, reader_of: Callable[[str], Reader]) -> Reader:
    """Return the function that reads a message at an offset: the message, and the offset behind it."""
    reading = _Reading(look_up, reader_of)
    result = reading.message(definition)
    reading.close_run()
    return reading.source.compile("data, at", f"{result}, at", f"read {definition.name}")


class _Reading:
    def __init__(self, look_up: Lookup, reader_of: Callable[[str], Reader]) -> None:
        self.source = Source()
        self.source.scope["Time"] = Time
        self.look_up = look_up
        self.reader_of = reader_of
        self.run = ""
        self.targets: list[str] = []

    def close_run(self) -> None:
        if self.run:
            plan = struct.Struct(f"<{self.run}")
            self.source.line(f"{', '.join(self.targets)}, = {self.source.bind(plan.unpack_from)}(data, at)")
            self.source.line(f"at += {plan.size}")
            self.run, self.targets = "", []

    def number(self, code: str) -> str:
        name = self.source.name()
        self.run += code
        self.targets.append(name)
        return name

    def taken(self, take: str, *arguments: str) -> str:
        """Return the name of what a function takes from the bytes at hand, which also moves on."""
        name = self.source.name()
        self.source.line(f"{name}, at = {take}(data, at, {', '.join(arguments)})")
        return name

    def message(self, definition: Definition) -> str:
        return "{" + ", ".join(f"{field.name!r}: {self.value(field)}" for field in definition.fields) + "}"

    def value(self, field: Field) -> str:
        if field.length is not None:
            return self.array(field)
        if field.base in NUMBERS:
            return self.number(NUMBERS[field.base])
        if field.base in TIMES:
            return f"Time({', '.join(self.number(code) for code in TIMES[field.base])})"
        if field.base == "string":
            length = self.number("I")
            self.close_run()
            return self.taken(self.source.bind(_take_text), length)
        return self.message(self.look_up(field.base))

    def array(self, field: Field) -> str:
        assert field.length is not None
        length = self.number("I") if field.length < 0 else str(field.length)
        self.close_run()
        if field.base in NUMBERS:
            return self.taken(self.source.bind(_TAKERS[field.base]), length)
        item_size = max(1, _element_size(field, self.look_up))
        return self.taken(self.source.bind(_take_items), length, self.source.bind(self.element(field)), str(item_size))

    def element(self, field: Field) -> Callable[[bytes, int], tuple[Any, int]]:
        if field.base == "string":
            return _take_string
        if field.base in TIMES:
            plan = _TIMES[field.base]
            return lambda data, at: (Time(*plan.unpack_from(data, at)), at + plan.size)
        return self.reader_of(field.base)


def _checked_end(data: bytes, at: int, size: int) -> int:
    end = at + size
    if end > len(data):
        raise MessageError(f"{size} bytes are announced at byte {at} of a message of {len(data)}")
    return end


def _take_text(data: bytes, at: int, length: int) -> tuple[str, int]:
    end = _checked_end(data, at, length)
    return str(data[at:end], "utf-8", "replace"), end


def _take_string(data: bytes, at: int) -> tuple[str, int]:
    (length,) = _LENGTH.unpack_from(data, at)
    return _take_text(data, at + _LENGTH.size, length)


def _take_items(
    data: bytes, at: int, length: int, read: Callable[[bytes, int], tuple[Any, int]], item_size: int
) -> tuple[list[Any], int]:
    _checked_end(data, at, length * item_size)  # a length alone must not make us reserve memory
    items = []
    for _ in range(length):
        item, at = read(data, at)
        items.append(item)
    return items, at


def _make_taker(base: str) -> Callable[[bytes, int, int], tuple[NumberArray, int]]:
    dtype, empty = DTYPES[base], EMPTY[base]
    size = dtype.itemsize

    def take(data: bytes, at: int, length: int) -> tuple[NumberArray, int]:
        end = _checked_end(data, at, length * size)
        return (np.frombuffer(data, dtype, length, at) if length else empty), end

    def take_truths(data: bytes, at: int, length: int) -> tuple[NumberArray, int]:
        end = _checked_end(data, at, length)
        return np.frombuffer(data[at:end], np.uint8) != 0, end

    return take_truths if base == "bool" else take


_TAKERS = {base: _make_taker(base) for base in NUMBERS}
