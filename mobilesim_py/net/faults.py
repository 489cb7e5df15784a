"""Faults on the wire: a trace that loses, changes and holds back what crosses doors, the same in every run of a seed.

    drop       a write is lost                    split      half of a write comes a step later
    duplicate  a write comes twice                delay      everything comes later, in its order
    corrupt    a bit of a write is wrong          freeze     nothing passes until the fault is over
    close      connections are cut, once

A connection stays a stream: what is held back holds back what comes after it. Only clients with a connection suffer (TCP,
serial lines, pseudo-terminals, null modems).
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from mobilesim_py.log import Log
from mobilesim_py.net.trace import Crossing, Handle, Passage

MOST_HELD = 1 << 20
"""Bytes of one direction that are held back; of a client with more the connection is cut."""
CUT = "The connection was cut by a fault."
_SOON = 1e-9


class FaultKind(StrEnum):
    """What can go wrong on a wire."""

    DROP = "drop"
    DUPLICATE = "duplicate"
    CORRUPT = "corrupt"
    SPLIT = "split"
    DELAY = "delay"
    FREEZE = "freeze"
    CLOSE = "close"


class WireWay(StrEnum):
    """Which bytes suffer: those from clients, those to them, or both."""

    IN = "in"
    OUT = "out"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class WireFault:
    """One fault, and when it strikes whom."""

    kind: FaultKind
    robot: str = ""
    """Whose client suffers; empty for all."""
    start: float = 0.0
    """Simulated time at which it begins [s],"""
    seconds: float = math.inf
    """and how long it lasts [s]."""
    chance: float = 1.0
    """How likely it strikes a write."""
    delay: float = 0.5
    """How late a delayed write is [s]."""
    way: WireWay = WireWay.BOTH

    @property
    def end(self) -> float:
        """Simulated time at which it is over [s]."""
        return self.start + self.seconds

    def strikes(self, robot: str | None, incoming: bool, now: float) -> bool:
        """Tell whether it may strike this now."""
        is_way = self.way in (WireWay.BOTH, WireWay.IN if incoming else WireWay.OUT)
        return is_way and self.robot in ("", robot) and self.start - _SOON <= now < self.end - _SOON

    def __str__(self) -> str:
        return f"{self.kind} {self.way}" if self.way is not WireWay.BOTH else str(self.kind)


@dataclass(eq=False)
class _Client:
    number: int
    """In the order of arrival."""
    robot: str | None
    handle: Handle
    held: dict[bool, deque[tuple[float, bytes]]] = field(default_factory=lambda: {True: deque(), False: deque()})
    """What waits in each direction, and until when."""
    draws: dict[tuple[int, bool], random.Random] = field(default_factory=dict)


class WireFaults:
    """All faults of a program: its trace, its watch of clients, and what happens after every step."""

    def __init__(
        self, faults: Sequence[WireFault], seed: int, log: Log, robot_at: Callable[[str], str | None] = lambda door: None
    ) -> None:
        """Strike as a seed says; `robot_at` tells whose door an address is."""
        self._faults = tuple(faults)
        self._seed = seed
        self._log = log
        self._robot_at = robot_at
        self._clients: dict[int, _Client] = {}
        self._came = 0
        self._begun: set[int] = set()
        self._over: set[int] = set()
        self.struck = [0] * len(self._faults)
        """How often each fault has struck."""

    def passed(self, passage: Passage) -> None:
        """Note who is there."""
        if passage.came and passage.handle is not None:
            self._came += 1
            self._clients[passage.client] = _Client(self._came, self._robot_at(passage.door), passage.handle)
        elif not passage.came:
            self._clients.pop(passage.client, None)

    def crossed(self, crossing: Crossing) -> bytes | None:
        """Return what passes now of bytes that cross a door."""
        client = self._clients.get(crossing.client)
        if client is None:
            return crossing.data
        now, incoming = crossing.time, crossing.incoming
        due, data, cut = now, crossing.data, 0
        for index, fault in enumerate(self._faults):
            if not fault.strikes(client.robot, incoming, now) or fault.kind is FaultKind.CLOSE:
                continue
            draw = self._draw(client, index, incoming)
            if draw.random() >= fault.chance:
                continue
            self.struck[index] += 1
            if fault.kind is FaultKind.DROP:
                return None
            if fault.kind is FaultKind.DUPLICATE:
                data += data
            elif fault.kind is FaultKind.CORRUPT:
                data = _corrupted(data, draw)
            elif fault.kind is FaultKind.SPLIT:
                cut = draw.randrange(1, len(data)) if len(data) > 1 else 0
            else:
                due = max(due, fault.end if fault.kind is FaultKind.FREEZE else now + fault.delay)
        return self._hold(client, incoming, now, due, data, cut)

    def after_step(self, now: float) -> None:
        """Begin and end faults, and let pass what was held back until now."""
        for index, fault in enumerate(self._faults):
            self._tell(index, fault, now)
        for client in tuple(self._clients.values()):
            for incoming, held in client.held.items():
                while held and held[0][0] <= now + _SOON:
                    _, data = held.popleft()
                    (client.handle.hear if incoming else client.handle.send)(data)

    def finish(self) -> None:
        """Tell what the faults that were never over have done until the end."""
        for index in sorted(self._begun - self._over):
            fault = self._faults[index]
            text = f"Fault on the wire lasted until the end: {fault}, struck {self.struck[index]}."
            self._log.warning(text, fault.robot or None)
        self._over |= self._begun

    def _tell(self, index: int, fault: WireFault, now: float) -> None:
        whom = fault.robot or None
        if index not in self._begun and now >= fault.start - _SOON:
            self._begun.add(index)
            self._log.warning(f"Fault on the wire at {fault.start:g} s: {fault}.", whom)
            if fault.kind is FaultKind.CLOSE:
                self._over.add(index)
                self._cut(index, fault)
        if index not in self._over and now >= fault.end - _SOON:
            self._over.add(index)
            self._log.warning(f"Fault on the wire is over at {fault.end:g} s: {fault}, struck {self.struck[index]}.", whom)

    def _cut(self, index: int, fault: WireFault) -> None:
        for client in tuple(self._clients.values()):
            if fault.robot in ("", client.robot):
                self.struck[index] += 1
                client.handle.cut(CUT)

    def _hold(self, client: _Client, incoming: bool, now: float, due: float, data: bytes, cut: int) -> bytes | None:
        held = client.held[incoming]
        # The rest of what is split passes after the next step, when time has gone on.
        pieces = [(due, data[:cut]), (max(due, now + 2 * _SOON), data[cut:])] if cut else [(due, data)]
        passes = b""
        for time, piece in pieces:
            if held or time > now:
                held.append((max(time, held[-1][0]) if held else time, piece))
            else:
                passes += piece
        if sum(len(part) for _, part in held) > MOST_HELD:
            self._log.warning(f"A fault has held back more than {MOST_HELD} bytes: the connection is cut.", client.robot)
            client.handle.cut(CUT)
        return passes or None

    def _draw(self, client: _Client, index: int, incoming: bool) -> random.Random:
        key = index, incoming
        if key not in client.draws:
            client.draws[key] = random.Random(f"{self._seed} {index} {client.number} {incoming}")
        return client.draws[key]


def _corrupted(data: bytes, draw: random.Random) -> bytes:
    wrong = bytearray(data)
    if wrong:
        wrong[draw.randrange(len(wrong))] ^= 1 << draw.randrange(8)
    return bytes(wrong)
