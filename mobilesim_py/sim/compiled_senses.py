# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Compiled senses: the scans of all lasers and the echoes of all sonar, in machine code.

Importing this module imports Numba, see `sim.compiled_motion`.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from mobilesim_py.sim.fields import Body, Laser
from mobilesim_py.world.obstacles import Stops
from mobilesim_py.world.walk import draw_bits, draw_key, high_uniform, low_uniform, meets_outline, sincos, walk

_FOR_SONAR = int(Stops.SONAR)
_FOR_LASER = int(Stops.LASER)
_TAU = 2.0 * math.pi
_BEARING_ERROR = 0.002
_SONAR_ON_BODY = 2.0
"""No transducer is farther than this from the middle of its robot [m]."""


@numba.njit(nogil=True, error_model="numpy")
def _look_at_body(ox, oy, dx, dy, limit, bx, by, bs, bc, edges, first, last):
    """`meets_outline` for a ray in the world and a body at its pose."""
    rx = ox - bx
    ry = oy - by
    return meets_outline(
        rx * bc + ry * bs, ry * bc - rx * bs, dx * bc + dy * bs, dy * bc - dx * bs, limit, edges, first, last
    )


@numba.njit(nogil=True, error_model="numpy")
def _bearing(y, x):
    """The direction of a place, to _BEARING_ERROR: good enough to say which beams to look at, and quick."""
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


@numba.njit(nogil=True, error_model="numpy")
def _half_angle(ratio):
    """At least the arc sine."""
    return ratio * (1.0 + 0.2 * ratio * ratio) if ratio < 0.5 else math.asin(ratio)


@numba.njit(nogil=True, error_model="numpy")
def _slant(dx, dy, ex, ey):
    """Cosine of the angle between a ray and the normal of what it hit."""
    return abs(dx * ey - dy * ex) / math.sqrt(ex * ex + ey * ey)


@numba.njit(nogil=True, error_model="numpy", cache=True)
def scan(
    bodies, count, lasers, units, seed, tick, ranges, shine, slant, edges, shape_starts, radii,
    x0, y0, cell, columns, rows, starts, items, lines, kinds, clearance,
):  # fmt: skip
    """A scan of each of the lasers `units`: rows of `ranges` [m], of `shine` (reflectance) and, for reflectors, `slant`."""
    sines = np.empty(ranges.shape[1])
    cosines = np.empty(ranges.shape[1])
    shifts = np.empty(ranges.shape[1])
    body_sin = np.empty(count)
    body_cos = np.empty(count)
    for b in range(count):
        body_sin[b], body_cos[b] = sincos(bodies[Body.HEADING, b])
    for row in range(len(units)):
        u = units[row]
        i = int(lasers[Laser.BODY, u])
        s = body_sin[i]
        c = body_cos[i]
        ox = bodies[Body.X, i] + lasers[Laser.X, u] * c - lasers[Laser.Y, u] * s
        oy = bodies[Body.Y, i] + lasers[Laser.X, u] * s + lasers[Laser.Y, u] * c
        increment = lasers[Laser.INCREMENT, u]
        first_angle = bodies[Body.HEADING, i] + lasers[Laser.HEADING, u] + lasers[Laser.START, u]
        beams = int(lasers[Laser.COUNT, u])
        limit = lasers[Laser.RANGE_MAX, u]
        wobble = lasers[Laser.ANGLE_NOISE, u]
        noise = lasers[Laser.RANGE_NOISE, u]
        key = draw_key(np.uint64(seed), np.uint64(lasers[Laser.SERIAL, u]) * np.uint64(4) + np.uint64(1), np.uint64(tick))
        farthest = 0.0
        for k in range(beams):
            bits = draw_bits(key, np.uint64(k))
            shifts[k] = noise * low_uniform(bits)
            angle = first_angle + k * increment + wobble * high_uniform(bits)
            sines[k], cosines[k] = sincos(angle)
            best, item = walk(
                ox, oy, cosines[k], sines[k], limit, _FOR_LASER,
                x0, y0, cell, columns, rows, starts, items, lines, kinds, clearance,
            )  # fmt: skip
            ranges[row, k] = best
            farthest = max(farthest, best)
            shine[row, k] = 0
            slant[row, k] = 0.0
            if item >= 0:
                value = kinds[item] >> 8
                shine[row, k] = value
                if value > 1:
                    slant[row, k] = _slant(cosines[k], sines[k], lines[item, 2], lines[item, 3])
        step = abs(increment)
        ahead_y, ahead_x = sincos(first_angle + 0.5 * (beams - 1) * increment)
        for b in range(count):
            if b == i or bodies[Body.GHOST, b] > 0.0 or not int(bodies[Body.STOPS, b]) & _FOR_LASER:
                continue
            gx = bodies[Body.X, b] - ox
            gy = bodies[Body.Y, b] - oy
            shape = int(bodies[Body.OUTLINE, b])
            radius = radii[shape]
            apart = gx * gx + gy * gy
            if apart > (farthest + radius) * (farthest + radius):
                continue
            # Behind the field of view? (Its first beam is at most half a turn from its last.)
            if beams * step <= math.pi and gx * ahead_x + gy * ahead_y < -radius - 0.01 * math.sqrt(apart):
                continue
            # Which beams can meet it: those between its flanks as seen from here, counted once around and once more.
            inside = apart <= radius * radius or step == 0.0
            distance = math.sqrt(apart)
            half = 0.0
            bearing = 0.0
            if not inside:
                half = _half_angle(radius / distance) + wobble + _BEARING_ERROR
                bearing = _bearing(gy, gx) - first_angle
                if increment < 0.0:
                    bearing = -bearing
                bearing -= _TAU * math.floor(bearing / _TAU)
            bs = body_sin[b]
            bc = body_cos[b]
            value = int(bodies[Body.REFLECTANCE, b])
            near = distance - radius
            for turn in range(1 if inside else 2):
                lowest = 0
                highest = beams - 1
                if not inside:
                    lowest = max(0, math.ceil((bearing - turn * _TAU - half) / step))
                    highest = min(beams - 1, math.floor((bearing - turn * _TAU + half) / step))
                for k in range(lowest, highest + 1):
                    if near >= ranges[row, k]:
                        continue
                    best, edge = _look_at_body(
                        ox, oy, cosines[k], sines[k], ranges[row, k], bodies[Body.X, b], bodies[Body.Y, b], bs, bc,
                        edges, shape_starts[shape], shape_starts[shape + 1],
                    )  # fmt: skip
                    if edge >= 0:
                        ranges[row, k] = best
                        shine[row, k] = value
                        slant[row, k] = 0.0
                        if value > 1:
                            ex = edges[edge, 2] * bc - edges[edge, 3] * bs
                            ey = edges[edge, 2] * bs + edges[edge, 3] * bc
                            slant[row, k] = _slant(cosines[k], sines[k], ex, ey)
        shortest = lasers[Laser.RANGE_MIN, u]
        for k in range(beams):
            if ranges[row, k] < limit:
                ranges[row, k] = min(limit, max(shortest, ranges[row, k] + shifts[k]))


@numba.njit(nogil=True, error_model="numpy", cache=True)
def ping(
    bodies, count, robots, seed, tick, ranges, rays, ring_starts, reach, spread, edges, shape_starts, radii,
    x0, y0, cell, columns, rows, starts, items, lines, kinds, clearance,
):  # fmt: skip
    """One range for every transducer of each of the `robots`: rows of `ranges` [m]."""
    near = np.empty(count, np.int64)
    for row in range(len(robots)):
        i = robots[row]
        ring = int(bodies[Body.SONAR, i])
        if ring < 0:
            continue
        s, c = sincos(bodies[Body.HEADING, i])
        heading = bodies[Body.HEADING, i]
        shortest = reach[ring, 0]
        limit = reach[ring, 1]
        noise = reach[ring, 2]
        per = spread[ring]
        key = draw_key(np.uint64(seed), np.uint64(bodies[Body.SERIAL, i]) * np.uint64(4) + np.uint64(2), np.uint64(tick))
        first = ring_starts[ring]
        # Which bodies any of its rays could meet at all.
        neighbours = 0
        for b in range(count):
            if b != i and bodies[Body.GHOST, b] <= 0.0 and int(bodies[Body.STOPS, b]) & _FOR_SONAR:
                gx = bodies[Body.X, b] - bodies[Body.X, i]
                gy = bodies[Body.Y, b] - bodies[Body.Y, i]
                far = limit + _SONAR_ON_BODY + radii[int(bodies[Body.OUTLINE, b])]
                if gx * gx + gy * gy <= far * far:
                    near[neighbours] = b
                    neighbours += 1
        transducers = (ring_starts[ring + 1] - first) // per
        for k in range(transducers):
            nearest = limit
            for r in range(first + k * per, first + (k + 1) * per):
                ox = bodies[Body.X, i] + rays[r, 0] * c - rays[r, 1] * s
                oy = bodies[Body.Y, i] + rays[r, 0] * s + rays[r, 1] * c
                ds, dc = sincos(heading + rays[r, 2])
                best, _ = walk(
                    ox, oy, dc, ds, nearest, _FOR_SONAR,
                    x0, y0, cell, columns, rows, starts, items, lines, kinds, clearance,
                )  # fmt: skip
                nearest = best
                for neighbour in range(neighbours):
                    b = near[neighbour]
                    gx = bodies[Body.X, b] - ox
                    gy = bodies[Body.Y, b] - oy
                    shape = int(bodies[Body.OUTLINE, b])
                    radius = radii[shape]
                    if gx * gx + gy * gy > (nearest + radius) * (nearest + radius):
                        continue
                    aside = gx * ds - gy * dc
                    if aside * aside > radius * radius:
                        continue
                    bs, bc = sincos(bodies[Body.HEADING, b])
                    best, edge = _look_at_body(
                        ox, oy, dc, ds, nearest, bodies[Body.X, b], bodies[Body.Y, b], bs, bc,
                        edges, shape_starts[shape], shape_starts[shape + 1],
                    )  # fmt: skip
                    if edge >= 0:
                        nearest = best
            if nearest < limit and noise > 0.0:
                nearest = max(shortest, nearest) + noise * high_uniform(draw_bits(key, np.uint64(k)))
            ranges[row, k] = min(limit, max(shortest, nearest))
