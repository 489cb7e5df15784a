"""What a service is to the program, and what the program is to a service.

A service binds one protocol to robots of the running program: it opens its doors, is told when its period has passed,
and knows its clients. The program knows services, never protocols; page, dashboard, metrics and API read what
`Service.clients()` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from mobilesim_py.catalogue.model import RobotModel
    from mobilesim_py.core.robot import Robot, Thing
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.geometry import Pose


@dataclass(frozen=True, slots=True)
class ClientFacts:
    """One client of a service at this moment, in the words that every viewer understands."""

    service: str
    peer: str
    """Who it is: `HOST (IP)`, or the path of a device."""
    robot: Robot | None
    """The robot that it drives; None for a client that only watches."""
    address: str = ""
    """The door through which it came: `TCP port 8101`, a device, ..."""
    port: int | None = None
    packets_sent: int = 0
    packets_received: int = 0
    packets_left_out: int = 0
    """Packets that were not sent because the client does not read."""
    backlog: int = 0
    """Bytes that the client has not taken yet."""
    is_active: bool = True
    """Whether it is told something at every period (its handshake is done)."""


class WorldChangeKind(Enum):
    """How the loading of a map ended."""

    LOADED = "loaded"
    UNCHANGED = "unchanged"
    """The map that was asked for is the one in force."""
    FAILED = "failed"
    LEFT = "left"
    """The empty world is in force."""


@dataclass(frozen=True, slots=True)
class WorldChange:
    """What every service is told when somebody asked for another map."""

    kind: WorldChangeKind
    name: str
    """The map as it was asked for; of a failed load, the one that stays in force."""
    by_user: bool = False
    """Whether somebody at the page or the API asked, rather than a client."""
    asked_by: object | None = None
    """The client that asked, as its service knows it; only that one is told of a failure."""


class Clock(Protocol):
    """Time as services may know it."""

    @property
    def simulated(self) -> float:
        """Simulated seconds since the start."""

    def real(self) -> float:
        """Seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""

    def real_interval(self) -> float:
        """Real time that a step should take [s]."""

    def last_interval(self) -> float:
        """Real time that the last step took [s]; in lockstep what it should take."""


class Service(Protocol):
    """One protocol's clients and robots in a running program."""

    name: str
    period: float
    """Simulated seconds between two `tell`s."""

    def open(self) -> None:
        """Open the doors that the options ask for; an error ends the program with its exit code."""

    def tell(self, now: float) -> None:
        """Tell the clients what there is to tell; a period has passed. `now` is simulated time [s]."""

    def awaits(self) -> bool:
        """Whether, in lockstep, the word of some client is still missing."""

    def backlog(self) -> int:
        """Return the bytes that the slowest client has not taken."""

    def clients(self) -> Sequence[ClientFacts]:
        """Return who is there."""

    def world_changed(self, change: WorldChange) -> None:
        """Tell the clients of another world, or that there will be none."""

    def use_engine(self, name: str) -> None:
        """Take the kernels of another engine, where the service has any."""

    def close(self) -> None:
        """Hang up on everybody and close the doors."""


class Stage(Protocol):
    """What a service and the page may reach of the program."""

    simulation: Simulation
    log: Any
    clock: Clock

    def add(self, model: RobotModel, name: str, pose: Pose | None = None) -> Thing:
        """Add a robot or box at a pose, or where the start rule has room for it."""

    def remove(self, thing: Thing) -> None:
        """Take a robot, whose client is hung up on, or a box out of the world."""

    def exit(self, code: int) -> None:
        """End the program within a step."""

    def wake(self) -> None:
        """Look again at once whether a step is due."""


MakeService = Callable[[Stage], Service]
