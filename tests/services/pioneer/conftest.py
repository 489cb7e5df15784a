"""A program without sockets: clients on null modems, a clock that only moves when told to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.core.robot import Robot
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.services.pioneer.session import EmulatorSession


class NullModem:
    """A client and its line in one: what the session writes is read back as packets."""

    peer = "null modem"

    def __init__(self) -> None:
        self.reader = PacketReader()
        self.packets: list[Packet] = []
        self.raw = b""
        self.closed = False
        self.dropped = 0
        self.pending = 0
        self.session: EmulatorSession

    def write(self, data: bytes) -> bool:
        self.raw += data
        self.packets += self.reader.feed(data)
        return True

    def close(self) -> None:
        self.closed = True
        self.session.lost("")

    def send(self, *packets: bytes) -> None:
        self.session.receive(b"".join(packets))

    def take(self, *ids: int) -> list[Packet]:
        """The packets of these ids (all when none is named) since the last call, and forget the rest."""
        found = [packet for packet in self.packets if not ids or packet.id in ids]
        self.packets.clear()
        return found


class Stand:
    """A program on a test stand."""

    def __init__(self, *words: str) -> None:
        self.log = Log()
        self.now = 0.0
        self.program = Program(parse([*words, "--no-gui", "--seed", "1"], interactive=False), self.log, 0.0)
        self.program.real_time = lambda: self.now  # type: ignore[method-assign]
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.program.later = lambda seconds, call: self.timers.append((self.now + seconds, call))
        self.program.build()

    @property
    def simulation(self):  # type: ignore[no-untyped-def]
        return self.program.simulation

    @property
    def robots(self) -> list[Robot]:
        return self.program.simulation.robots

    def lines(self) -> list[str]:
        return [line.text for line in self.log.recent()]

    def dial(self, robot: Robot | None = None) -> NullModem:
        """Connect a client."""
        modem = NullModem()
        modem.session = self.program._session(robot or self.robots[0])
        modem.session.attach(modem)
        return modem

    def connect(self, robot: Robot | None = None) -> NullModem:
        """Connect a client, and do the handshake."""
        modem = self.dial(robot)
        modem.send(*client.SYNCS, client.OPEN)
        modem.take()
        return modem

    def wait(self, seconds: float) -> None:
        """Let real time pass in which the simulation stands still."""
        self.now += seconds
        due = [call for time, call in self.timers if time <= self.now]
        self.timers = [(time, call) for time, call in self.timers if time > self.now]
        for call in due:
            call()

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.now += 0.1
            self.program.step(lambda: self.now, self.now)


@pytest.fixture
def room_map(tmp_path: Path) -> Path:
    """A square room of ten metres with a home."""
    path = tmp_path / "room.map"
    path.write_text(
        "2D-Map\nLineMinPos: -5000 -5000\nLineMaxPos: 5000 5000\nNumLines: 4\n"
        'Cairn: RobotHome 1000 500 90 "" ICON "home"\nOriginLatLongAlt: 42.8 -71.5 70\n'
        "LINES\n-5000 -5000 5000 -5000\n5000 -5000 5000 5000\n5000 5000 -5000 5000\n-5000 5000 -5000 -5000\nDATA\n"
    )
    return path


@pytest.fixture
def stand() -> Callable[..., Stand]:
    """Make a program of options; without any, a p3dx-sh in the empty world."""

    def make(*words: str) -> Stand:
        return Stand(*(words or ("--nomap", "-r", "p3dx-sh", "--no-noise")))

    return make
