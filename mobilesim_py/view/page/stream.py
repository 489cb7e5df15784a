"""One viewer's WebSocket: frames as fast as it acknowledges them, texts as they come, its requests back.

A viewer that does not read is sent no more than three frames: its backlog is one mailbox of bounded size.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from mobilesim_py.core.robot import Robot
from mobilesim_py.log import LogLine
from mobilesim_py.view.page import describe
from mobilesim_py.view.page.control import Control, RefusedError
from mobilesim_py.view.page.frames import Layer, number_frame

if TYPE_CHECKING:
    from mobilesim_py.view.page.audience import Audience

IN_FLIGHT = 3
"""Frames that may be in flight to a viewer."""
LOG_LINES = 500
"""Lines of the log that may wait for a viewer, and that are sent when it connects."""
LARGEST_MESSAGE = 16 * 1024
HEARTBEAT = 20.0
SELECTED_INTERVAL = 0.2
"""Period of the full state of the selected robot [s]."""


class Stream:
    """A watcher on the other end of a WebSocket."""

    def __init__(self, audience: Audience, control: Control) -> None:
        self.layers = Layer(0)
        self._audience = audience
        self._control = control
        self._socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST_MESSAGE, compress=False)
        self._wake = asyncio.Event()
        self._words: dict[str, str] = {}
        self._lines: deque[LogLine] = deque(maxlen=LOG_LINES)
        self._frame: bytes | None = None
        self._missed = False
        self._sent = 0
        self._seen = 0
        self._map_known = self._walls_known = self._plants_known = self._flat_known = 0
        self._roster_known = 0
        self._models_known: set[str] = set()
        self._selected: int | None = None
        self._selected_due = 0.0
        self._selected_stale = False

    async def run(self, request: web.Request) -> web.WebSocketResponse:
        """Serve until the viewer disconnects."""
        await self._socket.prepare(request)
        self._lines.extend(self._audience.stage.log.recent(LOG_LINES))
        self._audience.join(self)
        sender = asyncio.create_task(self._send_all())
        try:
            async for message in self._socket:
                if message.type is WSMsgType.BINARY:
                    self._acknowledged(message.data)
                elif message.type is WSMsgType.TEXT:
                    self._heard(message.data)
        finally:
            self._audience.leave(self)
            sender.cancel()
            (ended,) = await asyncio.gather(sender, return_exceptions=True)
            if isinstance(ended, Exception):
                self._audience.stage.log.exception("A viewer could not be served:", ended)
        return self._socket

    async def close(self) -> None:
        """Close the WebSocket."""
        await self._socket.close(code=1001, message=b"The simulator has ended.")

    # What the audience calls

    @property
    def is_ready(self) -> bool:
        """Whether it has room for a frame."""
        return self._sent - self._seen < IN_FLIGHT

    def take_frame(self, frame: bytes | None) -> None:
        """Queue this frame; None means that a frame was dropped because the viewer was not ready."""
        if frame is None:
            self._missed = True
            return
        self._frame, self._missed = frame, False
        self._wake.set()

    def say(self, kind: str, text: str) -> None:
        """Queue this text; it replaces an unsent one of the same kind."""
        self._words[kind] = text
        self._wake.set()

    def log(self, line: LogLine) -> None:
        """Show this line of the log."""
        self._lines.append(line)
        self._wake.set()

    def news(self) -> None:
        """Check whether map or roster have changed since they were last sent."""
        self._wake.set()

    # Requests of the viewer

    def _acknowledged(self, data: bytes) -> None:
        if len(data) != 4:
            return
        number = int.from_bytes(data, "little")
        if self._seen < number <= self._sent:
            self._seen = number
            if self._missed:
                self._missed = False
                self._audience.serve(self)

    def _heard(self, text: str) -> None:
        try:
            wish = json.loads(text)
            if not isinstance(wish, dict):
                raise RefusedError(400, "A message must be a JSON object.")
            self._obey(wish)
        except RefusedError as refused:
            self.say("refused", json.dumps({"type": "refused", "status": refused.status, "text": refused.text}))
        except (ValueError, RecursionError):
            self.say("refused", json.dumps({"type": "refused", "status": 400, "text": "This is not JSON."}))

    def _obey(self, wish: Mapping[str, Any]) -> None:
        if isinstance(wish.get("show"), list):
            names = [name.upper() for name in wish["show"] if isinstance(name, str)]
            self.layers = Layer(sum(layer for layer in Layer if layer.name in names))
            self._audience.serve(self)
        if "select" in wish:
            self._selected = wish["select"] if isinstance(wish["select"], int) else None
            self._selected_due = 0.0
            self._audience.serve(self)
        for name, act in (("place", self._place), ("drive", self._drive)):
            if isinstance(wish.get(name), dict):
                act(wish[name])

    def _place(self, wish: Mapping[str, Any]) -> None:
        self._control.place(self._control.thing(_key(wish)), wish)

    def _drive(self, wish: Mapping[str, Any]) -> None:
        self._control.drive(self._control.robot(_key(wish)), wish)

    # Sending

    async def _send_all(self) -> None:
        """Send everything that waits; a viewer that does not read blocks only this task."""
        audience, socket = self._audience, self._socket
        try:
            while not socket.closed:
                await self._wake.wait()
                self._wake.clear()
                await self._send_news()
                while self._lines:
                    lines = [describe.log_line(self._lines.popleft()) for _ in range(min(50, len(self._lines)))]
                    await socket.send_str(json.dumps({"type": "log", "lines": lines}))
                while self._words:
                    await socket.send_str(self._words.pop(next(iter(self._words))))
                if self._frame is not None:
                    frame, self._frame = self._frame, None
                    self._sent += 1
                    self._selected_stale = True
                    await socket.send_bytes(number_frame(frame, self._sent))
                await self._send_selected(asyncio.get_running_loop().time())
        except (ConnectionError, RuntimeError):
            audience.leave(self)

    async def _send_news(self) -> None:
        audience, socket = self._audience, self._socket
        place = audience.place
        if self._map_known != place.map:
            self._map_known = place.map
            await socket.send_str(audience.map_text())
        if self._walls_known != place.walls:
            self._walls_known = place.walls
            await socket.send_bytes(place.wall_bytes)
        if self._plants_known != place.plants:
            self._plants_known, self._flat_known = place.plants, place.flat
            await socket.send_bytes(place.plant_bytes)
        elif self._flat_known != place.flat:
            self._flat_known = place.flat
            await socket.send_bytes(place.flat_bytes)
        if self._roster_known != audience.roster_number:
            self._roster_known = audience.roster_number
            models = audience.models_text(self._models_known)
            if models:
                await socket.send_str(models)
            await socket.send_str(audience.roster_text())

    async def _send_selected(self, now: float) -> None:
        if self._selected is None or not self._selected_stale or now < self._selected_due:
            return
        self._selected_stale = False
        self._selected_due = now + SELECTED_INTERVAL
        try:
            thing = self._control.thing(self._selected)
        except RefusedError:
            self._selected = None
            return
        stage = self._audience.stage
        content = describe.thing_state(stage, thing, self._audience.meter)
        if isinstance(thing, Robot) and stage.simulation.has_sensed:
            content["readings"] = describe.robot_readings(stage, thing)
        await self._socket.send_str(json.dumps({"type": "selected", "thing": content}))


def _key(wish: Mapping[str, Any]) -> int:
    key = wish.get("id")
    if not isinstance(key, int) or isinstance(key, bool):
        raise RefusedError(400, "id must be a whole number.")
    return key
