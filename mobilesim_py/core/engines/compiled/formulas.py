# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Compiled geometry: the shared formulas as machine code, and what a ray or an outline meets.

Importing this module imports Numba.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numba

from mobilesim_py.core.engines import formulas


def compiled(function: Callable[..., Any], **names: Any) -> Any:
    """A shared formula as machine code, with some of the names that it uses replaced by compiled ones."""
    copy = types.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    return numba.njit(copy, nogil=True, error_model="numpy")


sincos = compiled(formulas.sincos)
wrap = compiled(formulas.wrap)
scramble = compiled(formulas.scramble)
draw_key = compiled(
    formulas.draw_key,
    draw_stem=compiled(formulas.draw_stem, scramble=scramble),
    key_at=compiled(formulas.key_at, scramble=scramble),
)
draw_bits = compiled(formulas.draw_bits, scramble=scramble)
high_uniform = compiled(formulas.high_uniform)
low_uniform = compiled(formulas.low_uniform)
_MARGIN = formulas.ON_SEGMENT
_UPPER = 1.0 + _MARGIN
_FAR = formulas.FAR


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
