# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Where bodies touch what is in their way, compiled; `numpy.contacts` tells how, and gives the same bits."""

from __future__ import annotations

import math

from mobilesim_py.core.engines.compiled.formulas import sincos
from mobilesim_py.core.engines.compiled.jit import piece, routine
from mobilesim_py.core.engines.compiled.outlines import encloses, meets_shape
from mobilesim_py.core.fields import Body, Plan, Touch

_FREE, _WALL, _BODY = map(float, Touch)


@routine
def note_touch(i, pose, other, item, bodies, plan, shapes, ground):
    """Note where a body at a pose touches a wall (an item of the grid) or another body, and the direction away from it."""
    shape = int(bodies[Body.FOOTPRINT, i])
    if other < 0:
        line = (ground.lines[item, 0], ground.lines[item, 1], ground.lines[item, 2], ground.lines[item, 3])
    else:
        line = _side_met(pose, shape, other, bodies, plan, shapes)
    ax, ay, ex, ey = line
    x, y, heading = pose
    s, c = sincos(heading)
    rx = ax - x
    ry = ay - y
    share = _middle(rx * c + ry * s, ry * c - rx * s, ex * c + ey * s, ey * c - ex * s, shape, shapes)
    gx = rx + share * ex
    gy = ry + share * ey
    plan[Plan.PLACE_X, i] = gx * c + gy * s
    plan[Plan.PLACE_Y, i] = gy * c - gx * s
    # The normal, on the side of the body's middle; a point has none, then straight away from it.
    away_x = -ey
    away_y = ex
    if away_x * rx + away_y * ry > 0.0:
        away_x = ey
        away_y = -ex
    if ex == 0.0 and ey == 0.0:
        away_x = -gx
        away_y = -gy
    length = math.sqrt(away_x * away_x + away_y * away_y)
    plan[Plan.AWAY_X, i] = away_x / length if length > 0.0 else 1.0
    plan[Plan.AWAY_Y, i] = away_y / length if length > 0.0 else 0.0


@routine
def _side_met(pose, shape, j, bodies, plan, shapes):
    """Return the first side of the outline of body j, where it plans to be, that a shape at a pose meets: x y dx dy."""
    x, y, heading = pose
    s, c = sincos(heading)
    bs, bc = sincos(bodies[Body.HEADING, j] + plan[Plan.TURN, j])
    bx = plan[Plan.X, j]
    by = plan[Plan.Y, j]
    outline = int(bodies[Body.OUTLINE, j])
    for e in range(shapes.starts[outline], shapes.starts[outline + 1]):
        ax = bx + shapes.edges[e, 0] * bc - shapes.edges[e, 1] * bs
        ay = by + shapes.edges[e, 0] * bs + shapes.edges[e, 1] * bc
        ex = shapes.edges[e, 2] * bc - shapes.edges[e, 3] * bs
        ey = shapes.edges[e, 2] * bs + shapes.edges[e, 3] * bc
        if meets_shape(x, y, s, c, ax, ay, ex, ey, shape, shapes):
            return ax, ay, ex, ey
    # The shape is inside the body.
    return bx, by, 0.0, 0.0


@routine
def _middle(ax, ay, ex, ey, shape, shapes):
    """Return which share along a segment, in the frame of a shape, is the middle of what the shape covers of it."""
    first = shapes.starts[shape]
    last = shapes.starts[shape + 1]
    low = 0.0 if encloses(ax, ay, shapes.edges, first, last) else 1.0
    high = 1.0 if encloses(ax + ex, ay + ey, shapes.edges, first, last) else 0.0
    for e in range(first, last):
        qx = shapes.edges[e, 2]
        qy = shapes.edges[e, 3]
        across = ex * qy - ey * qx
        if across != 0.0:
            rx = shapes.edges[e, 0] - ax
            ry = shapes.edges[e, 1] - ay
            t = (rx * qy - ry * qx) / across
            u = (rx * ey - ry * ex) / across
            if t >= 0.0 and t <= 1.0 and u >= 0.0 and u <= 1.0:
                low = min(low, t)
                high = max(high, t)
    return 0.5 * (low + high)


@piece
def keep_contact(i, other, bodies, plan):
    """Let a body know what it touched with the step that it wanted to make."""
    bodies[Body.CONTACT, i] = _WALL if other < 0 else _BODY
    bodies[Body.CONTACT_X, i] = plan[Plan.PLACE_X, i]
    bodies[Body.CONTACT_Y, i] = plan[Plan.PLACE_Y, i]
    bodies[Body.CONTACT_WITH, i] = 0.0 if other < 0 else bodies[Body.SERIAL, other]
    plan[Plan.OTHER, i] = other


@routine
def tell_others(bodies, count, plan):
    """Let bodies that were run into know it, unless they touch something themselves."""
    for i in range(count):
        j = int(plan[Plan.OTHER, i])
        if j < 0 or bodies[Body.CONTACT, j] > 0.0:
            continue
        s, c = sincos(bodies[Body.HEADING, i])
        x = bodies[Body.CONTACT_X, i]
        y = bodies[Body.CONTACT_Y, i]
        gx = bodies[Body.X, i] + x * c - y * s - bodies[Body.X, j]
        gy = bodies[Body.Y, i] + x * s + y * c - bodies[Body.Y, j]
        s, c = sincos(bodies[Body.HEADING, j])
        bodies[Body.CONTACT, j] = _BODY
        bodies[Body.CONTACT_X, j] = gx * c + gy * s
        bodies[Body.CONTACT_Y, j] = gy * c - gx * s
        bodies[Body.CONTACT_WITH, j] = bodies[Body.SERIAL, i]
