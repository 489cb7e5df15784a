# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""What rays and segments meet of outlines, compiled; and what the beams of a laser see of robots and boxes."""

from __future__ import annotations

import math

from mobilesim_py.core.engines import formulas
from mobilesim_py.core.engines.compiled.formulas import sincos
from mobilesim_py.core.engines.compiled.jit import piece, routine
from mobilesim_py.core.fields import Body

_MARGIN = formulas.ON_SEGMENT
_UPPER = 1.0 + _MARGIN
_FAR = formulas.FAR
_TAU = formulas.TAU
_BEARING_ERROR = 0.002
_NEAR_BODY = 1.5
"""Bodies within this distance of a laser are looked at first [m]."""


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


@routine
def _bearing(y, x):
    """Return the direction of a place, to _BEARING_ERROR: good enough to say which beams to look at, and quick."""
    a = abs(x)
    b = abs(y)
    ratio = min(a, b) / max(a, b)
    square = ratio * ratio
    angle = ((-0.0464964749 * square + 0.15931422) * square - 0.327622764) * square * ratio + ratio
    if b > a:
        angle = 0.5 * math.pi - angle
    if x < 0.0:
        angle = math.pi - angle
    return -angle if y < 0.0 else angle


@routine
def _half_angle(ratio):
    """Return at least the arc sine."""
    return ratio * (1.0 + 0.2 * ratio * ratio) if ratio < 0.5 else math.asin(ratio)


@routine
def look(i, fan, beams, found, scene, turned, mask):
    """Shorten the beams of a fan that meet another body than `i`.

    `fan` is origin, first angle, increment and wobble; `beams` are cosines and sines; `found` are ranges, reflectances and
    cosines of incidence so far; `turned` are sine and cosine of each body's heading, and room for a list of bodies.
    """
    ox, oy, first_angle, increment, _ = fan
    bodies, shapes = scene
    body_sin, _, listed = turned
    count = len(beams[0])
    farthest = 0.0
    for k in range(count):
        farthest = max(farthest, found[0][k])
    ahead_y, ahead_x = sincos(first_angle + 0.5 * (count - 1) * increment)
    beyond = farthest + largest_radius(shapes)
    narrow = count * abs(increment) <= math.pi
    # Those nearby first: in a crowd they hide nearly all the others. They are listed from the front, others from the back.
    last = len(body_sin) - 1
    near = 0
    far = 0
    for b in range(len(body_sin)):
        gx = bodies[Body.X, b] - ox
        gy = bodies[Body.Y, b] - oy
        apart = gx * gx + gy * gy
        if apart > beyond * beyond:
            continue
        if b == i or bodies[Body.GHOST, b] > 0.0 or not int(bodies[Body.STOPS, b]) & mask:
            continue
        radius = shapes.radius[int(bodies[Body.OUTLINE, b])]
        if apart > (farthest + radius) * (farthest + radius) or bodies[Body.COPY, b] != bodies[Body.COPY, i]:
            continue
        # Behind the field of view? (Its first beam is at most half a turn from its last.)
        if narrow and gx * ahead_x + gy * ahead_y < -radius - 0.01 * math.sqrt(apart):
            continue
        if apart > _NEAR_BODY * _NEAR_BODY:
            listed[last - far] = b
            far += 1
        else:
            listed[near] = b
            near += 1
    for k in range(near + far):
        b = listed[k] if k < near else listed[last - (k - near)]
        _look_at(b, fan, beams, found, scene, turned)


@piece
def _look_at(b, fan, beams, found, scene, turned):
    """Shorten the beams of a fan that meet one body: only those between its flanks are looked at."""
    ox, oy, first_angle, increment, wobble = fan
    cosines, sines = beams
    ranges, shine, slant = found
    bodies, shapes = scene
    body_sin, body_cos, _ = turned
    count = len(cosines)
    step = abs(increment)
    bx = bodies[Body.X, b]
    by = bodies[Body.Y, b]
    gx = bx - ox
    gy = by - oy
    apart = gx * gx + gy * gy
    shape = int(bodies[Body.OUTLINE, b])
    radius = shapes.radius[shape]
    inside = apart <= radius * radius or step == 0.0
    distance = math.sqrt(apart)
    half = 0.0
    flank = 0.0
    if not inside:
        half = _half_angle(radius / distance) + wobble + _BEARING_ERROR
        bearing = _bearing(gy, gx) - first_angle
        if increment < 0.0:
            bearing = -bearing
        flank = bearing - half
        flank -= _TAU * math.floor(flank / _TAU)
    bs = body_sin[b]
    bc = body_cos[b]
    value = int(bodies[Body.REFLECTANCE, b])
    near = distance - radius
    begin = shapes.starts[shape]
    end = shapes.starts[shape + 1]
    # As seen from here, in this turn of the fan or in another.
    turns = 1 + int((count * step) / _TAU)
    for turn in range(0 if inside else -1, 1 if inside else turns):
        lowest = 0
        highest = count - 1
        if not inside:
            lowest = max(0, math.ceil((flank + turn * _TAU) / step))
            highest = min(count - 1, math.floor((flank + turn * _TAU + 2.0 * half) / step))
        for n in range(lowest, highest + 1):
            if near >= ranges[n]:
                continue
            best, edge = meets_body(ox, oy, cosines[n], sines[n], ranges[n], bx, by, bs, bc, shapes.edges, begin, end)
            if edge >= 0:
                ranges[n] = best
                shine[n] = value
                slant[n] = 0.0
                if value > 1:
                    ex = shapes.edges[edge, 2] * bc - shapes.edges[edge, 3] * bs
                    ey = shapes.edges[edge, 2] * bs + shapes.edges[edge, 3] * bc
                    slant[n] = cosine_of_incidence(cosines[n], sines[n], ex, ey)
