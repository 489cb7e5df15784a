"""Ways to a robot: a TCP connection, or a serial line, pseudo-terminal or url that pyserial opens."""

from __future__ import annotations

import contextlib
import re
import select
import socket
import time
from abc import ABC, abstractmethod
from typing import Any

from mobilesim_py.errors import NoAnswerError, UsageError

DEFAULT_PORT = 8101
CONNECT_SECONDS = 10.0
WRITE_SECONDS = 5.0
LINGER_SECONDS = 0.5
"""How long the other end may take to close its side after a goodbye."""
LINE_POLL_SECONDS = 0.05
"""How long a line is listened to at a time."""
_TCP = re.compile(r"(?:tcp://)?(?:\[(?P<six>[0-9A-Fa-f:.%]+)\]|(?P<host>[^:/\s]+)):(?P<port>\d{1,5})/?")


class Route(ABC):
    """A way to a robot, open."""

    is_line = False
    """Whether it is a serial line, whose speed matters, and that does not tell when the robot is gone."""

    @abstractmethod
    def read(self, timeout: float) -> bytes | None:
        """Return what has come, nothing after so many seconds, or None when the other end has closed the connection."""

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Write all of it; OSError if that is impossible."""

    @abstractmethod
    def wake(self) -> None:
        """Let a `read` in another thread return soon."""

    @abstractmethod
    def set_baud(self, baud: int) -> None:
        """Give a line another speed."""

    @abstractmethod
    def close(self) -> None:
        """Close it; what was written goes out first."""


class TcpRoute(Route):
    """A TCP connection."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), CONNECT_SECONDS)
        self._socket.settimeout(WRITE_SECONDS)
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._bell, self._clapper = socket.socketpair()

    def read(self, timeout: float) -> bytes | None:
        """Return what has come."""
        ready, _, _ = select.select([self._socket, self._bell], [], [], timeout)
        if self._bell in ready:
            self._bell.recv(4096)
        if self._socket not in ready:
            return b""
        try:
            return self._socket.recv(65536) or None
        except OSError:
            return None

    def write(self, data: bytes) -> None:
        """Write all of it."""
        self._socket.sendall(data)

    def wake(self) -> None:
        """Let `read` return."""
        with contextlib.suppress(OSError):
            self._clapper.send(b"!")

    def set_baud(self, baud: int) -> None:
        """Do nothing: a network has no such speed."""

    def close(self) -> None:
        """Say that nothing more comes, and read what does: else the goodbye may be lost with it."""
        deadline = time.monotonic() + LINGER_SECONDS
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            while (left := deadline - time.monotonic()) > 0.0:
                self._socket.settimeout(left)
                if not self._socket.recv(65536):
                    break
        for end in (self._socket, self._bell, self._clapper):
            end.close()


class LineRoute(Route):
    """A serial line, a pseudo-terminal, or a url of pyserial such as `rfc2217://host:port`."""

    is_line = True

    def __init__(self, device: str, baud: int) -> None:
        import serial

        # Lines on the network know no timeout of a write, and negotiate anew whenever any setting is touched.
        writing: dict[str, Any] = {} if "://" in device else {"write_timeout": WRITE_SECONDS}
        self._line: Any = serial.serial_for_url(device, baudrate=baud, timeout=LINE_POLL_SECONDS, **writing)

    def read(self, timeout: float) -> bytes | None:
        """Return what has come; a line that has vanished is as one that was closed."""
        try:
            data: bytes = self._line.read(1)
            return data + self._line.read(self._line.in_waiting) if data else b""
        except (OSError, TypeError):  # pyserial reads from a descriptor that another thread has closed
            return None

    def write(self, data: bytes) -> None:
        """Write all of it."""
        self._line.write(data)
        self._line.flush()

    def wake(self) -> None:
        """Do nothing: `read` never takes long."""

    def set_baud(self, baud: int) -> None:
        """Give it another speed."""
        self._line.baudrate = baud
        self._line.reset_input_buffer()

    def close(self) -> None:
        """Close it."""
        with contextlib.suppress(OSError):
            self._line.close()


def open_route(address: str, baud: int) -> Route:
    """Open the way to a robot; NoAnswerError if there is none, UsageError if the address makes no sense.

    `HOST:PORT` (or a host alone, on port 8101) is TCP; a path, `COM3` or any other url is a line.
    """
    if not address or address.isspace():
        raise UsageError("Where is the robot? HOST:PORT, a serial device, or a url such as rfc2217://HOST:PORT.")
    match = _TCP.fullmatch(address)
    if match and not 1 <= int(match["port"]) <= 65535:
        raise UsageError(f"{address} is no address of a robot: ports are 1 to 65535.")
    is_device = "/" in address or "\\" in address or address.upper().startswith("COM")
    try:
        if match:
            return TcpRoute(match["six"] or match["host"], int(match["port"]))
        if not is_device and ":" not in address:
            return TcpRoute(address, DEFAULT_PORT)
        return LineRoute(address, baud)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{address} is no address of a robot: {error}.") from None
    except OSError as error:
        why = error.strerror or str(error) or type(error).__name__
        raise NoAnswerError(f"Cannot connect to {address}: {why}.") from None
