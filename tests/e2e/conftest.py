"""The real process on real ports, and a client that speaks bytes."""

from __future__ import annotations

import os
import random
import resource
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos.client import OPEN, SYNCS
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader

ROOT = Path(__file__).parent.parent.parent
MOBILESIM = ROOT / "bin" / "MobileSim"
HOST = "127.0.0.1"
CACHE = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
"""The user's own, lest every run compiles its engine anew."""
PATIENCE = 15.0
"""Seconds after which something that should happen at once counts as not happening, on a busy machine."""


class Client:
    """A client of one robot."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self.reader = PacketReader()
        self.waiting: list[Packet] = []
        self.identity: list[str] = []

    def handshake(self) -> Client:
        """SYNC0, SYNC1, SYNC2 and OPEN."""
        for number, sync in enumerate(SYNCS):
            self.send(sync)
            answer = self.next(number)
        self.identity = [part.decode() for part in answer.data.split(b"\0")[:3]]
        self.send(OPEN)
        return self

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def next(self, *ids: int, seconds: float = PATIENCE) -> Packet:
        """Return the next packet of these ids."""
        deadline = time.monotonic() + seconds
        while True:
            while self.waiting:
                packet = self.waiting.pop(0)
                if packet.id in ids:
                    return packet
            self.socket.settimeout(max(0.01, deadline - time.monotonic()))
            data = self.socket.recv(65536)
            assert data, "the simulator closed the connection"
            self.waiting += self.reader.feed(data)

    def sip(self) -> Packet:
        return self.next(0x32, 0x33)

    def until_closed(self, seconds: float = PATIENCE) -> float:
        """Read on until the simulator closes the connection cleanly; how long that took."""
        began = time.monotonic()
        while True:
            self.socket.settimeout(max(0.01, began + seconds - time.monotonic()))
            if not self.socket.recv(65536):
                return time.monotonic() - began

    def close(self) -> None:
        self.socket.close()


class Simulator:
    """One run of bin/MobileSim."""

    def __init__(
        self, words: list[str], folder: Path, environment: dict[str, str], unread: bool, descriptors: int = 0, count: int = 4
    ) -> None:
        self.port = free_ports(count)
        self.folder = folder
        self.console = folder / f"console-{self.port}"
        self.clients: list[Client] = []
        self.began = time.monotonic()
        with self.console.open("w") as output:
            self.process = subprocess.Popen(
                [str(MOBILESIM), *(word.replace("PORT", str(self.port)) for word in words)],
                cwd=folder,
                env={**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": CACHE, **environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if unread else output,
                stderr=subprocess.STDOUT,
                preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
                if descriptors
                else None,
            )

    def wait_for_port(self, offset: int = 0) -> float:
        """Wait until a port listens; how long that was after the start."""
        while not is_listening(self.port + offset):
            assert self.process.poll() is None, f"it ended:\n{self.said()}"
            assert time.monotonic() - self.began < PATIENCE, f"it never listened:\n{self.said()}"
            time.sleep(0.01)
        return time.monotonic() - self.began

    def connect(self, offset: int = 0) -> Client:
        client = Client(self.port + offset)
        self.clients.append(client)
        return client

    def wait(self) -> int:
        """Wait for the end; the exit code."""
        return self.process.wait(PATIENCE)

    def said(self) -> str:
        """Everything on its console so far."""
        return self.console.read_text(errors="replace")

    def wait_for_text(self, text: str, file: Path | None = None) -> str:
        """Wait until it has said something."""
        deadline = time.monotonic() + PATIENCE
        path = file or self.console
        while not path.exists() or text not in path.read_text(errors="replace"):
            assert time.monotonic() < deadline, f"it never said {text!r}:\n{self.said()}"
            time.sleep(0.01)
        return path.read_text(errors="replace")

    def end(self) -> None:
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def is_listening(port: int) -> bool:
    """Look whether somebody listens, without connecting: that would be a client."""
    wanted = f":{port:04X}"
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        if any(columns[1].endswith(wanted) and columns[3] == "0A" for columns in map(str.split, lines)):
            return True
    return False


def free_ports(count: int) -> int:
    """Find successive ports below those that the system gives away; the first of them."""
    while True:
        first = random.SystemRandom().randrange(10_000, 30_000)
        sockets = []
        try:
            for port in range(first, first + count):
                probe = socket.socket()
                sockets.append(probe)
                probe.bind((HOST, port))
            return first
        except OSError:
            continue
        finally:
            for probe in sockets:
                probe.close()


Start = Callable[..., Simulator]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the simulator with these words (PORT is replaced by a free port) and wait until it listens."""
    runs: list[Simulator] = []

    def starter(
        *words: str,
        listening: bool = True,
        ports: bool = True,
        unread: bool = False,
        descriptors: int = 0,
        count: int = 4,
        **environment: str,
    ) -> Simulator:
        chosen = list(words)
        if ports:
            chosen += ["-p", "PORT", "--bind-to-address", HOST, "--no-network-discovery"]
        simulator = Simulator(chosen, tmp_path, environment, unread, descriptors, count)
        runs.append(simulator)
        if listening:
            simulator.wait_for_port()
        return simulator

    yield starter
    for simulator in runs:
        simulator.end()
