"""Saphira's `.wld` worlds, which older ARIA examples come with: rows of lines, and where the robot starts.

    ; a room of 4 x 3 m
    width 4000
    0 0 4000 0
    4000 0 4000 3000
    position 500 500 90

A row of four whole numbers is a line [mm], `position X Y TH` the home [mm, degrees]; other words and what follows a
semicolon are passed over.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import ArMap, Cairn, Scan
from mobilesim_py.formats.armap.reader import LARGEST_EXTENT
from mobilesim_py.world.world import Problem

MOST_PROBLEMS = 100
_NUMBER_STARTS = "+-.0123456789"


def read_wld(path: Path) -> ArMap:
    """Read a world file; MapError when it cannot be read or has no line in it."""
    try:
        text = path.read_text(encoding="latin-1")
    except OSError as error:
        raise MapError(f"cannot read the world file ({error.strerror or error})", str(path)) from None
    return parse_wld(text, str(path))


def parse_wld(text: str, path: str = "") -> ArMap:
    """Read the text of a world file; `path` is only for messages."""
    lines: list[list[int]] = []
    home: Cairn | None = None
    problems: list[Problem] = []
    for number, row in enumerate(text.splitlines(), start=1):
        words = row.partition(";")[0].split()
        if not words:
            continue
        if words[0].lower() == "position":
            home = _home(words[1:], number) or home
            if home is None or home.line != number:
                problems.append(Problem(number, "`position` wants X Y TH [mm, degrees]; it is passed over"))
        elif words[0][0] in _NUMBER_STARTS:
            ends = _whole_numbers(words)
            if ends is None:
                problems.append(Problem(number, "a line is four whole numbers, X1 Y1 X2 Y2 [mm]; this row is passed over"))
            else:
                lines.append(ends)
    if not lines:
        raise MapError("there is no line in it: a row of four whole numbers, X1 Y1 X2 Y2 [mm]", path)
    scan = Scan(lines=np.array(lines, np.int64))
    return ArMap(scans=(scan,), cairns=(home,) if home else (), problems=tuple(problems[:MOST_PROBLEMS]), path=path)


def _whole_numbers(words: list[str]) -> list[int] | None:
    """Return the ends of a line, or None if the words are no four whole numbers that a map could have."""
    try:
        ends = [int(word) for word in words]
    except ValueError:
        return None
    return ends if len(ends) == 4 and max(map(abs, ends)) <= LARGEST_EXTENT else None


def _home(words: list[str], number: int) -> Cairn | None:
    try:
        x, y, heading = (float(word) for word in words)
    except ValueError:
        return None
    if not all(map(math.isfinite, (x, y, heading))) or max(abs(x), abs(y)) > LARGEST_EXTENT:
        return None
    return Cairn("RobotHome", x, y, heading, name="Home", line=number)
