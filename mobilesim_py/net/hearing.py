"""Datagrams of many senders at one port, obeyed within a budget for each of them and one for all together.

What a sender says beyond its budget waits for the next turn, a few datagrams of it; what all of them say together beyond
theirs waits in the system's buffer, and is lost there as datagrams are.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from mobilesim_py.net.budget import WORK, Budget, Turns

LARGEST = 65536
MOST_READ = 256
"""Datagrams that are read in one batch, before other tasks of the event loop run."""
MOST_EACH = 16
"""How many of a batch one peer may have, and how many of them may wait; the rest of its flood is dropped."""
MOST_WAITING = 1 << 20
"""Bytes that may wait, all together."""
WORK_OF_ALL = 5 * WORK
"""Seconds of processor time in one turn for all who send to one port, and for reading what they send."""

Obey = Callable[[bytes, Any], None]
"""Takes a datagram and the address of its sender."""


class Hearing:
    """Reads a socket for as long as somebody has budget left."""

    def __init__(self, listener: socket.socket, turns: Turns, obey: Obey, flooded: Callable[[Any, int], None]) -> None:
        """Begin to read; `flooded` is told who sent how many datagrams in vain."""
        self._socket = listener
        self._turns = turns
        self._obey = obey
        self._flooded = flooded
        self._all = Budget(turns, WORK_OF_ALL)
        self._turn = turns.number
        self._budgets: dict[Any, Budget] = {}
        """Of those who were heard in this turn."""
        self._waiting: deque[tuple[bytes, Any]] = deque()
        self._waiting_of: Counter[Any] = Counter()
        self._waiting_bytes = 0
        self._is_reading = self._awaits_turn = self._is_closed = False
        self._read_on()

    def close(self) -> None:
        """Read no more; the socket is the caller's to close."""
        self._is_closed = True
        self._waiting.clear()
        self._pause()

    def _read_on(self) -> None:
        if not self._is_reading and not self._is_closed:
            self._is_reading = True
            asyncio.get_running_loop().add_reader(self._socket.fileno(), self._readable)

    def _pause(self) -> None:
        if self._is_reading:
            self._is_reading = False
            asyncio.get_running_loop().remove_reader(self._socket.fileno())

    def _readable(self) -> None:
        heard: Counter[Any] = Counter()
        missed: Counter[Any] = Counter()
        for _ in range(MOST_READ):
            if self._is_closed or self._all.is_spent:
                break
            read: list[tuple[bytes, Any]] = []
            try:
                # Reading costs, too, and of a flood that is most of it.
                self._all.charge(b"", lambda _, read=read: read.append(self._socket.recvfrom(LARGEST)))  # type: ignore[misc]
            except (BlockingIOError, InterruptedError):
                break
            except OSError:  # an earlier datagram could not be delivered
                continue
            ((data, address),) = read
            heard[address] += 1
            if heard[address] > MOST_EACH:
                missed[address] += 1
            elif self._waiting_of[address] or self._budget_of(address).is_spent:
                missed[address] += not self._keep(data, address)
            else:
                self._hear(data, address)
        for address, count in missed.items():
            if count:
                self._flooded(address, count)
        if self._all.is_spent and not self._is_closed:
            self._pause()
            self._await_turn()

    def _hear(self, data: bytes, address: Any) -> None:
        budget = self._budget_of(address)
        self._all.charge(data, lambda data: budget.charge(data, lambda data: self._obey(data, address)))

    def _budget_of(self, address: Any) -> Budget:
        if self._turn != self._turns.number:
            self._turn = self._turns.number
            self._budgets.clear()
        budget = self._budgets.get(address)
        if budget is None:
            budget = self._budgets[address] = Budget(self._turns)
        return budget

    def _keep(self, data: bytes, address: Any) -> bool:
        """Have a datagram wait for its sender's next turn; False if there is no room."""
        if self._waiting_of[address] >= MOST_EACH or self._waiting_bytes + len(data) > MOST_WAITING:
            return False
        self._waiting.append((data, address))
        self._waiting_of[address] += 1
        self._waiting_bytes += len(data)
        self._await_turn()
        return True

    def _await_turn(self) -> None:
        if not self._awaits_turn:
            self._awaits_turn = True
            self._turns.await_next(self._next_turn)

    def _next_turn(self) -> None:
        """Obey what waits, in the order of arrival, and read on."""
        self._awaits_turn = False
        later: deque[tuple[bytes, Any]] = deque()
        while self._waiting and not self._all.is_spent:
            data, address = self._waiting.popleft()
            if self._budget_of(address).is_spent:
                later.append((data, address))
                continue
            self._waiting_bytes -= len(data)
            self._waiting_of[address] -= 1
            if not self._waiting_of[address]:
                del self._waiting_of[address]
            self._hear(data, address)
        if self._is_closed:
            return
        self._waiting = later + self._waiting
        if not self._all.is_spent:
            self._read_on()
        if self._waiting or self._all.is_spent:
            self._await_turn()
