"""Clients that were gone before anybody answered: port checks such as `nc -z`, and programs that died at once.

They must not take the port from whoever queues behind them, so they are served in one go when they are accepted; what
they said beyond the work of one turn is not heard.
"""

from __future__ import annotations

import contextlib
import select
import socket

from mobilesim_py import messages
from mobilesim_py.net.budget import Budget
from mobilesim_py.net.door import Door

MOST_BYTES = 65536


def has_departed(connection: socket.socket) -> bool:
    """Whether an accepted connection has already been closed at the other end."""
    gone = getattr(select, "POLLRDHUP", 0)
    if not gone:
        return False
    poll = select.poll()
    poll.register(connection, gone)
    return bool(poll.poll(0))


def serve_departed(connection: socket.socket, peer: str, door: Door) -> bool:
    """Let a session hear what a departed client said, and answer if anybody still listens; False if it said nothing."""
    try:
        data = connection.recv(MOST_BYTES)
    except OSError:
        data = b""
    if not data:
        return False
    session = door.make_session(peer)
    link = _DepartedLink(door, peer, connection)
    session.attach(link)
    heard = link.cross(True, data)
    if heard is not None:
        Budget(door.turns).spend(heard, session.receive, lambda: not link.is_closed)
    session.lost(messages.CLOSING_CONNECTION if link.is_closed else messages.CLIENT_DISCONNECTED)
    return True


class _DepartedLink:
    """A link that sends what the kernel takes at once, and nothing later."""

    def __init__(self, door: Door, peer: str, connection: socket.socket) -> None:
        self.peer = peer
        self.dropped = 0
        self.pending = 0
        self.is_closed = False
        self._connection = connection
        self._door = door
        self._number = door.tracer.next_number()

    def cross(self, incoming: bool, data: bytes) -> bytes | None:
        """Ask the door's trace."""
        return self._door.tracer.cross(self._door.address, self.peer, self._number, incoming, data)

    def write(self, data: bytes) -> bool:
        """Send; False if nobody listens any more."""
        traced = self.cross(False, data)
        if traced is None:
            return True
        with contextlib.suppress(OSError):
            return self._connection.send(traced) == len(traced)
        self.dropped += 1
        return False

    def close(self) -> None:
        """Note that the session wants to end; it does so in any case."""
        self.is_closed = True
