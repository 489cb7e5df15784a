"""Many rays at once through the grid, in NumPy: the same search as `world.compiled_geometry`, all rays advancing together.

After some strides only rays that graze walls are left, and they would need hundreds of rounds of tiny arrays; those few are
finished in one go, by listing every cell that they still cross.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.world.expand import IntArray, runs
from mobilesim_py.world.formulas import ON_SEGMENT
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import FloatArray

BoolArray = npt.NDArray[np.bool_]
FAR = 1e300
FEW = 48
"""So few rays are finished by listing their cells."""
MOST_ROUNDS = 64
_UPPER = 1.0 + ON_SEGMENT


def cast(
    grid: Grid, ox: FloatArray, oy: FloatArray, dx: FloatArray, dy: FloatArray, limit: FloatArray, mask: int
) -> tuple[FloatArray, IntArray]:
    """Distance to the first segment that stops what `mask` says, and its item number (-1: nothing up to `limit`)."""
    best = limit.copy()
    found = np.full(len(ox), -1, np.int64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inverse_x = np.where(dx != 0.0, 1.0 / dx, FAR)
        inverse_y = np.where(dy != 0.0, 1.0 / dy, FAR)
        rays, t = _enter(grid, ox, oy, dx, dy, inverse_x, inverse_y, best)
        # The rays that are still under way, in units of cells: origin, direction, which side is ahead, crossings.
        bx, by = (ox[rays] - grid.x0) / grid.cell, (oy[rays] - grid.y0) / grid.cell
        sx, sy = dx[rays] / grid.cell, dy[rays] / grid.cell
        right, up = np.where(sx >= 0.0, 1.0, -1.0), np.where(sy >= 0.0, 1.0, -1.0)
        per_x, per_y = inverse_x[rays] * grid.cell, inverse_y[rays] * grid.cell
        reach = best[rays]
        i = np.clip(np.floor(bx + t * sx), 0, grid.columns - 1)
        j = np.clip(np.floor(by + t * sy), 0, grid.rows - 1)
        for _ in range(MOST_ROUNDS):
            if len(rays) <= FEW:
                break
            place = (j * grid.columns + i).astype(np.int64)
            stride = grid.clearance[place].astype(np.float64)
            here = np.flatnonzero(stride == 0.0)
            if len(here):
                _test_cells(grid, rays[here], place[here], ox, oy, dx, dy, best, found, mask)
                stride[here] = 1.0
                reach[here] = best[rays[here]]
            # Leave the square of empty cells through its nearer side; on the other axis stay within it.
            far_i, far_j = i + right * stride, j + up * stride
            tx = (far_i - bx + 0.5 * (1.0 - right)) * per_x
            ty = (far_j - by + 0.5 * (1.0 - up)) * per_y
            sideways = tx <= ty
            t = np.minimum(tx, ty)
            stride -= 1.0
            near_i = np.minimum(np.maximum(np.floor(bx + t * sx), i - stride), i + stride)
            near_j = np.minimum(np.maximum(np.floor(by + t * sy), j - stride), j + stride)
            i = np.where(sideways, far_i, near_i)
            j = np.where(sideways, near_j, far_j)
            on = (t <= reach) & (i >= 0.0) & (i < grid.columns) & (j >= 0.0) & (j < grid.rows)
            kept = np.flatnonzero(on)
            if len(kept) < len(rays):
                rays, i, j, reach = rays[kept], i[kept], j[kept], reach[kept]
                bx, by, sx, sy = bx[kept], by[kept], sx[kept], sy[kept]
                right, up, per_x, per_y = right[kept], up[kept], per_x[kept], per_y[kept]
        if len(rays):
            columns, rows = i.astype(np.int64), j.astype(np.int64)
            _finish(grid, rays, columns, rows, ox, oy, dx, dy, inverse_x, inverse_y, best, found, mask)
    return best, found


def _enter(
    grid: Grid, ox: FloatArray, oy: FloatArray, dx: FloatArray, dy: FloatArray,
    inverse_x: FloatArray, inverse_y: FloatArray, limit: FloatArray,
) -> tuple[IntArray, FloatArray]:  # fmt: skip
    """The rays that come into the grid, and how far along they do."""
    xa, xb = (grid.x0 - ox) * inverse_x, (grid.x0 + grid.columns * grid.cell - ox) * inverse_x
    ya, yb = (grid.y0 - oy) * inverse_y, (grid.y0 + grid.rows * grid.cell - oy) * inverse_y
    enter = np.maximum(np.maximum(np.minimum(xa, xb), np.minimum(ya, yb)), 0.0)
    leave = np.minimum(np.minimum(np.maximum(xa, xb), np.maximum(ya, yb)), limit)
    rays = np.flatnonzero(enter <= leave)
    return rays, enter[rays]


def _test_cells(
    grid: Grid, rays: IntArray, place: IntArray, ox: FloatArray, oy: FloatArray, dx: FloatArray, dy: FloatArray,
    best: FloatArray, found: IntArray, mask: int,
) -> None:  # fmt: skip
    """Meet every segment of the cells, and keep what is nearest to each ray."""
    first = grid.starts[place]
    owner, item = runs(first, grid.starts[place + 1] - first)
    ray = rays[owner]
    line = grid.lines[item]
    ex, ey = line[:, 2], line[:, 3]
    rdx, rdy = dx[ray], dy[ray]
    rx, ry = line[:, 0] - ox[ray], line[:, 1] - oy[ray]
    distance, ahead = meet(rdx, rdy, rx, ry, ex, ey)
    good = np.flatnonzero(ahead & (distance <= best[ray]) & ((grid.kinds[item] & mask) != 0))
    if len(good):
        _keep_nearest(grid, ray[good], distance[good], item[good], best, found)


def meet(
    dx: FloatArray, dy: FloatArray, rx: FloatArray, ry: FloatArray, ex: FloatArray, ey: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """How far along rays of direction d the segments from r to r + e are, as seen from the origin, and which are met."""
    across = dx * ey - dy * ex
    flip = np.where(across < 0.0, -1.0, 1.0)
    across, side, reach = across * flip, (rx * dy - ry * dx) * flip, (rx * ey - ry * ex) * flip
    ahead = (side >= -ON_SEGMENT * across) & (side <= _UPPER * across) & (reach >= 0.0) & (across > 0.0)
    return reach / across, ahead


def _keep_nearest(
    grid: Grid, ray: IntArray, distance: FloatArray, item: IntArray, best: FloatArray, found: IntArray
) -> None:
    """Of several candidates for a ray take the nearest, and of equals (a reflector on a wall) the later segment."""
    # The candidates of a ray stand together.
    first = np.flatnonzero(np.diff(ray, prepend=-1))
    nearest = np.minimum.reduceat(distance, first)
    sizes = np.diff(first, append=len(ray))
    # Segment and item as one number, of which the largest is the later segment's.
    both = (grid.items[item].astype(np.int64) << 32) | item
    both[distance != np.repeat(nearest, sizes)] = -1
    both = np.maximum.reduceat(both, first)
    ray, distance, item, segment = ray[first], nearest, both & 0xFFFFFFFF, both >> 32
    had = found[ray]
    later = (distance == best[ray]) & (had >= 0) & (segment > grid.items[had])
    take = (distance < best[ray]) | later
    best[ray[take]] = distance[take]
    found[ray[take]] = item[take]


def _finish(
    grid: Grid, rays: IntArray, i: IntArray, j: IntArray, ox: FloatArray, oy: FloatArray, dx: FloatArray, dy: FloatArray,
    inverse_x: FloatArray, inverse_y: FloatArray, best: FloatArray, found: IntArray, mask: int,
) -> None:  # fmt: skip
    """List the cells from where these rays are to where they end, and meet all that is in them."""
    right, up = dx[rays] > 0.0, dy[rays] > 0.0
    end_i = np.clip(np.floor((ox[rays] + best[rays] * dx[rays] - grid.x0) / grid.cell), 0, grid.columns - 1)
    end_j = np.clip(np.floor((oy[rays] + best[rays] * dy[rays] - grid.y0) / grid.cell), 0, grid.rows - 1)
    wide, high = np.abs(end_i - i).astype(np.int64), np.abs(end_j - j).astype(np.int64)
    ray_x, nth_x = runs(np.ones(len(rays), np.int64), wide)
    ray_y, nth_y = runs(np.ones(len(rays), np.int64), high)
    line_x = i[ray_x] + np.where(right[ray_x], nth_x, 1 - nth_x)
    line_y = j[ray_y] + np.where(up[ray_y], nth_y, 1 - nth_y)
    tx = ((grid.x0 - ox[rays[ray_x]]) + grid.cell * line_x) * inverse_x[rays[ray_x]]
    ty = ((grid.y0 - oy[rays[ray_y]]) + grid.cell * line_y) * inverse_y[rays[ray_y]]
    # Crossings in the order in which each ray makes them; between two of them it is in one cell.
    start = np.arange(len(rays))
    owner = np.concatenate([start, ray_x, ray_y])
    when = np.concatenate([np.full(len(rays), -1.0), tx, ty])
    step_i = np.concatenate([np.zeros(len(rays), np.int64), np.where(right[ray_x], 1, -1), np.zeros(len(ray_y), np.int64)])
    step_j = np.concatenate([np.zeros(len(rays), np.int64), np.zeros(len(ray_x), np.int64), np.where(up[ray_y], 1, -1)])
    order = np.lexsort((when, owner))
    owner, step_i, step_j = owner[order], step_i[order], step_j[order]
    total_i, total_j = np.cumsum(step_i), np.cumsum(step_j)
    head = np.flatnonzero(np.diff(owner, prepend=-1))
    at_i = i[owner] + total_i - total_i[head][owner]
    at_j = j[owner] + total_j - total_j[head][owner]
    place = at_j * grid.columns + at_i
    full = np.flatnonzero(grid.clearance[place] == 0)
    if len(full):
        _test_cells(grid, rays[owner[full]], place[full], ox, oy, dx, dy, best, found, mask)
