"""The lasers that clients speak to directly, as a service of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.errors import PortError, UsageError
from mobilesim_py.net.limits import LAGGING, by_bytes
from mobilesim_py.net.ports import FactoryPort
from mobilesim_py.protocols.lasers.table import PROTOCOLS, LaserProtocol
from mobilesim_py.services.lasers.measuring import Measurer
from mobilesim_py.services.lasers.session import LaserSession
from mobilesim_py.services.service import Booking, ClientFacts, Stage, WorldChange

if TYPE_CHECKING:
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.net.door import Door

NAME = "Lasers"


class Settings(Protocol):
    """What the command line says about lasers."""

    @property
    def laser_servers(self) -> Sequence[tuple[str, int, str, int]]:
        """Robot (or ""), number of its laser, protocol and port of each server."""

    @property
    def bind_to_address(self) -> str:
        """Where clients come in; empty: loopback."""


@dataclass(frozen=True, eq=False)
class Server:
    """One door, the laser behind it, and who came in."""

    robot: Robot
    door: Door
    sessions: list[LaserSession]


class LaserService:
    """Lasers of robots at doors of their own."""

    name = NAME

    def __init__(self, stage: Stage, settings: Settings) -> None:
        self._stage = stage
        self._settings = settings
        self._servers: list[Server] = []
        self.period = stage.simulation.dt

    @property
    def _sessions(self) -> list[LaserSession]:
        return [session for server in self._servers for session in server.sessions]

    def open(self, bookings: Sequence[Booking]) -> None:
        """Open the doors that the options ask for."""
        for name, number, protocol, port in self._settings.laser_servers:
            self._open(self._find(name, number), number, PROTOCOLS[protocol], port)

    def _find(self, name: str, number: int) -> Robot:
        """Return the robot of a name, or the first one with so many lasers; UsageError if there is none."""
        robots = sorted(self._stage.simulation.robots, key=lambda robot: robot.serial)
        named = [robot for robot in robots if name in ("", robot.name)]
        if not named and name:
            raise UsageError(f'--laser-server: There is no robot "{name}". Name it with --robot MODEL:{name}.')
        found = next((robot for robot in named if len(robot.units(LASER)) >= number), None)
        if found is None:
            who = f'Robot "{name}"' if name else "No robot"
            raise UsageError(
                f"--laser-server: {who} has {'no ' if name else ''}laser {number}. "
                "Choose a model with a laser, such as -r p3dx-sh-lms1xx; `mobilesim models` lists them."
            )
        return found

    def _open(self, robot: Robot, number: int, protocol: LaserProtocol, port: int) -> None:
        stage, sessions = self._stage, list[LaserSession]()
        measurer = Measurer(stage.simulation, robot, number, protocol.reach)
        door: Door = FactoryPort(
            self._settings.bind_to_address or "127.0.0.1",
            port,
            lambda peer: LaserSession(protocol.make(measurer.measure), peer, stage.clock.real, sessions),
            stage.log,
            robot=robot.name,
            limit=by_bytes(LAGGING),
            interface=protocol.title,
        )
        try:
            stage.doors.open(door)
        except PortError as error:
            raise PortError(str(error).replace("with --port.", "with --laser-server.")) from None
        self._servers.append(Server(robot, door, sessions))
        stage.log.info(f"Laser {number} speaks as a {protocol.title} at TCP port {door.port}.", robot.name)

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Do nothing: only lasers that the options name have doors."""

    def dismiss(self, robot: Robot) -> None:
        """Close the doors of a robot that leaves."""
        for server in [server for server in self._servers if server.robot is robot]:
            self._servers.remove(server)
            self._stage.doors.close(server.door)

    def tell(self, now: float) -> None:
        """Tell the scans that are due."""
        for session in self._sessions:
            session.tell(now)

    def is_busy(self) -> bool:
        """Whether anybody wants scans."""
        return any(session.is_scanning for session in self._sessions)

    def awaits(self) -> bool:
        """Return False: nobody drives by these protocols."""
        return False

    def backlog(self) -> int:
        """Return the bytes that the slowest client has not taken."""
        return max((session.link.pending for session in self._sessions), default=0)

    def clients(self) -> Sequence[ClientFacts]:
        """Return who is there; they only watch."""
        return [
            ClientFacts(
                self.name,
                session,
                session.peer,
                None,
                server.door,
                session.sent,
                session.received,
                session.left_out,
                session.link.pending,
                is_active=session.is_scanning,
            )
            for server in self._servers
            for session in server.sessions
        ]

    def held(self) -> Sequence[Robot]:
        """Return none: nobody drives by these protocols."""
        return ()

    def door_of(self, robot: Robot) -> Door | None:
        """Return None: who drives a robot comes in elsewhere."""
        return None

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return none."""
        return ()

    def world_changed(self, change: WorldChange) -> None:
        """Do nothing: the next scan is of the new world."""

    def use_engine(self, engine: Engine) -> None:
        """Do nothing: the simulation's engine is asked."""

    def close(self) -> None:
        """Hang up on everybody."""
        for server in self._servers:
            self._stage.doors.close(server.door)
