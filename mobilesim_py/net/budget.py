"""How much work a client may cause in one turn, lest one that floods its port takes the time of all others.

A turn is a step of the simulation, or a moment where there is none. What a client sends beyond its budget waits, first
in its link and then, because that stops reading, in the sockets at both ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

SLICE = 256
"""Bytes that are obeyed without asking again; a client's answer to one packet is a fraction of it."""
WORK = 0.002
"""Seconds of processor time that one client may take in one turn."""
WORK_PER_BYTE = WORK / 16384
"""What a byte counts where runs must repeat and processor time, which never does, cannot be asked."""
LONGEST_TURN = 0.1
"""Seconds after which a turn ends even if no step does, as in a world that is paused."""


class Turns:
    """Counts turns, and calls those who wait for the next one."""

    def __init__(self) -> None:
        self.number = 0
        self.repeats = False
        """Whether runs must repeat to the byte, as with --lockstep."""
        self._waiting: list[Callable[[], None]] = []
        self._timer: asyncio.TimerHandle | None = None

    def next(self) -> None:
        """End the turn; whoever has waited for that goes on when the loop comes to it."""
        self.number += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            asyncio.get_running_loop().call_soon(call)

    def await_next(self, call: Callable[[], None]) -> None:
        """Call something in the next turn."""
        self._waiting.append(call)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LONGEST_TURN, self.next)


class Budget:
    """What one client, or all of a door together, may still cause in this turn."""

    def __init__(self, turns: Turns, work: float = WORK) -> None:
        self._turns = turns
        self._turn = turns.number
        self._work = work
        self._spent = 0.0

    @property
    def is_spent(self) -> bool:
        """Whether the rest must wait for the next turn."""
        return self._spent >= self._work and self._turn == self._turns.number

    def spend(self, data: bytes, obey: Callable[[bytes], None], goes_on: Callable[[], bool]) -> bytes:
        """Obey as much as the budget allows, and return the rest; stop where `goes_on` says so."""
        position = 0
        while position < len(data) and not self.is_spent and goes_on():
            piece = data[position : position + SLICE] if position or len(data) > SLICE else data
            position += len(piece)
            self.charge(piece, obey)
        return data[position:]

    def charge(self, data: bytes, obey: Callable[[bytes], None]) -> None:
        """Obey all of it, whatever is left, and count what that took."""
        turns = self._turns
        if self._turn != turns.number:
            self._turn, self._spent = turns.number, 0.0
        if turns.repeats:
            obey(data)
            self._spent += WORK_PER_BYTE * len(data)
        else:
            began = time.thread_time()
            obey(data)
            self._spent += time.thread_time() - began
