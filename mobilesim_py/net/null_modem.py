"""Doors without sockets: clients in the same program are joined to them by null modems, and everything happens at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeVar

from mobilesim_py import messages
from mobilesim_py.net.door import Door
from mobilesim_py.net.doors import Doors
from mobilesim_py.net.line import Line
from mobilesim_py.net.link import Session
from mobilesim_py.net.ports import RobotPort

Clock = Callable[[], float]
PEER = "localhost (127.0.0.1)"
FIRST_FREE_PORT = 49152
"""Stands in for the ports that the system would choose."""


class NullModem:
    """A client and its line in one: what it sends is received at once, what it is sent is kept."""

    def __init__(self, door: Door, clock: Clock = lambda: 0.0, *, peer: str = PEER, keeps: bool = True) -> None:
        """Come in through a door; a client that does not keep what it is sent only swallows it."""
        self.peer = peer
        self.dropped = 0
        self.pending = 0
        """Set it to look like a client that does not read."""
        self.reads = True
        """Unset it to refuse what is sent, as a door does when a client has not read for long."""
        self.closed = False
        self.raw = bytearray()
        """Every byte that came in."""
        self._door = door
        self._clock = clock
        self._keeps = keeps
        self.number = door.tracer.next_number()
        """What the trace knows it by."""
        self.session: Session = door.make_session(peer)
        door.tracer.came(door.address, peer, self.number, _Handle(self))
        self.session.attach(self)

    # The session's side

    def write(self, data: bytes) -> bool:
        """Take bytes from the session."""
        if self.closed:
            return False
        crossed = self._door.tracer.cross(self._door.address, self.peer, self.number, False, data)
        return crossed is None or self._take(crossed)

    def _take(self, data: bytes) -> bool:
        if not self.reads:
            self.dropped += 1
            return False
        if self._keeps:
            self.raw += data
            self.took(self._clock(), data)
        return True

    def hear(self, data: bytes) -> None:
        """Let the session hear bytes that have passed the trace."""
        self.session.receive(data)

    def close(self) -> None:
        """Hang up, as the session wants."""
        self._end(messages.CLOSING_CONNECTION)

    # The client's side

    def took(self, now: float, data: bytes) -> None:
        """Do something with bytes that came in at a simulated time; for clients that know a protocol."""

    def send(self, *data: bytes) -> None:
        """Send each of these in a write of its own."""
        for part in data:
            if self.closed:
                return
            crossed = self._door.tracer.cross(self._door.address, self.peer, self.number, True, part)
            if crossed is not None:
                self.hear(crossed)

    def hang_up(self) -> None:
        """Close the line without a word."""
        self._end(messages.CLIENT_DISCONNECTED)

    def _end(self, reason: str) -> None:
        if not self.closed:
            self.closed = True
            self._door.tracer.left(self._door.address, self.peer, self.number, reason)
            self.session.lost(reason)


class _Handle:
    """What a trace may do to a null modem: its own `send` is what the client says."""

    def __init__(self, modem: NullModem) -> None:
        self._modem = modem

    def hear(self, data: bytes) -> None:
        if not self._modem.closed:
            self._modem.hear(data)

    def send(self, data: bytes) -> None:
        if not self._modem.closed:
            self._modem._take(data)

    def cut(self, reason: str) -> None:
        self._modem._end(reason)


AnyModem = TypeVar("AnyModem", bound=NullModem)


class NullDoors(Doors):
    """Doors that listen to nobody: clients come in by `connect`."""

    def __init__(self, clock: Clock = lambda: 0.0) -> None:
        super().__init__(clock)
        self._clock = clock
        self._free = itertools.count(FIRST_FREE_PORT)
        self._modems: dict[Door, list[NullModem]] = {}

    def unlock(self, door: Door) -> None:
        """Give it a number if it wants any."""
        if door.port == 0:
            door.port = next(self._free)

    def close(self, door: Door) -> None:
        """Hang up on everybody who came in through a door, and forget it."""
        if door in self._open:
            self._open.remove(door)
        for modem in self._modems.pop(door, []):
            modem.close()

    def at(self, port: int) -> Door:
        """Return the door with a port; ConnectionRefusedError if there is none."""
        found = next((door for door in self if door.port == port), None)
        if found is None:
            raise ConnectionRefusedError(f"nobody listens on port {port}")
        return found

    def connect(self, door: Door, kind: type[AnyModem], *, keeps: bool = True) -> AnyModem:
        """Come in through a door; ConnectionRefusedError if it takes one client at a time and has one."""
        modems = self._modems.setdefault(door, [])
        modems[:] = [modem for modem in modems if not modem.closed]
        if modems and isinstance(door, RobotPort | Line):
            raise ConnectionRefusedError(f"{door.address} is busy")
        modem = kind(door, self._clock, keeps=keeps)
        modems.append(modem)
        return modem
