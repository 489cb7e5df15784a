"""What a service is to the program, and what the program is to a service.

A service binds one protocol to robots of the running program: it opens its doors, is told when its period has passed,
and knows its clients. The program knows services, never protocols; page, dashboard, metrics and API read what
`Service.clients()` says.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from mobilesim_py.catalogue.catalogue import Catalogue
    from mobilesim_py.catalogue.model import RobotModel
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.robot import Robot, Thing
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.errors import MobileSimError
    from mobilesim_py.geometry import Pose
    from mobilesim_py.log import Log
    from mobilesim_py.net.door import Door
    from mobilesim_py.net.doors import Doors


@dataclass(frozen=True, slots=True)
class ClientFacts:
    """One client of a service at this moment, in the words that every viewer understands."""

    service: str
    key: Hashable
    """Tells it from every other client for as long as it is there."""
    peer: str
    """Who it is: `HOST (IP)`, or the path of a device."""
    robot: Robot | None = None
    """The robot that it drives; None for a client that only watches."""
    door: Door | None = None
    """Where it came in."""
    packets_sent: int = 0
    packets_received: int = 0
    packets_left_out: int = 0
    """Packets that were not sent because the client does not read."""
    backlog: int = 0
    """Bytes that the client has not taken yet."""
    temperature: float | None = None
    """What its robot tells it of its temperature [degrees C]; None without a thermometer."""
    is_active: bool = True
    """Whether it is told something at every period (its handshake is done)."""


class Way(Enum):
    """How the clients of a robot come in."""

    PORT = "port"
    FACTORY = "factory"
    """Every client gets a robot of its own."""
    SERIAL = "serial"
    PTY = "pty"


@dataclass(frozen=True, slots=True)
class Booking:
    """A robot, or a factory of robots, that was asked for at the start, and how its clients come in."""

    model: RobotModel
    asked_as: str
    """The model as it was asked for: its name, or the path of its file."""
    robot: Robot | None
    """None for a factory."""
    way: Way = Way.PORT
    device: str = ""
    """SERIAL: the device or url. PTY: the link to make, or empty."""
    baud: int = 9600


class WorldChangeKind(Enum):
    """How the loading of a map ended."""

    LOADED = "loaded"
    UNCHANGED = "unchanged"
    """The map that was asked for is the one in force."""
    FAILED = "failed"
    LEFT = "left"
    """The empty world is in force."""


class Asker(Protocol):
    """A client that asks for another map."""

    @property
    def robot(self) -> Robot:
        """The robot that it drives."""


@dataclass(frozen=True, slots=True)
class WorldChange:
    """What every service is told when somebody asked for another map."""

    kind: WorldChangeKind
    name: str
    """The map as it was asked for; of a failed load, the one that stays in force."""
    by_user: bool = False
    """Whether somebody at the page or the API asked, rather than a client."""
    asked_by: Asker | None = None
    """The client that asked, as its service knows it; only that one is told of a failure."""


class Account(Protocol):
    """What a stretch of time was like."""

    steps: int
    busy: float
    """Real time spent in steps [s]."""
    longest: float
    skipped: float
    """Real time by which the simulation fell behind for good [s]."""


class Clock(Protocol):
    """Time: what services and viewers may know of it, and what viewers may do to it."""

    @property
    def simulated(self) -> float:
        """Simulated seconds since the start."""

    @property
    def lockstep(self) -> bool:
        """Whether the world waits for the word of every client."""

    @property
    def paused(self) -> bool:
        """Whether the world stands still until somebody lets it go on."""

    @property
    def speed(self) -> float:
        """Simulated seconds per real second that were asked for; infinite for as fast as possible."""

    @property
    def ratio(self) -> float:
        """Simulated seconds per real second of late."""

    @property
    def total(self) -> Account:
        """How it went since the start."""

    def real(self) -> float:
        """Return seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something when real time has passed."""

    def soon(self, call: Callable[[], None]) -> None:
        """Call something between two steps; the one thing here that any thread may do."""

    def real_interval(self) -> float:
        """Return the real time that a step should take [s]; 0 is as fast as possible."""

    def last_interval(self) -> float:
        """Return the real time that the last step took [s]; in lockstep what it should take."""

    def pause(self, paused: bool = True) -> None:
        """Stop the world, or let it go on."""

    def single_step(self, count: int = 1) -> None:
        """While paused, take so many steps."""

    def set_speed(self, speed: float) -> None:
        """Set simulated seconds per real second from now on; infinite is as fast as possible."""


Then = Callable[["MobileSimError | None"], None]
"""Told of the end of a load, with what went wrong."""


class Worlds(Protocol):
    """The world in force, and the way to another one."""

    @property
    def directory(self) -> Path:
        """Where map names without a path are looked for first."""

    @property
    def is_loading(self) -> bool:
        """Whether a map is being loaded beside the simulation."""

    def names(self) -> list[str]:
        """Return the names of maps that can be asked for without a path."""

    def load(
        self,
        name: str,
        *,
        asked_by: Asker | None = None,
        master: bool = False,
        by_user: bool = False,
        confined: bool = False,
        then: Then | None = None,
    ) -> None:
        """Load a map beside the running simulation, after those asked for before; every service is told of the end.

        `confined` loads only from where clients may load maps.
        """

    def leave(self, *, by_user: bool = False, then: Then | None = None) -> None:
        """Go on in an empty world, after the loads asked for before; robots stay where they are."""

    def forget(self, asker: Asker) -> None:
        """Drop what a client that is gone wishes and what has not begun."""

    def clear_master(self) -> None:
        """Let any client change the map again."""


class Service(Protocol):
    """One protocol's clients and robots in a running program."""

    @property
    def name(self) -> str:
        """What the page calls it."""

    @property
    def period(self) -> float:
        """Simulated seconds between two `tell`s."""

    def open(self, bookings: Sequence[Booking]) -> None:
        """Open the doors of the robots that are its own; an error ends the program with its exit code."""

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Open a door for a robot that was added while it runs (0: the next port that is free); PortError."""

    def dismiss(self, robot: Robot) -> None:
        """Hang up on a robot's client, if there is one, and close its door: it is taken out of the world."""

    def tell(self, now: float) -> None:
        """Tell the clients what there is to tell; a period has passed. `now` is simulated time [s]."""

    def is_busy(self) -> bool:
        """Whether anybody is there who is told something."""

    def awaits(self) -> bool:
        """Whether, in lockstep, the word of some client is still missing."""

    def backlog(self) -> int:
        """Return the bytes that the slowest client has not taken."""

    def clients(self) -> Sequence[ClientFacts]:
        """Return who is there."""

    def held(self) -> Sequence[Robot]:
        """Return the robots that clients drive; asked for every frame, and so quicker than `clients`."""

    def door_of(self, robot: Robot) -> Door | None:
        """Return the door through which a robot's client comes in, if it has one of its own."""

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return the doors that make robots, each with the name under which it is shown."""

    def world_changed(self, change: WorldChange) -> None:
        """Tell the clients of another world, or that there will be none."""

    def use_engine(self, engine: Engine) -> None:
        """Take the kernels of another engine, where the service has any."""

    def close(self) -> None:
        """Hang up on everybody and close the doors."""


class Stage(Protocol):
    """What a service and the page may reach of the program."""

    @property
    def simulation(self) -> Simulation:
        """Everything that moves."""

    @property
    def log(self) -> Log:
        """Where everything is written down."""

    @property
    def catalogue(self) -> Catalogue:
        """The models that robots and boxes can be made of."""

    @property
    def clock(self) -> Clock:
        """Time."""

    @property
    def worlds(self) -> Worlds:
        """The way to another map."""

    @property
    def doors(self) -> Doors:
        """Where clients come in, and the trace."""

    @property
    def services(self) -> Sequence[Service]:
        """All services of the program."""

    @property
    def after_step(self) -> list[Callable[[Simulation], None]]:
        """Called after every step."""

    def add(self, model: RobotModel, name: str, pose: Pose | None = None) -> Thing:
        """Add a robot or box at a pose, or where the start rule has room for it; it has no door yet."""

    def add_running(self, model_name: str, name: str = "", pose: Pose | None = None, port: int = 0) -> Thing:
        """Add a robot with a door of its own (0: the next port that is free), or a box, to the running world."""

    def remove(self, thing: Thing) -> None:
        """Take a robot, whose client is hung up on, or a box out of the world."""

    def unique_name(self, name: str) -> str:
        """Return the name, or the name with a number behind it if it is taken."""

    def exit(self, code: int) -> None:
        """End the program within a step."""

    def crash(self, number: int) -> None:
        """End the program as a crash would, because of a command."""

    def wake(self) -> None:
        """Look again at once whether a step is due."""

    def run_beside(self, work: Callable[[], Any], done: Callable[[Any, MobileSimError | None], None]) -> None:
        """Run work beside the simulation, then `done` here, with what it returned or what went wrong."""


def clients_of(stage: Stage) -> list[ClientFacts]:
    """Return the clients of all services."""
    return [client for service in stage.services for client in service.clients()]


def driver_of(stage: Stage, robot: Robot) -> ClientFacts | None:
    """Return the client that drives a robot."""
    return next((client for client in clients_of(stage) if client.robot is robot), None)


def door_of(stage: Stage, robot: Robot) -> Door | None:
    """Return the door through which a robot's client comes in."""
    doors = (service.door_of(robot) for service in stage.services)
    return next((door for door in doors if door is not None), None)
