"""Recordings of the contest's own simulator, cut into cycles, and a player that puts their inputs into a game."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from pathlib import Path

from mobilesim_py.services.ciberrato import Switchboard

VECTORS = Path(__file__).parents[2] / "vectors" / "ciber"
CYCLE_GAP = 0.02
"""Seconds between the last datagram of a cycle and the first of the next, at least."""


@dataclass
class Cycle:
    """What came in before a cycle and what went out in it: (peer, channel, bytes)."""

    inputs: list[tuple[int, str, bytes]] = field(default_factory=list)
    outputs: list[tuple[int, str, bytes]] = field(default_factory=list)


def lines(name: str) -> list[dict]:
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt") as stream:
        return [json.loads(line) for line in stream]


def data_of(line: dict) -> bytes:
    data = line["text"].encode("latin-1") + (b"\0" if line["nul"] else b"")
    # the names of files in some replies were shortened after recording
    assert len(data) == line["len"] or "\t\tLab=" in line["text"]
    return data


def cycles(name: str) -> list[Cycle]:
    """Cut a recording where the simulator fell silent; an input counts for the cycle whose first datagram comes after it."""
    found: list[Cycle] = []
    waiting: list[tuple[int, str, bytes]] = []
    last = -1.0
    for line in lines(name):
        entry = (line["peer"], line["ch"], data_of(line))
        if line["dir"] == "c2s":
            waiting.append(entry)
            continue
        if line["t"] - last > CYCLE_GAP:
            found.append(Cycle(waiting))
            waiting = []
        found[-1].outputs.append(entry)
        last = line["t"]
    return found


PLACES = (b"<Lab", b"<Grid")


def told(entries: list[tuple[int, str, bytes]], places: bool) -> list[tuple[int, str, bytes]]:
    """Return what clients were told, either the Lab and the Grid or all else, in an order that can be compared.

    A viewer that asked for the Lab while the simulator was still in the cycle of its registration was sometimes answered in that
    cycle and sometimes in the next one.
    """
    return sorted(entry for entry in entries if entry[2].startswith(PLACES) is places)


class Player:
    """Plays a recording's inputs to a game, and compares what comes out with what the simulator sent."""

    def __init__(self, board: Switchboard[int]) -> None:
        self.board = board
        self.doors: dict[int, int] = {}

    def play(self, cycle: Cycle) -> list[tuple[int, str, bytes]]:
        for peer, channel, data in cycle.inputs:
            self.board.receive(data, peer, 0 if channel == "reg" else self.doors[peer])
        sent = []
        for outgoing in self.board.cycle():
            channel = "data" if outgoing.peer in self.doors else "reg"
            self.doors.setdefault(outgoing.peer, outgoing.door)
            assert self.doors[outgoing.peer] == outgoing.door
            sent.append((outgoing.peer, channel, outgoing.data))
        return sent
