"""How much may wait for a client that does not read: so many bytes of a stream, or so many pictures.

A slow reader loses data, never the simulator memory: what a limit does not admit is left out as a whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

LAGGING = 64 * 1024
"""As fast as possible means: as fast as the clients read; so much may be on its way to one of them [bytes]."""
PENDING_LIMIT = 256 * 1024
"""Bytes that may wait for a client, unless its door says something else."""


class Limit(Protocol):
    """What one link asks before each write."""

    def admits(self, pending: int, size: int) -> bool:
        """Whether a write of `size` bytes may go out while `pending` bytes wait; if so, it does."""


class ByBytes:
    """Admit what fits into so many bytes."""

    def __init__(self, most: int) -> None:
        self._most = most

    def admits(self, pending: int, size: int) -> bool:
        """Whether there is room for all of it."""
        return pending + size <= self._most


class ByMessages:
    """Admit so many whole messages, however large: a picture is of use only as a whole."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._admitted = 0
        self._ends: deque[int] = deque()
        """Where in the stream the messages that wait end."""

    def admits(self, pending: int, size: int) -> bool:
        """Whether fewer messages wait than may."""
        gone = self._admitted - pending
        while self._ends and self._ends[0] <= gone:
            self._ends.popleft()
        if len(self._ends) >= self._most:
            return False
        self._admitted += size
        self._ends.append(self._admitted)
        return True


MakeLimit = Callable[[], Limit]
"""Makes the limit of one link."""


def by_bytes(most: int = PENDING_LIMIT) -> MakeLimit:
    """Limit each client of a door to so many waiting bytes."""
    return lambda: ByBytes(most)


def by_messages(most: int) -> MakeLimit:
    """Limit each client of a door to so many waiting writes, such as pictures."""
    return lambda: ByMessages(most)
