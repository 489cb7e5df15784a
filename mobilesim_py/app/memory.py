"""Memory that a large map needed while it was read, given back to the system."""

from __future__ import annotations

import contextlib
import ctypes


def give_back() -> None:
    """Return freed memory to the system; the C library would keep it, and the compiled engine come on top of it."""
    with contextlib.suppress(OSError, AttributeError):  # not the GNU C library
        ctypes.CDLL(None).malloc_trim(0)
