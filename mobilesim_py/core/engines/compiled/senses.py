# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Compiled senses: the scans of all lasers and the echoes of all sonar, in machine code.

Importing this module imports Numba, see `sim.compiled_motion`.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from mobilesim_py.core.engines.compiled.casting import cast
from mobilesim_py.core.engines.compiled.formulas import (
    draw_bits,
    draw_key,
    high_uniform,
    low_uniform,
    meet,
    meets_outline,
    sincos,
)
from mobilesim_py.core.fields import Body, Laser
from mobilesim_py.world.obstacles import Stops
from mobilesim_py.world.sight import MIXED

_FOR_SONAR = int(Stops.SONAR)
_FOR_LASER = int(Stops.LASER)
_TAU = 2.0 * math.pi
_BEARING_ERROR = 0.002
_TOGETHER = 1024
"""So many rays are cast at a time: enough to keep the lanes busy, few enough to stay in the nearest cache."""
_NEAR_BODY = 1.5
"""Bodies within this distance of a laser are looked at first [m]."""
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


@numba.njit(nogil=True, error_model="numpy")
def _aim(first_angle, increment, wobble, noise, key, cosines, sines, shifts):
    """Directions of a fan of beams, and by how much each range will err."""
    for k in range(len(cosines)):
        bits = draw_bits(key, np.uint64(k))
        shifts[k] = noise * low_uniform(bits)
        sines[k], cosines[k] = sincos(first_angle + k * increment + wobble * high_uniform(bits))


@numba.njit(nogil=True, error_model="numpy")
def _item_met(place, distance, ox, oy, dx, dy, mask, starts, items, lines, kinds):
    """Which segment of a cell a ray met at this distance; of several (a reflector on a wall) the later one."""
    found = -1
    for item in range(starts[place], starts[place + 1]):
        if kinds[item] & mask and (found < 0 or items[item] > items[found]):
            at = meet(dx, dy, lines[item, 0] - ox, lines[item, 1] - oy, lines[item, 2], lines[item, 3])
            if at == distance:
                found = item
    return found


@numba.njit(nogil=True, error_model="numpy")
def _look_at_bodies(
    i, ox, oy, first_angle, increment, wobble, cosines, sines, ranges, shine, slant,
    bodies, body_sin, body_cos, edges, shape_starts, radii,
):  # fmt: skip
    """Shorten the beams of a laser of body `i` that meet another body."""
    beams = len(cosines)
    farthest = 0.0
    for k in range(beams):
        farthest = max(farthest, ranges[k])
    step = abs(increment)
    turns = 1 + int((beams * step) / _TAU)
    ahead_y, ahead_x = sincos(first_angle + 0.5 * (beams - 1) * increment)
    # Those nearby first: in a crowd they hide nearly all the others.
    for k in range(2 * len(body_sin)):
        far = k >= len(body_sin)
        b = k - len(body_sin) if far else k
        gx = bodies[Body.X, b] - ox
        gy = bodies[Body.Y, b] - oy
        apart = gx * gx + gy * gy
        if (apart > _NEAR_BODY * _NEAR_BODY) != far:
            continue
        if b == i or bodies[Body.GHOST, b] > 0.0 or not int(bodies[Body.STOPS, b]) & _FOR_LASER:
            continue
        shape = int(bodies[Body.OUTLINE, b])
        radius = radii[shape]
        if apart > (farthest + radius) * (farthest + radius):
            continue
        # Behind the field of view? (Its first beam is at most half a turn from its last.)
        if beams * step <= math.pi and gx * ahead_x + gy * ahead_y < -radius - 0.01 * math.sqrt(apart):
            continue
        # Which beams can meet it: those between its flanks as seen from here, in this turn of the fan or in another.
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
        for turn in range(0 if inside else -1, 1 if inside else turns):
            lowest = 0
            highest = beams - 1
            if not inside:
                lowest = max(0, math.ceil((flank + turn * _TAU) / step))
                highest = min(beams - 1, math.floor((flank + turn * _TAU + 2.0 * half) / step))
            for beam in range(lowest, highest + 1):
                if near >= ranges[beam]:
                    continue
                best, edge = _look_at_body(
                    ox, oy, cosines[beam], sines[beam], ranges[beam], bodies[Body.X, b], bodies[Body.Y, b], bs, bc,
                    edges, shape_starts[shape], shape_starts[shape + 1],
                )  # fmt: skip
                if edge >= 0:
                    ranges[beam] = best
                    shine[beam] = value
                    slant[beam] = 0.0
                    if value > 1:
                        ex = edges[edge, 2] * bc - edges[edge, 3] * bs
                        ey = edges[edge, 2] * bs + edges[edge, 3] * bc
                        slant[beam] = _slant(cosines[beam], sines[beam], ex, ey)


@numba.njit(nogil=True, error_model="numpy", cache=True)
def scan(
    bodies, count, lasers, units, seed, tick, ranges, shine, slant, edges, shape_starts, radii,
    x0, y0, cell, columns, rows, words, runs, blocks, reflectance, starts, items, lines, kinds,
):  # fmt: skip
    """A scan of each of the lasers `units`: rows of `ranges` [m], of `shine` (reflectance) and, for reflectors, `slant`."""
    widest = ranges.shape[1]
    room = max(_TOGETHER, widest)
    ox = np.empty(room)
    oy = np.empty(room)
    cosines = np.empty(room)
    sines = np.empty(room)
    shifts = np.empty(room)
    best = np.empty(room)
    met = np.empty(room, np.int32)
    body_sin = np.empty(count)
    body_cos = np.empty(count)
    for b in range(count):
        body_sin[b], body_cos[b] = sincos(bodies[Body.HEADING, b])
    done = 0
    while done < len(units):
        # As many lasers as there is room for.
        end = done
        rays = 0
        while end < len(units) and rays + int(lasers[Laser.COUNT, units[end]]) <= room:
            u = units[end]
            i = int(lasers[Laser.BODY, u])
            beams = int(lasers[Laser.COUNT, u])
            mine = slice(rays, rays + beams)
            ox[mine] = bodies[Body.X, i] + lasers[Laser.X, u] * body_cos[i] - lasers[Laser.Y, u] * body_sin[i]
            oy[mine] = bodies[Body.Y, i] + lasers[Laser.X, u] * body_sin[i] + lasers[Laser.Y, u] * body_cos[i]
            best[mine] = lasers[Laser.RANGE_MAX, u]
            key = draw_key(
                np.uint64(seed), np.uint64(lasers[Laser.SERIAL, u]) * np.uint64(4) + np.uint64(1), np.uint64(tick)
            )
            _aim(
                bodies[Body.HEADING, i] + lasers[Laser.HEADING, u] + lasers[Laser.START, u], lasers[Laser.INCREMENT, u],
                lasers[Laser.ANGLE_NOISE, u], lasers[Laser.RANGE_NOISE, u], key, cosines[mine], sines[mine], shifts[mine],
            )  # fmt: skip
            rays += beams
            end += 1
        cast(rays, ox, oy, cosines, sines, best, met, x0, y0, cell, columns, rows, words, runs, blocks)
        first = 0
        for row in range(done, end):
            u = units[row]
            i = int(lasers[Laser.BODY, u])
            beams = int(lasers[Laser.COUNT, u])
            for k in range(beams):
                ray = first + k
                ranges[row, k] = best[ray]
                slant[row, k] = 0.0
                shine[row, k] = 0
                if met[ray] >= 0:
                    shine[row, k] = reflectance
                    if reflectance == MIXED:
                        item = _item_met(
                            met[ray], best[ray], ox[ray], oy[ray], cosines[ray], sines[ray], _FOR_LASER,
                            starts, items, lines, kinds,
                        )  # fmt: skip
                        shine[row, k] = kinds[item] >> 8
                        if kinds[item] >> 8 > 1:
                            slant[row, k] = _slant(cosines[ray], sines[ray], lines[item, 2], lines[item, 3])
            mine = slice(first, first + beams)
            if beams > 0:
                _look_at_bodies(
                    i, ox[first], oy[first], bodies[Body.HEADING, i] + lasers[Laser.HEADING, u] + lasers[Laser.START, u],
                    lasers[Laser.INCREMENT, u], lasers[Laser.ANGLE_NOISE, u], cosines[mine], sines[mine],
                    ranges[row], shine[row], slant[row], bodies, body_sin, body_cos, edges, shape_starts, radii,
                )  # fmt: skip
            shortest = lasers[Laser.RANGE_MIN, u]
            limit = lasers[Laser.RANGE_MAX, u]
            for k in range(beams):
                noisy = min(limit, max(shortest, ranges[row, k] + shifts[first + k]))
                ranges[row, k] = noisy if ranges[row, k] < limit else ranges[row, k]
            first += beams
        done = end


@numba.njit(nogil=True, error_model="numpy", cache=True)
def ping(
    bodies, count, robots, seed, tick, ranges, rays, ring_starts, reach, spread, edges, shape_starts, radii,
    x0, y0, cell, columns, rows, words, runs, blocks,
):  # fmt: skip
    """One range for every transducer of each of the `robots`: rows of `ranges` [m]."""
    most = 0
    for ring in range(len(ring_starts) - 1):
        most = max(most, ring_starts[ring + 1] - ring_starts[ring])
    room = max(_TOGETHER, most)
    ox = np.empty(room)
    oy = np.empty(room)
    cosines = np.empty(room)
    sines = np.empty(room)
    best = np.empty(room)
    met = np.empty(room, np.int32)
    near = np.empty(count, np.int64)
    done = 0
    while done < len(robots):
        # As many robots as there is room for.
        end = done
        filled = 0
        while end < len(robots) and filled + most <= room:
            i = robots[end]
            ring = int(bodies[Body.SONAR, i])
            s, c = sincos(bodies[Body.HEADING, i])
            for r in range(ring_starts[ring], ring_starts[ring + 1]):
                ox[filled] = bodies[Body.X, i] + rays[r, 0] * c - rays[r, 1] * s
                oy[filled] = bodies[Body.Y, i] + rays[r, 0] * s + rays[r, 1] * c
                sines[filled], cosines[filled] = sincos(bodies[Body.HEADING, i] + rays[r, 2])
                best[filled] = reach[ring, 1]
                filled += 1
            end += 1
        cast(filled, ox, oy, cosines, sines, best, met, x0, y0, cell, columns, rows, words, runs, blocks)
        ray = 0
        for row in range(done, end):
            i = robots[row]
            ring = int(bodies[Body.SONAR, i])
            shortest = reach[ring, 0]
            limit = reach[ring, 1]
            noise = reach[ring, 2]
            key = draw_key(np.uint64(seed), np.uint64(bodies[Body.SERIAL, i]) * np.uint64(4) + np.uint64(2), np.uint64(tick))
            # Which bodies any of its rays could meet at all.
            neighbours = 0
            for b in range(count):
                gx = bodies[Body.X, b] - bodies[Body.X, i]
                gy = bodies[Body.Y, b] - bodies[Body.Y, i]
                far = limit + _SONAR_ON_BODY + radii[int(bodies[Body.OUTLINE, b])]
                if gx * gx + gy * gy <= far * far and b != i and bodies[Body.GHOST, b] <= 0.0:
                    near[neighbours] = b
                    neighbours += 1 if int(bodies[Body.STOPS, b]) & _FOR_SONAR else 0
            for k in range((ring_starts[ring + 1] - ring_starts[ring]) // spread[ring]):
                nearest = limit
                for _ in range(spread[ring]):
                    nearest = min(nearest, best[ray])
                    for neighbour in range(neighbours):
                        b = near[neighbour]
                        gx = bodies[Body.X, b] - ox[ray]
                        gy = bodies[Body.Y, b] - oy[ray]
                        shape = int(bodies[Body.OUTLINE, b])
                        radius = radii[shape]
                        if gx * gx + gy * gy > (nearest + radius) * (nearest + radius):
                            continue
                        aside = gx * sines[ray] - gy * cosines[ray]
                        if aside * aside > radius * radius:
                            continue
                        bs, bc = sincos(bodies[Body.HEADING, b])
                        distance, edge = _look_at_body(
                            ox[ray], oy[ray], cosines[ray], sines[ray], nearest, bodies[Body.X, b], bodies[Body.Y, b],
                            bs, bc, edges, shape_starts[shape], shape_starts[shape + 1],
                        )  # fmt: skip
                        if edge >= 0:
                            nearest = distance
                    ray += 1
                if nearest < limit and noise > 0.0:
                    nearest = max(shortest, nearest) + noise * high_uniform(draw_bits(key, np.uint64(k)))
                ranges[row, k] = min(limit, max(shortest, nearest))
        done = end
