r"""Rows of characters become walls: `|` and `-` between cells of 2 x 2, `/` and `\` across them.

Three columns of characters are one cell. Odd rows hold the walls between cells; a `-` in an even row lies in the middle of
cells and is a line on the ground.
"""

from __future__ import annotations

import math

from mobilesim_py.formats.lab.facts import Wall

CELL = 2.0
WALL_WIDTH = 0.2
EXPLORER_WALL_WIDTH = 0.1
LAST_COLUMN = 39


def row_walls(position: int, pattern: str, height: float, wall_width: float = WALL_WIDTH) -> tuple[list[Wall], int | None]:
    """Return the walls of a row in the order of its characters, and the column at which one starts that no blank ends.

    The wall without an end is kept: it runs to the end of the pattern.
    """
    walls: list[Wall] = []
    start: int | None = None
    for column, character in enumerate(pattern):
        if character == "|":
            walls.append(_vertical(position, column, height, wall_width))
        elif character in "/\\":
            walls.append(_diagonal(position, column, height, wall_width, character))
        elif column % 3 == 0:
            if character == "-" and start is None:
                start = column
            if start is not None and (character == " " or (character == "-" and column == LAST_COLUMN)):
                end = column if character == "-" else column - 3
                walls.append(_horizontal(position, start, end, height, wall_width))
                start = None
    if start is None:
        return walls, None
    end = range(start, len(pattern), 3)[-1]
    walls.append(_horizontal(position, start, end, height, wall_width))
    return walls, start


def _vertical(position: int, column: int, height: float, width: float) -> Wall:
    x = (column + 1) / 3.0 * CELL
    left, right = x - width * 0.5, x + width * 0.5
    low, high = position * 0.5 * CELL, (position * 0.5 + 1.0) * CELL
    return Wall(((left, low), (right, low), (right, high), (left, high)), height)


def _horizontal(position: int, start: int, end: int, height: float, width: float) -> Wall:
    y = (position + 1) * 0.5 * CELL
    low, high = y - width * 0.5, y + width * 0.5
    left, right = start / 3.0 * CELL, (end / 3.0 + 1.0) * CELL
    between_cells = position % 2 == 1
    return Wall(((left, low), (right, low), (right, high), (left, high)), height if between_cells else 0.0)


def _diagonal(position: int, column: int, height: float, width: float, character: str) -> Wall:
    dx, dy = width * 0.5 * math.cos(math.pi / 4), width * 0.5 * math.sin(math.pi / 4)
    left, right = column / 3.0 * CELL, (column + 3) / 3.0 * CELL
    low, high = position * 0.5 * CELL, (position * 0.5 + 1.0) * CELL
    if character == "/":
        return Wall(((left - dx, low + dy), (left + dx, low - dy), (right + dx, high - dy), (right - dx, high + dy)), height)
    return Wall(((left - dx, high - dy), (left + dx, high + dy), (right + dx, low + dy), (right - dx, low - dy)), height)
