# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Compiled motion: one robot after the other, in machine code, without the interpreter's lock.

Importing this module imports Numba, which takes a while: `compiling` does it beside the running simulation. The formulas
and the law of motion are compiled from the very functions that the NumPy engine calls.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from mobilesim_py.core.drives import axes as law
from mobilesim_py.core.engines.compiled.formulas import (
    compiled,
    distance_squared,
    draw_bits,
    draw_key,
    encloses,
    high_uniform,
    low_uniform,
    sincos,
    touches,
    wrap,
)
from mobilesim_py.core.fields import Body
from mobilesim_py.world.obstacles import Stops

_FOR_ROBOTS = int(Stops.ROBOTS)
_STALL_REACH = law.STALL_REACH
_STALL_TURN = law.STALL_TURN
_EMERGENCY = law.EMERGENCY_DECELERATION


@numba.njit(nogil=True, error_model="numpy")
def _choose(condition, yes, no):
    return yes if condition else no


_wanted_velocity = compiled(law.wanted_velocity, choose=_choose, steady_velocity=compiled(law.steady_velocity))
_next_velocity = compiled(law.next_velocity, choose=_choose)
_left_to_go = compiled(law.left_to_go, choose=_choose)


@numba.njit(nogil=True, error_model="numpy")
def _hits_wall(
    i, fraction, plan, bodies, shape, edges, first, last, radius,
    x0, y0, cell, columns, rows, starts, lines, kinds, clearance,
):  # fmt: skip
    """Whether a static segment is in the way of a body that has gone a fraction of its planned step."""
    x = bodies[Body.X, i]
    y = bodies[Body.Y, i]
    heading = bodies[Body.HEADING, i]
    px = x + (plan[0, i] - x) * fraction
    py = y + (plan[1, i] - y) * fraction
    ph = heading + plan[2, i] * fraction
    gx = (px - x0) / cell
    gy = (py - y0) / cell
    reach = radius / cell
    if gx < -reach or gy < -reach or gx > columns + reach or gy > rows + reach:
        return False
    ci = int(np.floor(gx))
    cj = int(np.floor(gy))
    if ci >= 0 and ci < columns and cj >= 0 and cj < rows and clearance[cj * columns + ci] - 1 >= reach:
        return False
    s, c = sincos(ph)
    for j in range(max(0, int(np.floor(gy - reach))), min(rows - 1, int(np.floor(gy + reach))) + 1):
        for k in range(max(0, int(np.floor(gx - reach))), min(columns - 1, int(np.floor(gx + reach))) + 1):
            place = j * columns + k
            for item in range(starts[place], starts[place + 1]):
                if not kinds[item] & _FOR_ROBOTS:
                    continue
                ax = lines[item, 0]
                ay = lines[item, 1]
                ex = lines[item, 2]
                ey = lines[item, 3]
                near = distance_squared(px, py, ax, ay, ex, ey)
                if near > radius * radius:
                    continue
                rx = ax - px
                ry = ay - py
                if not touches(
                    rx * c + ry * s, ry * c - rx * s, ex * c + ey * s, ey * c - ex * s, edges, first, last
                ):  # fmt: skip
                    continue
                # In the way already, before the step: then only coming closer is forbidden.
                if near >= distance_squared(x, y, ax, ay, ex, ey):
                    s0, c0 = sincos(heading)
                    rx = ax - x
                    ry = ay - y
                    if touches(
                        rx * c0 + ry * s0, ry * c0 - rx * s0, ex * c0 + ey * s0, ey * c0 - ex * s0, edges, first, last
                    ):  # fmt: skip
                        continue
                return True
    return False


@numba.njit(nogil=True, error_model="numpy")
def _overlap(x, y, heading, bx, by, bheading, edges, first, last, bfirst, blast):
    """Whether the footprint of one body at a pose touches the outline of another at its pose."""
    s, c = sincos(heading)
    bs, bc = sincos(bheading)
    for e in range(bfirst, blast):
        ax = bx + edges[e, 0] * bc - edges[e, 1] * bs - x
        ay = by + edges[e, 0] * bs + edges[e, 1] * bc - y
        ex = edges[e, 2] * bc - edges[e, 3] * bs
        ey = edges[e, 2] * bs + edges[e, 3] * bc
        if touches(ax * c + ay * s, ay * c - ax * s, ex * c + ey * s, ey * c - ex * s, edges, first, last):
            return True
    rx = x - bx
    ry = y - by
    return encloses(rx * bc + ry * bs, ry * bc - rx * bs, edges, bfirst, blast)


@numba.njit(nogil=True, error_model="numpy")
def _hits_body(i, fraction, plan, bodies, count, edges, starts, radii):
    """Whether another body, at its planned pose, is in the way of a body that has gone a fraction of its step."""
    x = bodies[Body.X, i]
    y = bodies[Body.Y, i]
    heading = bodies[Body.HEADING, i]
    px = x + (plan[0, i] - x) * fraction
    py = y + (plan[1, i] - y) * fraction
    ph = heading + plan[2, i] * fraction
    shape = int(bodies[Body.FOOTPRINT, i])
    reach = radii[shape]
    for j in range(count):
        if j == i:
            continue
        gx = plan[0, j] - px
        gy = plan[1, j] - py
        other = int(bodies[Body.OUTLINE, j])
        near = gx * gx + gy * gy
        both = reach + radii[other]
        if near > both * both or bodies[Body.GHOST, j] > 0.0 or not int(bodies[Body.STOPS, j]) & _FOR_ROBOTS:
            continue
        if not _overlap(
            px, py, ph, plan[0, j], plan[1, j], bodies[Body.HEADING, j] + plan[2, j],
            edges, starts[shape], starts[shape + 1], starts[other], starts[other + 1],
        ):  # fmt: skip
            continue
        ox = bodies[Body.X, j] - x
        oy = bodies[Body.Y, j] - y
        # Run into from behind: the other is to blame, as long as it has not given up its own step.
        gx = bodies[Body.X, j] - px
        gy = bodies[Body.Y, j] - py
        rolls = plan[0, j] != bodies[Body.X, j] or plan[1, j] != bodies[Body.Y, j] or plan[2, j] != 0.0
        if rolls and gx * gx + gy * gy > ox * ox + oy * oy:
            continue
        if near >= ox * ox + oy * oy and _overlap(
            x, y, heading, bodies[Body.X, j], bodies[Body.Y, j], bodies[Body.HEADING, j],
            edges, starts[shape], starts[shape + 1], starts[other], starts[other + 1],
        ):  # fmt: skip
            continue
        return True
    return False


@numba.njit(nogil=True, error_model="numpy", cache=True)
def advance(
    bodies, count, dt, ticks, seed, tick, plan, edges, shape_starts, radii, strides,
    x0, y0, cell, columns, rows, starts, lines, kinds, clearance,
):  # fmt: skip
    """Some ticks of motion: velocities, planned poses, collisions, odometry, all in place.

    `plan` is scratch, 6 x N: planned x, y and turn, the level of retreat, whether the plan is blocked or already
    known to be free of walls. Levels: 0 the whole step, 1 the turn alone, 2 the way alone, 3 nothing.
    """
    for now in range(ticks):
        anything = False
        for i in range(count):
            plan[3, i] = 3.0
            plan[0, i] = bodies[Body.X, i]
            plan[1, i] = bodies[Body.Y, i]
            plan[2, i] = 0.0
            motors = bodies[Body.MOTORS, i]
            stopping = bodies[Body.STOPPING, i]
            held = motors <= 0.0 or stopping > 0.0
            forward = bodies[Body.FORWARD, i]
            lateral = bodies[Body.LATERAL, i]
            rotation = bodies[Body.ROTATION, i]
            if (
                forward == 0.0 and lateral == 0.0 and rotation == 0.0 and (
                    held or (bodies[Body.FORWARD_TARGET, i] == 0.0 and bodies[Body.LATERAL_TARGET, i] == 0.0
                             and bodies[Body.ROTATION_TARGET, i] == 0.0))
            ):  # fmt: skip
                bodies[Body.STOPPING, i] = 0.0
                bodies[Body.STALLED, i] = 0.0
                continue
            anything = True
            want_f = 0.0
            want_l = 0.0
            want_r = 0.0
            if not held:
                want_f = _wanted_velocity(
                    bodies[Body.FORWARD_IS_MOVE, i], bodies[Body.FORWARD_TARGET, i], bodies[Body.FORWARD_LIMIT, i],
                    bodies[Body.FORWARD_DECELERATION, i], dt,
                )  # fmt: skip
                want_l = _wanted_velocity(
                    0.0, bodies[Body.LATERAL_TARGET, i], bodies[Body.LATERAL_LIMIT, i],
                    bodies[Body.LATERAL_DECELERATION, i], dt,
                )  # fmt: skip
                want_r = _wanted_velocity(
                    bodies[Body.ROTATION_IS_TURN, i], bodies[Body.ROTATION_TARGET, i], bodies[Body.ROTATION_LIMIT, i],
                    bodies[Body.ROTATION_DECELERATION, i], dt,
                )  # fmt: skip
            if stopping > 0.0:
                forward = _next_velocity(forward, want_f, _EMERGENCY, _EMERGENCY, dt)
                lateral = _next_velocity(lateral, want_l, _EMERGENCY, _EMERGENCY, dt)
                rotation = _next_velocity(rotation, want_r, _EMERGENCY, _EMERGENCY, dt)
            else:
                forward = _next_velocity(
                    forward, want_f, bodies[Body.FORWARD_ACCELERATION, i], bodies[Body.FORWARD_DECELERATION, i], dt
                )
                lateral = _next_velocity(
                    lateral, want_l, bodies[Body.LATERAL_ACCELERATION, i], bodies[Body.LATERAL_DECELERATION, i], dt
                )
                rotation = _next_velocity(
                    rotation, want_r, bodies[Body.ROTATION_ACCELERATION, i], bodies[Body.ROTATION_DECELERATION, i], dt
                )
            if stopping > 0.0 and forward == 0.0 and lateral == 0.0 and rotation == 0.0:
                bodies[Body.STOPPING, i] = 0.0
            bodies[Body.FORWARD, i] = forward
            bodies[Body.LATERAL, i] = lateral
            bodies[Body.ROTATION, i] = rotation
            s, c = sincos(bodies[Body.HEADING, i])
            plan[0, i] = bodies[Body.X, i] + (forward * c - lateral * s) * dt
            plan[1, i] = bodies[Body.Y, i] + (forward * s + lateral * c) * dt
            plan[2, i] = rotation * dt
            plan[3, i] = 0.0
            plan[5, i] = 0.0
            # Whether the collision that stalled it is still being pushed at.
            pushing = (
                want_f * bodies[Body.PUSH_FORWARD, i] + want_l * bodies[Body.PUSH_LATERAL, i] > 0.0
                or want_r * bodies[Body.PUSH_ROTATION, i] > 0.0
            )
            gx = bodies[Body.X, i] - bodies[Body.STALL_X, i]
            gy = bodies[Body.Y, i] - bodies[Body.STALL_Y, i]
            turn = wrap(bodies[Body.HEADING, i] - bodies[Body.STALL_HEADING, i])
            if not (pushing and gx * gx + gy * gy < _STALL_REACH * _STALL_REACH and abs(turn) < _STALL_TURN):
                bodies[Body.STALLED, i] = 0.0
        if not anything:
            continue
        changed = True
        while changed:
            changed = False
            for i in range(count):
                plan[4, i] = 0.0
                if plan[3, i] >= 3.0 or bodies[Body.GHOST, i] > 0.0:
                    continue
                shape = int(bodies[Body.FOOTPRINT, i])
                radius = radii[shape]
                gx = plan[0, i] - bodies[Body.X, i]
                gy = plan[1, i] - bodies[Body.Y, i]
                if gx == 0.0 and gy == 0.0 and plan[2, i] == 0.0:
                    continue
                pieces = int((math.sqrt(gx * gx + gy * gy) + radius * abs(plan[2, i])) / strides[shape]) + 1
                for piece in range(1, pieces + 1):
                    fraction = piece / pieces
                    if (plan[5, i] <= 0.0 and _hits_wall(
                        i, fraction, plan, bodies, shape, edges, shape_starts[shape], shape_starts[shape + 1], radius,
                        x0, y0, cell, columns, rows, starts, lines, kinds, clearance,
                    )) or _hits_body(i, fraction, plan, bodies, count, edges, shape_starts, radii):  # fmt: skip
                        plan[4, i] = 1.0
                        changed = True
                        break
                if plan[4, i] <= 0.0:
                    plan[5, i] = 1.0
            for i in range(count):
                if plan[4, i] <= 0.0:
                    continue
                plan[5, i] = 0.0
                level = plan[3, i] + 1.0
                turn = bodies[Body.ROTATION, i] * dt
                if turn == 0.0:
                    level = 3.0
                if level == 2.0 and bodies[Body.FORWARD, i] == 0.0 and bodies[Body.LATERAL, i] == 0.0:
                    level = 3.0
                plan[3, i] = level
                plan[0, i] = bodies[Body.X, i]
                plan[1, i] = bodies[Body.Y, i]
                plan[2, i] = 0.0
                if level == 1.0:
                    plan[2, i] = turn
                elif level == 2.0:
                    s, c = sincos(bodies[Body.HEADING, i])
                    forward = bodies[Body.FORWARD, i]
                    lateral = bodies[Body.LATERAL, i]
                    plan[0, i] = bodies[Body.X, i] + (forward * c - lateral * s) * dt
                    plan[1, i] = bodies[Body.Y, i] + (forward * s + lateral * c) * dt
                bodies[Body.STALLED, i] = 1.0
                bodies[Body.STALL_X, i] = bodies[Body.X, i]
                bodies[Body.STALL_Y, i] = bodies[Body.Y, i]
                bodies[Body.STALL_HEADING, i] = bodies[Body.HEADING, i]
                bodies[Body.PUSH_FORWARD, i] = 0.0 if level == 2.0 else bodies[Body.FORWARD, i]
                bodies[Body.PUSH_LATERAL, i] = 0.0 if level == 2.0 else bodies[Body.LATERAL, i]
                bodies[Body.PUSH_ROTATION, i] = 0.0 if level == 1.0 else bodies[Body.ROTATION, i]
        for i in range(count):
            level = plan[3, i]
            forward = bodies[Body.FORWARD, i]
            lateral = bodies[Body.LATERAL, i]
            rotation = bodies[Body.ROTATION, i]
            if forward == 0.0 and lateral == 0.0 and rotation == 0.0:
                continue
            bodies[Body.X, i] = plan[0, i]
            bodies[Body.Y, i] = plan[1, i]
            bodies[Body.HEADING, i] = wrap(bodies[Body.HEADING, i] + plan[2, i])
            if level == 1.0 or level == 3.0:
                forward = 0.0
                lateral = 0.0
            if level >= 2.0:
                rotation = 0.0
            bodies[Body.FORWARD, i] = forward
            bodies[Body.LATERAL, i] = lateral
            bodies[Body.ROTATION, i] = rotation
            if bodies[Body.REDRAW_ERROR, i] > 0.0:
                key = draw_key(np.uint64(seed), np.uint64(bodies[Body.SERIAL, i]) * np.uint64(4), np.uint64(tick + now))
                bits = draw_bits(key, np.uint64(0))
                bodies[Body.FORWARD_ERROR, i] = bodies[Body.FORWARD_ERROR_MOST, i] * high_uniform(bits)
                bodies[Body.LATERAL_ERROR, i] = bodies[Body.LATERAL_ERROR_MOST, i] * low_uniform(bits)
                bodies[Body.ROTATION_ERROR, i] = bodies[Body.ROTATION_ERROR_MOST, i] * high_uniform(
                    draw_bits(key, np.uint64(1))
                )
            went = forward * dt * (1.0 + bodies[Body.FORWARD_ERROR, i])
            slid = lateral * dt * (1.0 + bodies[Body.LATERAL_ERROR, i])
            turned = rotation * dt * (1.0 + bodies[Body.ROTATION_ERROR, i])
            s, c = sincos(bodies[Body.ODOMETRY_HEADING, i])
            bodies[Body.ODOMETRY_X, i] += went * c - slid * s
            bodies[Body.ODOMETRY_Y, i] += went * s + slid * c
            bodies[Body.ODOMETRY_HEADING, i] = wrap(bodies[Body.ODOMETRY_HEADING, i] + turned)
            rest = _left_to_go(bodies[Body.FORWARD_IS_MOVE, i], bodies[Body.FORWARD_TARGET, i], went)
            bodies[Body.FORWARD_TARGET, i] = rest
            if rest == 0.0:
                bodies[Body.FORWARD_IS_MOVE, i] = 0.0
            rest = _left_to_go(bodies[Body.ROTATION_IS_TURN, i], bodies[Body.ROTATION_TARGET, i], turned)
            bodies[Body.ROTATION_TARGET, i] = rest
            if rest == 0.0:
                bodies[Body.ROTATION_IS_TURN, i] = 0.0
