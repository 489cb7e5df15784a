# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Who may take the step that it planned, compiled; `numpy.collision` tells how, and gives the same bits."""

from __future__ import annotations

import math

import numpy as np

from mobilesim_py.core.engines.compiled.contacts import keep_contact, note_touch
from mobilesim_py.core.engines.compiled.formulas import sincos
from mobilesim_py.core.engines.compiled.jit import piece, routine
from mobilesim_py.core.engines.compiled.outlines import distance_squared, largest_radius, meets_shape, overlap
from mobilesim_py.core.engines.compiled.places import Places, by_place, cells_about
from mobilesim_py.core.engines.formulas import ASIDE, GIVE_WAY_SHARES
from mobilesim_py.core.fields import Body, Plan, Retreat
from mobilesim_py.world.obstacles import Stops

_FOR_ROBOTS = int(Stops.ROBOTS)
NONE, TURN_ALONE, GIVE_WAY, WAY_ALONE, NOTHING = map(float, Retreat)
_FREE, _WALL = -2, -1


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
        begin = plan[Plan.BEGIN]
        order = plan[Plan.ORDER]
        x0, y0, edge, columns, rows = by_place(plan[Plan.X], plan[Plan.Y], count, begin, order)
        places = Places(x0, y0, edge, columns, rows, begin, order)
        for i in range(count):
            blocked = _is_blocked(i, bodies, count, plan, places, shapes, ground)
            plan[Plan.BLOCKED, i] = 1.0 if blocked else 0.0
            changed |= blocked
        if changed:
            # First all decide what to do, looking at the plans of the others as they were; then all do it.
            for i in range(count):
                if plan[Plan.BLOCKED, i] > 0.0:
                    _decide(i, bodies, count, plan, places, dt, shapes, ground)
            for i in range(count):
                if plan[Plan.BLOCKED, i] > 0.0:
                    _retreat(i, bodies, plan, dt)


@piece
def _is_blocked(i, bodies, count, plan, places, shapes, ground):
    """Tell whether anything is in the way of a body on its planned step; if so, note what it touches."""
    if plan[Plan.LEVEL, i] >= NOTHING or bodies[Body.GHOST, i] > 0.0:
        return False
    gx = plan[Plan.X, i] - bodies[Body.X, i]
    gy = plan[Plan.Y, i] - bodies[Body.Y, i]
    turn = plan[Plan.TURN, i]
    if gx == 0.0 and gy == 0.0 and turn == 0.0:
        return False
    walls = plan[Plan.FREE_OF_WALLS, i] <= 0.0
    gives = plan[Plan.LEVEL, i] == GIVE_WAY
    other, item, fraction = _first_met(i, gx, gy, turn, walls, gives, bodies, count, plan, places, shapes, ground)
    if other == _FREE:
        plan[Plan.FREE_OF_WALLS, i] = 1.0
        return False
    pose = (
        bodies[Body.X, i] + gx * fraction,
        bodies[Body.Y, i] + gy * fraction,
        bodies[Body.HEADING, i] + turn * fraction,
    )
    note_touch(i, pose, other, item, bodies, plan, shapes, ground)
    if plan[Plan.LEVEL, i] == NONE:
        keep_contact(i, other, bodies, plan)
    return True


@piece
def _first_met(i, gx, gy, turn, walls, gives, bodies, count, plan, places, shapes, ground):
    """Return what is in the way of a body on a step: a body's column, _WALL or _FREE, the item, and the fraction done.

    The step is looked at piece by piece, so that nothing is jumped over; `walls` says whether a wall can be in the way,
    `gives` whether the body gives way.
    """
    shape = int(bodies[Body.FOOTPRINT, i])
    pieces = int((math.sqrt(gx * gx + gy * gy) + shapes.radius[shape] * abs(turn)) / shapes.stride[shape]) + 1
    for part in range(1, pieces + 1):
        fraction = part / pieces
        px = bodies[Body.X, i] + gx * fraction
        py = bodies[Body.Y, i] + gy * fraction
        ph = bodies[Body.HEADING, i] + turn * fraction
        if walls:
            item = _wall_met(i, px, py, ph, bodies, shapes, ground)
            if item >= 0:
                return _WALL, item, fraction
        other = _body_met(i, px, py, ph, gives, bodies, count, plan, places, shapes)
        if other >= 0:
            return other, -1, fraction
    return _FREE, -1, 1.0


@routine
def _decide(i, bodies, count, plan, places, dt, shapes, ground):
    """Choose what a body that is blocked will plan next: see `Retreat`."""
    level = plan[Plan.LEVEL, i] + 1.0
    turn = bodies[Body.ROTATION, i] * dt
    stands = bodies[Body.FORWARD, i] == 0.0 and bodies[Body.LATERAL, i] == 0.0
    if turn == 0.0:
        level = NOTHING
    if level == TURN_ALONE and stands:
        # That is what it tried.
        level = GIVE_WAY
    if level == GIVE_WAY and not _find_room(i, turn, bodies, count, plan, places, shapes, ground):
        level = WAY_ALONE
    if level == WAY_ALONE and stands:
        level = NOTHING
    plan[Plan.NEXT_LEVEL, i] = level


@routine
def _find_room(i, turn, bodies, count, plan, places, shapes, ground):
    """Look for a place where a body can turn: as near as can be, and rather straight away from what it touches."""
    most = shapes.radius[int(bodies[Body.FOOTPRINT, i])] * abs(turn)
    for share in GIVE_WAY_SHARES:
        for cosine, sine in ASIDE:
            gx = (plan[Plan.AWAY_X, i] * cosine - plan[Plan.AWAY_Y, i] * sine) * (most * share)
            gy = (plan[Plan.AWAY_X, i] * sine + plan[Plan.AWAY_Y, i] * cosine) * (most * share)
            other, _, _ = _first_met(i, gx, gy, turn, True, True, bodies, count, plan, places, shapes, ground)
            if other == _FREE:
                plan[Plan.NEXT_X, i] = bodies[Body.X, i] + gx
                plan[Plan.NEXT_Y, i] = bodies[Body.Y, i] + gy
                return True
    return False


@piece
def _retreat(i, bodies, plan, dt):
    """Plan less, and remember what was pushed at."""
    level = plan[Plan.NEXT_LEVEL, i]
    turns = level in (TURN_ALONE, GIVE_WAY)
    plan[Plan.FREE_OF_WALLS, i] = 0.0
    plan[Plan.LEVEL, i] = level
    plan[Plan.X, i] = bodies[Body.X, i]
    plan[Plan.Y, i] = bodies[Body.Y, i]
    plan[Plan.TURN, i] = bodies[Body.ROTATION, i] * dt if turns else 0.0
    if level == GIVE_WAY:
        plan[Plan.X, i] = plan[Plan.NEXT_X, i]
        plan[Plan.Y, i] = plan[Plan.NEXT_Y, i]
    elif level == WAY_ALONE:
        plan_way(i, bodies, plan, dt)
    # Who only wants to turn, and can by giving way, is not held up.
    stands = bodies[Body.FORWARD, i] == 0.0 and bodies[Body.LATERAL, i] == 0.0
    bodies[Body.STALLED, i] = 0.0 if stands and level == GIVE_WAY else 1.0
    bodies[Body.STALL_X, i] = bodies[Body.X, i]
    bodies[Body.STALL_Y, i] = bodies[Body.Y, i]
    bodies[Body.STALL_HEADING, i] = bodies[Body.HEADING, i]
    bodies[Body.PUSH_FORWARD, i] = 0.0 if level == WAY_ALONE else bodies[Body.FORWARD, i]
    bodies[Body.PUSH_LATERAL, i] = 0.0 if level == WAY_ALONE else bodies[Body.LATERAL, i]
    bodies[Body.PUSH_ROTATION, i] = 0.0 if turns else bodies[Body.ROTATION, i]


@piece
def _wall_met(i, px, py, ph, bodies, shapes, ground):
    """Return the first static segment (item of the grid) that is in the way of a body at a pose, or -1."""
    shape = int(bodies[Body.FOOTPRINT, i])
    radius = shapes.radius[shape]
    columns = ground.columns
    gx = (px - ground.x0) / ground.cell
    gy = (py - ground.y0) / ground.cell
    reach = radius / ground.cell
    if gx < -reach or gy < -reach or gx > columns + reach or gy > ground.rows + reach:
        return -1
    ci = int(np.floor(gx))
    cj = int(np.floor(gy))
    if 0 <= ci < columns and 0 <= cj < ground.rows and ground.clearance[cj * columns + ci] - 1 >= reach:
        return -1
    s, c = sincos(ph)
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
            if near > radius * radius or not meets_shape(px, py, s, c, ax, ay, ex, ey, shape, shapes):
                continue
            # In the way already, before the step: then only coming closer is forbidden.
            x = bodies[Body.X, i]
            y = bodies[Body.Y, i]
            if near >= distance_squared(x, y, ax, ay, ex, ey):
                s0, c0 = sincos(bodies[Body.HEADING, i])
                if meets_shape(x, y, s0, c0, ax, ay, ex, ey, shape, shapes):
                    continue
            return item
    return -1


@piece
def _body_met(i, px, py, ph, gives, bodies, count, plan, places, shapes):
    """Return the first other body that, at its planned pose, is in the way of a body at a pose, or -1."""
    reach = shapes.radius[int(bodies[Body.FOOTPRINT, i])]
    beyond = reach + largest_radius(shapes)
    if places.columns == 0:
        for j in range(count):
            gx = plan[Plan.X, j] - px
            gy = plan[Plan.Y, j] - py
            near = gx * gx + gy * gy
            if near > beyond * beyond or j == i:
                continue
            if _is_in_the_way(i, j, near, px, py, ph, gives, bodies, plan, shapes):
                return j
        return -1
    first = count
    left, right, low, high = cells_about(px, py, beyond, places)
    for row in range(low, high + 1):
        # The cells of a row lie together.
        begin = int(places.begin[row * places.columns + left])
        end = int(places.begin[row * places.columns + right + 1])
        for k in range(begin, end):
            j = int(places.order[k])
            gx = plan[Plan.X, j] - px
            gy = plan[Plan.Y, j] - py
            near = gx * gx + gy * gy
            if near > beyond * beyond or j == i or j > first:
                continue
            if _is_in_the_way(i, j, near, px, py, ph, gives, bodies, plan, shapes):
                first = j
    return first if first < count else -1


@routine
def _is_in_the_way(i, j, near, px, py, ph, gives, bodies, plan, shapes):
    """Tell whether body j, at its planned pose, is in the way of body i at a pose; `near` is how far, squared."""
    x = bodies[Body.X, i]
    y = bodies[Body.Y, i]
    shape = int(bodies[Body.FOOTPRINT, i])
    other = int(bodies[Body.OUTLINE, j])
    both = shapes.radius[shape] + shapes.radius[other]
    if near > both * both or bodies[Body.GHOST, j] > 0.0 or not int(bodies[Body.STOPS, j]) & _FOR_ROBOTS:
        return False
    if bodies[Body.COPY, j] != bodies[Body.COPY, i]:
        return False
    bx = bodies[Body.X, j]
    by = bodies[Body.Y, j]
    heading = bodies[Body.HEADING, j]
    there = (plan[Plan.X, j], plan[Plan.Y, j], heading + plan[Plan.TURN, j])
    if not overlap((px, py, ph), shape, there, other, shapes):
        return False
    ox = bx - x
    oy = by - y
    # Run into from behind: the other is to blame, as long as it has not given up its own step. Where both part from
    # each other, and for who gives way, there is no such excuse.
    gx = bx - px
    gy = by - py
    hx = plan[Plan.X, j] - x
    hy = plan[Plan.Y, j] - y
    apart = ox * ox + oy * oy
    rolls = plan[Plan.X, j] != bx or plan[Plan.Y, j] != by or plan[Plan.TURN, j] != 0.0
    if rolls and not gives and gx * gx + gy * gy > apart and hx * hx + hy * hy <= apart:
        return False
    parting = near >= ox * ox + oy * oy
    return not (parting and overlap((x, y, bodies[Body.HEADING, i]), shape, (bx, by, heading), other, shapes))
