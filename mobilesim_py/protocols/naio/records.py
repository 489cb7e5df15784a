"""Records behind their count, as types of fields: one record after the other, or a column for each of their fields.

The fields of a record are numbers.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .layout import Layout, layout
from .wire import NAMES, Number, Numbers, Wire, need, unpack_count


@dataclass(frozen=True)
class Records(Wire):
    """Records one after the other: a tuple."""

    record: type = field(kw_only=True)
    count_code: str = field(kw_only=True)
    limit: int = field(kw_only=True)
    """The largest count."""

    @cached_property
    def inner(self) -> Layout:
        """The layout of each record."""
        return layout(self.record)

    @cached_property
    def counter(self) -> struct.Struct:
        """The packer of the count."""
        return struct.Struct(">" + self.count_code)

    @property
    def type_name(self) -> str:
        """Return such as `u8 n, n times (camera u8, colour u8, x f32, y f32)`."""
        inner = ", ".join(f"{each.name} {each.wire.type_name}" for each in self.inner.fields)
        return f"{NAMES[self.count_code]} n, n times ({inner})"

    @property
    def smallest(self) -> int:
        """Return the size without any record."""
        return self.counter.size

    @property
    def largest(self) -> int:
        """Return the size with as many records as there may be."""
        return self.counter.size + self.limit * self.inner.largest

    def pack(self, value: Any) -> bytes:
        """Return the records behind their count."""
        return self._packed_count(value) + b"".join(map(self.inner.pack, value))

    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the records as a tuple."""
        count, start = unpack_count(self.counter, self.limit, payload, start)
        size = self.inner.largest
        end = start + count * size
        need(payload, end)
        places = range(start, end, size)
        return tuple(self.inner.unpack(self.record, payload[place : place + size]) for place in places), end

    def _packed_count(self, value: Any) -> bytes:
        if len(value) > self.limit:
            raise ValueError(f"there must be at most {self.limit}")
        return self.counter.pack(len(value))


@dataclass(frozen=True)
class Columns(Records):
    """Records as columns, the first field of all of them first: a tuple of records nevertheless."""

    @property
    def type_name(self) -> str:
        """Return such as `u16 n, width f32[n], length u16[n]`."""
        inner = ", ".join(f"{each.name} {each.wire.type_name}[n]" for each in self.inner.fields)
        return f"{NAMES[self.count_code]} n, {inner}"

    def pack(self, value: Any) -> bytes:
        """Return the columns behind the count of records."""
        cells = [each.wire.pack(getattr(record, each.name)) for each in self.inner.fields for record in value]
        return self._packed_count(value) + b"".join(cells)

    def unpack(self, payload: bytes, start: int) -> tuple[Any, int]:
        """Return the records as a tuple."""
        count, start = unpack_count(self.counter, self.limit, payload, start)
        columns = []
        for number in self._numbers:
            column, start = Numbers("", code=number.code, order=number.order, count=count).unpack(payload, start)
            columns.append(column)
        return tuple(self.record(*row) for row in zip(*columns, strict=True)), start

    @cached_property
    def _numbers(self) -> list[Number]:
        return [each.wire for each in self.inner.fields if isinstance(each.wire, Number)]
