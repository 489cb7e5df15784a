"""A door: a place where clients come in, each to a session of its own.

    RobotPort     TCP, one client at a time          SerialPort    a serial line
    FactoryPort   TCP, any number of clients         PtyPort       a pseudo-terminal
    DatagramPort  UDP, a session for each address    Mailbox       UDP, no sessions

Making a door does nothing but remember; `open` needs a running event loop, on whose thread everything happens.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from mobilesim_py.log import Log
from mobilesim_py.net.budget import Turns
from mobilesim_py.net.limits import MakeLimit, by_bytes
from mobilesim_py.net.link import MakeSession
from mobilesim_py.net.trace import Tracer

INTERFACE = "Pioneer"
"""How the log calls what a client finds behind a door of the original."""


class Door(ABC):
    """What all doors have."""

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
        """What may wait for a client that does not read."""
        self.interface = interface
        self.tracer = Tracer()
        self.turns = Turns()
        """What its clients' budgets of work are counted by."""
        self._log = log

    @property
    @abstractmethod
    def address(self) -> str:
        """Say where it is, such as `TCP port 8101` or the path of a device."""

    @abstractmethod
    def open(self) -> None:
        """Let clients in; PortError if that is impossible."""

    @abstractmethod
    def close(self) -> None:
        """Hang up on everybody and let nobody in any more."""
