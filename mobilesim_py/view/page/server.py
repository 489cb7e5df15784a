"""The viewer: a page and an API on the program's own event loop, for browsers here or, with a token, elsewhere."""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
import os
import socket
import sys
import threading
from typing import Any

from mobilesim_py.errors import PortError
from mobilesim_py.net.holder import holder_of_port
from mobilesim_py.view.page.guard import Guard
from mobilesim_py.view.page.page_stage import PageStage

PORTS_TRIED = 10
"""When no port was given and the default one is in use, this many after it are tried."""


class Viewer:
    """Serves the page and the API of a program."""

    def __init__(self, stage: PageStage) -> None:
        self.stage = stage
        self.guard = Guard.of(stage.options.web_bind)
        self.port = 0
        self._site: Any = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The address to open, with the token if one is needed."""
        bind = self.stage.options.web_bind
        host = bind if bind not in ("0.0.0.0", "::", "") else socket.gethostname()
        if ":" in host:
            host = f"[{host}]"
        token = f"?token={self.guard.token}" if self.guard.token else ""
        return f"http://{host}:{self.port}/{token}"

    async def start(self) -> None:
        """Listen and log the address; PortError if that is impossible and the port was given explicitly."""
        stage, options = self.stage, self.stage.options
        listening = self._listen()
        if listening is None:
            return
        self.port = listening.getsockname()[1]
        # Early requests wait in the socket's accept queue; robots and their clients do not wait for the viewer.
        self._serving = asyncio.create_task(self._serve(listening))
        if self.guard.token:
            stage.log.announce(f"MobileSim: The viewer listens on {options.web_bind} port {self.port}.")
            # The token is for the person at the terminal, not for the log, which may be kept and read by others.
            print(f"MobileSim: Open {self.url}", file=sys.stderr, flush=True)
        else:
            stage.log.announce(f"MobileSim: See the robots at {self.url}")
        if options.interactive and has_desktop():
            threading.Thread(target=open_browser, args=(self.url,), name="browser", daemon=True).start()

    async def _serve(self, listening: socket.socket) -> None:
        try:
            # Half a second of imports.
            module = await asyncio.to_thread(importlib.import_module, "mobilesim_py.view.page.site")
            self._site = module.Site(self.stage, self.guard, listening)
            await self._site.start()
        except Exception as error:
            listening.close()
            self.stage.log.exception("The viewer could not be started:", error)

    async def close(self) -> None:
        """Disconnect all viewers and stop listening."""
        if self._serving is not None:
            await asyncio.gather(self._serving, return_exceptions=True)
            self._serving = None
        if self._site is not None:
            await self._site.close()
            self._site = None

    def _listen(self) -> socket.socket | None:
        options = self.stage.options
        first = options.web_port
        count = 1 if options.web_port_given or first == 0 else PORTS_TRIED
        trouble = ""
        for number in range(first, min(first + count, 65536)):
            try:
                return _listening_socket(options.web_bind, number)
            except UnicodeError:  # what no resolver is even asked for
                trouble = "there cannot be such a host name"
            except OSError as error:
                trouble = trouble or (error.strerror or str(error))
        holder = holder_of_port(first)
        text = f"Cannot open TCP port {first} on {options.web_bind[:80]} for the viewer: {trouble}"
        text += f"; it is held by {holder}." if holder else "."
        if options.web_port_given:
            raise PortError(f"{text} Choose another with --web-port.")
        self.stage.log.warning(f"MobileSim: {text} Going on without it; --web-port chooses another.")
        return None


def _listening_socket(bind: str, port: int) -> socket.socket:
    """Return a non-blocking socket that listens; OSError if that is impossible."""
    host = "127.0.0.1" if bind == "localhost" else bind
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
    except ValueError:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        host = str(address[0])
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setblocking(False)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def has_desktop(environ: Any = os.environ, platform: str = sys.platform) -> bool:
    """Tell whether there is a desktop on which a browser window would be seen."""
    if environ.get("SSH_CONNECTION") or environ.get("MOBILESIM_NO_BROWSER"):
        return False
    if platform in ("darwin", "win32"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> None:
    """Open the page in a browser; without one, the address has been printed."""
    import contextlib
    import webbrowser

    with contextlib.suppress(Exception):
        webbrowser.open(url)
