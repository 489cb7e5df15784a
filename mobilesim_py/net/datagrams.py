"""A UDP port: one session for each remote address, ended by a timeout.

There is no backlog of what is sent: the system's buffer is the only one, and datagrams that do not fit are lost. The port
is fair: a peer that floods it gets no more of a turn than the others. The number of peers is limited.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import Any

from mobilesim_py import messages
from mobilesim_py.errors import PortError
from mobilesim_py.log import Log
from mobilesim_py.net.door import INTERFACE, Door
from mobilesim_py.net.hearing import Hearing
from mobilesim_py.net.link import MakeSession, Session
from mobilesim_py.net.peers import describe_peer
from mobilesim_py.net.ports import port_of

MOST_PEERS = 64
SILENT_SECONDS = 60.0
"""Timeout after which a silent peer counts as gone; UDP has no end of connection."""


class DatagramPort(Door):
    """A UDP port and the sessions of its peers."""

    def __init__(
        self,
        host: str,
        port: int,
        make_session: MakeSession,
        log: Log,
        *,
        robot: str | None = None,
        interface: str = INTERFACE,
        most_peers: int = MOST_PEERS,
        silent_seconds: float = SILENT_SECONDS,
    ) -> None:
        super().__init__(make_session, log, robot=robot, interface=interface)
        self.host = host
        """The address to listen on; empty for all."""
        self.port: int = port
        self._most_peers = most_peers
        self._silent_seconds = silent_seconds
        self._links: dict[Any, DatagramLink] = {}
        self._socket: socket.socket | None = None
        self._hearing: Hearing | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """The port, and the address that it listens on if that is a certain one."""
        return f"UDP port {self.port}" + (f" of address {self.host}" if self.host else "")

    def open(self) -> None:
        """Listen; PortError if that is impossible."""
        listener = bound_socket(self.host, self.port)
        self.port = port_of(listener)
        self._socket = listener
        self._hearing = Hearing(self._socket, self.turns, self._received, self._flooded)
        self._log.info(f"{self.interface} interface ready for datagrams on {self.address}.", self.robot)

    def close(self) -> None:
        """End every session and stop listening."""
        for link in tuple(self._links.values()):
            link.close()
        if self._hearing is not None:
            self._hearing.close()
            self._hearing = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def send(self, data: bytes, address: Any) -> bool:
        """Send a datagram; False if the system's buffer is full or the datagram cannot be sent at all."""
        if self._socket is None:
            return False
        try:
            return self._socket.sendto(data, address) == len(data)
        except OSError as error:
            if error.errno == errno.EMSGSIZE:
                self._log.occasionally("datagram", f"A datagram of {len(data)} bytes is too long to be sent.", self.robot)
            return False

    def forget(self, link: DatagramLink, reason: str) -> None:
        """End the session of a peer; its next datagram begins another."""
        if self._links.get(link.address) is link:
            del self._links[link.address]
            link.session.lost(reason)
        if not self._links and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def has(self, link: DatagramLink) -> bool:
        """Tell whether a link is still in use."""
        return self._links.get(link.address) is link

    def _flooded(self, address: Any, count: int) -> None:
        text = f"{describe_peer(address)} floods {self.address}: {count} datagrams are not heard."
        self._log.occasionally("flood", text, self.robot)

    def _received(self, data: bytes, address: Any) -> None:
        link = self._links.get(address)
        if link is None:
            if len(self._links) >= self._most_peers:
                text = f"{describe_peer(address)} is not let in: {self._most_peers} others use {self.address} already."
                self._log.occasionally("full", text, self.robot)
                return
            link = self._begin(address)
        link.heard_at = asyncio.get_running_loop().time()
        traced = link.cross(True, data)
        if traced is not None and self.has(link):
            link.session.receive(traced)

    def _begin(self, address: Any) -> DatagramLink:
        peer = f"{describe_peer(address)} port {address[1]}"
        self._log.info(messages.CLIENT_CONNECTED.format(peer=peer), self.robot)
        link = self._links[address] = DatagramLink(self, self.make_session(peer), peer, address)
        if self._timer is None:
            self._look_later()
        link.session.attach(link)
        return link

    def _look_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._silent_seconds / 4.0, self._look)

    def _look(self) -> None:
        """End the sessions of peers that have been silent for too long."""
        self._look_later()
        now = asyncio.get_running_loop().time()
        for link in tuple(self._links.values()):
            if now - link.heard_at >= self._silent_seconds:
                self.forget(link, f"Nothing heard for {self._silent_seconds:.0f} sec. Ending session.")


class DatagramLink:
    """A `Link` to one address."""

    pending = 0
    """Always 0: a datagram is in the system's buffer or lost."""

    def __init__(self, door: DatagramPort, session: Session, peer: str, address: Any) -> None:
        self.session = session
        self.peer = peer
        self.address = address
        self.dropped = 0
        self.heard_at = 0.0
        self._door = door
        self._number = door.tracer.next_number()

    def write(self, data: bytes) -> bool:
        """Send a datagram without blocking; False if it was dropped."""
        if not self._door.has(self):
            return False
        traced = self.cross(False, data)
        if traced is None:
            return True
        sent = self._door.send(traced, self.address)
        self.dropped += not sent
        return sent

    def cross(self, incoming: bool, data: bytes) -> bytes | None:
        """Pass bytes through the door's trace; return the bytes to use, or None."""
        tracer = self._door.tracer
        if tracer.trace is None:
            return data
        return tracer.cross(self._door.address, self.peer, self._number, incoming, data)

    def close(self) -> None:
        """End the session."""
        self._door.forget(self, messages.CLOSING_CONNECTION)


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a UDP port; PortError if that is impossible."""
    if not 0 <= port <= 65535:
        raise PortError(f"There is no UDP port {port}: they end at 65535. Choose a lower one.")
    listener = None
    try:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        listener.setblocking(False)
        listener.bind((host, port))
    except OSError as error:
        if listener is not None:
            listener.close()
        at = f"UDP port {port}" + (f" of address {host}" if host else "")
        raise PortError(f"Could not open {at}: {error.strerror or error}.") from None
    return listener
