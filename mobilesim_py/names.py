"""Names that tell things apart."""

from __future__ import annotations

from collections.abc import Container


def unique_name(name: str, taken: Container[str]) -> str:
    """Return the name, or the name with the first free number from 2 on if it is taken: `p3dx`, `p3dx_002`."""
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number:03d}"
    return candidate
