# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Some ticks of motion, compiled: one robot after the other, without the interpreter's lock.

The formulas and the law of motion are compiled from the very functions that the NumPy engine calls.
"""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.drives import axes
from mobilesim_py.core.engines.compiled.collision import NONE, NOTHING, TURN_ALONE, WAY_ALONE, plan_way, settle
from mobilesim_py.core.engines.compiled.formulas import (
    choose,
    compiled,
    draw_bits,
    draw_key,
    high_uniform,
    low_uniform,
    noise_source,
    sincos,
    wrap,
)
from mobilesim_py.core.engines.compiled.jit import lean_kernel, piece
from mobilesim_py.core.engines.formulas import ODOMETRY_NOISE
from mobilesim_py.core.fields import Body, Plan
from mobilesim_py.core.scene import GridTable, ShapeTable

_STALL_REACH = axes.STALL_REACH
_STALL_TURN = axes.STALL_TURN
_EMERGENCY = axes.EMERGENCY_DECELERATION
_wanted_velocity = compiled(axes.wanted_velocity, choose=choose, steady_velocity=compiled(axes.steady_velocity))
_next_velocity = compiled(axes.next_velocity, choose=choose)
_left_to_go = compiled(axes.left_to_go, choose=choose)
_FORWARD, _LATERAL, _ROTATION = range(3)


@lean_kernel
def advance(bodies, count, dt, ticks, seed, tick, plan, *tables):
    """Move all bodies for some ticks: velocities, planned poses, collisions, odometry, all in place.

    `plan` is scratch, a row for each `Plan`; `tables` are the fields of a ShapeTable and a GridTable.
    """
    shapes = ShapeTable(*tables[:4])
    ground = GridTable(*tables[4:])
    for now in range(ticks):
        anything = False
        for i in range(count):
            _plan_nothing(i, bodies, plan)
            if _is_active(i, bodies):
                anything = True
                _drive(i, bodies, dt)
                plan_way(i, bodies, plan, dt)
                plan[Plan.TURN, i] = bodies[Body.ROTATION, i] * dt
                plan[Plan.LEVEL, i] = NONE
                plan[Plan.FREE_OF_WALLS, i] = 0.0
            else:
                bodies[Body.STOPPING, i] = 0.0
                bodies[Body.STALLED, i] = 0.0
        if anything:
            settle(bodies, count, plan, dt, shapes, ground)
            for i in range(count):
                if _rolls(i, bodies):
                    _go(i, bodies, plan)
                    _redraw_error(i, bodies, seed, tick + now)
                    _count_way(i, bodies, dt)


@piece
def _plan_nothing(i, bodies, plan):
    """Plan to stay."""
    plan[Plan.X, i] = bodies[Body.X, i]
    plan[Plan.Y, i] = bodies[Body.Y, i]
    plan[Plan.TURN, i] = 0.0
    plan[Plan.LEVEL, i] = NOTHING


@piece
def _rolls(i, bodies):
    """Tell whether a body has any velocity."""
    return bodies[Body.FORWARD, i] != 0.0 or bodies[Body.LATERAL, i] != 0.0 or bodies[Body.ROTATION, i] != 0.0


@piece
def _is_held(i, bodies):
    """Tell whether what a body was told counts for nothing now."""
    return bodies[Body.MOTORS, i] <= 0.0 or bodies[Body.STOPPING, i] > 0.0


@piece
def _is_active(i, bodies):
    """Tell whether a body moves, or may begin to."""
    if _rolls(i, bodies):
        return True
    wants = (
        bodies[Body.FORWARD_TARGET, i] != 0.0
        or bodies[Body.LATERAL_TARGET, i] != 0.0
        or bodies[Body.ROTATION_TARGET, i] != 0.0
    )
    return wants and not _is_held(i, bodies)


@piece
def _drive(i, bodies, dt):
    """Give a body its new velocities, and end its stall when it no longer pushes."""
    held = _is_held(i, bodies)
    want_f = 0.0 if held else _wanted(i, _FORWARD, bodies, dt)
    want_l = 0.0 if held else _wanted(i, _LATERAL, bodies, dt)
    want_r = 0.0 if held else _wanted(i, _ROTATION, bodies, dt)
    _approach(i, _FORWARD, want_f, bodies, dt)
    _approach(i, _LATERAL, want_l, bodies, dt)
    _approach(i, _ROTATION, want_r, bodies, dt)
    if bodies[Body.STOPPING, i] > 0.0 and not _rolls(i, bodies):
        bodies[Body.STOPPING, i] = 0.0
    if bodies[Body.STALLED, i] > 0.0 and not _still_pushes(i, want_f, want_l, want_r, bodies):
        bodies[Body.STALLED, i] = 0.0


@piece
def _wanted(i, axis, bodies, dt):
    """Return the velocity that a body steers for on an axis."""
    return _wanted_velocity(
        bodies[Body.FORWARD_IS_MOVE + axis, i],
        bodies[Body.FORWARD_TARGET + axis, i],
        bodies[Body.FORWARD_LIMIT + axis, i],
        bodies[Body.FORWARD_DECELERATION + axis, i],
        dt,
    )


@piece
def _approach(i, axis, wanted, bodies, dt):
    """Bring a velocity nearer to what is wanted."""
    up = bodies[Body.FORWARD_ACCELERATION + axis, i]
    down = bodies[Body.FORWARD_DECELERATION + axis, i]
    if bodies[Body.STOPPING, i] > 0.0:
        up = _EMERGENCY
        down = _EMERGENCY
    bodies[Body.FORWARD + axis, i] = _next_velocity(bodies[Body.FORWARD + axis, i], wanted, up, down, dt)


@piece
def _still_pushes(i, want_f, want_l, want_r, bodies):
    """Tell whether a stalled body still pushes at what stalled it."""
    pushing = (
        want_f * bodies[Body.PUSH_FORWARD, i] + want_l * bodies[Body.PUSH_LATERAL, i] > 0.0
        or want_r * bodies[Body.PUSH_ROTATION, i] > 0.0
    )
    gx = bodies[Body.X, i] - bodies[Body.STALL_X, i]
    gy = bodies[Body.Y, i] - bodies[Body.STALL_Y, i]
    turn = wrap(bodies[Body.HEADING, i] - bodies[Body.STALL_HEADING, i])
    return pushing and gx * gx + gy * gy < _STALL_REACH * _STALL_REACH and abs(turn) < _STALL_TURN


@piece
def _go(i, bodies, plan):
    """Go where the plan ended up, and lose the velocities that were blocked."""
    bodies[Body.X, i] = plan[Plan.X, i]
    bodies[Body.Y, i] = plan[Plan.Y, i]
    bodies[Body.HEADING, i] = wrap(bodies[Body.HEADING, i] + plan[Plan.TURN, i])
    level = plan[Plan.LEVEL, i]
    if level in (TURN_ALONE, NOTHING):
        bodies[Body.FORWARD, i] = 0.0
        bodies[Body.LATERAL, i] = 0.0
    if level >= WAY_ALONE:
        bodies[Body.ROTATION, i] = 0.0


@piece
def _redraw_error(i, bodies, seed, tick):
    """Draw new shares of error for odometry that errs anew at every step."""
    if bodies[Body.REDRAW_ERROR, i] > 0.0:
        source = noise_source(np.uint64(bodies[Body.SERIAL, i]), np.uint64(ODOMETRY_NOISE))
        key = draw_key(np.uint64(seed), source, np.uint64(tick))
        bits = draw_bits(key, np.uint64(0))
        more = draw_bits(key, np.uint64(1))
        bodies[Body.FORWARD_ERROR, i] = bodies[Body.FORWARD_ERROR_MOST, i] * high_uniform(bits)
        bodies[Body.LATERAL_ERROR, i] = bodies[Body.LATERAL_ERROR_MOST, i] * low_uniform(bits)
        bodies[Body.ROTATION_ERROR, i] = bodies[Body.ROTATION_ERROR_MOST, i] * high_uniform(more)


@piece
def _count_way(i, bodies, dt):
    """Let odometry count what was covered, and moves and turns have so much less to go."""
    went = bodies[Body.FORWARD, i] * dt * (1.0 + bodies[Body.FORWARD_ERROR, i])
    slid = bodies[Body.LATERAL, i] * dt * (1.0 + bodies[Body.LATERAL_ERROR, i])
    turned = bodies[Body.ROTATION, i] * dt * (1.0 + bodies[Body.ROTATION_ERROR, i])
    s, c = sincos(bodies[Body.ODOMETRY_HEADING, i])
    bodies[Body.ODOMETRY_X, i] += went * c - slid * s
    bodies[Body.ODOMETRY_Y, i] += went * s + slid * c
    bodies[Body.ODOMETRY_HEADING, i] = wrap(bodies[Body.ODOMETRY_HEADING, i] + turned)
    _shorten(i, _FORWARD, went, bodies)
    _shorten(i, _ROTATION, turned, bodies)


@piece
def _shorten(i, axis, covered, bodies):
    """Let a move or turn have less to go."""
    rest = _left_to_go(bodies[Body.FORWARD_IS_MOVE + axis, i], bodies[Body.FORWARD_TARGET + axis, i], covered)
    bodies[Body.FORWARD_TARGET + axis, i] = rest
    if rest == 0.0:
        bodies[Body.FORWARD_IS_MOVE + axis, i] = 0.0
