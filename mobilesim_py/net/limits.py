"""Limits of the backlog of a client that does not read, in bytes or in messages.

A slow reader loses data instead of costing memory without bound: a write that a limit does not admit is dropped whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

LAGGING = 64 * 1024
"""As fast as possible means: as fast as the clients read; so much may be on its way to one of them [bytes]."""
PENDING_LIMIT = 256 * 1024
"""Default limit of a client's backlog [bytes]."""


class Limit(Protocol):
    """The limit of one link, asked before each write."""

    def admits(self, pending: int, size: int) -> bool:
        """Tell whether a write of `size` bytes is admitted on top of `pending` bytes; if so, it counts as written."""


class ByBytes:
    """A limit in bytes."""

    def __init__(self, most: int) -> None:
        self._most = most

    def admits(self, pending: int, size: int) -> bool:
        """Tell whether the whole write fits."""
        return pending + size <= self._most


class ByMessages:
    """A limit in whole messages of any size: a picture is useful only as a whole."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._admitted = 0
        self._ends: deque[int] = deque()
        """Offsets in the stream at which the pending messages end."""

    def admits(self, pending: int, size: int) -> bool:
        """Tell whether fewer messages than the limit are pending."""
        gone = self._admitted - pending
        while self._ends and self._ends[0] <= gone:
            self._ends.popleft()
        if len(self._ends) >= self._most:
            return False
        self._admitted += size
        self._ends.append(self._admitted)
        return True


MakeLimit = Callable[[], Limit]
"""Factory of the limit of one link."""


def by_bytes(most: int = PENDING_LIMIT) -> MakeLimit:
    """Limit the backlog of each client of a door in bytes."""
    return lambda: ByBytes(most)


def by_messages(most: int) -> MakeLimit:
    """Limit the backlog of each client of a door in messages, such as pictures."""
    return lambda: ByMessages(most)
