"""The way out: connections that we open to others, as links with sessions like those that come in.

    dialler = Dialler(log)
    doors.open(dialler)
    dialler.dial("robot", 4711, session)        # session.attach(link), or session.lost("why not")

It stands among the doors so that their trace sees what crosses here, too.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque

from mobilesim_py.log import Log
from mobilesim_py.net.door import Door
from mobilesim_py.net.limits import by_bytes
from mobilesim_py.net.link import Session
from mobilesim_py.net.tcp import HANDSHAKE_SECONDS, TcpLink, tune

CONNECT_SECONDS = 3.0
"""How long a peer may take to accept a connection."""
MOST_DIALLING = 32
"""Connections that are being opened at one time; more wait."""
MOST_PENDING = 1 << 26
"""Backlog of a peer [bytes]."""


def _no_session(peer: str) -> Session:
    raise AssertionError("nobody comes in where we go out")


class Dialler(Door):
    """Opens connections."""

    def __init__(self, log: Log, *, interface: str, handshake_seconds: float = HANDSHAKE_SECONDS) -> None:
        super().__init__(_no_session, log, limit=by_bytes(MOST_PENDING), interface=interface)
        self.links: set[TcpLink] = set()
        self._handshake_seconds = handshake_seconds
        self._waiting: deque[tuple[str, int, Session]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def address(self) -> str:
        """Return what the trace calls it."""
        return f"connections of {self.interface}"

    def open(self) -> None:
        """Do nothing: it is open."""

    def close(self) -> None:
        """Close all connections, and open no more."""
        self._is_closed = True
        waiting, self._waiting = self._waiting, deque()
        for _, _, session in waiting:
            session.lost("closed")
        for task in tuple(self._tasks):
            task.cancel()
        for link in tuple(self.links):
            link.close()

    def dial(self, host: str, port: int, session: Session) -> None:
        """Open a connection for a session; it is attached, or lost with the reason, but not before this returns."""
        self._waiting.append((host, port, session))
        self._next()

    def _next(self) -> None:
        while self._waiting and len(self._tasks) < MOST_DIALLING and not self._is_closed:
            task = asyncio.get_running_loop().create_task(self._connect(*self._waiting.popleft()))
            self._tasks.add(task)
            task.add_done_callback(self._dialled)

    def _dialled(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._next()

    async def _connect(self, host: str, port: int, session: Session) -> None:
        loop = asyncio.get_running_loop()
        connection: socket.socket | None = None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                family, kind, protocol, _, where = (await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM))[0]
                connection = socket.socket(family, kind, protocol)
                connection.setblocking(False)
                await loop.sock_connect(connection, where)
            tune(connection)
            link = TcpLink(
                self, f"{host}:{port}", connection, session, self.links.discard, handshake_seconds=self._handshake_seconds
            )
            self.links.add(link)
            await loop.connect_accepted_socket(lambda: link, connection)
        except asyncio.CancelledError:
            if connection is not None:
                connection.close()
            session.lost("closed")
        except (OSError, TimeoutError, UnicodeError) as error:
            if connection is not None:
                connection.close()
            session.lost(f"{host}:{port}: {_reason(error)}")


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it does not answer"
    number = getattr(error, "errno", None)
    # The loop's own text repeats the address and leaves out the reason.
    return os.strerror(number) if isinstance(number, int) and number > 0 else getattr(error, "strerror", None) or str(error)
