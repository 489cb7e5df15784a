"""Names that tell things apart."""

from __future__ import annotations

from collections.abc import Container

LISTED = "{name}_{number:03d}"
"""How the original numbers robots that the command line or a file lists: `p3dx_002`."""
COMING = "{name}-{number}"
"""How it numbers robots that come with their clients: `127.0.0.1-2`."""


def unique_name(name: str, taken: Container[str], spelling: str = LISTED) -> str:
    """Return the name, or the name with the first free number from 2 on if it is taken."""
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = spelling.format(name=name, number=number)
    return candidate
