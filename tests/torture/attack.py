"""One attacker for each wire, in a process of its own: hostile connections of every kind, with mutated messages.

The seed, the wire and the last bytes that were sent are what a failure is found again by.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import signal
import socket
import struct
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

from tests.e2e.conftest import HOST
from tests.torture.mutate import mutated
from tests.torture.wires import Wire

AT_ONCE = 6
"""Connections that an attacker has open at one time."""
REMEMBERED = 200
"""Messages that are kept for whoever looks for the one that hurt."""
PAUSE = 0.002
LINGER_NOT = struct.pack("ii", 1, 0)


@dataclass
class Volume:
    """What an attacker has done."""

    bytes: int = 0
    received: int = 0
    connections: int = 0
    refused: int = 0
    messages: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, other: Volume) -> None:
        """Add what another one has done."""
        self.bytes += other.bytes
        self.received += other.received
        self.connections += other.connections
        self.refused += other.refused
        self.messages += other.messages
        self.kinds.update(other.kinds)


class Assault:
    """One connection of an attacker; `go` is called again and again until it returns False."""

    def __init__(
        self, wire: Wire, port: int, rng: random.Random, corpus: Sequence[bytes], sent: Callable[[bytes], None]
    ) -> None:
        self.rng, self.corpus = rng, corpus
        self._sent = sent
        self._is_datagram = wire.datagrams
        self.kind = rng.choices(list(KINDS), [kind.weight for kind in KINDS.values()])[0]
        self.how = KINDS[self.kind]
        self.volume = Volume(connections=1, kinds=Counter({self.kind: 1}))
        self.until = time.monotonic() + self.how.seconds * rng.random()
        self.left = rng.randrange(1, 40)
        kind = socket.SOCK_DGRAM if wire.datagrams else socket.SOCK_STREAM
        self.socket = socket.socket(socket.AF_INET, kind)
        try:
            if self.how.reads == 0:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            self.socket.settimeout(2.0)
            self.to = (HOST, port)
            if wire.datagrams:
                self.socket.bind((HOST, 0))
            else:
                self.socket.connect(self.to)
        except OSError:
            self.socket.close()
            raise
        self.socket.setblocking(False)
        opening = wire.opening()
        self.rest = opening if opening and self.how.sends and rng.random() < 0.8 else b""
        self.same = rng.choice(corpus)

    def go(self) -> bool:
        """Do a little; whether there is more to do."""
        if self.how.reads:
            try:
                if self._is_datagram:
                    data, self.to = self.socket.recvfrom(1 << 16)  # answers come from a port of one's own
                else:
                    data = self.socket.recv(1 << 16)
                self.volume.received += len(data)
                if not data and not self._is_datagram:
                    return False
            except BlockingIOError:
                pass
            except OSError:
                return self._is_datagram and time.monotonic() < self.until
        if self.how.sends and not self._send():
            return False
        return time.monotonic() < self.until and (self.left > 0 or bool(self.rest) or self.how.repeats or not self.how.sends)

    def _send(self) -> bool:
        if not self.rest and (self.left > 0 or self.how.repeats):
            self.left -= 1
            self.rest = self.same * (1 if self._is_datagram else 50) if self.how.repeats else mutated(self.corpus, self.rng)
            self.volume.messages += 1
            self._sent(self.rest)
        if not self.rest:
            return True
        piece = self.rest[: self.rng.choice((1, 2, 7))] if self.how.drips else self.rest
        try:
            if self._is_datagram:
                self.socket.sendto(self.rest[:60_000], self.to)
                count = len(self.rest)
            else:
                count = self.socket.send(piece)
        except BlockingIOError:
            return True
        except OSError:
            self.rest = b""
            return self._is_datagram
        self.volume.bytes += count
        self.rest = self.rest[count:]
        return True

    def close(self) -> None:
        """Leave, politely or not."""
        with contextlib.suppress(OSError):
            if self.how.resets and not self._is_datagram:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
        self.socket.close()


@dataclass(frozen=True)
class Kind:
    """How a hostile client behaves."""

    weight: int
    seconds: float = 2.0
    sends: bool = True
    reads: int = 1
    drips: bool = False
    resets: bool = False
    repeats: bool = False


KINDS: dict[str, Kind] = {
    "fuzzes": Kind(40),
    "fuzzes and resets": Kind(15, resets=True),
    "never reads": Kind(10, reads=0),
    "floods": Kind(6, repeats=True),
    "floods and never reads": Kind(4, repeats=True, reads=0),
    "drips": Kind(5, drips=True),
    "says nothing": Kind(5, sends=False, seconds=4.0),
    "connects and leaves": Kind(15, sends=False, seconds=0.0),
    "connects and resets": Kind(5, sends=False, seconds=0.0, resets=True),
}


def attack(wire: Wire, ports: Sequence[int], seed: int, rate: float, pipe: Pipe, remains: Path) -> None:
    """Attack until told to stop, about `rate` bytes a second; tell of the volume every second."""
    rng = random.Random(f"{seed} {wire.name}")
    corpus = wire.corpus()
    recent: deque[bytes] = deque(maxlen=REMEMBERED)
    assaults: list[Assault] = []
    volume, told, began, total = Volume(), time.monotonic(), time.monotonic(), 0
    while not pipe.poll():
        while len(assaults) < AT_ONCE:
            try:
                assaults.append(Assault(wire, rng.choice(ports), rng, corpus, recent.append))
            except OSError:
                volume.refused += 1
                break
        for assault in tuple(assaults):
            before = assault.volume.bytes
            if not assault.go():
                assault.close()
                assaults.remove(assault)
                volume.add(assault.volume)
            total += assault.volume.bytes - before
        now = time.monotonic()
        ahead = total / rate - (now - began)
        time.sleep(min(0.25, max(PAUSE, ahead)))
        if now - told > 1.0:
            told = now
            pipe.send(volume)
            volume = Volume()
    for assault in assaults:
        assault.close()
        volume.add(assault.volume)
    pipe.send(volume)
    with remains.open("wb") as file:
        for message in recent:
            file.write(struct.pack("<I", len(message)) + message)


class Attacker:
    """An attacker in a process of its own."""

    def __init__(self, wire: Wire, ports: Sequence[int], seed: int, rate: float, folder: Path) -> None:
        self.wire = wire
        self.volume = Volume()
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe()
        remains = folder / f"last-of-{wire.name.replace(' ', '-')}.bin"
        self._process = context.Process(
            target=_ignoring_interrupts, args=(wire, ports, seed, rate, theirs, remains), daemon=True
        )
        self._process.start()
        theirs.close()

    def look(self) -> None:
        """Take what it has told."""
        with contextlib.suppress(EOFError, OSError):
            while self._pipe.poll():
                self.volume.add(self._pipe.recv())

    def stop(self) -> None:
        """Have it stop, and wait for that."""
        with contextlib.suppress(OSError):
            self._pipe.send("stop")
        self._process.join(10.0)
        self.look()
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _ignoring_interrupts(wire: Wire, ports: Sequence[int], seed: int, rate: float, pipe: Pipe, remains: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(10)  # what is made here should not take the processor from the program that has to stand it
    attack(wire, ports, seed, rate, pipe, remains)
