"""Bytes of the maker's own codec and client as oracle, and strategies for packets of every kind made from the table."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from mobilesim_py.protocols.naio import TABLES, Connection, Dialect, Packet, PacketReceived, Row
from mobilesim_py.protocols.naio.layout import Field, Layout
from mobilesim_py.protocols.naio.records import Records
from mobilesim_py.protocols.naio.wire import Blob, Number, Numbers, Text, Texts, Wire

VECTORS = Path(__file__).parents[2] / "vectors" / "oz"
BITS = {"B": 8, "H": 16, "Q": 64}
SIGNED_BITS = {"b": 8, "h": 16, "i": 32}


def numbers(code: str) -> st.SearchStrategy[Any]:
    if code in "fd":
        return st.floats(width=32 if code == "f" else 64, allow_nan=False)
    if code in SIGNED_BITS:
        return st.integers(-(1 << SIGNED_BITS[code] - 1), (1 << SIGNED_BITS[code] - 1) - 1)
    return st.integers(0, (1 << BITS[code]) - 1)


def texts(size: int) -> st.SearchStrategy[str]:
    characters = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
    return st.text(characters, max_size=size).filter(lambda text: len(text.encode()) <= size)


def values(wire: Wire) -> st.SearchStrategy[Any]:
    """Return everything that a type of field can hold (of long ones, only short examples)."""
    if isinstance(wire, Number):
        return numbers(wire.code)
    if isinstance(wire, Numbers):
        few = st.lists(numbers(wire.code), min_size=1, max_size=5)
        return few.map(lambda some: tuple(some[place % len(some)] for place in range(wire.count)))
    if isinstance(wire, Text):
        return texts(min(wire.size, 30))
    if isinstance(wire, Texts):
        return st.lists(texts(wire.size), min_size=wire.count, max_size=wire.count).map(tuple)
    if isinstance(wire, Blob):
        return st.binary(max_size=min(wire.limit, 50))
    assert isinstance(wire, Records)
    return st.lists(records(wire.record, wire.inner), max_size=5).map(tuple)


def records(cls: type[Any], layout: Layout) -> st.SearchStrategy[Any]:
    """Return instances of a class with a layout; fields that are not sent with the first one's value have defaults."""
    first, *rest = (field for field in layout.fields if not field.is_constant)

    def complete(value: object) -> st.SearchStrategy[Any]:
        present: list[Field] = [field for field in rest if not field.wire.only or value in field.wire.only]
        return st.builds(cls, **{first.name: st.just(value)}, **{f.name: values(f.wire) for f in present})

    return values(first.wire).flatmap(complete)


def rows() -> list[tuple[Dialect, Row]]:
    """Return every kind in every dialect."""
    return [(dialect, row) for dialect in Dialect for row in TABLES[dialect].values()]


def row_name(part: object) -> str:
    return part.name if isinstance(part, Row) else part.value if isinstance(part, Dialect) else str(part)


def packets(dialect: Dialect) -> st.SearchStrategy[Packet]:
    """Return packets of every kind of a dialect."""
    return st.one_of(*(records(row.packet, row.layout) for row in TABLES[dialect].values()))


@pytest.fixture(scope="session")
def golden() -> dict[str, dict[str, Any]]:
    """Packets that the maker's codec encoded, by name."""
    files = ("golden_packets.jsonl", "golden_packets_more.jsonl")
    lines = [line for file in files for line in (VECTORS / file).read_text().splitlines()]
    return {line["name"]: line for line in map(json.loads, lines)}


@pytest.fixture(scope="session")
def quirks() -> dict[str, list[str]]:
    """What the maker's decoder makes of odd streams: the packets it finds, by the name of the stream."""
    found = {}
    for line in (VECTORS / "codec_quirks.txt").read_text().splitlines():
        name, packets = line[:47].rstrip(), line[47:].partition("->")[0].split()
        found[name] = packets
    return found


@pytest.fixture(scope="session")
def client_lines() -> list[dict[str, Any]]:
    """What the maker's client sent while its keys were pressed: port, id, size, hex of the payload, crc."""
    with gzip.open(VECTORS / "apiclient_keys.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def received(connection: Connection, data: bytes = b"") -> list[Packet]:
    """Return the packets that a connection finds in data, and forget what else it says."""
    connection.receive_data(data)
    return [event.packet for event in connection.events() if isinstance(event, PacketReceived)]


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """Return data cut at some places."""
    places = sorted({0, len(data), *(place % (len(data) + 1) for place in cuts)})
    return [data[a:b] for a, b in pairwise(places)]
