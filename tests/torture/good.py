"""Good clients: each of them is told something regularly, and measures whether it comes in time.

They sit in a process of their own, those of the attacked program and those of the control together, so that whatever
delays the machine delays both.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import selectors
import signal
import socket
import time
from collections.abc import Callable
from multiprocessing.connection import Connection as Pipe
from typing import Protocol

from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.packet import PacketReader
from mobilesim_py.protocols.ciber import RobotRequest
from mobilesim_py.protocols.ciber.agent import AgentEnd
from tests.e2e.conftest import HOST
from tests.torture.wires import HTTP

SIPS = (0x32, 0x33)
PATIENCE = 10.0


class Good(Protocol):
    """One good client."""

    socket: socket.socket
    moments: list[float]
    """When it was told something [s]."""

    def read(self, now: float) -> None:
        """Take what has come."""

    def speak(self, now: float) -> None:
        """Say what a good client says twice a second."""


class ArcosClient:
    """Counts SIPs."""

    def __init__(self, port: int) -> None:
        self.moments: list[float] = []
        self._reader = PacketReader()
        self.socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        for sync in SYNCS:
            self.socket.sendall(sync)
            self.socket.recv(4096)
        self.socket.sendall(OPEN)

    def read(self, now: float) -> None:
        """Take packets."""
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the good client was hung up on")
        self.moments += [now for packet in self._reader.feed(data) if packet.id in SIPS]

    def speak(self, now: float) -> None:
        """Drive, and be alive."""
        self.socket.sendall(command(Command.VEL, 100) + command(Command.PULSE))


class CiberAgent:
    """Counts measures."""

    def __init__(self, port: int) -> None:
        self.moments: list[float] = []
        self._end = AgentEnd(RobotRequest("good", 1))
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(PATIENCE)
        for data in self._end.data_to_send():
            self.socket.sendto(data, (HOST, port))
        data, self._to = self.socket.recvfrom(1 << 16)
        self._end.receive_data(data)

    def read(self, now: float) -> None:
        """Take measures."""
        self._end.receive_data(self.socket.recv(1 << 16))
        if self._end.events():
            self.moments.append(now)

    def speak(self, now: float) -> None:
        """Drive."""
        self._end.drive(0.1, 0.1)
        self._end.flush()
        for data in self._end.data_to_send():
            self.socket.sendto(data, self._to)


class HttpVisitor:
    """Asks whether it is well, and counts the answers."""

    def __init__(self, port: int) -> None:
        self.moments: list[float] = []
        self._to = (HOST, port + HTTP)
        self._connect()

    def _connect(self) -> None:
        self.socket = socket.create_connection(self._to, timeout=PATIENCE)
        self._ask()

    def _ask(self) -> None:
        self.socket.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

    def read(self, now: float) -> None:
        """Take an answer, and ask again a little later."""
        if not self.socket.recv(1 << 16):
            raise ConnectionError("the visitor was hung up on")
        self.moments.append(now)
        self._due = now + 0.1

    _due = 0.0

    def speak(self, now: float) -> None:
        """Ask, when it is time."""
        if self._due and now >= self._due:
            self._due = 0.0
            self._ask()


GOOD: dict[str, Callable[[int], Good]] = {"arcos": ArcosClient, "ciber": CiberAgent, "http": HttpVisitor}


def _measure(kind: str, ports: list[int], pipe: Pipe) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    clients = [GOOD[kind](port) for port in ports]
    trouble = ["" for _ in ports]
    selector = selectors.DefaultSelector()
    for number, client in enumerate(clients):
        selector.register(client.socket, selectors.EVENT_READ, number)
    spoke = 0.0
    while not pipe.poll():
        for key, _ in selector.select(0.05):
            number = key.data
            try:
                clients[number].read(time.monotonic())
            except OSError as error:
                trouble[number] = f"{type(error).__name__}: {error}"
                selector.unregister(key.fileobj)
        now = time.monotonic()
        if now - spoke >= (0.05 if kind == "http" else 0.5):
            spoke = now
            for number, client in enumerate(clients):
                with contextlib.suppress(OSError):
                    if not trouble[number]:
                        client.speak(now)
    ended = time.monotonic()
    pipe.send([([*client.moments, ended], trouble[number]) for number, client in enumerate(clients)])


class GoodClients:
    """A good client of each of some programs, which are served alike."""

    def __init__(self, kind: str, ports: list[int]) -> None:
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_measure, args=(kind, ports, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def end(self) -> list[tuple[list[float], str]]:
        """Return the sorted intervals of each client [s], and what went wrong with it."""
        try:
            self._pipe.send("end")
            assert self._pipe.poll(PATIENCE), "the good clients do not answer"
            results = self._pipe.recv()
        except (EOFError, BrokenPipeError) as error:
            raise AssertionError("the good clients were not let in") from error
        finally:
            self._process.join(1.0)
            if self._process.is_alive():
                self._process.kill()
        return [
            (sorted(later - earlier for earlier, later in itertools.pairwise(moments)), trouble)
            for moments, trouble in results
        ]


def share(ordered: list[float], fraction: float) -> float:
    """Return the value below which this fraction of ordered values lies."""
    return ordered[min(len(ordered) - 1, int(fraction * len(ordered)))] if ordered else float("inf")
