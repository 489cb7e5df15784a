# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""The scans of all lasers, compiled; `numpy.laser` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.devices.laser import Laser
from mobilesim_py.core.engines.compiled.casting import cast, new_lanes
from mobilesim_py.core.engines.compiled.formulas import (
    draw_bits,
    draw_key,
    high_uniform,
    low_uniform,
    noise_source,
    sincos,
)
from mobilesim_py.core.engines.compiled.jit import kernel, kernel_part, routine
from mobilesim_py.core.engines.compiled.looking import BEAMS_IN_BUNDLE, look
from mobilesim_py.core.engines.compiled.outlines import cosine_of_incidence, meet
from mobilesim_py.core.engines.compiled.places import Places, by_place
from mobilesim_py.core.engines.formulas import LASER_NOISE
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import GridTable, ShapeTable, SightTable
from mobilesim_py.world.obstacles import Stops
from mobilesim_py.world.sight import MIXED

_FOR_LASER = int(Stops.LASER)
TOGETHER = 1024
"""So many rays are cast at a time: enough to keep the lanes busy, few enough to stay in the nearest cache."""


@kernel_part
def new_rays(count):
    """Return room for rays: origins, directions, errors of range, how far they go and the cell in which they end."""
    rays = np.empty((6, count))
    return rays[0], rays[1], rays[2], rays[3], rays[4], rays[5], np.empty(count, np.int32)


@routine
def item_met(place, distance, ox, oy, dx, dy, mask, ground):
    """Return which segment of a cell a ray met at this distance; of several (a reflector on a wall) the later one."""
    found = -1
    for item in range(ground.starts[place], ground.starts[place + 1]):
        if ground.kinds[item] & mask and (found < 0 or ground.items[item] > ground.items[found]):
            line = ground.lines[item]
            if meet(dx, dy, line[0] - ox, line[1] - oy, line[2], line[3]) == distance:
                found = item
    return found


@routine
def _aim(first_angle, increment, wobble, noise, key, cosines, sines, shifts):
    """Set the directions of a fan of beams, and by how much each range will err."""
    for k in range(len(cosines)):
        bits = draw_bits(key, np.uint64(k))
        shifts[k] = noise * low_uniform(bits)
        sines[k], cosines[k] = sincos(first_angle + k * increment + wobble * high_uniform(bits))


@kernel
def scan(bodies, count, seed, tick, lasers, units, ranges, shine, slant, reflectance, *tables):
    """Scan with each of the lasers `units`: rows of `ranges` [m], of `shine` (reflectance) and, for reflectors, `slant`.

    `tables` are the fields of a ShapeTable, a GridTable and a SightTable; `reflectance` is what all that is seen has.
    """
    shapes = ShapeTable(*tables[:4])
    ground = GridTable(*tables[4:14])
    sight = SightTable(*tables[14:])
    rays = new_rays(max(TOGETHER, ranges.shape[1]))
    turned = (np.empty(count), np.empty(count), np.empty(count, np.int64))
    begin = np.empty(count + 2)
    order = np.empty(count)
    x0, y0, edge, columns, rows = by_place(bodies[Body.X], bodies[Body.Y], count, begin, order)
    places = Places(x0, y0, edge, columns, rows, begin, order)
    crowd = (places, np.zeros((count + 63) >> 6, np.uint64), np.empty(len(rays[0]) // BEAMS_IN_BUNDLE + 2))
    scans = (ranges, shine, slant, reflectance)
    _scan(bodies, count, seed, tick, lasers, units, scans, shapes, ground, sight, rays, turned, crowd, new_lanes())


@routine
def _scan(bodies, count, seed, tick, lasers, units, scans, shapes, ground, sight, rays, turned, crowd, lanes):
    """Scan in the room that was made for it: `rays`, sines, cosines and a list of bodies in `turned`, `crowd`, `lanes`."""
    ranges, shine, slant, reflectance = scans
    ox, oy, cosines, sines, shifts, best, met = rays
    body_sin, body_cos, _ = turned
    room = len(ox)
    for b in range(count):
        body_sin[b], body_cos[b] = sincos(bodies[Body.HEADING, b])
    done = 0
    while done < len(units):
        # As many lasers as there is room for.
        end = done
        filled = 0
        while end < len(units) and filled + int(lasers[Laser.COUNT, units[end]]) <= room:
            u = units[end]
            i = int(lasers[Laser.BODY, u])
            beams = int(lasers[Laser.COUNT, u])
            mine = slice(filled, filled + beams)
            ox[mine] = bodies[Body.X, i] + lasers[Laser.X, u] * body_cos[i] - lasers[Laser.Y, u] * body_sin[i]
            oy[mine] = bodies[Body.Y, i] + lasers[Laser.X, u] * body_sin[i] + lasers[Laser.Y, u] * body_cos[i]
            best[mine] = lasers[Laser.RANGE_MAX, u]
            source = noise_source(np.uint64(lasers[Laser.SERIAL, u]), np.uint64(LASER_NOISE))
            key = draw_key(np.uint64(seed), source, np.uint64(tick))
            first_angle = bodies[Body.HEADING, i] + lasers[Laser.HEADING, u] + lasers[Laser.START, u]
            wobble = lasers[Laser.ANGLE_NOISE, u]
            noise = lasers[Laser.RANGE_NOISE, u]
            _aim(first_angle, lasers[Laser.INCREMENT, u], wobble, noise, key, cosines[mine], sines[mine], shifts[mine])
            filled += beams
            end += 1
        cast(filled, ox, oy, cosines, sines, best, met, ground, sight, lanes)
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
                        c = cosines[ray]
                        s = sines[ray]
                        item = item_met(met[ray], best[ray], ox[ray], oy[ray], c, s, _FOR_LASER, ground)
                        shine[row, k] = ground.kinds[item] >> 8
                        if ground.kinds[item] >> 8 > 1:
                            slant[row, k] = cosine_of_incidence(c, s, ground.lines[item, 2], ground.lines[item, 3])
            if beams > 0:
                mine = slice(first, first + beams)
                first_angle = bodies[Body.HEADING, i] + lasers[Laser.HEADING, u] + lasers[Laser.START, u]
                fan = (ox[first], oy[first], first_angle, lasers[Laser.INCREMENT, u], lasers[Laser.ANGLE_NOISE, u])
                found = (ranges[row], shine[row], slant[row])
                look(i, fan, (cosines[mine], sines[mine]), found, (bodies, shapes), turned, crowd, _FOR_LASER)
            shortest = lasers[Laser.RANGE_MIN, u]
            limit = lasers[Laser.RANGE_MAX, u]
            for k in range(beams):
                noisy = min(limit, max(shortest, ranges[row, k] + shifts[first + k]))
                ranges[row, k] = noisy if ranges[row, k] < limit else ranges[row, k]
            first += beams
        done = end
