"""WebSockets as doors: a port of their own, or a path below the viewer's port. A session is given frames instead of bytes.

What a client does not read waits in a queue of ours, of which its session sees the size; a session that looks at it sends
no more than the client takes. aiohttp is imported when the first client comes, or the port opens.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from mobilesim_py.log import Log
from mobilesim_py.net.budget import WORK
from mobilesim_py.net.door import Door
from mobilesim_py.net.link import Session
from mobilesim_py.net.peers import describe_peer
from mobilesim_py.net.ports import listening_socket, port_of

if TYPE_CHECKING:
    from aiohttp import web

Frame = str | bytes
LARGEST_FRAME = 1 << 24
"""Bytes of a frame that a client may send."""
MOST_PENDING = 1 << 26
"""Bytes that may wait for one client; a session that sends more although nobody reads loses its client."""
MOST_CLIENTS = 128
HEARTBEAT = 20.0
"""Seconds after which a silent client is asked whether it is there."""
CLOSE_SECONDS = 1.0
BACKLOG = 64


class FrameLink(Protocol):
    """A connection to one client."""

    peer: str

    @property
    def pending(self) -> int:
        """The bytes that the client has not taken."""

    def send(self, frame: Frame) -> bool:
        """Send without blocking; False if the client is gone."""

    def close(self) -> None:
        """Send what is pending, then close; `lost` follows."""


class FrameSession(Protocol):
    """One client's conversation, in frames."""

    def attach(self, link: FrameLink) -> None:
        """Take the link; called once, before anything else."""

    def receive(self, frame: Frame) -> None:
        """Take a frame of the client."""

    def drained(self) -> None:
        """Note that all that was pending is gone: there is room."""

    def lost(self, reason: str) -> None:
        """Note that the client is gone; called once."""


MakeFrameSession = Callable[[str], FrameSession]
Refuse = Callable[[Mapping[str, str], str], tuple[int, str] | None]
"""Returns status and reason why a request, with these headers and this token in its URL, is not let in; None if it is."""


def admit_all(headers: Mapping[str, str], token: str) -> tuple[int, str] | None:
    """Let everybody in."""
    return None


def _no_session(peer: str) -> Session:
    raise AssertionError("sessions of a WebSocket are given frames")


class WebSocketPath(Door):
    """A path below the port of somebody else, who calls `handle`, and has looked who may come in."""

    def __init__(self, path: str, make_session: MakeFrameSession, log: Log, *, interface: str) -> None:
        super().__init__(_no_session, log, interface=interface)
        self.path = path
        self.make_frame_session = make_session
        self.links: set[_SocketLink] = set()

    @property
    def address(self) -> str:
        """Return the path."""
        return f"WebSocket {self.path}"

    def open(self) -> None:
        """Do nothing: whoever has the port listens."""

    def close(self) -> None:
        """Close all connections."""
        for link in tuple(self.links):
            link.close()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve a client until it goes."""
        from aiohttp import web

        if len(self.links) >= MOST_CLIENTS:
            return web.json_response({"error": f"{MOST_CLIENTS} clients are here already."}, status=503)
        transport = request.transport
        name = transport.get_extra_info("peername") if transport is not None else None
        link = _SocketLink(self, describe_peer(name) if name else "somebody")
        self.links.add(link)
        try:
            return await link.serve(request)
        finally:
            self.links.discard(link)


class WebSocketPort(WebSocketPath):
    """A port of its own; any path will do."""

    def __init__(
        self,
        host: str,
        port: int,
        make_session: MakeFrameSession,
        log: Log,
        *,
        interface: str,
        refuse: Refuse = admit_all,
    ) -> None:
        super().__init__("/", make_session, log, interface=interface)
        self.host = host
        self.port: int = port
        self._refuse = refuse
        self._runner: Any = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Return the port."""
        return f"WebSocket port {self.port}"

    def open(self) -> None:
        """Listen; PortError if that is impossible. Clients wait until aiohttp is there."""
        listener = listening_socket(self.host, self.port, BACKLOG)
        self.port = port_of(listener)
        self._serving = asyncio.get_running_loop().create_task(self._serve(listener))

    async def _serve(self, listener: Any) -> None:
        # In a thread, for it takes long; then the import is at hand.
        await asyncio.get_running_loop().run_in_executor(None, importlib.import_module, "aiohttp.web")
        from aiohttp import web

        async def admit(request: web.Request) -> web.StreamResponse:
            refusal = self._refuse(request.headers, request.query.get("token", ""))
            if refusal is not None:
                return web.json_response({"error": refusal[1]}, status=refusal[0])
            return await self.handle(request)

        application = web.Application()
        application.router.add_get("/{path:.*}", admit)
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=CLOSE_SECONDS)
        await self._runner.setup()
        await web.SockSite(self._runner, listener).start()

    def close(self) -> None:
        """Close all connections and stop listening."""
        super().close()
        loop = asyncio.get_running_loop()
        if self._serving is not None and not self._serving.done():
            self._serving.cancel()
        if self._runner is not None:
            self._closing = loop.create_task(self._runner.cleanup())


class _SocketLink:
    """One client."""

    def __init__(self, door: WebSocketPath, peer: str) -> None:
        self.peer = peer
        self._door = door
        self._tracer = door.tracer
        self._number = door.tracer.next_number()
        self._session: FrameSession | None = door.make_frame_session(peer)
        self._socket: web.WebSocketResponse | None = None
        self._transport: asyncio.Transport | None = None
        self._frames: deque[Frame] = deque()
        self._queued = 0
        self._wake = asyncio.Event()
        self._is_closing = False
        self._turn, self._spent = -1, 0.0

    # What the session calls

    @property
    def pending(self) -> int:
        """The bytes that the client has not taken."""
        return self._queued + (self._transport.get_write_buffer_size() if self._transport is not None else 0)

    def send(self, frame: Frame) -> bool:
        """Queue a frame."""
        if self._session is None or self._is_closing:
            return False
        if self._tracer.trace is not None:
            crossed = self._cross(frame, incoming=False)
            if crossed is None:
                return True
            frame = crossed
        if self.pending + len(frame) > MOST_PENDING:
            self.close()
            return False
        self._frames.append(frame)
        self._queued += len(frame)
        self._wake.set()
        return True

    def close(self) -> None:
        """Send what is queued, then close."""
        self._is_closing = True
        self._wake.set()

    def _cross(self, frame: Frame, *, incoming: bool) -> Frame | None:
        data = frame.encode() if isinstance(frame, str) else frame
        crossed = self._tracer.cross(self._door.address, self.peer, self._number, incoming, data)
        if crossed is None or crossed is data:
            return None if crossed is None else frame
        return crossed.decode("utf-8", "replace") if isinstance(frame, str) else crossed

    # What aiohttp runs

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve until the client goes."""
        from aiohttp import WSMsgType, web

        socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST_FRAME, timeout=CLOSE_SECONDS)
        await socket.prepare(request)
        self._socket = socket
        self._transport = request.transport
        session = self._session
        assert session is not None
        session.attach(self)
        sender = asyncio.create_task(self._send_all(socket))
        try:
            async for message in socket:
                if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    await self._take(message.data)
                if self._is_closing:
                    break
        finally:
            self._is_closing = True
            self._session = None
            sender.cancel()
            (ended,) = await asyncio.gather(sender, return_exceptions=True)
            if isinstance(ended, Exception):
                self._door._log.exception("A WebSocket could not be served:", ended)
            session.lost("Client disconnected.")
        return socket

    async def _take(self, frame: Frame) -> None:
        """Give the session a frame; a client that has taken its share of this turn waits for the next one."""
        if self._tracer.trace is not None:
            crossed = self._cross(frame, incoming=True)
            if crossed is None:
                return
            frame = crossed
        session, turns = self._session, self._door.turns
        if session is None:
            return
        if self._turn != turns.number:
            self._turn, self._spent = turns.number, 0.0
        began = time.thread_time()
        session.receive(frame)
        self._spent += time.thread_time() - began
        if self._spent >= WORK:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            turns.await_next(lambda: None if waiting.done() else waiting.set_result(None))
            await waiting

    async def _send_all(self, socket: web.WebSocketResponse) -> None:
        """Send what is queued; a client that does not read blocks only this task."""
        try:
            while not socket.closed:
                await self._wake.wait()
                self._wake.clear()
                while self._frames:
                    frame = self._frames.popleft()
                    self._queued -= len(frame)
                    await (socket.send_str(frame) if isinstance(frame, str) else socket.send_bytes(frame))
                    if not self._frames and self._session is not None:
                        self._session.drained()
                if self._is_closing:
                    await socket.close()
        except (ConnectionError, RuntimeError):
            self._is_closing = True
