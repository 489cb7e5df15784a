"""One client on a TCP connection: bounded writing, and detection of dead peers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable

from mobilesim_py import messages
from mobilesim_py.log import Log
from mobilesim_py.net.budget import Budget
from mobilesim_py.net.door import Door
from mobilesim_py.net.link import Session

HANDSHAKE_SECONDS = 10.0
"""Timeout of the handshake, after which a client loses the port."""
VANISHED_SECONDS = 10.0
"""How long a peer may leave segments unacknowledged before it counts as dead."""
FLUSH_SECONDS = 2.0
"""How long a closed connection may take to flush its backlog."""
CHECK_SECONDS = 2.0

_TCP_INFO_HEAD = struct.Struct("8B24I")
_PROBES, _UNACKED, _LAST_ACK_RECEIVED = 3, 8 + 4, 8 + 12
UNANSWERED_PROBES = 5


class TcpLink(asyncio.Protocol):
    """A `Link` over TCP, and the protocol that feeds its session."""

    def __init__(
        self,
        door: Door,
        peer: str,
        connection: socket.socket,
        session: Session,
        gone: Callable[[TcpLink], None],
        *,
        handshake_seconds: float = HANDSHAKE_SECONDS,
        vanished_seconds: float = VANISHED_SECONDS,
    ) -> None:
        self.peer = peer
        self.dropped = 0
        self._door = door
        self._tracer = door.tracer
        self._number = door.tracer.next_number()
        self._limit = door.limit()
        self._turns = door.turns
        self._budget = Budget(door.turns)
        self._unheard = b""
        """What the client has sent beyond its budget; nothing more is read until that is obeyed."""
        self._connection = connection
        self._session: Session | None = session
        self._gone = gone
        self._transport: asyncio.Transport | None = None
        self._handshake_seconds = handshake_seconds
        self._vanished_seconds = vanished_seconds
        self._timer: asyncio.TimerHandle | None = None
        self._connected_at = 0.0
        self._heard_at = 0.0

    # What the session calls

    def write(self, data: bytes) -> bool:
        """Send without blocking; False if the write was dropped."""
        transport = self._transport
        if transport is None or self._session is None or transport.is_closing():
            return False
        if self._tracer.trace is not None:
            traced = self._tracer.cross(self._door.address, self.peer, self._number, False, data)
            if traced is None:
                return True
            data = traced
        return self._put(transport, data)

    def _put(self, transport: asyncio.Transport, data: bytes) -> bool:
        waiting = transport.get_write_buffer_size()
        if not self._limit.admits(waiting, len(data)):
            self.dropped += 1
            return False
        # Write directly to the socket what the kernel accepts; the transport handles the rest, and any error.
        taken = 0 if waiting else self._send(data)
        if taken < len(data):
            transport.write(data[taken:])
        return True

    def close(self) -> None:
        """Send what is pending, then close."""
        self._close(messages.CLOSING_CONNECTION)

    @property
    def pending(self) -> int:
        """The backlog [bytes]."""
        return self._transport.get_write_buffer_size() if self._transport is not None else 0

    def _send(self, data: bytes) -> int:
        try:
            return self._connection.send(data)
        except OSError:
            return 0

    # What a trace calls that has held bytes back

    def hear(self, data: bytes) -> None:
        """Take bytes as if they came from the client now."""
        self._hear(self._unheard + data)

    def send(self, data: bytes) -> None:
        """Send bytes to the client."""
        if self._transport is not None and self._session is not None and not self._transport.is_closing():
            self._put(self._transport, data)

    def cut(self, reason: str) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()
        self._end(reason)

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the session."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        loop = asyncio.get_running_loop()
        self._connected_at = self._heard_at = loop.time()
        self._timer = loop.call_later(
            min(CHECK_SECONDS, self._handshake_seconds / 2, self._vanished_seconds / 2), self._check
        )
        if self._session is not None:
            self._tracer.came(self._door.address, self.peer, self._number, self)
            self._session.attach(self)

    def data_received(self, data: bytes) -> None:
        """Pass received bytes to the session."""
        if self._session is None:
            return
        if self._door.idle_seconds:
            self._heard_at = asyncio.get_running_loop().time()
        if self._tracer.trace is not None:
            traced = self._tracer.cross(self._door.address, self.peer, self._number, True, data)
            if traced is None:
                return
            data = traced
        self._hear(data)

    def _hear(self, data: bytes) -> None:
        """Give the session what the client may say in this turn, and stop reading if that is not all."""
        self._unheard = self._budget.spend(data, self._obey, self._is_on)
        transport = self._transport
        if not self._is_on() or transport is None or not (self._unheard or self._budget.is_spent):
            return
        transport.pause_reading()
        self._turns.await_next(self._hear_rest)

    def _hear_rest(self) -> None:
        transport = self._transport
        if not self._is_on() or transport is None:
            return
        transport.resume_reading()
        self._hear(self._unheard)

    def _obey(self, data: bytes) -> None:
        if self._session is not None:
            self._session.receive(data)

    def _is_on(self) -> bool:
        return self._session is not None

    def eof_received(self) -> bool:
        """Treat the end of the client's stream as the end of the session."""
        return False

    def connection_lost(self, error: Exception | None) -> None:
        """End the session unless it has ended already."""
        self._end(messages.CLIENT_DISCONNECTED if error is None else messages.READ_ERROR)
        self._transport = None

    # Ends

    def _close(self, reason: str) -> None:
        transport = self._transport
        if transport is not None and not transport.is_closing():
            transport.close()
            # A client that does not read must not keep the socket for ever.
            asyncio.get_running_loop().call_later(FLUSH_SECONDS, transport.abort)
        self._end(reason)

    def _end(self, reason: str) -> None:
        session, self._session = self._session, None
        if session is None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        # Reopen the port first: a client that sees "Client disconnected." in the log may connect at once.
        self._gone(self)
        self._tracer.left(self._door.address, self.peer, self._number, reason)
        session.lost(reason)

    def _check(self) -> None:
        """Check that the peer is alive and has completed the handshake in time."""
        loop = asyncio.get_running_loop()
        session, transport = self._session, self._transport
        if session is None or transport is None:
            return
        seconds = loop.time() - self._connected_at
        if not session.synchronised and seconds >= self._handshake_seconds:
            self._close(messages.HANDSHAKE_TOO_LONG.format(seconds=seconds))
            return
        idle = self._door.idle_seconds
        if idle and loop.time() - self._heard_at >= idle:
            self._close(messages.CLIENT_IDLE.format(seconds=idle))
            return
        connection = transport.get_extra_info("socket")
        if connection is not None and has_vanished(connection, self._vanished_seconds):
            transport.abort()
            self._end(messages.CLIENT_VANISHED.format(seconds=self._vanished_seconds))
            return
        interval = min(CHECK_SECONDS, self._vanished_seconds / 2)
        if not session.synchronised:
            interval = min(interval, max(0.01, self._handshake_seconds - seconds))
        if idle:
            interval = min(interval, max(0.01, self._heard_at + idle - loop.time()))
        self._timer = loop.call_later(interval, self._check)


def has_vanished(connection: socket.socket, seconds: float) -> bool:
    """Tell whether a peer is dead, as opposed to alive but not reading.

    Keep-alive does not work while data is in flight, and the kernel retransmits it for a quarter of an hour;
    a time limit on that (TCP_USER_TIMEOUT) would also end a client that sits in a debugger. So look at the
    acknowledgements: a peer that is alive sends them even when its buffers are full.
    """
    if not hasattr(socket, "TCP_INFO"):
        return False
    try:
        info = _TCP_INFO_HEAD.unpack_from(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256))
    except (OSError, struct.error):
        return False
    silent = info[_LAST_ACK_RECEIVED] >= seconds * 1000
    waiting = info[_UNACKED] > 0 or info[_PROBES] >= UNANSWERED_PROBES
    return bool(silent and waiting)


def tune(connection: socket.socket) -> None:
    """Set TCP_NODELAY and keep-alive."""
    connection.setblocking(False)
    settings = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    for name, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 3), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            settings.append((socket.IPPROTO_TCP, getattr(socket, name), value))
    for level, option, number in settings:
        with contextlib.suppress(OSError):  # the peer may be gone already; reading will tell
            connection.setsockopt(level, option, number)


async def serve(connection: socket.socket, link: TcpLink, log: Log) -> None:
    """Hand an accepted connection to the event loop."""
    loop = asyncio.get_running_loop()
    try:
        await loop.connect_accepted_socket(lambda: link, connection)
    except OSError as error:
        log.warning(f"Error accepting client connection. ({error})")
        connection.close()
        link.connection_lost(error)
