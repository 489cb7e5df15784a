"""What was recorded of the original: which options it had, what clients sent and what they got, and when."""

from __future__ import annotations

import gzip
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.sip import WireSip, unpack_sip

RECORDINGS = Path(__file__).parent.parent / "vectors" / "recordings"
SIPS = (0x32, 0x33)
CONFIG, LASER, LASER_EXTENDED, SIMSTAT, SIMINFO, MAP_CHANGED = 0x20, 0x60, 0x61, 0x62, 0x63, 0x66
SIM_SET_POSE = 224


@dataclass(frozen=True)
class Line:
    """One thing that happened: bytes in a direction, or an event such as `connected`."""

    time: float
    """Seconds since the first client connected."""
    client: str
    kind: str
    """`tx` client to robot, `rx` robot to client, `ev` event."""
    text: str

    @property
    def data(self) -> bytes:
        """The bytes of a `tx` or `rx` line."""
        return bytes.fromhex(self.text)

    @property
    def number(self) -> int:
        """The packet's id, or -1 where the bytes are not just one packet."""
        data = self.data
        return data[3] if len(data) > 5 and data[:2] == b"\xfa\xfb" and len(data) == 3 + data[2] else -1


@dataclass(frozen=True)
class Recording:
    """One recorded run."""

    name: str
    options: tuple[str, ...]
    lines: tuple[Line, ...] = field(repr=False)

    def of(self, client: str, kind: str) -> list[Line]:
        """What one client sent, got or saw."""
        return [line for line in self.lines if line.client == client and line.kind == kind]

    @property
    def clients(self) -> list[str]:
        """The clients' names in order of appearance."""
        return list(dict.fromkeys(line.client for line in self.lines if line.client != "-"))

    def packets(self, client: str, *ids: int) -> list[Packet]:
        """The packets that a client got, perhaps only those with some ids."""
        return [
            packet for line in self.of(client, "rx") for packet in read_packets(line.data) if not ids or packet.id in ids
        ]

    def sips(self, client: str) -> list[tuple[float, WireSip]]:
        """A client's SIPs and when they came."""
        return [
            (line.time, unpack_sip(read_packets(line.data)[0]))
            for line in self.of(client, "rx")
            if line.number in SIPS and len(line.data) > 30
        ]

    @property
    def model(self) -> str:
        """The model of the first robot."""
        return self.options[self.options.index("-r") + 1].partition(":")[0]


def load(name: str) -> Recording:
    """Read a recording."""
    with gzip.open(RECORDINGS / f"{name}.jsonl.gz", "rt") as file:
        head: dict[str, Any] = json.loads(next(file))
        return Recording(name, tuple(head["options"]), tuple(Line(*json.loads(line)) for line in file))


def names(pattern: str) -> list[str]:
    """The recordings whose names fit a pattern."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in RECORDINGS.glob(f"{pattern}.jsonl.gz"))


def read_packets(data: bytes) -> list[Packet]:
    """All packets in some bytes."""
    return list(PacketReader().feed(data))


def set_pose_of(line: Line) -> tuple[int, int, int] | None:
    """Where a SIM_SET_POSE puts the robot [mm, mm, degrees]; None for any other line."""
    if line.kind != "tx" or line.number != SIM_SET_POSE:
        return None
    x, y, heading = struct.unpack_from("<iii", line.data, 5)
    return x, y, heading
