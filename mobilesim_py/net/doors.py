"""All doors of a program in one place, with the trace that sees every crossing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from mobilesim_py.net.budget import Turns
from mobilesim_py.net.door import Door
from mobilesim_py.net.trace import Trace, Tracer, Watch

AnyDoor = TypeVar("AnyDoor", bound=Door)


class Doors:
    """The set of open doors."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self.turns = Turns()
        """Told by the program of every step."""
        self.idle_seconds = 0.0
        """Silence after which a client of a door that is opened from now on is disconnected [s]; 0: never."""
        self._tracer = Tracer(clock)
        self._open: list[Door] = []

    def __iter__(self) -> Iterator[Door]:
        return iter(tuple(self._open))

    def __len__(self) -> int:
        return len(self._open)

    def open(self, door: AnyDoor) -> AnyDoor:
        """Open a door; PortError if that is impossible."""
        door.tracer = self._tracer
        door.turns = self.turns
        door.idle_seconds = self.idle_seconds
        self.unlock(door)
        self._open.append(door)
        return door

    def unlock(self, door: Door) -> None:
        """Open the door itself; test stands override this."""
        door.open()

    def close(self, door: Door) -> None:
        """Close a door and forget it."""
        if door in self._open:
            self._open.remove(door)
            door.close()

    def close_all(self) -> None:
        """Close every door."""
        for door in self:
            self.close(door)

    def install(self, trace: Trace, *, first: bool = False) -> Callable[[], None]:
        """Install a trace at every door, open or opened later; the returned function removes it.

        `first` lets it see the bytes as they come, before other traces change them.
        """
        return self._tracer.install(trace, first=first)

    def watch(self, watch: Watch) -> Callable[[], None]:
        """Tell of every client that comes in by a door or leaves; the returned function ends that."""
        return self._tracer.watch(watch)
