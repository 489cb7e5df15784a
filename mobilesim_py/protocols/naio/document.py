"""Writes docs/naio.md from the table: every kind of packet, its fields, and where the dialects differ.

`python -m mobilesim_py.protocols.naio.document > docs/naio.md` brings the page up to date.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mobilesim_py.protocols.naio.framing import FRAME_BYTES, MAX_CLIENT_PAYLOAD, MAX_PACKET_BYTES
from mobilesim_py.protocols.naio.kinds import Dialect
from mobilesim_py.protocols.naio.layout import Field
from mobilesim_py.protocols.naio.lidar import NOTHING_SEEN_MM
from mobilesim_py.protocols.naio.table import TABLES, Row

_INTRODUCTION = f"""\
# NAIO01 packets

This page is generated from the program's own table (`python -m mobilesim_py.protocols.naio.document > docs/naio.md`).

A packet is

    N A I O 0 1 | id (1 byte) | size of the payload (4 bytes, high byte first) | payload | CRC field (4 bytes)

with {FRAME_BYTES} bytes around its payload. The CRC field is sent as zeros and never looked at. Integers are \
big-endian, `f32` and `f64` little-endian. `char[n]` is text with NULs behind it, and without one where it fills its \
room. No packet with more than {MAX_PACKET_BYTES} bytes is sent.

Packets may come joined or cut anywhere. Bytes that belong to no packet are skipped, up to the next header; a size \
above {MAX_CLIENT_PAYLOAD} from a client, or the bytes `00 01` where `0` and `1` (`30 31`) belong, make no header. \
Packets with an unknown id are skipped by their size. A payload may be longer than its kind needs, and what is too \
much is ignored; a shorter one is ignored as a whole. Each of these is told once for each connection.
"""

_DIALECTS = f"""\
`simulatoz` is what the maker's simulator sends and existing clients decode; `manual` is what the manuals print. \
Layouts and ids that differ are in the table of kinds. What differs in meaning:

| | simulatoz | manual |
|---|---|---|
| lidar | index 45 looks left, 135 ahead, 225 right | index 45 looks right, 135 ahead, 225 left |
| a ray that meets nothing | {NOTHING_SEEN_MM[Dialect.SIMULATOZ]} | {NOTHING_SEEN_MM[Dialect.MANUAL]} |
| gyro | -1000/30.5 per deg/s: negative in a left turn | +1000/30.5 per deg/s |
| accelero z at rest | -1000 | +1000 |
| GPS time | ms of simulated time | ms since the epoch |
| GPS speed | m/s | km/h |
"""


def page() -> str:
    """Return the text of docs/naio.md."""
    usual, printed = TABLES[Dialect.SIMULATOZ], TABLES[Dialect.MANUAL]
    own = [row for row in printed.values() if row not in usual.values()]
    parts = [
        _INTRODUCTION,
        "## Dialects\n",
        _DIALECTS,
        "## Kinds\n",
        _rows(("id", "packet", "goes", "payload", "what it is"), map(_kind_row, usual.values())),
        "In the manual dialect these are different:\n",
        _rows(("id", "packet", "goes", "payload", "what it is"), map(_kind_row, own)),
        "## Fields\n",
    ]
    for row in (*usual.values(), *(row for row in own if row.packet.__module__.endswith("manual_packets"))):
        parts += [
            f"### {row.name} (0x{row.id:02X})\n",
            _rows(("field", "type", "unit", "meaning"), map(_field_row, row.layout.fields)),
        ]
    return "\n".join(parts)


def _kind_row(row: Row) -> tuple[str, ...]:
    least, most = row.layout.smallest, row.layout.largest
    size = f"{least}" if least == most else f"{least} or more"
    return f"0x{row.id:02X}", row.name, row.packet.direction.value, size, (row.packet.__doc__ or "").strip()


def _field_row(field: Field) -> tuple[str, ...]:
    wire = field.wire
    meaning = wire.meaning
    if wire.values:
        meaning += ": " + ", ".join(f"{value.value} {str(value.name).replace('_', ' ').lower()}" for value in wire.values)
    if wire.only:
        meaning += f" (only with {' or '.join(str(int(value)) for value in sorted(wire.only))} before it)"
    return field.name.replace("_", " "), wire.type_name, wire.unit, meaning


def _rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    print(page(), end="")
