"""The numbers under LINES and DATA: whole blocks at once, line by line only where something is odd.

A block that is regular throughout is checked by one pattern and converted by NumPy; blocks are short enough that
no single call holds up the other threads of the process for longer than a few milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mobilesim_py.world.world import Problem

IntArray = npt.NDArray[np.int64]

BLOCK_BYTES = 128 * 1024
MOST_PROBLEMS = 200
_MOST_DIGITS = 9  # more may not fit 32 bits: such lines are parsed one by one
_LARGEST = 2**31 - 1
_SHOWN = 60


@dataclass
class ProblemList:
    """A bounded list of problems."""

    found: list[Problem] = field(default_factory=list)
    more: int = 0

    def add(self, line: int, text: str) -> None:
        """Add a problem, or only count it when the list is full."""
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(Problem(line, text))
        else:
            self.more += 1

    def result(self) -> tuple[Problem, ...]:
        """Return all problems, and the number of those that did not fit."""
        rest = (Problem(0, f"and {self.more} more problems like these"),) if self.more else ()
        return (*self.found, *rest)


@dataclass(frozen=True)
class RowKind:
    """The syntax of a line of numbers."""

    columns: int
    example: str
    regular: re.Pattern[bytes]
    lenient: re.Pattern[bytes]


def _kind(columns: int, example: str) -> RowKind:
    number = rb"-?[0-9]{1,%d}+" % _MOST_DIGITS
    row = rb"[ \t]++".join([number] * columns)
    lenient = rb"[ \t\v\f\r]+".join([rb"(-?[0-9]+)"] * columns)
    return RowKind(columns, example, re.compile(rb"(?:" + row + rb"[ \t]*+\r?\n)*+\Z"), re.compile(lenient))


POINTS = _kind(2, "x y")
LINES = _kind(4, "x1 y1 x2 y2")


def read_rows(data: bytes, kind: RowKind, first_line: int, problems: ProblemList) -> IntArray:
    """Read all rows in `data`, whose every line ends with a newline; what is no row is noted and skipped."""
    blocks: list[IntArray] = []
    start, line = 0, first_line
    while start < len(data):
        end = data.rfind(b"\n", start, start + BLOCK_BYTES) + 1 or data.find(b"\n", start) + 1 or len(data)
        block = data[start:end]
        if kind.regular.match(block):
            rows = np.fromstring(block.decode("ascii"), dtype=np.int64, sep=" ").reshape(-1, kind.columns)
        else:
            rows = _read_odd(block, kind, line, problems.add)
        blocks.append(rows)
        line += block.count(b"\n")
        start = end
    return np.concatenate(blocks) if blocks else np.empty((0, kind.columns), np.int64)


def _read_odd(block: bytes, kind: RowKind, first_line: int, note: Callable[[int, str], None]) -> IntArray:
    """Read rows one by one, as lenient and as strict as ARIA's reader."""
    rows: list[list[int]] = []
    for line, text in enumerate(block.split(b"\n")[:-1], first_line):
        match = kind.lenient.match(text)
        if match is None:
            if text.strip():
                note(line, f"skipped {_shown(text)}: not a row of whole numbers `{kind.example}`")
            continue
        if any(len(group) > 11 for group in match.groups()):
            note(line, f"skipped {_shown(text)}: a number too large for 32 bits")
            continue
        row = [int(group) for group in match.groups()]
        if any(abs(value) > _LARGEST for value in row):
            note(line, f"skipped {_shown(text)}: a number too large for 32 bits")
            continue
        if text[match.end() :].strip():
            note(line, f"ignored {_shown(text[match.end() :])} after the {kind.columns} numbers `{kind.example}`")
        rows.append(row)
    return np.array(rows, np.int64).reshape(-1, kind.columns)


def _shown(text: bytes) -> str:
    """Quote text of the file so that it can stand in a message."""
    readable = ascii(text.strip().decode("utf-8", "replace"))
    return readable if len(readable) <= _SHOWN else readable[: _SHOWN - 4] + "...'"
