"""A program on a test stand: no sockets and no clock. Clients are joined to it by null modems, and time is stepped.

    stand = Stand("--nomap", "-r", "p3dx")
    client = stand.open()                     # through the door of the first robot, handshake and OPEN done
    client.send(command(Command.VEL, 200))
    stand.run(1.0)                            # simulated seconds
    client.sip.x

Everything but the doors is the real thing, so what is seen here is what a client would see. For tests, benchmarks and
whoever wants a simulator inside a program of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.app.service_table import SERVICES, ServiceRow
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.net.door import Door
from mobilesim_py.net.null_modem import FIRST_FREE_PORT, PEER, Clock, NullDoors, NullModem
from mobilesim_py.net.trace import Trace
from mobilesim_py.protocols import naio
from mobilesim_py.protocols.arcos.client import OPEN, SYNCS
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.sip import WireSip, unpack_sip
from mobilesim_py.services.pioneer.session import EmulatorSession
from mobilesim_py.services.service import door_of

SIPS = (0x32, 0x33)
__all__ = ["FIRST_FREE_PORT", "PEER", "ArcosClient", "NaioClient", "NullDoors", "NullModem", "Stand"]


class ArcosClient(NullModem):
    """A client that knows ARCOS: what comes in is read as packets."""

    session: EmulatorSession

    def __init__(self, door: Door, clock: Clock = lambda: 0.0, *, peer: str = PEER, keeps: bool = True) -> None:
        self.reader = PacketReader()
        self.received: list[tuple[float, Packet]] = []
        """Packets with the simulated time of their arrival."""
        super().__init__(door, clock, peer=peer, keeps=keeps)

    def took(self, now: float, data: bytes) -> None:
        """Read packets."""
        self.received += [(now, packet) for packet in self.reader.feed(data)]

    def synchronise(self, open_session: bool = True) -> ArcosClient:
        """Go through the handshake."""
        self.send(*SYNCS)
        if open_session:
            self.send(OPEN)
        return self

    @property
    def robot(self) -> Robot:
        """The robot at the other end."""
        return self.session.robot

    def packets(self, *ids: int) -> list[Packet]:
        """Return what has come in so far, perhaps only packets with some ids."""
        return [packet for _, packet in self.received if not ids or packet.id in ids]

    def take(self, *ids: int) -> list[Packet]:
        """Return the packets of these ids (all when none is named) since the last call, and forget the rest."""
        found = self.packets(*ids)
        self.received.clear()
        return found

    @property
    def sips(self) -> list[WireSip]:
        """All SIPs so far."""
        return [unpack_sip(packet) for packet in self.packets(*SIPS)]

    @property
    def sip(self) -> WireSip:
        """The newest SIP."""
        return unpack_sip(next(packet for _, packet in reversed(self.received) if packet.id in SIPS))


AnyPacket = TypeVar("AnyPacket", bound=naio.Packet)


class NaioClient(NullModem):
    """A client of an Oz: what comes in is read as NAIO01 packets."""

    dialect = naio.Dialect.SIMULATOZ

    def __init__(self, door: Door, clock: Clock = lambda: 0.0, *, peer: str = PEER, keeps: bool = True) -> None:
        self.connection = naio.Connection(naio.End.CLIENT, self.dialect)
        self.received: list[tuple[float, naio.Packet]] = []
        """Packets with the simulated time of their arrival."""
        super().__init__(door, clock, peer=peer, keeps=keeps)

    def took(self, now: float, data: bytes) -> None:
        """Read packets."""
        self.connection.receive_data(data)
        events = self.connection.events()
        self.received += [(now, event.packet) for event in events if isinstance(event, naio.PacketReceived)]

    def say(self, *packets: naio.Packet) -> None:
        """Send packets."""
        self.send(*(naio.encode(packet, self.dialect) for packet in packets))

    def packets(self, kind: type[AnyPacket]) -> list[AnyPacket]:
        """Return the packets of a kind that have come in so far."""
        return [packet for _, packet in self.received if isinstance(packet, kind)]


class Stand:
    """A program built from command line words, with null modems for doors and a clock that is turned by stepping."""

    def __init__(self, *words: str, maps: Path | None = None, services: Sequence[ServiceRow] = SERVICES) -> None:
        """Build it, and open its doors; noise is the same every time unless the words say something else."""
        self.log = Log()
        self.now = 100.0
        """Real time [s]."""
        self.program = Program(
            parse(["--seed", "1", *words], interactive=False),
            self.log,
            now=lambda: self.now,
            services=services,
            doors=NullDoors,
            directory=maps,
        )
        self.timers: list[tuple[float, Callable[[], None]]] = []
        """What shall be called when real time has passed, and when."""
        self.program.clock.call_later = lambda seconds, call: self.timers.append((self.now + seconds, call))
        self.program.open()
        assert isinstance(self.program.doors, NullDoors)
        self.doors: NullDoors = self.program.doors

    @property
    def simulation(self) -> Simulation:
        """The stepped core."""
        return self.program.simulation

    @property
    def robots(self) -> list[Robot]:
        """All robots."""
        return self.simulation.robots

    @property
    def time(self) -> float:
        """Simulated seconds."""
        return self.simulation.time

    def step(self, count: int = 1) -> None:
        """Let some steps pass, each in the real time that it should take."""
        for _ in range(count):
            self.now += self.program.clock.real_interval()
            self.program.clock.step()

    def wait(self, seconds: float) -> None:
        """Let real time pass [s] in which the simulation stands still."""
        self.now += seconds
        due = [call for time, call in self.timers if time <= self.now]
        self.timers = [(time, call) for time, call in self.timers if time > self.now]
        for call in due:
            call()

    def run(self, seconds: float) -> None:
        """Let simulated time pass [s]."""
        self.step(round(seconds / self.simulation.dt))

    def connect(self, offset: int = 0) -> ArcosClient:
        """Connect a client to a port, counted from the first one; ConnectionRefusedError when it is busy or not there."""
        return self.doors.connect(self.doors.at(self.program.options.port + offset), ArcosClient)

    def open(self, offset: int = 0) -> ArcosClient:
        """Connect a client, and open its session."""
        return self.connect(offset).synchronise()

    def dial(self, robot: Robot | None = None, *, keeps: bool = True) -> ArcosClient:
        """Connect a client to a robot (the first if none is named) through its own door."""
        door = door_of(self.program, robot or self.robots[0])
        if door is None:
            raise ConnectionRefusedError("that robot has no door of its own")
        return self.doors.connect(door, ArcosClient, keeps=keeps)

    def lines(self) -> list[str]:
        """Return the texts in the log, oldest first."""
        return [line.text for line in self.log.recent()]

    def logged(self, text: str) -> int:
        """Count the lines of the log that contain a text."""
        return sum(text in line for line in self.lines())

    @contextmanager
    def traced(self, trace: Trace) -> Iterator[None]:
        """Let a trace see every crossing of bytes for a while."""
        remove = self.doors.install(trace)
        try:
            yield
        finally:
            remove()
