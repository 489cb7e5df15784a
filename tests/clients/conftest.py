"""A robot that is played by the test, at the end of a real connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from mobilesim_py.protocols.arcos.client import OPEN, SYNCS
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader, encode

SIP = bytes(34)
IDENTITY = b"Fred\0Pioneer\0p3dx-sh\0"
DEADLINE = 20.0


class PlayedRobot:
    """A robot's end of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        connection.settimeout(DEADLINE)
        self._reader = PacketReader()
        self._packets: list[Packet] = []

    def say(self, *data: bytes) -> None:
        """Send bytes as they are."""
        for part in data:
            self.connection.sendall(part)

    def hear(self, number: int | None = None) -> Packet:
        """Return the next packet, or the next with an id; EOFError at the end."""
        while True:
            while self._packets:
                packet = self._packets.pop(0)
                if number is None or packet.id == number:
                    return packet
            data = self.connection.recv(4096)
            if not data:
                raise EOFError
            self._packets += self._reader.feed(data)

    def welcome(self) -> None:
        """Go through the handshake; what follows OPEN is not read yet."""
        for number, sync in enumerate(SYNCS):
            self.hear(number)
            self.say(sync if number < 2 else encode(2, IDENTITY))
        self.hear(OPEN[3])

    def tell_sip(self, data: bytes = SIP) -> None:
        """Send a SIP."""
        self.say(encode(0x32, data))


Play = Callable[[PlayedRobot], object]


@contextmanager
def stage(*plays: Play) -> Iterator[str]:
    """Play a robot for each connection, one after the other; give the address."""
    errors: list[BaseException] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(DEADLINE)

        def run() -> None:
            for play in plays:
                try:
                    connection, _ = server.accept()
                    with connection:
                        play(PlayedRobot(connection))
                except (EOFError, ConnectionError):
                    continue
                except BaseException as error:
                    errors.append(error)
                    return

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(DEADLINE)
        assert not thread.is_alive(), "the robot still waits for its client"
    if errors:
        raise errors[0]


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    yield
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pioneer ")]
