"""Names that tell things apart."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
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


def unique_names(names: Iterable[str], spelling: str = USUAL) -> Iterator[str]:
    """Go through names, each of which gets a number if it came before; quick even if all of them are the same."""
    given: set[str] = set()
    last: dict[str, int] = {}
    for name in names:
        candidate = name
        while candidate in given:
            last[name] = last.get(name, 1) + 1
            candidate = spelling.format(name=name, number=last[name])
        given.add(candidate)
        yield candidate
