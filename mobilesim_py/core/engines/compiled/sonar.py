# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""The echoes of all sonar, compiled; `numpy.sonar` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.devices.sonar import Sonar
from mobilesim_py.core.engines.compiled.casting import cast, new_lanes
from mobilesim_py.core.engines.compiled.formulas import draw_bits, draw_key, high_uniform, noise_source, sincos
from mobilesim_py.core.engines.compiled.jit import kernel, piece, routine
from mobilesim_py.core.engines.compiled.laser import TOGETHER, new_rays
from mobilesim_py.core.engines.compiled.outlines import largest_radius, meets_body
from mobilesim_py.core.engines.compiled.places import Places, by_place, cells_about
from mobilesim_py.core.engines.formulas import SONAR_NOISE
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import GridFrame, RingTable, ShapeTable, SightTable
from mobilesim_py.world.obstacles import Stops

_FOR_SONAR = int(Stops.SONAR)
_ON_BODY = 2.0
"""No transducer is farther than this from the middle of its robot [m]."""


@routine
def _neighbours(i, reach, bodies, count, places, shapes, near):
    """List the bodies that any sonar ray of a robot could meet at all; return how many."""
    found = 0
    beyond = reach + largest_radius(shapes)
    x = bodies[Body.X, i]
    y = bodies[Body.Y, i]
    if places.columns == 0:
        for b in range(count):
            gx = bodies[Body.X, b] - x
            gy = bodies[Body.Y, b] - y
            if gx * gx + gy * gy <= beyond * beyond:
                near[found] = b
                found += 1 if _echoes(b, i, gx, gy, reach, bodies, shapes) else 0
        return found
    left, right, low, high = cells_about(x, y, beyond, places)
    for row in range(low, high + 1):
        # The cells of a row lie together.
        begin = int(places.begin[row * places.columns + left])
        end = int(places.begin[row * places.columns + right + 1])
        for k in range(begin, end):
            b = int(places.order[k])
            gx = bodies[Body.X, b] - x
            gy = bodies[Body.Y, b] - y
            if gx * gx + gy * gy <= beyond * beyond:
                near[found] = b
                found += 1 if _echoes(b, i, gx, gy, reach, bodies, shapes) else 0
    return found


@piece
def _echoes(b, i, gx, gy, reach, bodies, shapes):
    """Tell whether sonar of body i could hear body b, which is (gx, gy) away."""
    far = reach + shapes.radius[int(bodies[Body.OUTLINE, b])]
    if gx * gx + gy * gy > far * far or b == i or bodies[Body.GHOST, b] > 0.0:
        return False
    return bodies[Body.COPY, b] == bodies[Body.COPY, i] and int(bodies[Body.STOPS, b]) & _FOR_SONAR != 0


@piece
def _nearest_body(x, y, cosine, sine, nearest, bodies, shapes, near, neighbours):
    """Return how far a ray goes when it can also meet the bodies listed in `near`."""
    for k in range(neighbours):
        b = near[k]
        gx = bodies[Body.X, b] - x
        gy = bodies[Body.Y, b] - y
        shape = int(bodies[Body.OUTLINE, b])
        radius = shapes.radius[shape]
        if gx * gx + gy * gy > (nearest + radius) * (nearest + radius):
            continue
        aside = gx * sine - gy * cosine
        if aside * aside > radius * radius:
            continue
        bs, bc = sincos(bodies[Body.HEADING, b])
        bx = bodies[Body.X, b]
        by = bodies[Body.Y, b]
        begin = shapes.starts[shape]
        end = shapes.starts[shape + 1]
        distance, edge = meets_body(x, y, cosine, sine, nearest, bx, by, bs, bc, shapes.edges, begin, end)
        if edge >= 0:
            nearest = distance
    return nearest


@kernel
def ping(bodies, count, seed, tick, sonars, units, ranges, *tables):
    """Measure one range for every transducer of each of the rings `units`: rows of `ranges` [m].

    `tables` are the fields of a ShapeTable, a GridFrame, a SightTable and a RingTable.
    """
    shapes = ShapeTable(*tables[:4])
    frame = GridFrame(*tables[4:9])
    sight = SightTable(*tables[9:12])
    rings = RingTable(*tables[12:])
    most = 0
    for ring in range(len(rings.starts) - 1):
        most = max(most, rings.starts[ring + 1] - rings.starts[ring])
    rays = new_rays(max(TOGETHER, most))
    near = np.empty(count, np.int64)
    begin = np.empty(count + 2)
    order = np.empty(count)
    x0, y0, edge, columns, rows = by_place(bodies[Body.X], bodies[Body.Y], count, begin, order)
    places = Places(x0, y0, edge, columns, rows, begin, order)
    known = (bodies, count, places, shapes)
    _ping(known, seed, tick, sonars, units, ranges, frame, sight, rings, rays, near, new_lanes(), most)


@routine
def _ping(known, seed, tick, sonars, units, ranges, frame, sight, rings, rays, near, lanes, most):
    """Measure in the room that was made for it: `rays`, the neighbours of one robot in `near`, and `lanes`."""
    bodies, count, places, shapes = known
    ox, oy, cosines, sines, _, best, met = rays
    room = len(ox)
    done = 0
    while done < len(units):
        # As many rings as there is room for.
        end = done
        filled = 0
        while end < len(units) and filled + most <= room:
            i = int(sonars[Sonar.BODY, units[end]])
            ring = int(sonars[Sonar.RING, units[end]])
            s, c = sincos(bodies[Body.HEADING, i])
            for r in range(rings.starts[ring], rings.starts[ring + 1]):
                ox[filled] = bodies[Body.X, i] + rings.rays[r, 0] * c - rings.rays[r, 1] * s
                oy[filled] = bodies[Body.Y, i] + rings.rays[r, 0] * s + rings.rays[r, 1] * c
                sines[filled], cosines[filled] = sincos(bodies[Body.HEADING, i] + rings.rays[r, 2])
                best[filled] = rings.reach[ring, 1]
                filled += 1
            end += 1
        cast(filled, ox, oy, cosines, sines, best, met, frame, sight, lanes)
        ray = 0
        for row in range(done, end):
            i = int(sonars[Sonar.BODY, units[row]])
            ring = int(sonars[Sonar.RING, units[row]])
            shortest = rings.reach[ring, 0]
            limit = rings.reach[ring, 1]
            noise = rings.reach[ring, 2]
            source = noise_source(np.uint64(bodies[Body.SERIAL, i]), np.uint64(SONAR_NOISE))
            key = draw_key(np.uint64(seed), source, np.uint64(tick))
            neighbours = _neighbours(i, limit + _ON_BODY, bodies, count, places, shapes, near)
            for k in range((rings.starts[ring + 1] - rings.starts[ring]) // rings.spread[ring]):
                nearest = limit
                for _ in range(rings.spread[ring]):
                    nearest = min(nearest, best[ray])
                    nearest = _nearest_body(
                        ox[ray], oy[ray], cosines[ray], sines[ray], nearest, bodies, shapes, near, neighbours
                    )
                    ray += 1
                if nearest < limit and noise > 0.0:
                    nearest = max(shortest, nearest) + noise * high_uniform(draw_bits(key, np.uint64(k)))
                ranges[row, k] = min(limit, max(shortest, nearest))
        done = end
