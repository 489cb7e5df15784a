"""The lab and the grid that serve where no file is given."""

from __future__ import annotations

from functools import cache

from mobilesim_py.formats.lab.facts import Beacon, Grid, Lab, StartPlace, Target
from mobilesim_py.formats.lab.rows import WALL_WIDTH, row_walls

_ROWS_FROM_ABOVE = (
    "  |        |     |                 |     ",
    "  +--+  +--+--+  +  +--+--+--+--+  +--+--",
    "  |        |              |        |     ",
    "--+--+  +--+  +--+--+--+  +--+--+  +--+  ",
    "        |        |     |     |     |  |  ",
    "--+--+--+  +--+  +--+--+--+  +  +  +--+  ",
    "  |                                      ",
    "  +--+--+--+--+--+--+  +  +--+  +--+--+--",
    "     |  |              |     |     |     ",
    "  +--+  +--+--+--+--+  +--+  +  +--+  +  ",
    "  |                 |           |     |  ",
    "  +--+  +--+--+--+  +--+--+  +--+  +--+  ",
    "  |  |           |           |     |     ",
)


@cache
def default_lab(wall_width: float = WALL_WIDTH) -> Lab:
    """Return the built-in lab of 28 x 14 with one target and a beacon on it."""
    walls = [
        wall
        for above, pattern in enumerate(_ROWS_FROM_ABOVE)
        for wall in row_walls(len(_ROWS_FROM_ABOVE) - 1 - above, pattern, 4.0, wall_width)[0]
    ]
    return Lab("Default LAB", 28.0, 14.0, (Beacon(25.0, 7.0, 4.0),), (Target(25.0, 7.0, 1.0),), tuple(walls))


def default_grid() -> Grid:
    """Return the built-in grid of one place."""
    return Grid((StartPlace(9.0, 3.0, 0.0),))
