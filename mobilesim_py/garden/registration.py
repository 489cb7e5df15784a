"""Where a sketch lies in the map: a rigid transform between its objects and the blobs of the occupancy grid.

Iterative closest points from many start angles, each on the best part of the pairs, because some objects are missing on
either side. The best start is refined on the pairs that fit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mobilesim_py.errors import MobileSimError
from mobilesim_py.garden.raster import IntArray, Raster
from mobilesim_py.geometry import BoolArray, FloatArray, Pose
from mobilesim_py.world.sketch import Sketch, kind_of

ANGLES = 36
"""Start angles around a full turn."""
ITERATIONS = 30
ASIDE = 1.5
"""How far the centres are shifted against each other in a second round [m]."""
KEPT = 0.7
"""Share of the nearest pairs that a step counts."""
GATE = 0.5
"""Pairs farther apart than this are none [m]."""
LEAST = 3
"""Fewer objects on one side say nothing."""
LARGEST_BLOB = 3.5
"""Longer blobs and objects are fences and rows of hedges, whose middle says little [m]."""
LEAST_CELLS = 6
"""Smaller blobs are noise."""


class RegistrationError(MobileSimError):
    """There is no transform to be found, and why."""


@dataclass(frozen=True)
class Registration:
    """How a sketch must be moved to lie on the map."""

    move: Pose
    """Turn about the sketch's zero point, then shift."""
    residual: float
    """Root of the mean square distance of the pairs that fit [m]."""
    pairs: int
    """How many objects found a partner."""
    objects: int
    """Of the sketch."""
    blobs: int
    """Of the grid."""


def register(objects: FloatArray, blobs: FloatArray) -> Registration:
    """Find the rigid transform that brings objects (N x 2) on blobs (M x 2); RegistrationError if there is none."""
    for places, what in ((objects, "objects in the sketch"), (blobs, "objects in the grid")):
        if len(places) < LEAST:
            raise RegistrationError(f"There are only {len(places)} {what} to compare; {LEAST} is the least.")
    turn, shift, score = _best(objects, blobs, *_starts(objects, blobs))
    if score < 0.5 * min(len(objects), len(blobs)):
        # What is missing on one side may shift the centres: try with the centres apart, too.
        turns, shifts = _starts(objects, blobs)
        aside = np.array([(dx, dy) for dx in (-ASIDE, 0.0, ASIDE) for dy in (-ASIDE, 0.0, ASIDE) if dx or dy])
        turns, shifts = np.repeat(turns, len(aside)), (shifts[:, None] + aside).reshape(-1, 2)
        turn, shift, _ = max((turn, shift, score), _best(objects, blobs, turns, shifts), key=lambda found: found[2])
    gate = GATE
    for _ in range(12):
        mine, theirs = _mutual(objects, blobs, turn, shift, gate)
        if len(mine) < LEAST:
            break
        turn, shift = _fitted(objects[mine], blobs[theirs])
        gate = max(0.25, 0.8 * gate)
    mine, theirs = _mutual(objects, blobs, turn, shift, gate)
    if len(mine) < max(LEAST, 0.4 * min(len(objects), len(blobs))):
        text = f"Only {len(mine)} of {len(objects)} objects found a partner among {len(blobs)} in the grid."
        raise RegistrationError(f"{text} See more of the garden first, or draw the sketch more like it.")
    away = _moved(objects[mine], turn, shift) - blobs[theirs]
    residual = math.sqrt(float((away * away).sum(axis=1).mean()))
    move = Pose(float(shift[0]), float(shift[1]), math.remainder(float(turn), math.tau))
    return Registration(move, residual, len(mine), len(objects), len(blobs))


def _best(objects: FloatArray, blobs: FloatArray, turns: FloatArray, shifts: FloatArray) -> tuple[float, FloatArray, float]:
    """Return the best transform that is reached from many starts, and how well it fits."""
    for _ in range(ITERATIONS):
        turns, shifts = _step(objects, blobs, turns, shifts)
    scores = [_score(objects, blobs, turn, shift) for turn, shift in zip(turns, shifts, strict=True)]
    best = int(np.argmax(scores))
    return float(turns[best]), shifts[best], scores[best]


def _starts(objects: FloatArray, blobs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return start angles, and shifts that bring the centres together; those of the halves, too, as objects are missing."""
    angles = np.arange(ANGLES) * (math.tau / ANGLES)
    anchors = [blobs.mean(axis=0), np.median(blobs, axis=0)]
    turns, shifts = [], []
    for angle in angles.tolist():
        turned = _moved(objects, angle, np.zeros(2))
        for anchor, centre in zip(anchors, (turned.mean(axis=0), np.median(turned, axis=0)), strict=True):
            turns.append(angle)
            shifts.append(anchor - centre)
    return np.array(turns), np.array(shifts)


def _moved(places: FloatArray, turn: float, shift: FloatArray) -> FloatArray:
    cos, sin = math.cos(turn), math.sin(turn)
    return np.asarray(places @ np.array([[cos, sin], [-sin, cos]]) + shift)


def _step(objects: FloatArray, blobs: FloatArray, turns: FloatArray, shifts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Let all starts go one step: pair with the nearest, keep the best pairs, fit."""
    cos, sin = np.cos(turns)[:, None], np.sin(turns)[:, None]
    x = objects[:, 0] * cos - objects[:, 1] * sin + shifts[:, :1]
    y = objects[:, 0] * sin + objects[:, 1] * cos + shifts[:, 1:]
    dx, dy = x[:, :, None] - blobs[:, 0], y[:, :, None] - blobs[:, 1]
    squares = dx * dx + dy * dy
    nearest = squares.argmin(axis=2)
    least = np.take_along_axis(squares, nearest[:, :, None], axis=2)[:, :, 0]
    count = max(LEAST, round(KEPT * len(objects)))
    kept = np.argpartition(least, count - 1, axis=1)[:, :count]
    return _fitted_many(objects[kept], blobs[np.take_along_axis(nearest, kept, axis=1)])


def _fitted_many(mine: FloatArray, theirs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the rigid transforms that fit best, for S sets of pairs (S x N x 2)."""
    centre, aim = mine.mean(axis=1), theirs.mean(axis=1)
    a, b = mine - centre[:, None], theirs - aim[:, None]
    cosine = (a * b).sum(axis=(1, 2))
    sine = (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]).sum(axis=1)
    turns = np.arctan2(sine, cosine)
    cos, sin = np.cos(turns), np.sin(turns)
    x, y = centre[:, 0] * cos - centre[:, 1] * sin, centre[:, 0] * sin + centre[:, 1] * cos
    return turns, aim - np.stack([x, y], axis=1)


def _fitted(mine: FloatArray, theirs: FloatArray) -> tuple[float, FloatArray]:
    turns, shifts = _fitted_many(mine[None], theirs[None])
    return float(turns[0]), shifts[0]


def _score(objects: FloatArray, blobs: FloatArray, turn: float, shift: FloatArray) -> float:
    """Return how well a transform fits: pairs count the more the nearer they are."""
    mine, theirs = _mutual(objects, blobs, turn, shift, GATE)
    away = _moved(objects[mine], turn, shift) - blobs[theirs]
    return float((1.0 - (away * away).sum(axis=1) / (GATE * GATE)).sum())


def _mutual(
    objects: FloatArray, blobs: FloatArray, turn: float, shift: FloatArray, gate: float
) -> tuple[IntArray, IntArray]:
    """Return pairs that are nearest to each other and near."""
    moved = _moved(objects, turn, shift)
    squares = ((moved[:, None] - blobs[None]) ** 2).sum(axis=2)
    theirs = squares.argmin(axis=1)
    mine = np.arange(len(objects))
    good = (squares.argmin(axis=0)[theirs] == mine) & (squares[mine, theirs] < gate * gate)
    return mine[good], theirs[good]


# What is compared


def centres_of(sketch: Sketch) -> FloatArray:
    """Return the middles of the objects that can be told in a grid, N x 2."""
    found = [
        (thing.x, thing.y)
        for thing in sketch.objects
        if sketch.is_in_the_way(thing) and kind_of(thing.label) != "background" and max(thing.size[:2]) <= LARGEST_BLOB
    ]
    return np.array(found, np.float64).reshape(-1, 2)


def blobs_of(occupied: BoolArray, raster: Raster) -> FloatArray:
    """Return the middles of connected cells, M x 2 [m]; neither specks nor what is as long as a fence."""
    label, count = connected(occupied)
    if not count:
        return np.empty((0, 2))
    rows, columns = np.nonzero(label)
    which = label[rows, columns] - 1
    x, y = raster.middles(rows, columns)
    extent = []
    for place in (x, y):
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, which, place)
        np.maximum.at(high, which, place)
        extent.append((low, high))
    (left, right), (low, high) = extent
    cells = np.bincount(which, minlength=count)
    good = (cells >= LEAST_CELLS) & (np.maximum(right - left, high - low) <= LARGEST_BLOB)
    return np.asarray(np.stack([(left + right) / 2.0, (low + high) / 2.0], axis=1)[good], np.float64)


def connected(cells: BoolArray) -> tuple[npt.NDArray[np.int64], int]:
    """Return the number of the component of each cell (0: none), corners count as neighbours, and how many there are."""
    rows, columns = cells.shape
    padded = np.zeros((rows, columns + 2), np.int8)
    padded[:, 1:-1] = cells
    change = np.diff(padded, axis=1)
    row, first = np.nonzero(change == 1)
    _, last = np.nonzero(change == -1)
    parent = list(range(len(row)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    starts = np.searchsorted(row, np.arange(rows + 1)).tolist()
    firsts, lasts = first.tolist(), last.tolist()
    for below in range(rows - 1):
        k, n = starts[below], starts[below + 1]
        end, stop = starts[below + 1], starts[below + 2]
        while k < end and n < stop:
            if firsts[k] <= lasts[n] and firsts[n] <= lasts[k]:
                parent[root(k)] = root(n)
            if lasts[k] < lasts[n]:
                k += 1
            else:
                n += 1
    numbers: dict[int, int] = {}
    label = np.zeros(cells.shape, np.int64)
    for k, line in enumerate(row.tolist()):
        label[line, firsts[k] : lasts[k]] = numbers.setdefault(root(k), len(numbers) + 1)
    return label, len(numbers)
