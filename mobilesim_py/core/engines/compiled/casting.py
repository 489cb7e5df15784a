# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Many rays through the grid at once, compiled: what the laser and the sonar of all robots spend their time in.

A ray alone spends its time waiting: for the memory to tell the next stride, for a guess at a branch that was wrong. So
LANES rays are under way at a time, and each round takes all of them one stride farther, in loops without branches that the
compiler turns into vector instructions. Those that came into a cell with segments are tested together, eight segments at
a time, and a ray that has arrived makes room for the next. Each lane looks at the grid mirrored so that its ray goes
towards higher columns and rows.

`numpy.casting` is the same search.
"""

from __future__ import annotations

import numba
import numpy as np

from mobilesim_py.core.engines.compiled.blocks import fetch_block, nearest_in_block
from mobilesim_py.core.engines.compiled.jit import kernel_part, routine
from mobilesim_py.core.engines.formulas import FAR
from mobilesim_py.world.sight import LONGEST_STRIDE, STRIDE_BITS

LANES = 32
# Where in one array of numbers the fields of the lanes are; each is LANES long. One array, so that the compiler sees that
# they do not overlap.
_U, _V, _FROM_U, _FROM_V, _PER_U, _PER_V, _SLOPE_U, _SLOPE_V, _PLACE, _COLUMN, _ROW, _END, _NEXT = (
    LANES * k for k in range(13)
)


@numba.njit(nogil=True, error_model="numpy", inline="always")
def _next_ray(n, coming, under_way, count, rays, lanes, ground):
    """Put the next ray that comes into the grid at all into a lane, or leave the lane idle when there are no more."""
    ox, oy, dx, dy, best, met = rays
    lane, shift, ray = lanes
    columns = ground.columns
    rows = ground.rows
    cell = ground.cell
    while coming < count:
        k = coming
        coming += 1
        met[k] = -1
        left = dx[k] < 0.0
        down = dy[k] < 0.0
        from_u = (ox[k] - ground.x0) / cell
        from_v = (oy[k] - ground.y0) / cell
        if left:
            from_u = columns - from_u
        if down:
            from_v = rows - from_v
        slope_u = abs(dx[k]) / cell
        slope_v = abs(dy[k]) / cell
        per_u = 1.0 / slope_u if slope_u > 0.0 else FAR
        per_v = 1.0 / slope_v if slope_v > 0.0 else FAR
        enter = max(0.0, max(-from_u * per_u, -from_v * per_v))
        end = min(best[k], min((columns - from_u) * per_u, (rows - from_v) * per_v))
        # Written so that what is not a number ends here, too, instead of leading out of the grid.
        if enter < end and abs(from_u) < FAR and abs(from_v) < FAR and slope_u + slope_v > 0.0:
            lane[_U + n] = min(max(np.floor(from_u + enter * slope_u), 0.0), columns - 1.0)
            lane[_V + n] = min(max(np.floor(from_v + enter * slope_v), 0.0), rows - 1.0)
            lane[_FROM_U + n] = from_u
            lane[_FROM_V + n] = from_v
            lane[_PER_U + n] = per_u
            lane[_PER_V + n] = per_v
            lane[_SLOPE_U + n] = slope_u
            lane[_SLOPE_V + n] = slope_v
            lane[_PLACE + n] = (columns - 1.0 if left else 0.0) + ((rows - 1.0) * columns if down else 0.0)
            lane[_COLUMN + n] = -1.0 if left else 1.0
            lane[_ROW + n] = -float(columns) if down else float(columns)
            lane[_END + n] = end
            shift[n] = (STRIDE_BITS if left else 0) + (2 * STRIDE_BITS if down else 0)
            ray[n] = k
            return coming, under_way + 1
    # An idle lane stays in the first cell, and what happens there is of no interest.
    for field in range(13):
        lane[field * LANES + n] = 0.0
    lane[_END + n] = np.inf
    ray[n] = -1
    return coming, under_way


@kernel_part
def new_lanes():
    """Return room for the lanes of `cast`, which makes no arrays itself."""
    numbers = np.zeros((4, LANES), np.int32)
    lane = np.zeros(13 * LANES)
    return lane, numbers[0], numbers[1], numbers[2], numbers[3], np.zeros(LANES, np.int64), np.zeros(LANES + 1, np.int64)


@routine
def cast(count, ox, oy, dx, dy, best, met, ground, sight, lanes):
    """Find how far each of the first `count` rays goes, and the cell in which it met something (-1: nothing in reach).

    `best` holds how far rays may go, and afterwards how far they went. `ground` is a GridTable, `sight` a SightTable,
    `lanes` what `new_lanes` made.
    """
    columns = ground.columns
    rows = ground.rows
    words = sight.words
    runs = sight.runs
    blocks = sight.blocks
    lane, place, word, shift, state, ray, listed = lanes
    ray[:] = -1
    for n in range(LANES):
        listed[n] = n
    arrived = LANES
    coming = 0
    under_way = LANES
    while True:
        # A lane whose ray has arrived (at first all of them) takes the next one.
        under_way -= arrived
        for k in range(arrived):
            coming, under_way = _next_ray(
                listed[k], coming, under_way, count, (ox, oy, dx, dy, best, met), (lane, shift, ray), ground
            )
        if under_way == 0:
            return
        for n in range(LANES):
            place[n] = np.int32(lane[_PLACE + n] + lane[_U + n] * lane[_COLUMN + n] + lane[_V + n] * lane[_ROW + n])
        for n in range(LANES):
            word[n] = words[np.uint32(place[n])]
        for n in range(LANES):
            full = word[n] < 0
            stride = 1.0 if full else float((word[n] >> shift[n]) & LONGEST_STRIDE)
            u = lane[_U + n]
            v = lane[_V + n]
            # Leave the empty square through its nearer side; on the other axis stay within it.
            at_u = (u + stride - lane[_FROM_U + n]) * lane[_PER_U + n]
            at_v = (v + stride - lane[_FROM_V + n]) * lane[_PER_V + n]
            at = min(at_u, at_v)
            near_u = min(max(np.floor(lane[_FROM_U + n] + at * lane[_SLOPE_U + n]), u), min(u + stride, columns) - 1.0)
            near_v = min(max(np.floor(lane[_FROM_V + n] + at * lane[_SLOPE_V + n]), v), min(v + stride, rows) - 1.0)
            lane[_U + n] = u + stride if at_u <= at_v else near_u
            lane[_V + n] = near_v if at_u <= at_v else v + stride
            lane[_NEXT + n] = at
            state[n] = (1 if full else 0) + (0 if at < lane[_END + n] else 2)
        happened = 0
        for n in range(LANES):
            listed[happened] = n
            happened += (state[n] != 0) & (ray[n] >= 0)
        # All that will be met is asked for before the first of it is waited for.
        for k in range(happened):
            n = listed[k]
            if state[n] & 1:
                fetch_block(blocks, runs[-1 - word[n]])
        for k in range(happened):
            n = listed[k]
            if state[n] & 1:
                r = ray[n]
                run = -1 - word[n]
                for block in range(runs[run], runs[run + 1]):
                    distance = nearest_in_block(blocks, block, ox[r], oy[r], dx[r], dy[r])
                    closer = distance <= best[r]
                    best[r] = distance if closer else best[r]
                    met[r] = place[n] if closer else met[r]
        arrived = 0
        for k in range(happened):
            n = listed[k]
            listed[arrived] = n
            arrived += 0 if lane[_NEXT + n] < min(lane[_END + n], best[ray[n]]) else 1
