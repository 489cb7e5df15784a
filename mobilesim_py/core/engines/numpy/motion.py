"""Some ticks of motion for all robots at once, in NumPy; `compiled.motion` gives the same bits.

This engine serves until the compiled code is loaded, where Numba is missing, and as the oracle in the tests.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.drives import axes, wheels
from mobilesim_py.core.engines.formulas import (
    ODOMETRY_NOISE,
    WHEEL_NOISE,
    draw_bits,
    high_uniform,
    low_uniform,
    normal,
    sincos,
    wrap,
)
from mobilesim_py.core.engines.numpy import collision
from mobilesim_py.core.engines.numpy.contacts import tell_others
from mobilesim_py.core.engines.numpy.formulas import keys
from mobilesim_py.core.fields import Axes, Body, Drive, Wheels
from mobilesim_py.core.scene import Scene
from mobilesim_py.world.obstacles import FloatArray

_HEADINGS = slice(Body.HEADING, Body.ODOMETRY_HEADING + 1, Body.ODOMETRY_HEADING - Body.HEADING)
_SIDES = np.array([[-0.5], [0.5]])
"""Where the wheels are, in tracks, as their part of a turn has it: left, right."""
_UNDER_WAY = [Body.STOPPING, Body.STALLED, Body.CONTACT]
_FIRST_TWO_DRAWS = np.arange(2, dtype=np.uint64)[:, None]


def advance(scene: Scene, ticks: int) -> None:
    """Move all bodies for some ticks: velocities, planned poses, collisions, odometry, all in place."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for now in range(scene.tick, scene.tick + ticks):
            _tick(scene, now)


def _tick(scene: Scene, tick: int) -> None:
    dt = scene.dt
    all_bodies = scene.bodies[:, : scene.population]
    driven = (all_bodies[Body.MOTORS] > 0.0) & (all_bodies[Body.STOPPING] <= 0.0)
    wished, rolls = all_bodies[Axes.TARGET].any(axis=0), all_bodies[Axes.VELOCITY].any(axis=0)
    if scene.wheeled:
        wished |= all_bodies[Wheels.WANTED].any(axis=0)
        rolls |= all_bodies[Wheels.SPEED].any(axis=0)
    active = np.flatnonzero(rolls | (driven & wished))
    if len(active) == all_bodies.shape[1]:
        b = all_bodies
    else:
        still = np.ones(all_bodies.shape[1], np.bool_)
        still[active] = False
        for row in _UNDER_WAY:
            all_bodies[row, still] = 0.0
        if len(active) == 0:
            return
        b = all_bodies[:, active]
        driven = driven[active]
    wants = _drive(scene, b, driven, tick)
    sines, cosines = sincos(b[_HEADINGS])
    plan = collision.Plan.whole_step(b, sines[0], cosines[0], dt)
    if b[Body.STALLED].any():
        b[Body.STALLED] *= _still_pushing(b, wants)
    b[Body.CONTACT] *= b[Body.STALLED]
    _redraw_errors(scene, b, tick)
    collision.settle(scene, all_bodies, b, active, plan)
    _apply(scene, b, plan, sines[1], cosines[1])
    if b is not all_bodies:
        all_bodies[:, active] = b
    if plan.other is not None and (plan.other >= 0).any():
        hits = np.flatnonzero(plan.other >= 0)
        tell_others(all_bodies, active[hits], plan.other[hits])


def _drive(scene: Scene, b: FloatArray, driven: npt.NDArray[np.bool_], tick: int) -> FloatArray:
    """Set new velocities as each body's drive has them; return what is wanted, axis by axis."""
    who = np.flatnonzero(b[Body.DRIVE] == Drive.WHEELS) if scene.wheeled else ()
    if len(who) == 0:
        return _accelerate(b, driven, scene.dt)
    part = b[:, who]
    wanted = _turn_wheels(part, driven[who], scene.seed, tick)
    left, right = part[Wheels.SPEED] * (1.0 - part[Wheels.SLIP])
    part[Body.FORWARD], part[Body.ROTATION] = wheels.body_velocity(left, right, part[Body.TRACK])
    part[Body.LATERAL] = part[Body.STOPPING] = 0.0
    wants = _accelerate(b, driven, scene.dt)
    b[:, who] = part
    wants[0, who], wants[2, who] = wheels.body_velocity(wanted[0], wanted[1], part[Body.TRACK])
    wants[1, who] = 0.0
    return wants


def _turn_wheels(b: FloatArray, driven: npt.NDArray[np.bool_], seed: int, tick: int) -> FloatArray:
    """Set new speeds of the wheels of bodies that are driven by them; return what is wanted, left and right."""
    wanted: FloatArray = driven * axes.steady_velocity(b[Wheels.WANTED], b[Body.FORWARD_LIMIT])
    factor: FloatArray = np.ones(wanted.shape)
    noise = b[Body.WHEEL_NOISE]
    if noise.any():
        drawn = normal(draw_bits(keys(seed, b[Body.SERIAL], WHEEL_NOISE, tick), _FIRST_TWO_DRAWS))
        factor = np.where(noise > 0.0, 1.0 + noise * drawn, 1.0)
    b[Wheels.BLOCKED] = wheels.still_blocked(b[Wheels.BLOCKED], wanted)
    kept = np.where(b[Body.STOPPING] > 0.0, 0.0, b[Body.WHEEL_KEPT])
    b[Wheels.SPEED] = wheels.next_rim_speed(b[Wheels.SPEED], wanted, kept, factor, b[Wheels.BLOCKED])
    return wanted


def _accelerate(b: FloatArray, driven: npt.NDArray[np.bool_], dt: float) -> FloatArray:
    """Set new velocities from what is wanted; return what is wanted, axis by axis."""
    up, down = b[Axes.ACCELERATION], b[Axes.DECELERATION]
    wants: FloatArray
    # Most of the time nobody has a way to go, or nobody changes speed, and that can be told at once.
    if b[Axes.IS_DISTANCE].any():
        wants = driven * axes.wanted_velocity(b[Axes.IS_DISTANCE], b[Axes.TARGET], b[Axes.LIMIT], down, dt)
    else:
        wants = driven * axes.steady_velocity(b[Axes.TARGET], b[Axes.LIMIT])
    stopping = b[Body.STOPPING] > 0.0
    if stopping.any():
        up, down = (np.where(stopping, axes.EMERGENCY_DECELERATION, ramp) for ramp in (up, down))
    if (b[Axes.VELOCITY] != wants).any():
        b[Axes.VELOCITY] = axes.next_velocity(b[Axes.VELOCITY], wants, up, down, dt)
    if stopping.any():
        b[Body.STOPPING] *= b[Axes.VELOCITY].any(axis=0)
    return wants


def _still_pushing(b: FloatArray, wants: FloatArray) -> npt.NDArray[np.bool_]:
    """Tell whether each stalled robot still pushes at what stalled it."""
    pushing = (wants[0] * b[Body.PUSH_FORWARD] + wants[1] * b[Body.PUSH_LATERAL] > 0.0) | (
        wants[2] * b[Body.PUSH_ROTATION] > 0.0
    )
    gx, gy = b[Body.X] - b[Body.STALL_X], b[Body.Y] - b[Body.STALL_Y]
    turn = np.abs(wrap(b[Body.HEADING] - b[Body.STALL_HEADING]))
    near = gx * gx + gy * gy < axes.STALL_REACH * axes.STALL_REACH
    return np.asarray(pushing & near & (turn < axes.STALL_TURN))


def _redraw_errors(scene: Scene, b: FloatArray, tick: int) -> None:
    """Draw new shares of error for the robots that roll and whose odometry errs anew at every step."""
    rolls = b[Axes.VELOCITY].any(axis=0)
    if scene.wheeled:
        rolls |= b[Wheels.SPEED].any(axis=0)
    redraw = (b[Body.REDRAW_ERROR] > 0.0) & rolls
    if redraw.any():
        key = keys(scene.seed, b[Body.SERIAL], ODOMETRY_NOISE, tick)
        bits = draw_bits(key, _FIRST_TWO_DRAWS)
        shares = np.empty((3, b.shape[1]))
        shares[::2] = high_uniform(bits)
        shares[1] = low_uniform(bits[0])
        shares *= b[Axes.ERROR_MOST]
        b[Axes.ERROR] = shares if redraw.all() else np.where(redraw, shares, b[Axes.ERROR])


def _apply(scene: Scene, b: FloatArray, plan: collision.Plan, sine: FloatArray, cosine: FloatArray) -> None:
    """Go where the plan ended up, lose the velocities that were blocked, and let the wheels count.

    `sine` and `cosine` are those of the odometry's heading.
    """
    b[Body.X], b[Body.Y] = plan.x, plan.y
    if plan.level.any():
        b[Body.FORWARD] *= plan.has_way
        b[Body.LATERAL] *= plan.has_way
        b[Body.ROTATION] *= plan.has_turn
    on_wheels = np.flatnonzero(b[Body.DRIVE] == Drive.WHEELS) if scene.wheeled else ()
    velocity = b[Axes.VELOCITY]
    if len(on_wheels):
        # Odometry knows what the wheels did, not how they slipped or what they pushed at.
        velocity = velocity.copy()
        left, right = b[Wheels.SPEED, on_wheels]
        velocity[0, on_wheels], velocity[2, on_wheels] = wheels.body_velocity(left, right, b[Body.TRACK, on_wheels])
    covered = velocity * scene.dt * (1.0 + b[Axes.ERROR])
    way = covered[0] + covered[2] * b[Body.TRACK] * _SIDES
    if len(on_wheels):
        way[:, on_wheels] = b[Wheels.SPEED, on_wheels] * scene.dt
    b[Wheels.WAY] += way
    b[Body.ODOMETRY_X] += covered[0] * cosine - covered[1] * sine
    b[Body.ODOMETRY_Y] += covered[0] * sine + covered[1] * cosine
    b[Body.HEADING] += plan.turn
    b[Body.ODOMETRY_HEADING] += covered[2]
    b[_HEADINGS] = wrap(b[_HEADINGS])
    if b[Axes.IS_DISTANCE].any():
        b[Axes.TARGET] = axes.left_to_go(b[Axes.IS_DISTANCE], b[Axes.TARGET], covered)
        b[Axes.IS_DISTANCE] *= b[Axes.TARGET] != 0.0
