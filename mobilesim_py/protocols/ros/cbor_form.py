"""A message in CBOR: a map of its fields, arrays of numbers as typed arrays, non-finite numbers kept.

Each type gets a writer compiled from its definition: the heads and keys of all maps are constants of it, and
neighbouring floats
are packed together with the keys between them in one `struct` call.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

from mobilesim_py.protocols.ros import cbor
from mobilesim_py.protocols.ros.digest import Lookup
from mobilesim_py.protocols.ros.rows import FLOATS, INTEGERS, NUMBERS, OCTETS, TIMES, Definition, Dialect, Field
from mobilesim_py.protocols.ros.source import Source
from mobilesim_py.protocols.ros.values import ARRAYS, DTYPES, Message, NumberArray, fixed_array

CborWriter = Callable[[Message], bytes]

TIME_KEYS: Mapping[Dialect, tuple[str, str]] = {Dialect.ROS1: ("secs", "nsecs"), Dialect.ROS2: ("sec", "nanosec")}
_DOUBLE = b"\xfb"


def compile_cbor_writer(
    definition: Definition, look_up: Lookup, writer_of: Callable[[str], CborWriter], dialect: Dialect
) -> CborWriter:
    """Return the function that turns a message into CBOR."""
    writing = _Writing(look_up, writer_of, dialect)
    writing.message(definition, "message")
    writing.close_run()
    parts = "".join(f"{part}, " for part in writing.parts)
    return writing.source.compile("message", f"join(({parts}))", f"cbor {definition.name}")


class _Writing:
    def __init__(self, look_up: Lookup, writer_of: Callable[[str], CborWriter], dialect: Dialect) -> None:
        self.source = Source()
        self.source.scope |= {
            "join": b"".join,
            "integer": cbor.write_int,
            "text": cbor.write_text,
            "truth": cbor.write_truth,
        }
        self.look_up = look_up
        self.writer_of = writer_of
        self.time_keys = [cbor.write_text(key) for key in TIME_KEYS[dialect]]
        self.parts: list[str] = []
        self.run: list[bytes | str] = []  # constants, and expressions of floats, since the last part

    def close_run(self) -> None:
        """Turn what was gathered into one part: a constant, or one call of struct."""
        if not self.run:
            return
        pieces: list[bytes | str] = []
        for piece in self.run:
            if pieces and isinstance(piece, bytes) and isinstance(pieces[-1], bytes):
                pieces[-1] += piece
            else:
                pieces.append(piece)
        self.run = []
        if len(pieces) == 1 and isinstance(pieces[0], bytes):
            self.parts.append(self.source.bind(pieces[0]))
            return
        plan = ">" + "".join(f"{len(piece)}s" if isinstance(piece, bytes) else "d" for piece in pieces)
        arguments = [self.source.bind(piece) if isinstance(piece, bytes) else piece for piece in pieces]
        self.parts.append(f"{self.source.bind(struct.Struct(plan).pack)}({', '.join(arguments)})")

    def part(self, expression: str) -> None:
        self.close_run()
        self.parts.append(expression)

    def local(self, expression: str) -> str:
        name = self.source.name()
        self.source.line(f"{name} = {expression}")
        return name

    def message(self, definition: Definition, holder: str) -> None:
        self.run.append(cbor.map_head(len(definition.fields)))
        for field in definition.fields:
            self.run.append(cbor.write_text(field.name))
            self.value(field, f"{holder}[{field.name!r}]")

    def value(self, field: Field, value: str) -> None:
        if field.length is not None:
            self.array(field, value)
        elif field.base in FLOATS:
            self.run += [_DOUBLE, value]
        elif field.base in INTEGERS:
            self.part(f"integer({value})")
        elif field.base in TIMES:
            self.time(self.local(value))
        elif field.base in ("string", "bool"):
            self.part(f"{'text' if field.base == 'string' else 'truth'}({value})")
        else:
            self.message(self.look_up(field.base), self.local(value))

    def time(self, time: str) -> None:
        secs, nsecs = self.time_keys
        self.run.append(cbor.map_head(2) + secs)
        self.part(f"integer({time}[0])")
        self.run.append(nsecs)
        self.part(f"integer({time}[1])")

    def array(self, field: Field, value: str) -> None:
        assert field.length is not None
        if field.base in NUMBERS:
            make = ARRAYS[field.base] if field.length < 0 else fixed_array(field.base, field.length)
            write = _TYPED.get(field.base, cbor.write_array)
            self.part(f"{self.source.bind(write)}({self.source.bind(make)}({value}))")
            return
        items = self.local(value)
        self.part(f"{self.source.bind(cbor.list_head)}(len({items}))")
        self.part(f"join(map({self.source.bind(self.element(field))}, {items}))")

    def element(self, field: Field) -> Callable[[Any], bytes]:
        if field.base == "string":
            return cbor.write_text
        if field.base in TIMES:
            secs, nsecs = self.time_keys
            start = cbor.map_head(2) + secs
            return lambda time: start + cbor.write_int(time[0]) + nsecs + cbor.write_int(time[1])
        return self.writer_of(field.base)


def _make_typed_writer(base: str) -> Callable[[NumberArray], bytes]:
    """Return the writer of arrays of one type, which need not ask the array for its type."""
    tag = cbor.encode_tag(cbor.TAGS[DTYPES[base].str[1:]])

    def write(array: NumberArray) -> bytes:
        return tag + cbor.write_bytes(array.tobytes())

    return write


_TYPED = {base: _make_typed_writer(base) for base in NUMBERS if base not in OCTETS and base != "bool"}
