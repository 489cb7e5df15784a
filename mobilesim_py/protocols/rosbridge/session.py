"""What both ends of rosbridge share: frames in, operations out of a table, frames out, all bounded.

    session.receive_data(frame)         a text or binary frame that came in
    session.events()                    what it meant, once
    session.data_to_send(now)           frames that shall go out, once; ask only when the line can take them

Nothing that a peer sends raises: what makes no sense becomes a `Mistake`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from mobilesim_py.protocols.ros.errors import RosError, WireError
from mobilesim_py.protocols.rosbridge.encoding import Frame, png_of_text, read_frame, text_of_png, write_text
from mobilesim_py.protocols.rosbridge.events import Event, Id, Mistake, Overrun
from mobilesim_py.protocols.rosbridge.fragments import Assembly, cut
from mobilesim_py.protocols.rosbridge.operations import OPERATIONS, Fields, check

DEEPEST_WRAPPING = 3  # a png in fragments in a png is odd enough


@dataclass(frozen=True)
class Limits:
    """What a peer may make us keep."""

    frame: int = 1 << 24  # bytes of a frame, or characters of all fragments that wait for others
    waiting: int = 1 << 25  # bytes of answers that the peer has not read
    names: int = 1000  # topics, services and actions of one peer, of each sort
    pending: int = 1000  # calls and goals under way


class Session:
    """One end of one connection."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._events: list[Event] = []
        self._frames: list[Frame] = []
        self._waiting = 0
        self._overrun = False
        self._assembly = Assembly(self.limits.frame)
        self._numbers = count(1)
        self._handlers: Mapping[str, Callable[[Fields], None]] = {}

    @property
    def backlog(self) -> int:
        """Return the bytes of answers that wait; messages of topics come on top of them."""
        return self._waiting

    def receive_data(self, frame: Frame) -> None:
        """Take a frame that came in."""
        self._receive(frame, 0)

    def events(self) -> list[Event]:
        """Return what happened, once."""
        events, self._events = self._events, []
        return events

    def data_to_send(self, now: float) -> list[Frame]:
        """Return the frames that shall go out at the time `now` [s], once."""
        frames, self._frames = self._frames, []
        self._waiting = 0
        return frames

    def _receive(self, frame: Frame, depth: int) -> None:
        number: Id = None
        try:
            plain = read_frame(frame, self.limits.frame)
            op = plain["op"]
            number = plain.get("id") if isinstance(plain.get("id"), str) else None
            if op == "fragment" or op == "png":
                self._unwrap(op, check(op, plain), depth)
                return
            handler = self._handlers.get(op)
            if handler is None:
                known = "is not for this end" if op in OPERATIONS else "is unknown"
                raise WireError(f"the operation '{op[:100]}' {known}")
            handler(check(op, plain))
        except RosError as fault:
            self._mistake(str(fault), number)

    def _unwrap(self, op: str, fields: Fields, depth: int) -> None:
        if depth == DEEPEST_WRAPPING:
            raise WireError("fragments and pngs inside of one another without end")
        text: str | None = fields["data"]
        if op == "fragment" or fields["total"]:
            text = self._assembly.add(fields["id"], fields["data"], fields["num"], fields["total"])
        if text is None:
            return
        self._receive(text_of_png(text, self.limits.frame) if op == "png" else text, depth + 1)

    def _mistake(self, text: str, number: Id) -> None:
        self._events.append(Mistake(text, number))

    def _emit(self, event: Event) -> None:
        self._events.append(event)

    def _send(self, op: str, fields: Mapping[str, Any], compression: str = "none", fragment_size: int = 0) -> None:
        """Let an operation wait to be sent. Fields that are None are left out."""
        text = write_text({"op": op} | {name: value for name, value in fields.items() if value is not None})
        if compression == "png":
            text = write_text({"op": "png", "data": png_of_text(text)})
        for frame in self._cut(text, fragment_size):
            self._put(frame)

    def _cut(self, frame: Frame, fragment_size: int) -> list[Frame]:
        """Return a frame in fragments where they were asked for; binary frames are never cut."""
        if not fragment_size or isinstance(frame, bytes):
            return [frame]
        return list(cut(frame, fragment_size, f"fragment:{next(self._numbers)}"))

    def _put(self, frame: Frame) -> None:
        self._frames.append(frame)
        self._waiting += len(frame)
        if self._waiting > self.limits.waiting and not self._overrun:
            self._overrun = True
            self._emit(Overrun(self._waiting))

    def _keep(self, table: dict[Any, Any], key: Any, value: Any, limit: int) -> None:
        """Note something that the peer has under way; raise WireError when it has too much."""
        if key not in table and len(table) >= limit:
            raise WireError(f"more than {limit} of one sort")
        table[key] = value
