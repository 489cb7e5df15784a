"""A tap: a port of its own that passes everything on to a robot and back, and shows the bytes that cross."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from mobilesim_py.clients.route import Route, open_route
from mobilesim_py.errors import MobileSimError, PortError

Trace = Callable[[bool, bytes], object]
POLL_SECONDS = 0.2
BAUD = 9600


class Tap:
    """Listens on this machine, for one client after the other."""

    def __init__(self, address: str, trace: Trace, *, port: int = 0, baud: int = BAUD) -> None:
        """Take the robot's address; `trace` gets a direction (True: from the robot) and bytes, in threads of the tap."""
        self.address = address
        self._trace = trace
        self._baud = baud
        self._over = threading.Event()
        try:
            self._server = socket.create_server(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise PortError(f"Cannot listen on port {port}: {why}.") from None
        self.port: int = self._server.getsockname()[1]
        """Where clients connect."""
        self.problem: MobileSimError | None = None
        """Why the last client did not get through to the robot."""
        self._thread = threading.Thread(target=self._serve, name=f"tap {self.port}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hang up, and listen no more."""
        self._over.set()
        self._thread.join()
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _serve(self) -> None:
        while not self._over.is_set():
            if not select.select([self._server], [], [], POLL_SECONDS)[0]:
                continue
            client, _ = self._server.accept()
            with client:
                try:
                    route = open_route(self.address, self._baud)
                except MobileSimError as error:
                    self.problem = error
                    continue
                back = threading.Thread(target=self._pass_back, args=(route, client), daemon=True)
                back.start()
                self._pass_on(client, route)
                with contextlib.suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)
                route.close()
                back.join()

    def _pass_on(self, client: socket.socket, route: Route) -> None:
        """Carry bytes from the client to the robot, until one of them hangs up."""
        with contextlib.suppress(OSError):
            while not self._over.is_set():
                if select.select([client], [], [], POLL_SECONDS)[0]:
                    data = client.recv(65536)
                    if not data:
                        return
                    self._trace(False, data)
                    route.write(data)

    def _pass_back(self, route: Route, client: socket.socket) -> None:
        """Carry bytes from the robot to the client, until one of them hangs up."""
        with contextlib.suppress(OSError, ValueError):
            while (data := route.read(POLL_SECONDS)) is not None:
                if data:
                    self._trace(True, data)
                    client.sendall(data)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
