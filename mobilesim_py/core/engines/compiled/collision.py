# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Who may take the step that it planned, compiled; `numpy.collision` tells how, and gives the same bits."""

from __future__ import annotations

import math

import numpy as np

from mobilesim_py.core.engines.compiled.formulas import sincos
from mobilesim_py.core.engines.compiled.jit import piece
from mobilesim_py.core.engines.compiled.outlines import distance_squared, encloses, touches
from mobilesim_py.core.fields import Body, Plan, Retreat
from mobilesim_py.world.obstacles import Stops

_FOR_ROBOTS = int(Stops.ROBOTS)
NONE, TURN_ALONE, WAY_ALONE, NOTHING = map(float, Retreat)


@piece
def plan_way(i, bodies, plan, dt):
    """Plan the way that the velocities of a body make in a step."""
    s, c = sincos(bodies[Body.HEADING, i])
    forward = bodies[Body.FORWARD, i]
    lateral = bodies[Body.LATERAL, i]
    plan[Plan.X, i] = bodies[Body.X, i] + (forward * c - lateral * s) * dt
    plan[Plan.Y, i] = bodies[Body.Y, i] + (forward * s + lateral * c) * dt


@piece
def settle(bodies, count, plan, dt, shapes, ground):
    """Let everybody retreat until all plans fit together."""
    changed = True
    while changed:
        changed = False
        for i in range(count):
            blocked = _is_blocked(i, bodies, count, plan, shapes, ground)
            plan[Plan.BLOCKED, i] = 1.0 if blocked else 0.0
            changed |= blocked
        for i in range(count):
            if plan[Plan.BLOCKED, i] > 0.0:
                _retreat(i, bodies, plan, dt)


@piece
def _is_blocked(i, bodies, count, plan, shapes, ground):
    """Tell whether anything is in the way of a body on its planned step, piece by piece so that it jumps over nothing."""
    if plan[Plan.LEVEL, i] >= NOTHING or bodies[Body.GHOST, i] > 0.0:
        return False
    gx = plan[Plan.X, i] - bodies[Body.X, i]
    gy = plan[Plan.Y, i] - bodies[Body.Y, i]
    turn = plan[Plan.TURN, i]
    if gx == 0.0 and gy == 0.0 and turn == 0.0:
        return False
    shape = int(bodies[Body.FOOTPRINT, i])
    pieces = int((math.sqrt(gx * gx + gy * gy) + shapes.radius[shape] * abs(turn)) / shapes.stride[shape]) + 1
    for part in range(1, pieces + 1):
        fraction = part / pieces
        px = bodies[Body.X, i] + gx * fraction
        py = bodies[Body.Y, i] + gy * fraction
        ph = bodies[Body.HEADING, i] + turn * fraction
        if plan[Plan.FREE_OF_WALLS, i] <= 0.0 and _hits_wall(i, px, py, ph, bodies, shapes, ground):
            return True
        if _hits_body(i, px, py, ph, bodies, count, plan, shapes):
            return True
    plan[Plan.FREE_OF_WALLS, i] = 1.0
    return False


@piece
def _retreat(i, bodies, plan, dt):
    """Plan less, and remember what was pushed at."""
    level = plan[Plan.LEVEL, i] + 1.0
    turn = bodies[Body.ROTATION, i] * dt
    stands = bodies[Body.FORWARD, i] == 0.0 and bodies[Body.LATERAL, i] == 0.0
    if turn == 0.0 or (level == WAY_ALONE and stands):
        level = NOTHING
    plan[Plan.FREE_OF_WALLS, i] = 0.0
    plan[Plan.LEVEL, i] = level
    plan[Plan.X, i] = bodies[Body.X, i]
    plan[Plan.Y, i] = bodies[Body.Y, i]
    plan[Plan.TURN, i] = turn if level == TURN_ALONE else 0.0
    if level == WAY_ALONE:
        plan_way(i, bodies, plan, dt)
    bodies[Body.STALLED, i] = 1.0
    bodies[Body.STALL_X, i] = bodies[Body.X, i]
    bodies[Body.STALL_Y, i] = bodies[Body.Y, i]
    bodies[Body.STALL_HEADING, i] = bodies[Body.HEADING, i]
    bodies[Body.PUSH_FORWARD, i] = 0.0 if level == WAY_ALONE else bodies[Body.FORWARD, i]
    bodies[Body.PUSH_LATERAL, i] = 0.0 if level == WAY_ALONE else bodies[Body.LATERAL, i]
    bodies[Body.PUSH_ROTATION, i] = 0.0 if level == TURN_ALONE else bodies[Body.ROTATION, i]


@piece
def _hits_wall(i, px, py, ph, bodies, shapes, ground):
    """Tell whether a static segment is in the way of a body at a pose."""
    shape = int(bodies[Body.FOOTPRINT, i])
    radius = shapes.radius[shape]
    columns = ground.columns
    gx = (px - ground.x0) / ground.cell
    gy = (py - ground.y0) / ground.cell
    reach = radius / ground.cell
    if gx < -reach or gy < -reach or gx > columns + reach or gy > ground.rows + reach:
        return False
    ci = int(np.floor(gx))
    cj = int(np.floor(gy))
    if 0 <= ci < columns and 0 <= cj < ground.rows and ground.clearance[cj * columns + ci] - 1 >= reach:
        return False
    s, c = sincos(ph)
    first = shapes.starts[shape]
    last = shapes.starts[shape + 1]
    low = max(0, int(np.floor(gx - reach)))
    high = min(columns - 1, int(np.floor(gx + reach)))
    for j in range(max(0, int(np.floor(gy - reach))), min(ground.rows - 1, int(np.floor(gy + reach))) + 1):
        if high < low:
            continue
        # The cells of a row lie together.
        for item in range(ground.starts[j * columns + low], ground.starts[j * columns + high + 1]):
            if not ground.kinds[item] & _FOR_ROBOTS:
                continue
            ax = ground.lines[item, 0]
            ay = ground.lines[item, 1]
            ex = ground.lines[item, 2]
            ey = ground.lines[item, 3]
            near = distance_squared(px, py, ax, ay, ex, ey)
            if near > radius * radius or not _meets(px, py, s, c, ax, ay, ex, ey, shapes.edges, first, last):
                continue
            # In the way already, before the step: then only coming closer is forbidden.
            x = bodies[Body.X, i]
            y = bodies[Body.Y, i]
            if near >= distance_squared(x, y, ax, ay, ex, ey):
                s0, c0 = sincos(bodies[Body.HEADING, i])
                if _meets(x, y, s0, c0, ax, ay, ex, ey, shapes.edges, first, last):
                    continue
            return True
    return False


@piece
def _meets(x, y, s, c, ax, ay, ex, ey, edges, first, last):
    """Tell whether a segment in the world crosses, or lies inside, a shape at a pose."""
    rx = ax - x
    ry = ay - y
    return touches(rx * c + ry * s, ry * c - rx * s, ex * c + ey * s, ey * c - ex * s, edges, first, last)


@piece
def _hits_body(i, px, py, ph, bodies, count, plan, shapes):
    """Tell whether another body, at its planned pose, is in the way of a body at a pose."""
    x = bodies[Body.X, i]
    y = bodies[Body.Y, i]
    shape = int(bodies[Body.FOOTPRINT, i])
    reach = shapes.radius[shape]
    for j in range(count):
        if j == i:
            continue
        gx = plan[Plan.X, j] - px
        gy = plan[Plan.Y, j] - py
        other = int(bodies[Body.OUTLINE, j])
        near = gx * gx + gy * gy
        both = reach + shapes.radius[other]
        if near > both * both or bodies[Body.GHOST, j] > 0.0 or not int(bodies[Body.STOPS, j]) & _FOR_ROBOTS:
            continue
        bx = bodies[Body.X, j]
        by = bodies[Body.Y, j]
        heading = bodies[Body.HEADING, j]
        if not _overlap(
            (px, py, ph), shape, (plan[Plan.X, j], plan[Plan.Y, j], heading + plan[Plan.TURN, j]), other, shapes
        ):
            continue
        ox = bx - x
        oy = by - y
        # Run into from behind: the other is to blame, as long as it has not given up its own step.
        gx = bx - px
        gy = by - py
        rolls = plan[Plan.X, j] != bx or plan[Plan.Y, j] != by or plan[Plan.TURN, j] != 0.0
        if rolls and gx * gx + gy * gy > ox * ox + oy * oy:
            continue
        parting = near >= ox * ox + oy * oy
        if not (parting and _overlap((x, y, bodies[Body.HEADING, i]), shape, (bx, by, heading), other, shapes)):
            return True
    return False


@piece
def _overlap(pose, footprint, other_pose, outline, shapes):
    """Tell whether the footprint of one body at a pose touches the outline of another at its pose."""
    x, y, heading = pose
    bx, by, bheading = other_pose
    edges = shapes.edges
    first = shapes.starts[footprint]
    last = shapes.starts[footprint + 1]
    s, c = sincos(heading)
    bs, bc = sincos(bheading)
    for e in range(shapes.starts[outline], shapes.starts[outline + 1]):
        ax = bx + edges[e, 0] * bc - edges[e, 1] * bs
        ay = by + edges[e, 0] * bs + edges[e, 1] * bc
        ex = edges[e, 2] * bc - edges[e, 3] * bs
        ey = edges[e, 2] * bs + edges[e, 3] * bc
        if _meets(x, y, s, c, ax, ay, ex, ey, edges, first, last):
            return True
    rx = x - bx
    ry = y - by
    return encloses(rx * bc + ry * bs, ry * bc - rx * bs, edges, shapes.starts[outline], shapes.starts[outline + 1])
