"""Many clients in one process: they connect, switch on sensors, drive, and count the packets received.

with Server("-m", str(ground.map), *["-r", "p3dx-sh"] * 25, ports=25) as server:
server.wait_until_listening()
with Crowd(server, 25, places=ground.places, laser=True) as crowd:
crowd.run(2.0)                      # let it settle
result = crowd.measure(5.0)
"""

from __future__ import annotations

import itertools
import selectors
import socket
import statistics
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType

from benchmarks.places import PlaceOnMap
from benchmarks.server import HOST, Server
from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command, set_pose
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import WirePose
from mobilesim_py.protocols.arcos.packet import encode

SIPS = (0x32, 0x33)
EXTENDED_SCAN = 0x61
LONGEST_SETUP = 60.0
TURN = 20
"""Turning speed of the robots [deg/s]."""
COMMAND_INTERVAL = 1.0
SIP_INTERVAL = 0.1
HELD_RATE = 9.9
HELD_INTERVAL = 0.150
"""A rate of 10 Hz counts as held when every client has this rate, and 99 of 100 intervals are no longer than this [s]."""


@dataclass(frozen=True)
class Measurement:
    """The result of measuring a crowd of clients for some time."""

    clients: int
    seconds: float
    cpu_seconds: float
    memory_mb: float
    slowest_rate: float
    """SIPs per second of the client that received the fewest."""
    mean_rate: float
    typical_interval: float
    late_interval: float
    """99th percentile of the intervals between SIPs [s]."""
    longest_interval: float
    readings_per_sip: float
    bad_bytes: int

    @property
    def cpu_ms_per_robot_second(self) -> float:
        """The cost: CPU time per robot and simulated second [ms]."""
        simulated = self.seconds * self.mean_rate / 10.0
        return 1000.0 * self.cpu_seconds / (self.clients * simulated) if simulated > 0.0 else float("inf")

    @property
    def held(self) -> bool:
        """Whether every client got its SIPs in time."""
        return self.slowest_rate >= HELD_RATE and self.late_interval <= HELD_INTERVAL


class Client:
    """One connection and the counts of packets received on it."""

    __slots__ = ("arrivals", "bad_bytes", "before", "buffer", "other", "readings", "setup", "socket", "synchronised")

    def __init__(self, port: int, setup: bytes) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=LONGEST_SETUP)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(SYNCS[0])
        self.socket.setblocking(False)
        self.setup = setup
        self.buffer = b""
        self.synchronised = 0
        self.other: Callable[[int, bytes, float], None] | None = None
        self.arrivals: list[float] = []
        self.forget()

    def forget(self) -> None:
        """Restart counting from the last SIP."""
        self.before = self.arrivals[-1] if self.arrivals else None
        self.arrivals = []
        self.readings = 0
        self.bad_bytes = 0

    def take(self, data: bytes, now: float) -> None:
        """Count the packets in what was received."""
        data = self.buffer + data
        at, size = 0, len(data)
        while size - at >= 4:
            if data[at] != 0xFA or data[at + 1] != 0xFB:
                self.bad_bytes += 1
                at += 1
                continue
            end = at + 3 + data[at + 2]
            if end > size:
                break
            kind = data[at + 3]
            if kind == EXTENDED_SCAN:
                self.readings += data[at + 8]
            elif kind in SIPS:
                self.arrivals.append(now)
            elif kind == self.synchronised < len(SYNCS):
                self._answer()
            if self.other is not None:
                self.other(kind, data[at + 4 : end - 2], now)
            at = end
        self.buffer = data[at:]

    def _answer(self) -> None:
        self.synchronised += 1
        self.socket.send(SYNCS[self.synchronised] if self.synchronised < len(SYNCS) else self.setup)


class Crowd:
    """A client for each of the first `count` ports of a server."""

    def __init__(
        self,
        server: Server,
        count: int,
        *,
        places: Sequence[PlaceOnMap] = (),
        laser: bool = False,
        turn: int = TURN,
    ) -> None:
        self._server = server
        self._selector = selectors.DefaultSelector()
        self._drive = command(Command.ROTATE, turn)
        self._next_command = time.monotonic() + COMMAND_INTERVAL
        self.clients: list[Client] = []
        for k in range(count):
            setup = setup_bytes(places[k] if places else None, laser) + self._drive
            client = Client(server.port + k, setup)
            self.clients.append(client)
            self._selector.register(client.socket, selectors.EVENT_READ, client)
        began = time.monotonic()
        while any(client.synchronised < len(SYNCS) for client in self.clients):
            if time.monotonic() - began > LONGEST_SETUP:
                raise RuntimeError(f"not all of {count} clients were welcomed within {LONGEST_SETUP:.0f} s")
            self._listen(0.1)

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._selector.close()
        for client in self.clients:
            client.socket.close()

    def _listen(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            client: Client = key.data
            try:
                data = client.socket.recv(262_144)
            except BlockingIOError:
                continue
            if not data:
                raise RuntimeError("the simulator closed a connection")
            client.take(data, time.monotonic())

    def run(self, seconds: float) -> None:
        """Receive for some time, and repeat the drive command every second as clients do."""
        now = time.monotonic()
        end = now + seconds
        while now < end:
            self._listen(max(0.0, min(end, self._next_command) - now))
            now = time.monotonic()
            if now >= self._next_command:
                self._next_command = now + COMMAND_INTERVAL
                for client in self.clients:
                    client.socket.send(self._drive)

    def measure(self, seconds: float) -> Measurement:
        """Receive for some time and return the measurement."""
        for client in self.clients:
            client.forget()
        cpu, began = self._server.cpu_seconds(), time.monotonic()
        self.run(seconds)
        cpu, passed = self._server.cpu_seconds() - cpu, time.monotonic() - began
        rates = [rate(client.before, client.arrivals, passed) for client in self.clients]
        gaps = sorted(gap for client in self.clients for gap in intervals(client.arrivals))
        return Measurement(
            clients=len(self.clients),
            seconds=passed,
            cpu_seconds=cpu,
            memory_mb=self._server.memory_mb(),
            slowest_rate=min(rates),
            mean_rate=statistics.fmean(rates),
            typical_interval=share(gaps, 0.5),
            late_interval=share(gaps, 0.99),
            longest_interval=share(gaps, 1.0),
            readings_per_sip=sum(client.readings for client in self.clients)
            / max(1, sum(len(client.arrivals) for client in self.clients)),
            bad_bytes=sum(client.bad_bytes for client in self.clients),
        )


def intervals(moments: Sequence[float]) -> list[float]:
    """Return the times between successive moments."""
    return [after - before for before, after in itertools.pairwise(moments)]


def rate(before: float | None, arrivals: Sequence[float], passed: float) -> float:
    """Return SIPs per second, from SIP to SIP: the limits of the window must not matter, but silence at its end must."""
    if not arrivals:
        return 0.0
    span = arrivals[-1] - before if before is not None else passed
    return len(arrivals) / max(span, passed - SIP_INTERVAL)


def share(ordered: Sequence[float], fraction: float) -> float:
    """Return the quantile: the value below which this fraction of the ordered values lies."""
    return ordered[min(len(ordered) - 1, int(fraction * len(ordered)))] if ordered else float("inf")


def setup_bytes(place: PlaceOnMap | None, laser: bool) -> bytes:
    """Return what a client sends after the handshake: sonar on, and optionally a laser of 181 beams."""
    words = [OPEN, command(Command.ENABLE, 1), command(Command.SONAR, 1)]
    if place is not None:
        words.append(set_pose(WirePose(*place)))
    if laser:
        for number, value in (
            (Command.SIM_LRF_SET_FOV_START, -90),
            (Command.SIM_LRF_SET_FOV_END, 90),
            (Command.SIM_LRF_SET_RES, 100),
            (Command.SIM_LRF_ENABLE, 2),
        ):
            words.append(encode(number, struct.pack("<BHB", 0x1B if value < 0 else 0x3B, abs(value), 0)))
    return b"".join(words)
