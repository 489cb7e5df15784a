"""Many rays at once through the grid, in NumPy: the same search as `compiled.casting`, all rays advancing together.

Each ray looks at the grid mirrored so that it goes towards higher columns and rows. After some strides only rays that
graze walls are left, and they would need hundreds of rounds of tiny arrays; those few are finished in one go, by listing
every cell that they still cross.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.engines.formulas import FAR, ON_SEGMENT
from mobilesim_py.core.engines.numpy.expand import IntArray, runs
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import FloatArray
from mobilesim_py.world.sight import BLOCK, LONGEST_STRIDE, STRIDE_BITS, Sight

BoolArray = npt.NDArray[np.bool_]
FEW = 48
"""So few rays are finished by listing their cells."""
MOST_ROUNDS = 64
_UPPER = 1.0 + ON_SEGMENT
_SIGN = np.int64(-(2**63))
# Rows of the matrix of rays under way; where two stand together, they are those of columns and of rows.
_AT, _FROM, _PER, _SLOPE, _STEP = (slice(2 * k, 2 * k + 2) for k in range(5))
_PLACE, _END = 10, 11


class _Rays:
    """Rays as they were given, and what they have met so far."""

    def __init__(self, sight: Sight, ox: FloatArray, oy: FloatArray, dx: FloatArray, dy: FloatArray, limit: FloatArray):
        self.ox, self.oy, self.dx, self.dy = ox, oy, dx, dy
        self.best = limit.copy()
        self.met: IntArray = np.full(len(ox), -1, np.int64)
        self._runs = sight.runs
        self._blocks = sight.blocks.reshape(-1, 4 * BLOCK)

    def visit(self, ray: IntArray, place: IntArray, word: npt.NDArray[np.int32]) -> None:
        """Meet every segment of the cells (at most one for each ray) with these words."""
        nearest = self._nearest(ray, word)
        closer = np.flatnonzero(nearest <= self.best[ray])
        ray = ray[closer]
        self.best[ray] = nearest[closer]
        self.met[ray] = place[closer]

    def visit_many(self, ray: IntArray, place: IntArray, word: npt.NDArray[np.int32]) -> None:
        """The same with any number of cells for each ray."""
        nearest = self._nearest(ray, word)
        np.minimum.at(self.best, ray, nearest)
        hit = np.flatnonzero(nearest == self.best[ray])
        self.met[ray[hit]] = place[hit]

    def _nearest(self, ray: IntArray, word: npt.NDArray[np.int32]) -> FloatArray:
        """Find how far along each ray the nearest segment of a cell is; FAR where none is met."""
        run = -1 - word
        block = self._runs[run].astype(np.int64)
        number = self._runs[run + 1] - block
        several = bool((number > 1).any())
        if several:
            owner, block = runs(block, number)
            ray = ray[owner]
        # One ray beside the other, so that NumPy's loops are long; eight segments deep.
        ax, ay, ex, ey = np.ascontiguousarray(self._blocks.take(block, axis=0).T).reshape(4, BLOCK, -1)
        ax -= self.ox[ray]
        ay -= self.oy[ray]
        distance, ahead = meet(self.dx[ray], self.dy[ray], ax, ay, ex, ey)
        nearest: FloatArray = np.where(ahead, distance, FAR).min(axis=0)
        return np.minimum.reduceat(nearest, np.cumsum(number) - number) if several else nearest


def cast(
    grid: Grid, ox: FloatArray, oy: FloatArray, dx: FloatArray, dy: FloatArray, limit: FloatArray, mask: int
) -> tuple[FloatArray, IntArray]:
    """Find how far each ray goes, and the cell in which it met what stops `mask` (-1: nothing in reach)."""
    sight = grid.sight(mask)
    rays = _Rays(sight, ox, oy, dx, dy, limit)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        which, way, shift = _enter(grid, rays)
        for _ in range(MOST_ROUNDS):
            if len(which) <= FEW:
                break
            at = way[_AT]
            step = way[_STEP] * at
            place = (way[_PLACE] + step[0] + step[1]).astype(np.int64)
            word = sight.words.take(place, mode="clip")
            stride = ((word >> shift) & LONGEST_STRIDE).astype(np.float64)
            full = np.flatnonzero(word < 0)
            if len(full):
                stride[full] = 1.0
                rays.visit(which[full], place[full], word[full])
                way[_END, full] = np.minimum(way[_END, full], rays.best[which[full]])
            # Leave the square of empty cells through its nearer side; on the other axis stay within it.
            beyond = at + stride
            when = (beyond - way[_FROM]) * way[_PER]
            first = np.minimum(when[0], when[1])
            near = np.minimum(np.maximum(np.floor(way[_FROM] + first * way[_SLOPE]), at), beyond - 1.0)
            way[_AT] = np.where(when == first, beyond, near)
            kept = np.flatnonzero(first < way[_END])
            if len(kept) < len(which):
                # Not by an index in brackets: that would leave the rows scattered in memory.
                which, way, shift = which[kept], way.take(kept, axis=1), shift[kept]
        if len(which):
            _finish(rays, sight, which, way)
    return rays.best, rays.met


def _enter(grid: Grid, rays: _Rays) -> tuple[IntArray, FloatArray, npt.NDArray[np.int32]]:
    """Return the rays that come into the grid, how each goes its way, and which of the four strides are its."""
    size = np.array([[float(grid.columns)], [float(grid.rows)]])
    origin = np.stack([rays.ox - grid.x0, rays.oy - grid.y0]) / grid.cell
    direction = np.stack([rays.dx, rays.dy])
    back = direction < 0.0
    origin = np.where(back, size - origin, origin)
    slope = np.abs(direction) / grid.cell
    per = np.where(slope > 0.0, 1.0 / slope, FAR)
    enter = np.maximum((-origin * per).max(axis=0), 0.0)
    end = np.minimum(((size - origin) * per).min(axis=0), rays.best)
    step = np.array([[1.0], [float(grid.columns)]])
    way = np.empty((12, len(end)))
    way[_AT] = np.minimum(np.maximum(np.floor(origin + enter * slope), 0.0), size - 1.0)
    way[_FROM], way[_PER], way[_SLOPE] = origin, per, slope
    way[_STEP] = np.where(back, -step, step)
    way[_PLACE] = (back * ((size - 1.0) * step)).sum(axis=0)
    way[_END] = end
    shift = (back * np.array([[STRIDE_BITS], [2 * STRIDE_BITS]], np.int32)).sum(axis=0, dtype=np.int32)
    inside = np.flatnonzero(enter < end)
    return inside, way.take(inside, axis=1), shift[inside]


def meet(
    dx: FloatArray, dy: FloatArray, rx: FloatArray, ry: FloatArray, ex: FloatArray, ey: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Find how far along rays of direction d the segments from r to r + e are, seen from the origin, and which are met."""
    across = dx * ey - dy * ex
    side = rx * dy - ry * dx
    distance = (rx * ey - ry * ex) / across
    # Where `across` is negative, turn the sign of both, bit by bit: many times quicker than a choice.
    side.view(np.int64)[...] ^= across.view(np.int64) & _SIGN
    np.abs(across, out=across)
    # What lies along the ray is infinitely far away or not a number.
    ahead = side >= -ON_SEGMENT * across
    ahead &= side <= _UPPER * across
    ahead &= distance >= 0.0
    return distance, ahead


def _finish(rays: _Rays, sight: Sight, which: IntArray, way: FloatArray) -> None:
    """List the cells from where these rays are to where they end, and meet all that is in them."""
    count = len(which)
    at, origin, per, slope = way[_AT], way[_FROM], way[_PER], way[_SLOPE]
    last = np.maximum(np.floor(origin + way[_END] * slope), at)
    lines = (last - at).astype(np.int64)
    crossings = [runs(np.ones(count, np.int64), lines[axis]) for axis in range(2)]
    when = [(at[axis, ray] + nth - origin[axis, ray]) * per[axis, ray] for axis, (ray, nth) in enumerate(crossings)]
    # Crossings in the order in which each ray makes them; between two of them it is in one cell.
    (across, _), (along, _) = crossings
    owner = np.concatenate([np.arange(count), across, along])
    order = np.lexsort((np.concatenate([np.full(count, -1.0), *when]), owner))
    step = np.concatenate([np.zeros(count), way[_STEP][0, across], way[_STEP][1, along]])[order]
    owner = owner[order]
    total = np.cumsum(step)
    head = np.flatnonzero(np.diff(owner, prepend=-1))
    start = way[_PLACE] + (way[_STEP] * at).sum(axis=0)
    place = (start[owner] + total - total[head][owner]).astype(np.int64)
    word = sight.words.take(place, mode="clip")
    full = np.flatnonzero(word < 0)
    if len(full):
        rays.visit_many(which[owner[full]], place[full], word[full])
