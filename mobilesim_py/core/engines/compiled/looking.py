# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""What the beams of a laser see of robots and boxes, compiled; `numpy.outlines` gives the same bits."""

from __future__ import annotations

import math

from mobilesim_py.core.engines import formulas
from mobilesim_py.core.engines.compiled.formulas import sincos
from mobilesim_py.core.engines.compiled.jit import piece, routine
from mobilesim_py.core.engines.compiled.outlines import cosine_of_incidence, largest_radius, meets_body
from mobilesim_py.core.engines.compiled.places import cells_about, mark, take_marked
from mobilesim_py.core.fields import Body

_TAU = formulas.TAU
_BEARING_ERROR = 0.002
_NEAR_BODY = 1.5
"""Bodies within this distance of a laser are looked at first [m]."""
BEAMS_IN_BUNDLE = 8
"""Of so many beams the farthest is known when a cell may be hidden from them."""


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
def look(i, fan, beams, found, scene, turned, crowd, mask):
    """Shorten the beams of a fan that meet another body than `i`.

    `fan` is origin, first angle, increment and wobble; `beams` are cosines and sines; `found` are ranges, reflectances and
    cosines of incidence so far; `turned` are sine and cosine of each body's heading, and room for a list of bodies; `crowd`
    is their index by place, room for a bit for each and for the reach of each bundle of beams.
    """
    shapes = scene[1]
    count = len(turned[0])
    listed = turned[2]
    few = crowd[0].columns == 0
    # Those nearby first: in a crowd they hide nearly all the others.
    for nearby in range(1 if few else 2):
        view = _view(fan, found[0], len(beams[0]), shapes)
        if few:
            near, far = _list_in_view(i, fan, view, scene, listed, count, mask)
        else:
            _mark_in_view(nearby == 0, i, fan, view, found[0], len(beams[0]), scene, crowd, mask)
            near = take_marked(crowd[1], count, listed)
            far = 0
        for k in range(near + far):
            b = listed[k] if k < near else listed[count - 1 - (k - near)]
            _look_at(b, fan, beams, found, scene, turned)


@piece
def _list_in_view(i, fan, view, scene, listed, count, mask):
    """List the bodies that a fan could meet, those nearby from the front, others from the back; return how many they are."""
    bodies, shapes = scene
    near = 0
    far = 0
    for b in range(count):
        gx = bodies[Body.X, b] - fan[0]
        gy = bodies[Body.Y, b] - fan[1]
        apart = gx * gx + gy * gy
        if apart > view[1] * view[1] or not _is_in_view(b, i, gx, gy, apart, view, bodies, shapes, mask):
            continue
        if apart > _NEAR_BODY * _NEAR_BODY:
            far += 1
            listed[count - far] = b
        else:
            listed[near] = b
            near += 1
    return near, far


@piece
def _view(fan, ranges, count, shapes):
    """Return how far a fan goes, how far off bodies can be that it meets, its middle, and whether it is half a turn."""
    farthest = 0.0
    for k in range(count):
        farthest = max(farthest, ranges[k])
    ahead_y, ahead_x = sincos(fan[2] + 0.5 * (count - 1) * fan[3])
    return farthest, farthest + largest_radius(shapes), ahead_x, ahead_y, count * abs(fan[3]) <= math.pi


@piece
def _is_in_view(b, i, gx, gy, apart, view, bodies, shapes, mask):
    """Tell whether a fan on body i could meet body b, which is (gx, gy) away."""
    farthest, _, ahead_x, ahead_y, narrow = view
    if b == i or bodies[Body.GHOST, b] > 0.0 or not int(bodies[Body.STOPS, b]) & mask:
        return False
    radius = shapes.radius[int(bodies[Body.OUTLINE, b])]
    if apart > (farthest + radius) * (farthest + radius) or bodies[Body.COPY, b] != bodies[Body.COPY, i]:
        return False
    # Behind the field of view? (Its first beam is at most half a turn from its last.)
    return not (narrow and gx * ahead_x + gy * ahead_y < -radius - 0.01 * math.sqrt(apart))


@routine
def _mark_in_view(nearby, i, fan, view, ranges, count, scene, crowd, mask):
    """Mark the bodies nearby, or those farther away, that a fan could meet; cells that are hidden are left out."""
    bodies, shapes = scene
    places, bits, reaches = crowd
    ox = fan[0]
    oy = fan[1]
    edge = places.edge
    # Every body of a cell lies wholly in a circle about its middle.
    size = 0.7072 * edge + largest_radius(shapes)
    left, right, low, high = cells_about(ox, oy, min(view[1], _NEAR_BODY) if nearby else view[1], places)
    if not nearby:
        _bundle(ranges, count, reaches)
    for row in range(low, high + 1):
        for column in range(left, right + 1):
            begin = int(places.begin[row * places.columns + column])
            end = int(places.begin[row * places.columns + column + 1])
            if begin == end:
                continue
            if not nearby:
                gx = places.x0 + (column + 0.5) * edge - ox
                gy = places.y0 + (row + 0.5) * edge - oy
                if _is_hidden(gx, gy, size, fan, view, count, reaches):
                    continue
            for k in range(begin, end):
                b = int(places.order[k])
                gx = bodies[Body.X, b] - ox
                gy = bodies[Body.Y, b] - oy
                apart = gx * gx + gy * gy
                if apart > view[1] * view[1] or (apart > _NEAR_BODY * _NEAR_BODY) == nearby:
                    continue
                if _is_in_view(b, i, gx, gy, apart, view, bodies, shapes, mask):
                    mark(bits, b)


@routine
def _bundle(ranges, count, reaches):
    """Set how far the farthest beam of each bundle goes."""
    for bundle in range((count + BEAMS_IN_BUNDLE - 1) // BEAMS_IN_BUNDLE):
        reach = 0.0
        for k in range(bundle * BEAMS_IN_BUNDLE, min(count, (bundle + 1) * BEAMS_IN_BUNDLE)):
            reach = max(reach, ranges[k])
        reaches[bundle] = reach


@piece
def _is_hidden(gx, gy, size, fan, view, count, reaches):
    """Tell whether no beam of a fan comes as far as a circle (gx, gy) away."""
    step = abs(fan[3])
    apart = gx * gx + gy * gy
    if apart <= size * size or step == 0.0:
        return False
    if apart > (view[0] + size) * (view[0] + size):
        return True
    distance = math.sqrt(apart)
    if view[4] and gx * view[2] + gy * view[3] < -size - 0.01 * distance:
        return True
    half, flank = _flank(gx, gy, size / distance, fan)
    near = distance - size
    for turn in range(-1, 1 + int((count * step) / _TAU)):
        lowest = max(0, math.ceil((flank + turn * _TAU) / step))
        highest = min(count - 1, math.floor((flank + turn * _TAU + 2.0 * half) / step))
        for bundle in range(lowest // BEAMS_IN_BUNDLE, highest // BEAMS_IN_BUNDLE + 1 if lowest <= highest else 0):
            if near < reaches[bundle]:
                return False
    return True


@piece
def _flank(gx, gy, ratio, fan):
    """Return half the angle under which a circle is seen (its radius is this share of its distance), and its first flank.

    The flank is counted from the first beam in the direction of the others, less than a turn.
    """
    _, _, first_angle, increment, wobble = fan
    half = _half_angle(ratio) + wobble + _BEARING_ERROR
    bearing = _bearing(gy, gx) - first_angle
    if increment < 0.0:
        bearing = -bearing
    flank = bearing - half
    return half, flank - _TAU * math.floor(flank / _TAU)


@piece
def _look_at(b, fan, beams, found, scene, turned):
    """Shorten the beams of a fan that meet one body: only those between its flanks are looked at."""
    ox, oy, _, increment, _ = fan
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
        half, flank = _flank(gx, gy, radius / distance, fan)
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
