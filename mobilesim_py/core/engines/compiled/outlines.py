# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""What rays and segments meet of outlines, compiled."""

from __future__ import annotations

import math

from mobilesim_py.core.engines import formulas
from mobilesim_py.core.engines.compiled.formulas import sincos
from mobilesim_py.core.engines.compiled.jit import piece, routine

_MARGIN = formulas.ON_SEGMENT
_UPPER = 1.0 + _MARGIN
_FAR = formulas.FAR


@routine
def meet(dx, dy, rx, ry, ex, ey):
    """Return how far along a ray of direction d the segment from r to r + e is, as seen from its origin; _FAR if not met."""
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


@routine
def meets_outline(ox, oy, dx, dy, limit, edges, first, last):
    """Return the distance to the first edge of an outline in whose frame the ray is given, and the edge (-1: none)."""
    best = limit
    found = -1
    for e in range(first, last):
        distance = meet(dx, dy, edges[e, 0] - ox, edges[e, 1] - oy, edges[e, 2], edges[e, 3])
        if distance < best:
            best = distance
            found = e
    return best, found


@routine
def meets_body(ox, oy, dx, dy, limit, bx, by, bs, bc, edges, first, last):
    """Do as `meets_outline` for a ray in the world and a body at its pose."""
    rx = ox - bx
    ry = oy - by
    return meets_outline(
        rx * bc + ry * bs, ry * bc - rx * bs, dx * bc + dy * bs, dy * bc - dx * bs, limit, edges, first, last
    )


@routine
def encloses(x, y, edges, first, last):
    """Tell whether a point lies inside an outline (any of its anticlockwise polygons)."""
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


@routine
def touches(ax, ay, ex, ey, edges, first, last):
    """Tell whether a segment (in the outline's frame) crosses an outline or lies inside it."""
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


@routine
def meets_shape(x, y, s, c, ax, ay, ex, ey, shape, shapes):
    """Tell whether a segment in the world crosses, or lies inside, a shape at a place, turned by sine and cosine."""
    rx = ax - x
    ry = ay - y
    first = shapes.starts[shape]
    last = shapes.starts[shape + 1]
    return touches(rx * c + ry * s, ry * c - rx * s, ex * c + ey * s, ey * c - ex * s, shapes.edges, first, last)


@routine
def overlap(pose, footprint, other_pose, outline, shapes):
    """Tell whether the footprint of one body at a pose touches the outline of another at its pose."""
    x, y, heading = pose
    bx, by, bheading = other_pose
    edges = shapes.edges
    s, c = sincos(heading)
    bs, bc = sincos(bheading)
    for e in range(shapes.starts[outline], shapes.starts[outline + 1]):
        ax = bx + edges[e, 0] * bc - edges[e, 1] * bs
        ay = by + edges[e, 0] * bs + edges[e, 1] * bc
        ex = edges[e, 2] * bc - edges[e, 3] * bs
        ey = edges[e, 2] * bs + edges[e, 3] * bc
        if meets_shape(x, y, s, c, ax, ay, ex, ey, footprint, shapes):
            return True
    rx = x - bx
    ry = y - by
    return encloses(rx * bc + ry * bs, ry * bc - rx * bs, edges, shapes.starts[outline], shapes.starts[outline + 1])


@piece
def largest_radius(shapes):
    """Return how far any shape reaches from its origin."""
    largest = 0.0
    for shape in range(len(shapes.radius)):
        largest = max(largest, shapes.radius[shape])
    return largest


@routine
def distance_squared(px, py, ax, ay, ex, ey):
    """Return the squared distance from a point to a segment."""
    length = ex * ex + ey * ey
    share = 0.0
    if length > 0.0:
        share = min(1.0, max(0.0, ((px - ax) * ex + (py - ay) * ey) / length))
    gx = ax + share * ex - px
    gy = ay + share * ey - py
    return gx * gx + gy * gy


@routine
def cosine_of_incidence(dx, dy, ex, ey):
    """Return the cosine of the angle between a ray and the normal of what it hit."""
    return abs(dx * ey - dy * ex) / math.sqrt(ex * ex + ey * ey)
