"""Memory that was needed for a while: for other threads, or for the system."""

from __future__ import annotations

import contextlib
import ctypes

_ARENA_MAX = -8
"""The number of this setting in the malloc.h of the GNU C library."""


def share_between_threads() -> None:
    """Let what one thread has freed serve the others: the one that builds the world would keep its own."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # not the GNU C library
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Return freed memory to the system; the C library would keep it, and the compiled engine come on top of it."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
