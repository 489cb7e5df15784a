"""A UDP port without sessions: every datagram is handed on with the address of its sender, and answers go to any address.

For protocols that answer from another port than the one they were asked at. Little is kept here of senders and datagrams,
so that a flood costs no memory, and no time but that of who floods.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from typing import Any

from mobilesim_py.log import Log
from mobilesim_py.net.datagrams import bound_socket
from mobilesim_py.net.door import Door
from mobilesim_py.net.hearing import Hearing
from mobilesim_py.net.link import Session
from mobilesim_py.net.peers import describe_peer
from mobilesim_py.net.ports import port_of

Address = tuple[str, int]
Receive = Callable[[bytes, Address], None]
"""Takes a datagram and the address of its sender."""


class Mailbox(Door):
    """A UDP port that hands on what arrives and sends what it is given."""

    def __init__(
        self, host: str, port: int, receive: Receive, log: Log, *, interface: str, only_from: Address | None = None
    ) -> None:
        """Remember where to listen; `only_from` is the one sender that is heard, if there is such a one."""
        super().__init__(_no_session, log, interface=interface)
        self.host = host
        """The address to listen on; empty for all."""
        self.port: int = port
        self.sent = self.received = self.left_out = 0
        """Datagrams so far; `left_out` are those that the system had no room for."""
        self._receive = receive
        self._only_from = only_from
        self._socket: socket.socket | None = None
        self._hearing: Hearing | None = None
        self._number = 0

    @property
    def address(self) -> str:
        """The port, and the address that it listens on if that is a certain one."""
        return f"UDP port {self.port}" + (f" of address {self.host}" if self.host else "")

    def open(self) -> None:
        """Listen; PortError if that is impossible."""
        listener = bound_socket(self.host, self.port)
        self.port = port_of(listener)
        self._socket = listener
        self._number = self.tracer.next_number()
        self._hearing = Hearing(self._socket, self.turns, self._hand_on, self._flooded)
        if self._only_from is None:
            self._log.info(f"{self.interface} interface ready for datagrams on {self.address}.")

    def close(self) -> None:
        """Stop listening."""
        if self._hearing is not None:
            self._hearing.close()
            self._hearing = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def send(self, data: bytes, address: Address) -> bool:
        """Hand a datagram to the system, never waiting; False if it has no room, or cannot send it at all."""
        traced = self._cross(False, data, address)
        if traced is None:
            return True
        if self._socket is None:
            return False
        try:
            self._socket.sendto(traced, address)
        except OSError as error:
            self.left_out += 1
            if error.errno == errno.EMSGSIZE:
                self._log.occasionally("datagram", f"A datagram of {len(traced)} bytes is too long to be sent.")
            return False
        self.sent += 1
        return True

    def _flooded(self, address: Address, count: int) -> None:
        text = f"{describe_peer(address)} floods {self.address}: {count} datagrams are not heard."
        self._log.occasionally("flood", text)

    def _hand_on(self, data: bytes, address: Address) -> None:
        if self._only_from is not None and address != self._only_from:
            return
        traced = self._cross(True, data, address)
        if traced is not None:
            self.received += 1
            self._receive(traced, address)

    def _cross(self, incoming: bool, data: bytes, address: Address) -> bytes | None:
        """Ask the trace; the bytes that go on, or None."""
        if self.tracer.trace is None:
            return data
        return self.tracer.cross(self.address, describe(address), self._number, incoming, data)


def _no_session(peer: str) -> Session:
    raise NotImplementedError(f"a mailbox has no sessions, not even for {peer}")


def describe(address: Any) -> str:
    """Say who is at an address, as the log does."""
    return f"{describe_peer(address)} port {address[1]}"
