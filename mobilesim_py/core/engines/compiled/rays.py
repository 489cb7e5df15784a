# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Any rays against walls and bodies, compiled; `numpy.rays` gives the same bits."""

from __future__ import annotations

from mobilesim_py.core.engines.compiled import casting
from mobilesim_py.core.engines.compiled.casting import new_lanes
from mobilesim_py.core.engines.compiled.formulas import sincos
from mobilesim_py.core.engines.compiled.jit import kernel, routine
from mobilesim_py.core.engines.compiled.laser import item_met
from mobilesim_py.core.engines.compiled.outlines import cosine_of_incidence, meets_body
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import NOTHING, WALL, GridTable, Hits, Rays, ShapeTable, SightTable
from mobilesim_py.world.sight import MIXED


@kernel
def cast(bodies, count, mask, reflectance, met, *tables):
    """Find what each ray meets first; `met` is scratch, a cell for each ray.

    `tables` are the fields of Rays, Hits (whose distances are the rays' reaches at first), a ShapeTable, a GridTable and a
    SightTable.
    """
    rays = Rays(*tables[:6])
    hits = Hits(*tables[6:10])
    shapes = ShapeTable(*tables[10:14])
    ground = GridTable(*tables[14:24])
    sight = SightTable(*tables[24:])
    casting.cast(len(rays.x), rays.x, rays.y, rays.cosine, rays.sine, hits.distance, met, ground, sight, new_lanes())
    _look(bodies, count, mask, reflectance, met, rays, hits, shapes, ground)


@routine
def _look(bodies, count, mask, reflectance, met, rays, hits, shapes, ground):
    """Tell what the walls are that were met, and meet the bodies."""
    for n in range(len(rays.x)):
        x = rays.x[n]
        y = rays.y[n]
        cosine = rays.cosine[n]
        sine = rays.sine[n]
        nearest = hits.distance[n]
        hits.body[n] = NOTHING
        hits.reflectance[n] = 0
        hits.slant[n] = 0.0
        if met[n] >= 0:
            hits.body[n] = WALL
            hits.reflectance[n] = reflectance
            if reflectance == MIXED:
                item = item_met(met[n], nearest, x, y, cosine, sine, mask, ground)
                hits.reflectance[n] = ground.kinds[item] >> 8
                if ground.kinds[item] >> 8 > 1:
                    hits.slant[n] = cosine_of_incidence(cosine, sine, ground.lines[item, 2], ground.lines[item, 3])
        copy = bodies[Body.COPY, rays.carrier[n]] if rays.carrier[n] >= 0 else 0.0
        for b in range(count):
            gx = bodies[Body.X, b] - x
            gy = bodies[Body.Y, b] - y
            shape = int(bodies[Body.OUTLINE, b])
            radius = shapes.radius[shape]
            aside = gx * sine - gy * cosine
            if gx * gx + gy * gy > (nearest + radius) * (nearest + radius) or aside * aside > radius * radius:
                continue
            if b == rays.carrier[n] or bodies[Body.GHOST, b] > 0.0 or not int(bodies[Body.STOPS, b]) & mask:
                continue
            if bodies[Body.COPY, b] != copy:
                continue
            bs, bc = sincos(bodies[Body.HEADING, b])
            bx = bodies[Body.X, b]
            by = bodies[Body.Y, b]
            begin = shapes.starts[shape]
            end = shapes.starts[shape + 1]
            distance, edge = meets_body(x, y, cosine, sine, nearest, bx, by, bs, bc, shapes.edges, begin, end)
            if edge >= 0:
                value = int(bodies[Body.REFLECTANCE, b])
                nearest = distance
                hits.distance[n] = distance
                hits.body[n] = b
                hits.reflectance[n] = value
                hits.slant[n] = 0.0
                if value > 1:
                    ex = shapes.edges[edge, 2] * bc - shapes.edges[edge, 3] * bs
                    ey = shapes.edges[edge, 2] * bs + shapes.edges[edge, 3] * bc
                    hits.slant[n] = cosine_of_incidence(cosine, sine, ex, ey)
