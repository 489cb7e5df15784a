"""TCP ports: one robot's, for one client at a time, and a factory's, for any number.

    port = RobotPort("", 8101, make_session, log, robot="robot1")
    port.open()            # PortError if it is taken; then `port.port` is its number
    ...
    port.close()           # closes the client's connection, too

All of it runs on the event loop's thread; `open` needs a running loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable

from mobilesim_py import messages
from mobilesim_py.errors import NO_DESCRIPTORS, PortError
from mobilesim_py.log import Log
from mobilesim_py.net.departed import has_departed, serve_departed
from mobilesim_py.net.door import INTERFACE, Door
from mobilesim_py.net.holder import holder_of_port
from mobilesim_py.net.limits import MakeLimit
from mobilesim_py.net.link import Link, MakeSession, Session
from mobilesim_py.net.peers import describe_peer
from mobilesim_py.net.tcp import HANDSHAKE_SECONDS, VANISHED_SECONDS, TcpLink, serve, tune

__all__ = ["FactoryPort", "Link", "MakeSession", "QuietPort", "RobotPort", "Session", "TcpPort"]

REOPEN_SECONDS = 1.0
"""How long to wait before trying again when another process took the port while a client was on."""
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Errors that pass when somebody gives something back."""
FACTORY_BACKLOG = 512
ROBOT_BACKLOG = 5


class TcpPort(Door):
    """A listening socket and the links that came through it."""

    backlog = ROBOT_BACKLOG
    announces = True
    """Whether every client that comes is worth a line of the log."""

    def __init__(
        self,
        host: str,
        port: int,
        make_session: MakeSession,
        log: Log,
        *,
        robot: str | None = None,
        limit: MakeLimit | None = None,
        interface: str = INTERFACE,
        handshake_seconds: float = HANDSHAKE_SECONDS,
        vanished_seconds: float = VANISHED_SECONDS,
    ) -> None:
        super().__init__(make_session, log, robot=robot, limit=limit, interface=interface)
        self.host = host
        """The address to listen on; empty for all."""
        self.port: int = port
        self.links: set[TcpLink] = set()
        self._handshake_seconds = handshake_seconds
        self._vanished_seconds = vanished_seconds
        self._socket: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._retry: asyncio.TimerHandle | None = None
        self._closed = False
        self.admits: Callable[[str], bool] = lambda peer: True
        """Tells whether a client may come in; whoever says no has a line in the log for it."""

    @property
    def address(self) -> str:
        """The port, and the address that it listens on if that is a certain one."""
        return f"TCP port {self.port}" + (f" of address {self.host}" if self.host else "")

    @property
    def is_listening(self) -> bool:
        """Whether a client could connect now."""
        return self._socket is not None

    def open(self) -> None:
        """Listen; PortError if that is impossible."""
        self._listen()

    def close(self) -> None:
        """Stop listening and close every connection; what is pending is still sent."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
        self._stop_listening()
        for link in tuple(self.links):
            link.close()

    def _listen(self) -> None:
        listener = listening_socket(self.host, self.port, self.backlog)
        self.port = port_of(listener)
        self._socket = listener
        asyncio.get_running_loop().add_reader(self._socket.fileno(), self._accept)

    def _stop_listening(self) -> None:
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket.fileno())
            self._socket.close()
            self._socket = None

    def _accept(self) -> None:
        """Take one waiting client; the loop calls again if there are more."""
        if self._socket is None:
            return
        try:
            connection, address = self._socket.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            self._log.occasionally("accept", f"Error accepting client connection. ({error})", self.robot)
            self._pause_after(error)
            return
        tune(connection)
        peer = describe_peer(address)
        if has_departed(connection):
            with connection:
                if not serve_departed(connection, peer, self):
                    self._log.detail(f"{peer} connected and left without a word.", self.robot)
            return
        if not self.admits(peer):
            connection.close()
            return
        self._accepted()
        tell = self._log.info if self.announces else self._log.detail
        tell(messages.CLIENT_CONNECTED.format(peer=peer), self.robot)
        link = TcpLink(
            self,
            peer,
            connection,
            self.make_session(peer),
            self._link_gone,
            handshake_seconds=self._handshake_seconds,
            vanished_seconds=self._vanished_seconds,
        )
        self.links.add(link)
        task = asyncio.get_running_loop().create_task(serve(connection, link, self._log))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _pause_after(self, error: OSError) -> None:
        """Without descriptors or memory, accepting at once again would only turn in circles.

        The socket stays: its descriptor, once given away, might not come back.
        """
        if self._socket is not None and error.errno in EXHAUSTED:
            asyncio.get_running_loop().remove_reader(self._socket.fileno())
            self._listen_later()

    def _listen_later(self) -> None:
        if not self._closed and self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(REOPEN_SECONDS, self._listen_again)

    def _listen_again(self) -> None:
        """Open the port that is ours; while another process has it, or there is no descriptor for it, keep trying."""
        self._retry = None
        if self._closed:
            return
        try:
            if self._socket is None:
                self._listen()
            else:
                asyncio.get_running_loop().add_reader(self._socket.fileno(), self._accept)
        except PortError as error:
            self._log.occasionally("reopen", f"{error} Trying again.", self.robot, every=60.0)
            self._listen_later()

    def _accepted(self) -> None:
        """Do what a new client means for the port; overridden."""

    def _link_gone(self, link: TcpLink) -> None:
        self.links.discard(link)


class RobotPort(TcpPort):
    """The port of one robot.

    While a client is on, nothing listens: a second one is refused, and one that waits in the queue is reset. The port
    listens again in the same moment in which the client's session ends.
    """

    def open(self) -> None:
        """Listen, and say so; PortError if that is impossible."""
        super().open()
        assert self._socket is not None
        self._log.info(
            messages.PORT_OPENED.format(interface=self.interface, port=self.port, fd=self._socket.fileno()), self.robot
        )
        ready = messages.READY_AT if self.host else messages.READY
        self._log.info(ready.format(interface=self.interface, port=self.port, address=self.host), self.robot)

    def _accepted(self) -> None:
        self._stop_listening()

    def _link_gone(self, link: TcpLink) -> None:
        super()._link_gone(link)
        if self._retry is None:
            self._listen_again()


class FactoryPort(TcpPort):
    """The port of a robot factory: any number of clients, each with a session (and so a robot) of its own."""

    backlog = FACTORY_BACKLOG


class QuietPort(FactoryPort):
    """A port for the many short connections of machines, such as the nodes of ROS: it tells of them only with --verbose."""

    announces = False


def listening_socket(host: str, port: int, backlog: int) -> socket.socket:
    """Bind and listen; PortError, with the process that holds the port if that can be known."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if not 0 <= port <= 65535:
        raise PortError(f"There is no TCP port {port}: they end at 65535. Choose a lower one with --port.")
    try:
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise PortError(_cannot_listen(host, port, error)) from None
    try:
        if hasattr(socket, "SO_REUSEADDR"):
            # Connections of former clients linger; only another listener may keep us from the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setblocking(False)
        listener.bind((host, port))
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        raise PortError(_cannot_listen(host, port, error)) from None
    except BaseException:
        with contextlib.suppress(OSError):
            listener.close()
        raise
    return listener


def port_of(listener: socket.socket) -> int:
    """Return the number that a socket has; PortError, and the socket is closed, if the system does not tell."""
    try:
        return int(listener.getsockname()[1])
    except OSError as error:
        listener.close()
        raise PortError(f"Could not open a port: the system does not tell its number ({error.strerror}).") from None


def _cannot_listen(host: str, port: int, error: OSError) -> str:
    at = f"TCP port {port}" + (f" of address {host}" if host else "")
    if error.errno == errno.EADDRINUSE:
        holder = holder_of_port(port)
        by = f" by {holder}" if holder else ""
        return f"Could not open {at}: it is in use{by}. Choose another with --port."
    if error.errno == errno.EACCES:
        return f"Could not open {at}: ports below 1024 need a privilege. Choose another with --port."
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"Could not open {at}: this machine has no such address. Choose another with --bind-to-address."
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"Could not open {at}: {NO_DESCRIPTORS}"
    return f"Could not open {at}: {error.strerror or error}."
