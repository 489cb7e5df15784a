"""A door: a place where clients come in, each to a session of its own.

    RobotPort     TCP, one client at a time          SerialPort    a serial line
    FactoryPort   TCP, any number of clients         PtyPort       a pseudo-terminal
    DatagramPort  UDP, a session for each address    Mailbox       UDP, no sessions
    WebSocketPort frames, any number of clients      Dialler       TCP, connections that we open ourselves

Creating a door opens nothing; `open` needs a running event loop, and everything runs on its thread.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from mobilesim_py.log import Log
from mobilesim_py.net.budget import Turns
from mobilesim_py.net.limits import MakeLimit, by_bytes
from mobilesim_py.net.link import MakeSession
from mobilesim_py.net.trace import Tracer

INTERFACE = "Pioneer"
"""What the log calls the thing behind a door of MobileSim."""


class Door(ABC):
    """The interface of all doors."""

    port: int | None = None
    """Its number, if it has one; 0 lets the system choose when it is opened."""

    def __init__(
        self,
        make_session: MakeSession,
        log: Log,
        *,
        robot: str | None = None,
        limit: MakeLimit | None = None,
        interface: str = INTERFACE,
    ) -> None:
        self.make_session = make_session
        self.robot = robot
        """The robot behind it, for the log; None if there is no certain one."""
        self.limit: MakeLimit = limit or by_bytes()
        """Limit of the backlog of a client that does not read."""
        self.interface = interface
        self.tracer = Tracer()
        self.idle_seconds = 0.0
        """Silence after which a client is disconnected [s]; 0: never."""
        self.turns = Turns()
        """What its clients' budgets of work are counted by."""
        self._log = log

    @property
    @abstractmethod
    def address(self) -> str:
        """Return where it is, such as `TCP port 8101` or the path of a device."""

    @abstractmethod
    def open(self) -> None:
        """Start accepting clients; PortError if that is impossible."""

    @abstractmethod
    def close(self) -> None:
        """Disconnect all clients and accept no more."""
