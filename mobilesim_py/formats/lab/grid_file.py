"""Grid files: `<Grid>` with a `<Position X Y Dir/>` for each robot, the direction in degrees."""

from __future__ import annotations

import math
from pathlib import Path

from mobilesim_py.formats.lab.elements import Element, Warn, ignore, read_elements, read_file
from mobilesim_py.formats.lab.facts import Grid, StartPlace

MAX_PLACES = 100

_KNOWN = frozenset({"X", "Y", "Dir"})


def read_grid(path: str | Path, warn: Warn = ignore) -> Grid:
    """Read a grid file."""
    return grid_of(read_file(path, "Grid"), warn)


def parse_grid(data: bytes, source: str = "grid", warn: Warn = ignore) -> Grid:
    """Return the grid in a document or in a Grid message."""
    return grid_of(read_elements(data, source, "Grid"), warn)


def grid_of(root: Element, warn: Warn = ignore) -> Grid:
    """Return the grid that an element describes; it has at least one place."""
    places: list[StartPlace] = []
    for child in root.children:
        if child.tag != "Position":
            warn(child.warning(f"<{child.tag}> means nothing in a grid", "a grid has <Position> elements; remove it"))
            continue
        child.heard(_KNOWN, warn)
        if len(places) == MAX_PLACES:
            raise child.error(f"the grid has more than {MAX_PLACES} places", "leave some out")
        places.append(StartPlace(child.number("X"), child.number("Y"), child.number("Dir", 0.0) * math.pi / 180))
    if not places:
        raise root.error("the grid has no place", 'add <Position X="..." Y="..." Dir="0"/>')
    return Grid(tuple(places))
