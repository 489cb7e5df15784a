"""Many robots with lasers as fast as it goes, for days of simulated time, while clients come and go: nothing may grow."""

from __future__ import annotations

import json
import random
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.load import setup_bytes
from mobilesim_py.protocols.arcos.client import SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from tests.e2e.conftest import HOST
from tests.torture.subject import Subject, Vitals, robots

SAMPLE_SECONDS = 15.0
CHURN_SECONDS = 1.0
"""How often a client leaves and another one takes its robot [s of real time]."""
DRIVE_SECONDS = 1.0
SIP_SECONDS = 0.1
SIP_HEADS = (0x32, 0x33)
STEP_OF_MEMORY_MB = 8.0
"""What the memory of the second half may be above that of the first: the allocator's own unrest."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at the process."""

    real: float
    """Seconds since the start."""
    simulated: float
    """Simulated seconds since the start."""
    memory_mb: float
    descriptors: int
    threads: int


def connected(port: int, seconds: float = 20.0) -> socket.socket:
    """Return a connection to a port that may be about to be opened again."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection((HOST, port), timeout=seconds)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


class Reader:
    """A client that reads everything and counts the SIPs in it."""

    def __init__(self, port: int, random_source: random.Random) -> None:
        self.port, self._random = port, random_source
        self.sips = 0
        self.connect()

    def connect(self) -> None:
        """Come in and switch everything on."""
        self._rest = b""
        self.socket = connected(self.port)
        for sync in SYNCS:
            self.socket.sendall(sync)
            self.socket.recv(4096)
        self.socket.sendall(setup_bytes(None, laser=True))
        self.drive()
        self.socket.setblocking(False)

    def drive(self) -> None:
        """Go somewhere."""
        speed, turn = self._random.randrange(-200, 600), self._random.randrange(-40, 40)
        try:
            self.socket.send(command(Command.VEL, speed) + command(Command.RVEL, turn) + command(Command.PULSE))
        except BlockingIOError:
            return

    def read(self) -> int:
        """Take what is there; how many bytes that was."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return 0
        if not data:
            raise RuntimeError(f"port {self.port} was closed by the simulator")
        size = len(data)
        data = self._rest + data
        at = 0
        while len(data) - at >= 4:
            end = at + 3 + data[at + 2]
            if end > len(data):
                break
            self.sips += data[at + 3] in SIP_HEADS
            at = end
        self._rest = data[at:]
        return size


def soak(
    folder: Path, *, hours: float, count: int, longest: float, seed: int, tell: Callable[[str], None] = print
) -> tuple[list[Sample], int]:
    """Run `hours` of simulated time, but not longer than `longest` real seconds; the samples, and the bytes received."""
    generator = random.Random(seed)
    words = ["-m", str(Path("maps/warehouse.map").resolve()), "--speed", "max", "--seed", str(seed), "-p", "PORT"]
    samples: list[Sample] = []
    received = 0
    with Subject(folder, *words, "--start", "random", "--log-file", "soak.log", *robots(count), ports=count) as subject:
        subject.wait_until_listening(count - 1)
        clients = [Reader(subject.port + number, generator) for number in range(count)]
        selector = selectors.DefaultSelector()
        for client in clients:
            selector.register(client.socket, selectors.EVENT_READ, client)
        began = time.monotonic()
        sampled = churned = driven = began
        simulated = 0.0
        with (folder / "soak.jsonl").open("w") as file:
            while simulated < hours * 3600.0 and time.monotonic() - began < longest:
                for key, _ in selector.select(0.1):
                    received += key.data.read()
                now = time.monotonic()
                # The first client stays for ever: its SIPs are the clock.
                simulated = clients[0].sips * SIP_SECONDS
                if now - driven >= DRIVE_SECONDS:
                    driven = now
                    for client in clients:
                        client.drive()
                if now - churned >= CHURN_SECONDS and count > 1:
                    churned = now
                    client = generator.choice(clients[1:])
                    selector.unregister(client.socket)
                    client.socket.close()
                    client.connect()
                    selector.register(client.socket, selectors.EVENT_READ, client)
                if now - sampled >= SAMPLE_SECONDS:
                    sampled = now
                    vitals: Vitals = subject.vitals()
                    sample = Sample(now - began, simulated, vitals.memory_mb, vitals.descriptors, vitals.threads)
                    samples.append(sample)
                    file.write(json.dumps(asdict(sample)) + "\n")
                    file.flush()
                    tell(
                        f"{simulated / 3600.0:7.3f} h simulated, {now - began:6.0f} s real, {sample.memory_mb:6.1f} MB, "
                        f"{sample.descriptors} descriptors, {sample.threads} threads, {received / 1e6:.0f} MB received"
                    )
        for client in clients:
            client.socket.close()
        code, seconds = subject.end()
        assert code == 0, f"it ended with {code} after {seconds:.1f} s:\n{subject.said()}"
    return samples, received


def growth(samples: list[Sample]) -> tuple[float, int]:
    """Return by how much the medians of the last third of memory [MB] and descriptors are above those of the middle third."""
    third = len(samples) // 3
    if third < 1:
        return 0.0, 0

    def median(values: list[float]) -> float:
        return sorted(values)[len(values) // 2]

    middle, last = samples[third : 2 * third], samples[2 * third :]
    memory = median([sample.memory_mb for sample in last]) - median([sample.memory_mb for sample in middle])
    descriptors = median([sample.descriptors for sample in last]) - median([sample.descriptors for sample in middle])
    return memory, int(descriptors)
