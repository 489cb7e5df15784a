"""Names that tell things apart."""

from __future__ import annotations

from collections.abc import Container
from itertools import count

USUAL = "{name}-{number}"
MODEL = "{name}_{number:03d}"
"""How the original calls further robots that are named after their model: `p3dx`, `p3dx_002`."""


def unique_name(name: str, taken: Container[str], spelling: str = USUAL) -> str:
    """Return the name, or the name with the first free number from 2 on if it is taken: `crate`, `crate-2`."""
    if name not in taken:
        return name
    numbered = (spelling.format(name=name, number=number) for number in count(2))
    return next(candidate for candidate in numbered if candidate not in taken)
