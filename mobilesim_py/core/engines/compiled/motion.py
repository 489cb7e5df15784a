# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Some ticks of motion, compiled: one robot after the other, without the interpreter's lock.

The formulas and the law of motion are compiled from the very functions that the NumPy engine calls.
"""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.drives import axes, wheels
from mobilesim_py.core.engines.compiled.collision import NONE, NOTHING, WAY_ALONE, plan_way, settle
from mobilesim_py.core.engines.compiled.contacts import tell_others
from mobilesim_py.core.engines.compiled.formulas import (
    choose,
    compiled,
    draw_bits,
    draw_key,
    high_uniform,
    low_uniform,
    noise_source,
    normal,
    sincos,
    wrap,
)
from mobilesim_py.core.engines.compiled.jit import lean_kernel, piece
from mobilesim_py.core.engines.formulas import ODOMETRY_NOISE, WHEEL_NOISE
from mobilesim_py.core.fields import Body, Drive, Plan
from mobilesim_py.core.scene import GridTable, ShapeTable

_STALL_REACH = axes.STALL_REACH
_STALL_TURN = axes.STALL_TURN
_EMERGENCY = axes.EMERGENCY_DECELERATION
_wanted_velocity = compiled(axes.wanted_velocity, choose=choose, steady_velocity=compiled(axes.steady_velocity))
_next_velocity = compiled(axes.next_velocity, choose=choose)
_left_to_go = compiled(axes.left_to_go, choose=choose)
_still_blocked = compiled(wheels.still_blocked, choose=choose)
_next_rim_speed = compiled(wheels.next_rim_speed, choose=choose)
_body_velocity = compiled(wheels.body_velocity)
_steady_velocity = compiled(axes.steady_velocity)
_FORWARD, _LATERAL, _ROTATION = range(3)
_LEFT, _RIGHT = range(2)
_ON_WHEELS = float(Drive.WHEELS)


@lean_kernel
def advance(
    bodies,
    count,
    dt,
    ticks,
    seed,
    tick,
    plan,
    edges,
    shape_starts,
    radius,
    stride,
    x0,
    y0,
    cell,
    columns,
    rows,
    starts,
    items,
    lines,
    kinds,
    clearance,
):
    """Move all bodies for some ticks: velocities, planned poses, collisions, odometry, all in place.

    `plan` is scratch, a row for each `Plan`; then come the fields of a ShapeTable and a GridTable, one by one: gathered by
    Numba into a tuple they would cost a lone robot a sixth of its step.
    """
    shapes = ShapeTable(edges, shape_starts, radius, stride)
    ground = GridTable(x0, y0, cell, columns, rows, starts, items, lines, kinds, clearance)
    for now in range(ticks):
        anything = False
        for i in range(count):
            _plan_nothing(i, bodies, plan)
            if _is_active(i, bodies):
                anything = True
                if bodies[Body.DRIVE, i] == _ON_WHEELS:
                    _drive_wheels(i, bodies, seed, tick + now)
                else:
                    _drive_axes(i, bodies, dt)
                if bodies[Body.STALLED, i] <= 0.0:
                    bodies[Body.CONTACT, i] = 0.0
                plan_way(i, bodies, plan, dt)
                plan[Plan.TURN, i] = bodies[Body.ROTATION, i] * dt
                plan[Plan.LEVEL, i] = NONE
                plan[Plan.FREE_OF_WALLS, i] = 0.0
            else:
                bodies[Body.STOPPING, i] = 0.0
                bodies[Body.STALLED, i] = 0.0
                bodies[Body.CONTACT, i] = 0.0
        if anything:
            settle(bodies, count, plan, dt, shapes, ground)
            for i in range(count):
                if _rolls(i, bodies):
                    _go(i, bodies, plan)
                    _redraw_error(i, bodies, seed, tick + now)
                    _count_way(i, bodies, dt)
            tell_others(bodies, count, plan)


@piece
def _plan_nothing(i, bodies, plan):
    """Plan to stay."""
    plan[Plan.X, i] = bodies[Body.X, i]
    plan[Plan.Y, i] = bodies[Body.Y, i]
    plan[Plan.TURN, i] = 0.0
    plan[Plan.LEVEL, i] = NOTHING
    plan[Plan.OTHER, i] = -1.0


@piece
def _rolls(i, bodies):
    """Tell whether a body, or a wheel that drives it, has any velocity."""
    moves = bodies[Body.FORWARD, i] != 0.0 or bodies[Body.LATERAL, i] != 0.0 or bodies[Body.ROTATION, i] != 0.0
    return moves or bodies[Body.LEFT_SPEED, i] != 0.0 or bodies[Body.RIGHT_SPEED, i] != 0.0


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
        or bodies[Body.LEFT_WANTED, i] != 0.0
        or bodies[Body.RIGHT_WANTED, i] != 0.0
    )
    return wants and not _is_held(i, bodies)


@piece
def _drive_axes(i, bodies, dt):
    """Give a body its new velocities along its axes, and end its stall when it no longer pushes."""
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
def _drive_wheels(i, bodies, seed, tick):
    """Give a body the velocities that its wheels have on the ground, and end its stall when it no longer pushes."""
    track = bodies[Body.TRACK, i]
    want_left = _turn_wheel(i, _LEFT, bodies, seed, tick)
    want_right = _turn_wheel(i, _RIGHT, bodies, seed, tick)
    left = bodies[Body.LEFT_SPEED, i] * (1.0 - bodies[Body.LEFT_SLIP, i])
    right = bodies[Body.RIGHT_SPEED, i] * (1.0 - bodies[Body.RIGHT_SLIP, i])
    bodies[Body.FORWARD, i], bodies[Body.ROTATION, i] = _body_velocity(left, right, track)
    bodies[Body.LATERAL, i] = 0.0
    if bodies[Body.STOPPING, i] > 0.0:
        bodies[Body.STOPPING, i] = 0.0
    want_f, want_r = _body_velocity(want_left, want_right, track)
    if bodies[Body.STALLED, i] > 0.0 and not _still_pushes(i, want_f, 0.0, want_r, bodies):
        bodies[Body.STALLED, i] = 0.0


@piece
def _turn_wheel(i, side, bodies, seed, tick):
    """Give a wheel its new speed; return the speed wanted."""
    wanted = 0.0
    if not _is_held(i, bodies):
        wanted = _steady_velocity(bodies[Body.LEFT_WANTED + side, i], bodies[Body.FORWARD_LIMIT, i])
    factor = 1.0
    if bodies[Body.WHEEL_NOISE, i] > 0.0:
        source = noise_source(np.uint64(bodies[Body.SERIAL, i]), np.uint64(WHEEL_NOISE))
        key = draw_key(np.uint64(seed), source, np.uint64(tick))
        factor = 1.0 + bodies[Body.WHEEL_NOISE, i] * normal(draw_bits(key, np.uint64(side)))
    blocked = _still_blocked(bodies[Body.LEFT_BLOCKED + side, i], wanted)
    bodies[Body.LEFT_BLOCKED + side, i] = blocked
    kept = 0.0 if bodies[Body.STOPPING, i] > 0.0 else bodies[Body.WHEEL_KEPT, i]
    speed = bodies[Body.LEFT_SPEED + side, i]
    bodies[Body.LEFT_SPEED + side, i] = _next_rim_speed(speed, wanted, kept, factor, blocked)
    return wanted


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
    if level not in (NONE, WAY_ALONE):
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
    """Let wheels and odometry count what was covered, and moves and turns have so much less to go."""
    forward = bodies[Body.FORWARD, i]
    rotation = bodies[Body.ROTATION, i]
    if bodies[Body.DRIVE, i] == _ON_WHEELS:
        # Odometry knows what the wheels did, not how they slipped or what they pushed at.
        forward, rotation = _body_velocity(bodies[Body.LEFT_SPEED, i], bodies[Body.RIGHT_SPEED, i], bodies[Body.TRACK, i])
    went = forward * dt * (1.0 + bodies[Body.FORWARD_ERROR, i])
    slid = bodies[Body.LATERAL, i] * dt * (1.0 + bodies[Body.LATERAL_ERROR, i])
    turned = rotation * dt * (1.0 + bodies[Body.ROTATION_ERROR, i])
    left = went - turned * (0.5 * bodies[Body.TRACK, i])
    right = went + turned * (0.5 * bodies[Body.TRACK, i])
    if bodies[Body.DRIVE, i] == _ON_WHEELS:
        left = bodies[Body.LEFT_SPEED, i] * dt
        right = bodies[Body.RIGHT_SPEED, i] * dt
    bodies[Body.LEFT_WAY, i] += left
    bodies[Body.RIGHT_WAY, i] += right
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
