"""A packet's layout, made of its class's annotations: what packs, unpacks, checks and documents it.

    @dataclass(frozen=True)
    class HaMotors(Packet):
        left: Annotated[int, i8("power of the left wheels")]

Numbers that follow each other in the same byte order are packed at once. A field that the class does not take as an
argument (`field(init=False, default=...)`) is a constant: sent as it is, not looked at in what comes in.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from .kinds import Direction, Kind
from .wire import PACKING_ERRORS, Number, Wire, need

T = TypeVar("T")


class Packet:
    """One packet without its frame."""

    kind: ClassVar[Kind]
    direction: ClassVar[Direction]


@dataclass(frozen=True)
class Field:
    """One field of a packet: a line of the table."""

    name: str
    wire: Wire
    is_constant: bool


@dataclass(frozen=True)
class Run:
    """Fields that are packed together: numbers of one byte order, or one field of any other type."""

    fields: tuple[Field, ...]

    @cached_property
    def structure(self) -> struct.Struct | None:
        """The packer of all the numbers; None when it is one field of another type."""
        numbers = [each.wire for each in self.fields if isinstance(each.wire, Number)]
        if not numbers:
            return None
        order = "".join(sorted({number.order for number in numbers if not number.is_byte})) or ">"
        return struct.Struct(order + "".join(number.code for number in numbers))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(each.name for each in self.fields)

    @property
    def only(self) -> frozenset[int]:
        """Values of the packet's first field with which the run is there; empty: always."""
        return self.fields[0].wire.only

    def pack(self, packet: object) -> bytes:
        """Return the bytes of the fields of a packet."""
        values = [getattr(packet, name) for name in self.names]
        try:
            return self.structure.pack(*values) if self.structure else self.fields[0].wire.pack(values[0])
        except PACKING_ERRORS as error:
            raise self._explain(packet, values) from error

    def unpack(self, payload: bytes, start: int, found: dict[str, Any]) -> int:
        """Put the values at `start` into `found`, and return where the next run begins."""
        if self.structure is None:
            found[self.names[0]], end = self.fields[0].wire.unpack(payload, start)
            return end
        found.update(zip(self.names, self.numbers(payload, start), strict=True))
        return start + self.structure.size

    def numbers(self, payload: bytes, start: int) -> tuple[Any, ...]:
        """Return the numbers at `start` of a run that is made of numbers."""
        assert self.structure is not None
        need(payload, start + self.structure.size)
        return self.structure.unpack_from(payload, start)

    def _explain(self, packet: object, values: Sequence[Any]) -> ValueError:
        """Return an error that names the first field whose value does not fit."""
        sentences = []
        for each, value in zip(self.fields, values, strict=True):
            try:
                each.wire.pack(value)
            except PACKING_ERRORS as error:
                shown = repr(value)
                shown = shown if len(shown) <= 40 else shown[:37] + "..."
                sentences.append(f"{type(packet).__name__}.{each.name}: {shown} is no {each.wire.type_name} ({error})")
        return ValueError(sentences[0])


@dataclass(frozen=True)
class Layout:
    """All fields of a packet or of a record in it, in the order of the wire."""

    fields: tuple[Field, ...]

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The fields in the groups in which they are packed."""
        groups: list[list[Field]] = []
        open_order: str | None = None
        for each in self.fields:
            order = _order(each.wire)
            if order is not None and open_order is not None and (not order or order == open_order or not open_order):
                groups[-1].append(each)
                open_order = open_order or order
            else:
                groups.append([each])
                open_order = order
        return tuple(Run(tuple(group)) for group in groups)

    @cached_property
    def constants(self) -> tuple[str, ...]:
        """The names of the fields that are constants."""
        return tuple(each.name for each in self.fields if each.is_constant)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether it is one run of numbers and all of them are arguments of the class."""
        return len(self.runs) == 1 and self.runs[0].structure is not None and not self.constants

    @cached_property
    def smallest(self) -> int:
        """The fewest bytes of a payload."""
        return sum(each.wire.smallest for each in self.fields if not each.wire.only)

    @cached_property
    def largest(self) -> int:
        """The most bytes of a payload; never too few where fields exclude each other."""
        return sum(each.wire.largest for each in self.fields)

    def pack(self, packet: object) -> bytes:
        """Return the payload of a packet; raise `ValueError`, which names the field, for a value that does not fit."""
        if len(self.runs) == 1:
            return self.runs[0].pack(packet)
        choice = getattr(packet, self.fields[0].name)
        return b"".join(run.pack(packet) for run in self.runs if not run.only or choice in run.only)

    def unpack(self, cls: type[T], payload: bytes) -> T:
        """Return the packet of a payload, whatever stands behind it; raise `PayloadError` where something is missing."""
        if self._is_plain:
            return cls(*self.runs[0].numbers(payload, 0))
        found: dict[str, Any] = {}
        end = 0
        for run in self.runs:
            if not run.only or found[self.fields[0].name] in run.only:
                end = run.unpack(payload, end, found)
        for name in self.constants:
            del found[name]
        return cls(**found)


def _order(wire: Wire) -> str | None:
    """Return the byte order of a number that may be joined to others: empty for a byte; None for what stands alone."""
    if not isinstance(wire, Number) or wire.only:
        return None
    return "" if wire.is_byte else wire.order


def layout(cls: type) -> Layout:
    """Return the layout that the annotations of a class describe."""
    hints = get_type_hints(cls, include_extras=True)
    by_name = {each.name: each for each in dataclasses.fields(cls)}
    return Layout(
        tuple(
            Field(name, get_args(hint)[1], is_constant=not by_name[name].init)
            for name, hint in hints.items()
            if get_origin(hint) is Annotated
        )
    )
