"""Incremental updates of a grid: only the cells that changed segments touch are rebuilt.

Opening a door or trampling a plant takes segments away: their items stop nothing any more, and their places in the blocks
become zeros. Strides stay as they were, which is shorter than they could be and never longer. Further segments are put
into their cells, and the strides that lead across cells which were empty become shorter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.obstacles import ByteArray, Segments
from mobilesim_py.world.sight import BLOCK, LONGEST_STRIDE, MIXED, STRIDE_BITS, Sight, packed_strides, shortest_strides

if TYPE_CHECKING:
    from mobilesim_py.world.grid import Grid

IntArray = npt.NDArray[np.int64]
WordArray = npt.NDArray[np.int32]

MANY_CELLS = 64
"""Number of newly occupied cells from which all strides are recomputed."""
_DISTANCE = np.maximum(*np.indices((LONGEST_STRIDE + 1, LONGEST_STRIDE + 1))).astype(np.int32)
"""Strides to the first cell of a quarter, from the cells behind it."""


def follow(grid: Grid, segments: Segments) -> Grid | None:
    """Return the grid of segments of which the first are those of the old grid, some stopping other things than before.

    The arrays of the old grid are changed in place where that is possible, so the old grid must not be used any more. None
    when a new grid must be built: other segments come first, or some lie outside of the grid.
    """
    known = len(grid.segments)
    fresh = segments.ends[known:]
    old = grid.segments
    if len(segments) < known or not _holds(grid, fresh):
        return None
    # Comparing half a million segments takes longer than the change itself.
    if segments.ends is not old.ends and not np.array_equal(segments.ends[:known], old.ends):
        return None
    changed = np.flatnonzero((segments.stops[:known] != old.stops) | (segments.reflectance[:known] != old.reflectance))
    rows = np.concatenate([changed, np.arange(known, len(segments))])
    if not len(rows):
        return replace(grid, segments=segments)
    kinds = (segments.stops[rows] + segments.reflectance[rows] * np.uint16(256)).astype(np.uint16)
    touched, place = grid.cells_of(segments.ends[rows])
    is_new = rows[touched] >= known
    item = grid.items_in(place[~is_new], rows[touched[~is_new]])
    grid.kinds[item] = kinds[touched[~is_new]]
    if is_new.any():
        grid = _with_items(grid, place[is_new], rows[touched[is_new]], segments.ends, kinds[touched[is_new]])
    grid = replace(grid, segments=segments)
    cells = np.unique(place)
    sights: dict[int, Sight] = {}
    for sight, masks in _parted(grid.sights, kinds):
        seen = (kinds & masks[0]) != 0
        sights |= dict.fromkeys(masks, _refilled(sight, grid, cells, masks[0], segments.reflectance[rows[seen]]))
    return replace(grid, sights=sights)


def _parted(sights: dict[int, Sight], kinds: npt.NDArray[np.uint16]) -> list[tuple[Sight, list[int]]]:
    """Return the masks that still share a sight when these kinds of segments come or go; others are split."""
    groups: dict[tuple[int, bytes], list[int]] = {}
    for mask, sight in sights.items():
        groups.setdefault((id(sight), ((kinds & mask) != 0).tobytes()), []).append(mask)
    used: set[int] = set()
    parted = []
    for masks in groups.values():
        sight = sights[masks[0]]
        if id(sight) in used:
            parted.append((replace(sight, words=sight.words.copy(), blocks=sight.blocks.copy()), masks))
        else:
            parted.append((sight, masks))
        used.add(id(sight))
    return parted


def occupy(words: WordArray, columns: int, rows: int, cells: IntArray) -> None:
    """Shorten the strides of all cells from which rays can reach newly occupied cells.

    Negative numbers are not strides and stay.
    """
    table = words.reshape(rows, columns)
    for cell in cells.tolist():
        row, column = divmod(cell, columns)
        for quarter in range(4):
            # Rays towards higher columns come from lower ones.
            before, behind = _span(column, columns, bool(quarter & 1)), _span(row, rows, bool(quarter & 2))
            part = table[behind, before]
            distance = _DISTANCE[: part.shape[0], : part.shape[1]]
            distance = distance[:: 1 if quarter & 2 else -1, :: 1 if quarter & 1 else -1]
            shift = STRIDE_BITS * quarter
            shorter = np.minimum((part >> shift) & LONGEST_STRIDE, distance)
            part[...] = np.where(part < 0, part, (part & ~(LONGEST_STRIDE << shift)) | (shorter << shift))


def _span(at: int, count: int, up: bool) -> slice:
    """Return the cells of one axis from which a stride reaches this one, going down if they are above it."""
    return slice(at, min(count, at + LONGEST_STRIDE + 1)) if up else slice(max(0, at - LONGEST_STRIDE), at + 1)


def _holds(grid: Grid, ends: FloatArray) -> bool:
    """Tell whether segments are inside the grid."""
    x, y = ends[:, ::2], ends[:, 1::2]
    right, high = grid.x0 + grid.columns * grid.cell, grid.y0 + grid.rows * grid.cell
    return bool(((x >= grid.x0) & (x < right)).all() and ((y >= grid.y0) & (y < high)).all())


def _with_items(grid: Grid, place: IntArray, row: IntArray, ends: FloatArray, kinds: npt.NDArray[np.uint16]) -> Grid:
    """Append new segments to their cells."""
    order = np.lexsort((row, place))
    place, row, kinds = place[order], row[order], kinds[order]
    counts = np.bincount(place, minlength=grid.columns * grid.rows)
    at = grid.starts[place + 1]
    lines = np.concatenate([ends[row, :2], ends[row, 2:] - ends[row, :2]], axis=1)
    occupied = np.flatnonzero((counts > 0) & (np.diff(grid.starts) == 0))
    starts = grid.starts.copy()
    starts[1:] += np.cumsum(counts, dtype=np.int32)
    strides, clearance = grid.strides, grid.clearance
    if len(occupied) > MANY_CELLS:
        strides = packed_strides((np.diff(starts) > 0).reshape(grid.rows, grid.columns))
        clearance = shortest_strides(strides)
    else:
        occupy(strides, grid.columns, grid.rows, occupied)
        _lower(clearance, strides, grid.columns, grid.rows, occupied)
    return replace(
        grid,
        starts=starts,
        items=np.insert(grid.items, at, row.astype(np.int32)),
        lines=np.insert(grid.lines, at, lines, axis=0),
        kinds=np.insert(grid.kinds, at, kinds),
        strides=strides,
        clearance=clearance,
    )


def _lower(clearance: ByteArray, strides: WordArray, columns: int, rows: int, cells: IntArray) -> None:
    """Set the clearance around cells to that of their strides."""
    for row, column in zip(*np.divmod(cells, columns), strict=True):
        around = (
            slice(max(0, row - LONGEST_STRIDE), row + LONGEST_STRIDE + 1),
            slice(max(0, column - LONGEST_STRIDE), column + LONGEST_STRIDE + 1),
        )
        clearance.reshape(rows, columns)[around] = shortest_strides(strides.reshape(rows, columns)[around])


def _refilled(sight: Sight, grid: Grid, cells: IntArray, mask: int, reflectance: ByteArray) -> Sight:
    """Rewrite the blocks of some cells; a cell with too few blocks gets new ones at the end."""
    words, runs = sight.words, sight.runs
    blocks = sight.blocks.reshape(-1, 4, BLOCK)
    more: list[tuple[int, FloatArray]] = []
    for cell in cells.tolist():
        items = slice(grid.starts[cell], grid.starts[cell + 1])
        filled = _blocks_of(grid.lines[items][(grid.kinds[items] & mask) != 0])
        run = -1 - int(words[cell])
        if run >= 0 and runs[run] + len(filled) <= runs[run + 1]:
            blocks[runs[run] : runs[run + 1]] = 0.0
            blocks[runs[run] : runs[run] + len(filled)] = filled
        elif len(filled):
            more.append((cell, filled))
    if more:
        occupied = np.array([cell for cell, _ in more if words[cell] >= 0], np.int64)
        if len(occupied) <= MANY_CELLS:
            occupy(words, grid.columns, grid.rows, occupied)
        words[[cell for cell, _ in more]] = -1 - np.arange(len(runs) - 1, len(runs) - 1 + len(more))
        if len(occupied) > MANY_CELLS:
            strides = packed_strides((words < 0).reshape(grid.rows, grid.columns))
            np.copyto(words, strides, where=words >= 0)
        ends = runs[-1] + np.cumsum([len(filled) for _, filled in more], dtype=np.int32)
        runs = np.concatenate([runs, ends], dtype=np.int32)
        blocks = np.concatenate([blocks, *(filled for _, filled in more)])
    same = sight.reflectance == MIXED or bool((reflectance == sight.reflectance).all())
    return Sight(words, runs, blocks.reshape(-1), sight.reflectance if same else MIXED)


def _blocks_of(lines: FloatArray) -> FloatArray:
    """Return lines (N x 4) in blocks; the last is padded with zeros."""
    blocks = np.zeros(((len(lines) + BLOCK - 1) // BLOCK, 4, BLOCK))
    nth = np.arange(len(lines))
    blocks[nth // BLOCK, :, nth % BLOCK] = lines
    return blocks
