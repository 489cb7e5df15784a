"""Names that nobody else has."""

from __future__ import annotations

from collections.abc import Container
from itertools import count


def unique_name(wanted: str, taken: Container[str]) -> str:
    """Return the name, or the name with the first free number behind it: `crate`, `crate-2`, `crate-3` ..."""
    if wanted not in taken:
        return wanted
    return next(name for number in count(2) if (name := f"{wanted}-{number}") not in taken)
