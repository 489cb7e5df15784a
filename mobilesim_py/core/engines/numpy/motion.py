"""Some ticks of motion for all robots at once, in NumPy; `compiled.motion` gives the same bits.

This engine serves until the compiled code is loaded, where Numba is missing, and as the oracle in the tests.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.drives import axes
from mobilesim_py.core.engines.formulas import ODOMETRY_NOISE, draw_bits, high_uniform, low_uniform, sincos, wrap
from mobilesim_py.core.engines.numpy import collision
from mobilesim_py.core.engines.numpy.formulas import keys
from mobilesim_py.core.fields import Axes, Body
from mobilesim_py.core.scene import Scene
from mobilesim_py.world.obstacles import FloatArray

_HEADINGS = slice(Body.HEADING, Body.ODOMETRY_HEADING + 1, Body.ODOMETRY_HEADING - Body.HEADING)
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
    wished = driven & all_bodies[Axes.TARGET].any(axis=0)
    active = np.flatnonzero(all_bodies[Axes.VELOCITY].any(axis=0) | wished)
    if len(active) == all_bodies.shape[1]:
        b = all_bodies
    else:
        still = np.ones(all_bodies.shape[1], np.bool_)
        still[active] = False
        all_bodies[Body.STOPPING, still] = 0.0
        all_bodies[Body.STALLED, still] = 0.0
        if len(active) == 0:
            return
        b = all_bodies[:, active]
        driven = driven[active]
    wants = _accelerate(b, driven, dt)
    sines, cosines = sincos(b[_HEADINGS])
    plan = collision.Plan.whole_step(b, sines[0], cosines[0], dt)
    if b[Body.STALLED].any():
        b[Body.STALLED] *= _still_pushing(b, wants)
    _redraw_errors(b, scene.seed, tick)
    collision.settle(scene, all_bodies, b, active, plan)
    _apply(b, plan, sines[1], cosines[1], dt)
    if b is not all_bodies:
        all_bodies[:, active] = b


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


def _redraw_errors(b: FloatArray, seed: int, tick: int) -> None:
    """Draw new shares of error for the robots that roll and whose odometry errs anew at every step."""
    redraw = (b[Body.REDRAW_ERROR] > 0.0) & b[Axes.VELOCITY].any(axis=0)
    if redraw.any():
        key = keys(seed, b[Body.SERIAL], ODOMETRY_NOISE, tick)
        bits = draw_bits(key, _FIRST_TWO_DRAWS)
        shares = np.empty((3, b.shape[1]))
        shares[::2] = high_uniform(bits)
        shares[1] = low_uniform(bits[0])
        shares *= b[Axes.ERROR_MOST]
        b[Axes.ERROR] = shares if redraw.all() else np.where(redraw, shares, b[Axes.ERROR])


def _apply(b: FloatArray, plan: collision.Plan, sine: FloatArray, cosine: FloatArray, dt: float) -> None:
    """Go where the plan ended up, lose the velocities that were blocked, and let the wheels count.

    `sine` and `cosine` are those of the odometry's heading.
    """
    b[Body.X], b[Body.Y] = plan.x, plan.y
    if plan.level.any():
        b[Body.FORWARD] *= plan.has_way
        b[Body.LATERAL] *= plan.has_way
        b[Body.ROTATION] *= plan.has_turn
    covered = b[Axes.VELOCITY] * dt * (1.0 + b[Axes.ERROR])
    b[Body.ODOMETRY_X] += covered[0] * cosine - covered[1] * sine
    b[Body.ODOMETRY_Y] += covered[0] * sine + covered[1] * cosine
    b[Body.HEADING] += plan.turn
    b[Body.ODOMETRY_HEADING] += covered[2]
    b[_HEADINGS] = wrap(b[_HEADINGS])
    if b[Axes.IS_DISTANCE].any():
        b[Axes.TARGET] = axes.left_to_go(b[Axes.IS_DISTANCE], b[Axes.TARGET], covered)
        b[Axes.IS_DISTANCE] *= b[Axes.TARGET] != 0.0
