"""Recorded traffic of the original, as the oracle of the protocol's tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[2] / "vectors" / "arcos_packets.jsonl.gz"

Line = dict[str, str]


@pytest.fixture(scope="session")
def recordings() -> dict[str, list[Line]]:
    """Every recording's lines: conn, dir (tx = client to robot, rx = robot to client, closed) and hex."""
    lines: dict[str, list[Line]] = {}
    with gzip.open(VECTORS, "rt") as file:
        for text in file:
            line = json.loads(text)
            lines.setdefault(line["recording"], []).append(line)
    return lines


@pytest.fixture(scope="session")
def recorded(recordings: dict[str, list[Line]]) -> Callable[..., list[bytes]]:
    """Return a function that gives the recorded packets of one direction, perhaps of one recording, with some ids."""

    def packets(direction: str, recording: str | None = None, *ids: int) -> list[bytes]:
        chosen = [recording] if recording else sorted(recordings)
        data = [bytes.fromhex(line["hex"]) for name in chosen for line in recordings[name] if line["dir"] == direction]
        return [packet for packet in data if not ids or packet[3] in ids]

    return packets
