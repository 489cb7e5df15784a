"""The segments that stop one kind of ray, laid out for casting (`core.engines`): strides and blocks of segments.

Every cell of the grid is one number. Where nothing stops the rays it holds four strides of seven bits, one for each quarter
of directions: the side, in cells, of the largest empty square that has this cell in its corner and lies that way. A ray
may go straight to where it leaves that square. Where something does, the number is negative and names a run of blocks, each
with eight segments side by side, so that all eight can be met with a ray in one stroke.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mobilesim_py.world.obstacles import ByteArray, FloatArray

LONGEST_STRIDE = 127
STRIDE_BITS = 7
BLOCK = 8
"""Segments in a block."""
MIXED = -1


@dataclass(frozen=True, eq=False)
class Sight:
    """The segments that stop one kind of ray."""

    words: npt.NDArray[np.int32]
    """For each cell its strides (towards -x if bit 0 of the quarter is set, -y if bit 1), or -1 - the number of its run."""
    runs: npt.NDArray[np.int32]
    """The first block of each run, and one more for the end."""
    blocks: FloatArray
    """For each block: eight times x1, then y1, then x2 - x1, then y2 - y1. A block is padded with zeros."""
    reflectance: int
    """The common reflectance of all these segments (0 or 1), or MIXED: then it depends on the segment that was hit."""

    @cached_property
    def table(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], FloatArray]:
        """The arrays together: what engines are handed."""
        return self.words, self.runs, self.blocks

    @classmethod
    def build(
        cls,
        columns: int,
        rows: int,
        starts: npt.NDArray[np.int32],
        lines: FloatArray,
        kinds: npt.NDArray[np.uint16],
        seen: npt.NDArray[np.bool_],
        strides: npt.NDArray[np.int32] | None = None,
    ) -> Sight:
        """Lay out the visible items of a grid; `strides` are those between them, if they are known."""
        before = np.concatenate([[0], np.cumsum(seen)])
        counts = before[starts[1:]] - before[starts[:-1]]
        full = np.flatnonzero(counts)
        counts = counts[full]
        runs = np.zeros(len(full) + 1, np.int32)
        np.cumsum((counts + BLOCK - 1) // BLOCK, out=runs[1:])
        blocks = np.zeros((int(runs[-1]), 4, BLOCK))
        nth = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        blocks[np.repeat(runs[:-1], counts) + nth // BLOCK, :, nth % BLOCK] = lines[seen]
        occupied = np.zeros(columns * rows, np.bool_)
        occupied[full] = True
        words = packed_strides(occupied.reshape(rows, columns)) if strides is None else strides.copy()
        words[full] = -1 - np.arange(len(full))
        found = np.unique(kinds[seen] >> 8).tolist()
        return cls(words, runs, blocks.reshape(-1), found[0] if len(found) == 1 and found[0] <= 1 else MIXED)


def packed_strides(occupied: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Return the strides of all cells in all four quarters, packed, row by row."""
    packed = np.zeros(occupied.shape, np.int32)
    for quarter in range(4):
        way = slice(None, None, -1 if quarter & 2 else 1), slice(None, None, -1 if quarter & 1 else 1)
        packed[way] |= free_squares(occupied[way]).astype(np.int32) << (STRIDE_BITS * quarter)
    return packed.reshape(-1)


def shortest_strides(packed: npt.NDArray[np.int32]) -> ByteArray:
    """Return the shortest of the four strides of each cell: the chessboard distance to the nearest one that is occupied."""
    quarters = [(packed >> (STRIDE_BITS * quarter)) & LONGEST_STRIDE for quarter in range(4)]
    return np.asarray(np.minimum.reduce(quarters).astype(np.uint8))


def free_squares(occupied: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]:
    """Return the side of the largest empty square with each cell as its first corner, towards higher rows and columns.

    A square is one larger than the smallest of the three that begin beside, above and across. Within a row that is a
    running minimum. What lies beyond the edge is empty.
    """
    if occupied.shape[0] > occupied.shape[1]:
        return free_squares(occupied.T).T
    rows, columns = occupied.shape
    squares = np.empty((rows, columns), np.int16)
    along = np.arange(columns, dtype=np.int16)[::-1]
    above = np.full(columns + 1, LONGEST_STRIDE, np.int16)
    for row in range(rows - 1, -1, -1):
        side = np.minimum(above[:-1], above[1:])
        side += 1
        side[occupied[row]] = 0
        side -= along
        side = np.minimum.accumulate(side[::-1])[::-1] + along
        np.minimum(side, LONGEST_STRIDE, out=squares[row])
        above[:-1] = squares[row]
    return squares
