"""The table of all kinds of packets in each dialect: encoding, decoding, framing and docs/naio.md read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from . import api_packets, hardware_packets, manual_packets, panel_packets
from .kinds import Dialect, Kind
from .layout import Layout, Packet, layout


@dataclass(frozen=True)
class Row:
    """One kind of packet as a dialect has it."""

    id: int
    packet: type[Packet]
    layout: Layout

    @property
    def kind(self) -> Kind:
        """The kind."""
        return self.packet.kind

    @property
    def name(self) -> str:
        """The name of the packet's class."""
        return self.packet.__name__


def _classes(dialect: Dialect) -> dict[Kind, type[Packet]]:
    usual = (*hardware_packets.PACKETS, *api_packets.PACKETS, *panel_packets.PACKETS)
    printed = manual_packets.PACKETS if dialect is Dialect.MANUAL else ()
    return {packet.kind: packet for packet in (*usual, *printed)}


_PRINTED_IDS = {Kind.HA_ODO: 0x05}
"""Ids that the manuals print otherwise."""


def _build(dialect: Dialect) -> Mapping[int, Row]:
    ids = _PRINTED_IDS if dialect is Dialect.MANUAL else {}
    rows = [Row(ids.get(kind, kind), packet, layout(packet)) for kind, packet in _classes(dialect).items()]
    return MappingProxyType({row.id: row for row in sorted(rows, key=lambda row: row.id)})


TABLES: Mapping[Dialect, Mapping[int, Row]] = MappingProxyType({dialect: _build(dialect) for dialect in Dialect})
"""The rows of each dialect by id, in the order of the ids."""

_ROWS_BY_PACKET = {dialect: {row.packet: row for row in rows.values()} for dialect, rows in TABLES.items()}


def row_of(packet: type[Packet], dialect: Dialect) -> Row:
    """Return the row of a class of packets; raise `ValueError` where the dialect has another class for its kind."""
    row = _ROWS_BY_PACKET[dialect].get(packet)
    if row is None:
        instead = _classes(dialect)[packet.kind].__name__
        raise ValueError(f"the dialect '{dialect.value}' has no {packet.__name__}: send {instead} instead")
    return row
