"""Loops that robots are to follow round and round: through the cells of a maze, or along lines on the ground."""

from __future__ import annotations

import math
from collections.abc import Callable

from mobilesim_py.errors import UsageError
from mobilesim_py.services.ciberrato.walls import Walls

Cell = tuple[int, int]
MAX_CELLS = 10_000


class NoLoopError(UsageError):
    """A lab in which a start place has no loop to follow, though the scoring mode wants one."""


def cell_of(x: float, y: float) -> Cell:
    """Return the cell of 2 x 2 that a point lies in."""
    return int(x / 2), int(y / 2)


def maze_loop(walls: Walls, x: float, y: float) -> list[Cell]:
    """Return the loop of cells from a start on: straight on where it is open, else right, else left (scoring 1)."""

    def open_way(cell: Cell, degrees: int) -> bool:
        cx, cy = cell[0] * 2.0 + 1, cell[1] * 2.0 + 1
        angle = degrees * math.pi / 180.0
        return walls.reachable(cx, cy, cell[0] * 2 + 1 + math.cos(angle) * 2.0, cell[1] * 2 + 1 + math.sin(angle) * 2.0)

    return _follow(cell_of(x, y), (0, -90, 90), open_way)


def line_loop(walls: Walls, x: float, y: float) -> list[Cell]:
    """Return the loop of cells of 1 x 1 on the line from a start on: right first, then straight, then left (scoring 4)."""

    def on_line(cell: Cell, degrees: int) -> bool:
        angle = degrees * math.pi / 180.0
        return walls.inside(cell[0] + math.cos(angle) * 0.5, cell[1] + math.sin(angle) * 0.5)

    return _follow((int(x + 0.5), int(y + 0.5)), (-90, 0, 90), on_line)


def diagonal_loop(walls: Walls, x: float, y: float) -> list[Cell]:
    """Return the loop of cells of 0.5 x 0.5 on a line that may run diagonally, in half units (scoring 7)."""

    def on_line(cell: Cell, degrees: int) -> bool:
        angle = degrees * math.pi / 180.0
        return walls.inside(cell[0] * 0.5 + math.cos(angle) * 0.2, cell[1] * 0.5 + math.sin(angle) * 0.2)

    return _follow((int(x * 2.0 + 0.5), int(y * 2.0 + 0.5)), (-135, -90, -45, 0, 45, 90, 135), on_line)


def _follow(start: Cell, turns: tuple[int, ...], open_way: Callable[[Cell, int], bool]) -> list[Cell]:
    path = [start]
    cell, heading = (start[0] + 1, start[1]), 0
    seen: set[tuple[Cell, int]] = set()
    while cell != start:
        if (cell, heading) in seen or len(path) > MAX_CELLS:
            raise NoLoopError(_sentence(start))
        seen.add((cell, heading))
        path.append(cell)
        turn = next((turn for turn in turns if open_way(cell, heading + turn)), None)
        if turn is None:
            raise NoLoopError(_sentence(start))
        angle = (heading + turn) * math.pi / 180.0
        cell = _rounded(cell[0] + math.cos(angle)), _rounded(cell[1] + math.sin(angle))
        heading = (heading + turn + 360) % 360
    return path


def _rounded(value: float) -> int:
    """Return the nearest whole number, halves away from zero."""
    return math.floor(value + 0.5) if value >= 0.0 else math.ceil(value - 0.5)


def _sentence(start: Cell) -> str:
    return (
        f"the lab has no loop that starts in cell {start} to the right and comes back to it; "
        "choose another lab or start place, or another --scoring"
    )
