"""Answering the broadcast by which clients look for robots on the network: UDP port 30718.

A request is four bytes of which the last is F6; the answer is thirty, all zero but for F7 (an answer to F6) and FA FB
(a Pioneer's packet header, which tells us from the serial-to-Ethernet boxes that share this protocol).
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, cast

from mobilesim_py import messages
from mobilesim_py.log import Log

PORT = 30718
_REQUEST = 0xF6
ANSWER = bytes([0, 0, 0, 0xF7, 0, 0, 0, 0, 0xFA, 0xFB]) + bytes(20)


def answer_to(request: bytes) -> bytes | None:
    """Return the answer to a request, or None if it is none."""
    return ANSWER if len(request) >= 4 and request[3] == _REQUEST else None


class Discovery(asyncio.DatagramProtocol):
    """The responder; that it cannot be opened is no reason not to run."""

    def __init__(self, log: Log, *, host: str = "", port: int = PORT) -> None:
        self.port = port
        self._host = host
        self._log = log
        self._transport: asyncio.DatagramTransport | None = None

    async def open(self) -> bool:
        """Listen; False, and a line in the log, if the port is taken."""
        listener: socket.socket | None = None
        try:
            listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            listener.setblocking(False)
            listener.bind((self._host, self.port))
            self.port = listener.getsockname()[1]
            await asyncio.get_running_loop().create_datagram_endpoint(lambda: self, sock=listener)
        except OSError as error:
            if listener is not None:
                listener.close()
            why = error.strerror or str(error)
            self._log.info(f"MobileSim: Will not respond to discovery requests on UDP port {self.port} ({why}).")
            return False
        self._log.info(messages.DISCOVERY.format(port=self.port))
        return True

    def close(self) -> None:
        """Stop listening."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to answer."""
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, address: tuple[str | Any, int]) -> None:
        """Answer a request; everything else is somebody else's."""
        answer = answer_to(data)
        if answer is not None and self._transport is not None:
            self._transport.sendto(answer, address)

    def error_received(self, error: Exception) -> None:
        """Ignore that an earlier answer could not be delivered."""
