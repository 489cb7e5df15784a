# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""One ray after the other through the grid, compiled: the walk, and what a ray or an outline meets.

Importing this module imports Numba. `world.sweep` is the same search for many rays at once in NumPy.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from mobilesim_py.world import formulas


def compiled(function: Callable[..., Any], **names: Any) -> Any:
    """A shared formula as machine code, with some of the names that it uses replaced by compiled ones."""
    copy = types.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    return numba.njit(copy, nogil=True, error_model="numpy")


sincos = compiled(formulas.sincos)
wrap = compiled(formulas.wrap)
scramble = compiled(formulas.scramble)
draw_key = compiled(formulas.draw_key, scramble=scramble)
draw_bits = compiled(formulas.draw_bits, scramble=scramble)
high_uniform = compiled(formulas.high_uniform)
low_uniform = compiled(formulas.low_uniform)
_MARGIN = formulas.ON_SEGMENT
_UPPER = 1.0 + _MARGIN
_FAR = 1e300


@numba.njit(nogil=True, error_model="numpy")
def meet(dx, dy, rx, ry, ex, ey):
    """How far along a ray of direction d the segment from r to r + e is, as seen from its origin; _FAR if not met."""
    across = dx * ey - dy * ex
    side = rx * dy - ry * dx
    reach = rx * ey - ry * ex
    if across < 0.0:
        across = -across
        side = -side
        reach = -reach
    # Between its ends and ahead: most segments of a cell are not, and need no division.
    if side >= -_MARGIN * across and side <= _UPPER * across and reach >= 0.0 and across > 0.0:
        return reach / across
    return _FAR


@numba.njit(nogil=True, error_model="numpy")
def walk(ox, oy, dx, dy, limit, mask, x0, y0, cell, columns, rows, starts, items, lines, kinds, clearance):
    """Distance to the first segment that stops what `mask` says, and its item number (-1: nothing up to `limit`)."""
    best = limit
    found = -1
    inverse_x = 1.0 / dx if dx != 0.0 else _FAR
    inverse_y = 1.0 / dy if dy != 0.0 else _FAR
    px = (ox - x0) / cell
    py = (oy - y0) / cell
    t = 0.0
    if px < 0.0 or px >= columns or py < 0.0 or py >= rows:
        # From outside: go to where the ray enters the grid, or not at all.
        enter = 0.0
        leave = limit
        if dx != 0.0:
            a = (x0 - ox) * inverse_x
            b = (x0 + columns * cell - ox) * inverse_x
            enter = max(enter, min(a, b))
            leave = min(leave, max(a, b))
        elif px < 0.0 or px >= columns:
            return best, found
        if dy != 0.0:
            a = (y0 - oy) * inverse_y
            b = (y0 + rows * cell - oy) * inverse_y
            enter = max(enter, min(a, b))
            leave = min(leave, max(a, b))
        elif py < 0.0 or py >= rows:
            return best, found
        if enter > leave:
            return best, found
        t = enter
        px = (ox + t * dx - x0) / cell
        py = (oy + t * dy - y0) / cell
    i = min(max(int(np.floor(px)), 0), columns - 1)
    j = min(max(int(np.floor(py)), 0), rows - 1)
    # Cell borders as distances along the ray are linear in the column and row: a + b * column.
    border_x = (x0 - ox) * inverse_x
    per_column = cell * inverse_x
    border_y = (y0 - oy) * inverse_y
    per_row = cell * inverse_y
    slope_y = dy / cell
    base_y = (oy - y0) / cell
    slope_x = dx / cell
    base_x = (ox - x0) / cell
    while True:
        place = j * columns + i
        stride = int(clearance[place])
        if stride == 0:
            for item in range(starts[place], starts[place + 1]):
                if kinds[item] & mask:
                    distance = meet(dx, dy, lines[item, 0] - ox, lines[item, 1] - oy, lines[item, 2], lines[item, 3])
                    # Of two at the same distance (a reflector on a wall) the later one counts.
                    if distance < best or (distance == best and found >= 0 and items[item] > items[found]):
                        best = distance
                        found = item
            stride = 1
        # Leave the square of empty cells around this one through its nearer side.
        tx = _FAR
        ty = _FAR
        if dx > 0.0:
            tx = border_x + per_column * (i + stride)
        elif dx < 0.0:
            tx = border_x + per_column * (i + 1 - stride)
        if dy > 0.0:
            ty = border_y + per_row * (j + stride)
        elif dy < 0.0:
            ty = border_y + per_row * (j + 1 - stride)
        if tx <= ty:
            t = tx
            if t > best:
                return best, found
            i = i + stride if dx > 0.0 else i - stride
            if i < 0 or i >= columns:
                return best, found
            if stride > 1:
                j = min(max(int(np.floor(base_y + t * slope_y)), j - stride + 1), j + stride - 1)
                j = min(max(j, 0), rows - 1)
        else:
            t = ty
            if t > best:
                return best, found
            j = j + stride if dy > 0.0 else j - stride
            if j < 0 or j >= rows:
                return best, found
            if stride > 1:
                i = min(max(int(np.floor(base_x + t * slope_x)), i - stride + 1), i + stride - 1)
                i = min(max(i, 0), columns - 1)


@numba.njit(nogil=True, error_model="numpy")
def meets_outline(ox, oy, dx, dy, limit, edges, first, last):
    """Distance to the first edge of an outline in whose frame the ray is given, and the edge (-1: none up to `limit`)."""
    best = limit
    found = -1
    for e in range(first, last):
        distance = meet(dx, dy, edges[e, 0] - ox, edges[e, 1] - oy, edges[e, 2], edges[e, 3])
        if distance < best:
            best = distance
            found = e
    return best, found


@numba.njit(nogil=True, error_model="numpy")
def encloses(x, y, edges, first, last):
    """Whether a point lies inside an outline (any of its anticlockwise polygons)."""
    turns = 0
    for e in range(first, last):
        ya = edges[e, 1]
        yb = ya + edges[e, 3]
        side = edges[e, 2] * (y - ya) - (x - edges[e, 0]) * edges[e, 3]
        if ya <= y:
            if yb > y and side > 0.0:
                turns += 1
        elif yb <= y and side < 0.0:
            turns -= 1
    return turns > 0


@numba.njit(nogil=True, error_model="numpy")
def touches(ax, ay, ex, ey, edges, first, last):
    """Whether a segment (in the outline's frame) crosses an outline or lies inside it."""
    for e in range(first, last):
        qx = edges[e, 2]
        qy = edges[e, 3]
        across = ex * qy - ey * qx
        if across != 0.0:
            rx = edges[e, 0] - ax
            ry = edges[e, 1] - ay
            t = (rx * qy - ry * qx) / across
            u = (rx * ey - ry * ex) / across
            if t >= 0.0 and t <= 1.0 and u >= 0.0 and u <= 1.0:
                return True
    return encloses(ax, ay, edges, first, last)


@numba.njit(nogil=True, error_model="numpy")
def distance_squared(px, py, ax, ay, ex, ey):
    """Squared distance from a point to a segment."""
    length = ex * ex + ey * ey
    share = 0.0
    if length > 0.0:
        share = min(1.0, max(0.0, ((px - ax) * ex + (py - ay) * ey) / length))
    gx = ax + share * ex - px
    gy = ay + share * ey - py
    return gx * gx + gy * gy
