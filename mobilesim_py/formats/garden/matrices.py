"""Matrices as MATLAB writes them: `[1 2;3 4]`, a single number without brackets, NaN where a row is shorter."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

LARGEST = 1e6
"""No coordinate of a garden is larger than this."""
_APART = re.compile(r"[\s,]+")


def read_matrix(text: str) -> list[list[float]]:
    """Return the rows of a matrix, without the NaN at their ends; ValueError says what is wrong."""
    inner = text.strip()
    if inner[:1] == "[" or inner[-1:] == "]":
        if inner[:1] != "[" or inner[-1:] != "]":
            raise ValueError("a bracket is missing")
        inner = inner[1:-1].strip()
    if not inner:
        return []
    return [_row(row) for row in inner.strip("; ").split(";")]


def _row(text: str) -> list[float]:
    numbers = [_number(word) for word in _APART.split(text.strip()) if word]
    while numbers and math.isnan(numbers[-1]):
        numbers.pop()
    if not all(abs(number) <= LARGEST for number in numbers):
        raise ValueError(f"a number is none, or larger than {LARGEST:g}")
    return numbers


def _number(word: str) -> float:
    try:
        return float(word.replace("_", "?"))
    except ValueError:
        raise ValueError(f"{word[:20]!r} is not a number") from None


def read_vector(text: str, count: int) -> list[float]:
    """Return a vector of so many numbers."""
    rows = read_matrix(text)
    numbers = [number for row in rows for number in row]
    if len(numbers) != count:
        raise ValueError(f"it has {len(numbers)} numbers, not {count}")
    return numbers


def matrix_text(rows: Iterable[Sequence[float]]) -> str:
    """Return rows as a matrix; shorter ones are filled with NaN."""
    kept = [list(row) for row in rows]
    width = max((len(row) for row in kept), default=0)
    filled = [row + [math.nan] * (width - len(row)) for row in kept]
    return "[" + ";".join(" ".join(number_text(number) for number in row) for row in filled) + "]"


def number_text(number: float) -> str:
    """Return a number as short as it can be told exactly."""
    if math.isnan(number):
        return "NaN"
    return str(int(number)) if float(number).is_integer() else repr(float(number))
