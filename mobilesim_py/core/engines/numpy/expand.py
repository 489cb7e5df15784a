"""Small tools for arrays of runs: n things each with so many parts, laid out one after the other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]


def runs(first: npt.NDArray[np.integer], counts: npt.NDArray[np.integer]) -> tuple[IntArray, IntArray]:
    """For each thing its number, repeated, and first, first + 1, ... for as many parts as it has."""
    owner = np.repeat(np.arange(len(counts)), counts)
    ends = np.cumsum(counts)
    return owner, np.arange(len(owner)) - (ends - counts - first)[owner]


def any_by_owner(owner: IntArray, flags: npt.NDArray[np.bool_], count: int) -> npt.NDArray[np.bool_]:
    """For each of `count` owners whether any of its parts has the flag."""
    found = np.zeros(count, np.bool_)
    found[owner[flags]] = True
    return found


def first_by_owner(owner: IntArray, values: IntArray, count: int) -> IntArray:
    """For each of `count` owners the first of its values, or -1."""
    found = np.full(count, -1)
    # The first one is written last.
    found[owner[::-1]] = values[::-1]
    return found
