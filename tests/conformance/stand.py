"""The whole program on a test stand: no sockets, no clock; clients are joined to it by null modems and time is stepped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.options import DEFAULT_PORT
from mobilesim_py.app.program import Program
from mobilesim_py.core.robot import Robot
from mobilesim_py.protocols.arcos.client import OPEN, SYNCS
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.sip import WireSip, unpack_sip

from .recording import SIPS


class Client:
    """One client, and the null modem between it and its session."""

    peer = "localhost (127.0.0.1)"
    dropped = 0

    def __init__(self, stand: Stand, make_session: Callable[[str], Any]) -> None:
        self._stand = stand
        self._reader = PacketReader()
        self._lost = False
        self.received: list[tuple[float, Packet]] = []
        """Packets with the simulated time of their arrival."""
        self.raw = b""
        self.closed = False
        self.session = make_session(self.peer)
        self.session.attach(self)

    # What the session sees

    def write(self, data: bytes) -> bool:
        """Bytes from the robot."""
        self.raw += data
        self.received += [(self._stand.time, packet) for packet in self._reader.feed(data)]
        return not self.closed

    def close(self) -> None:
        """Hang up from the robot's side."""
        self.closed = True

    # What the test does

    def send(self, *data: bytes) -> None:
        """Send each of these in a write of its own."""
        for part in data:
            if not self.closed:
                self.session.receive(part)
            if self.closed:
                self._end()

    def hang_up(self) -> None:
        """Close the line without a word."""
        self.closed = True
        self._end()

    def _end(self) -> None:
        if not self._lost:
            self._lost = True
            self.session.lost("")

    def synchronise(self, open_session: bool = True) -> Client:
        """Go through the handshake."""
        self.send(*SYNCS)
        if open_session:
            self.send(OPEN)
        return self

    @property
    def robot(self) -> Robot:
        """The robot at the other end."""
        robot: Robot = self.session.robot
        return robot

    def packets(self, *ids: int) -> list[Packet]:
        """What has come in so far, perhaps only packets with some ids."""
        return [packet for _, packet in self.received if not ids or packet.id in ids]

    @property
    def sips(self) -> list[WireSip]:
        """All SIPs so far."""
        return [unpack_sip(packet) for packet in self.packets(*SIPS)]

    @property
    def sip(self) -> WireSip:
        """The newest SIP."""
        return unpack_sip(next(packet for _, packet in reversed(self.received) if packet.id in SIPS))


class NullPort:
    """Stands where a TCP port would: takes one client, or as a factory any number."""

    def __init__(
        self, host: str, port: int, make_session: Callable[[str], Any], log: Log, *, robot: str | None = None
    ) -> None:
        self.port = port
        self.make_session = make_session
        self.clients: list[Client] = []

    many = False

    def open(self) -> None:
        """Listen."""

    def close(self) -> None:
        """Hang up on everybody."""
        for client in self.clients:
            client.hang_up()

    def connect(self, stand: Stand) -> Client | None:
        """Let a client in; None when the port is busy."""
        if not self.many and any(not client.closed for client in self.clients):
            return None
        client = Client(stand, self.make_session)
        self.clients.append(client)
        return client


class NullFactory(NullPort):
    """Takes any number of clients."""

    many = True


class Stand:
    """A program built from command line options, with its ports replaced by null modems."""

    def __init__(self, options: Sequence[str], maps: Path | None = None) -> None:
        self.log = Log()
        self.program = Program(parse(["--seed", "1", *options]), self.log, 0.0)
        self._now = 0.0
        self.program.real_time = lambda: self._now  # type: ignore[method-assign]
        if maps is not None:
            self.program.directory = maps
        self.program.build()
        with patch.multiple("mobilesim_py.app.program", RobotPort=NullPort, FactoryPort=NullFactory):
            self.program.open_ports()
        self.ports: dict[int, NullPort] = {port.port: port for port in self.program._opened}

    @property
    def time(self) -> float:
        """Simulated seconds."""
        return self.program.simulation.time

    def step(self, count: int = 1) -> None:
        """Let some steps pass, each in the real time that it should take."""
        for _ in range(count):
            self._now += self.program.real_interval()
            self.program.step(lambda: self._now, self._now)

    def run(self, seconds: float) -> None:
        """Let simulated time pass."""
        self.step(round(seconds / self.program.simulation.dt))

    def connect(self, offset: int = 0) -> Client:
        """A new client on a port, counted from the first one; ConnectionRefusedError when it is busy or not there."""
        port = self.ports.get(DEFAULT_PORT + offset)
        client = port.connect(self) if port is not None else None
        if client is None:
            raise ConnectionRefusedError(offset)
        return client

    def open(self, offset: int = 0) -> Client:
        """A new client that has opened its session."""
        return self.connect(offset).synchronise()

    def logged(self, text: str) -> int:
        """How many lines of the log contain a text."""
        return sum(text in line.text for line in self.log.recent())
