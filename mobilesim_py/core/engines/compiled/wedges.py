# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""The nearest thing in each of many wedges, compiled; `numpy.wedges` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.engines.compiled.formulas import nearest_in_wedge, sincos
from mobilesim_py.core.engines.compiled.jit import lean_kernel, routine
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import GridTable, ShapeTable, Wedges


@lean_kernel
def nearest(bodies, count, mask, best, *tables):
    """Find how far the nearest thing in each wedge is, into `best`.

    `tables` are the fields of Wedges, a ShapeTable and a GridTable.
    """
    wedges = Wedges(*tables[:6])
    shapes = ShapeTable(*tables[6:10])
    ground = GridTable(*tables[10:])
    for n in range(len(best)):
        best[n] = wedges.reach[n]
        s, c = sincos(wedges.heading[n])
        sine, cosine = sincos(wedges.half[n])
        wedge = (wedges.x[n], wedges.y[n], s, c, sine, cosine)
        best[n] = min(best[n], _nearest_wall(wedge, wedges.reach[n], mask, ground))
        best[n] = _nearest_body(wedge, best[n], wedges.carrier[n], mask, bodies, count, shapes)


@routine
def _to_segment(wedge, ax, ay, ex, ey):
    """Return how far the nearest place of a segment in the world is that lies in a wedge."""
    x, y, s, c, sine, cosine = wedge
    rx = ax - x
    ry = ay - y
    return nearest_in_wedge(rx * c + ry * s, ry * c - rx * s, ex * c + ey * s, ey * c - ex * s, cosine, sine)


@routine
def _nearest_wall(wedge, limit, mask, ground):
    """Return how far the nearest wall in a wedge is."""
    columns = ground.columns
    gx = (wedge[0] - ground.x0) / ground.cell
    gy = (wedge[1] - ground.y0) / ground.cell
    reach = limit / ground.cell
    low = min(float(columns), max(0.0, np.floor(gx - reach)))
    high = max(low - 1.0, min(columns - 1.0, np.floor(gx + reach)))
    best = limit
    for j in range(int(max(0.0, np.floor(gy - reach))), int(min(ground.rows - 1.0, np.floor(gy + reach))) + 1):
        # The cells of a row lie together.
        for item in range(ground.starts[j * columns + int(low)], ground.starts[j * columns + int(high) + 1]):
            if ground.kinds[item] & mask:
                line = ground.lines[item]
                best = min(best, _to_segment(wedge, line[0], line[1], line[2], line[3]))
    return best


@routine
def _nearest_body(wedge, limit, carrier, mask, bodies, count, shapes):
    """Return how far the nearest body in a wedge is."""
    best = limit
    copy = bodies[Body.COPY, carrier] if carrier >= 0 else 0.0
    for b in range(count):
        bx = bodies[Body.X, b]
        by = bodies[Body.Y, b]
        gx = bx - wedge[0]
        gy = by - wedge[1]
        shape = int(bodies[Body.OUTLINE, b])
        far = limit + shapes.radius[shape]
        if gx * gx + gy * gy > far * far or b == carrier:
            continue
        if bodies[Body.GHOST, b] > 0.0 or not int(bodies[Body.STOPS, b]) & mask:
            continue
        if bodies[Body.COPY, b] != copy:
            continue
        s, c = sincos(bodies[Body.HEADING, b])
        for e in range(shapes.starts[shape], shapes.starts[shape + 1]):
            ax = bx + shapes.edges[e, 0] * c - shapes.edges[e, 1] * s
            ay = by + shapes.edges[e, 0] * s + shapes.edges[e, 1] * c
            ex = shapes.edges[e, 2] * c - shapes.edges[e, 3] * s
            ey = shapes.edges[e, 2] * s + shapes.edges[e, 3] * c
            best = min(best, _to_segment(wedge, ax, ay, ex, ey))
    return best
