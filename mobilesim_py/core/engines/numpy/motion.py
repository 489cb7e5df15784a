"""The NumPy engine: what `sim.compiled_motion` and `sim.compiled_senses` do, for all robots at once, with the same results.

It serves until the compiled code is loaded, wherever Numba is not to be had, and as the oracle in the tests.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.drives import axes as law
from mobilesim_py.core.engines.formulas import (
    draw_bits,
    draw_stem,
    high_uniform,
    key_at,
    low_uniform,
    sincos,
    wrap,
)
from mobilesim_py.core.engines.numpy import casting as sweep
from mobilesim_py.core.engines.numpy import collision
from mobilesim_py.core.engines.numpy.expand import IntArray, runs
from mobilesim_py.core.engines.numpy.outlines import Beams, Fans, Outlines, cosine_of_incidence, listen, look
from mobilesim_py.core.fields import Axes, Body, Laser
from mobilesim_py.core.shapes import Shapes, SonarRings
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Stops
from mobilesim_py.world.sight import MIXED

_HEADINGS = slice(Body.HEADING, Body.ODOMETRY_HEADING + 1, Body.ODOMETRY_HEADING - Body.HEADING)
_FIRST_TWO_DRAWS = np.arange(2, dtype=np.uint64)[:, None]


def advance(bodies: FloatArray, count: int, dt: float, ticks: int, seed: int, tick: int, shapes: Shapes, grid: Grid) -> None:
    """Some ticks of motion: velocities, planned poses, collisions, odometry, all in place."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for now in range(ticks):
            _tick(bodies[:, :count], dt, seed, tick + now, shapes, grid)


def _tick(all_bodies: FloatArray, dt: float, seed: int, tick: int, shapes: Shapes, grid: Grid) -> None:
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
    _redraw_errors(b, seed, tick)
    collision.settle(all_bodies, b, active, plan, dt, shapes, grid)
    _apply(b, plan, sines[1], cosines[1], dt)
    if b is not all_bodies:
        all_bodies[:, active] = b


def _accelerate(b: FloatArray, driven: npt.NDArray[np.bool_], dt: float) -> FloatArray:
    """New velocities from what is wanted; returns what is wanted, axis by axis."""
    up, down = b[Axes.ACCELERATION], b[Axes.DECELERATION]
    wants: FloatArray
    # Most of the time nobody has a way to go, or nobody changes speed, and that can be told at once.
    if b[Axes.IS_DISTANCE].any():
        wants = driven * law.wanted_velocity(b[Axes.IS_DISTANCE], b[Axes.TARGET], b[Axes.LIMIT], down, dt)
    else:
        wants = driven * law.steady_velocity(b[Axes.TARGET], b[Axes.LIMIT])
    stopping = b[Body.STOPPING] > 0.0
    if stopping.any():
        up, down = (np.where(stopping, law.EMERGENCY_DECELERATION, ramp) for ramp in (up, down))
    if (b[Axes.VELOCITY] != wants).any():
        b[Axes.VELOCITY] = law.next_velocity(b[Axes.VELOCITY], wants, up, down, dt)
    if stopping.any():
        b[Body.STOPPING] *= b[Axes.VELOCITY].any(axis=0)
    return wants


def _still_pushing(b: FloatArray, wants: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether each stalled robot still pushes at what stalled it."""
    pushing = (wants[0] * b[Body.PUSH_FORWARD] + wants[1] * b[Body.PUSH_LATERAL] > 0.0) | (
        wants[2] * b[Body.PUSH_ROTATION] > 0.0
    )
    gx, gy = b[Body.X] - b[Body.STALL_X], b[Body.Y] - b[Body.STALL_Y]
    turn = np.abs(wrap(b[Body.HEADING] - b[Body.STALL_HEADING]))
    near = gx * gx + gy * gy < law.STALL_REACH * law.STALL_REACH
    return np.asarray(pushing & near & (turn < law.STALL_TURN))


def _redraw_errors(b: FloatArray, seed: int, tick: int) -> None:
    """New shares of error for the robots that roll and whose odometry errs anew at every step."""
    redraw = (b[Body.REDRAW_ERROR] > 0.0) & b[Axes.VELOCITY].any(axis=0)
    if redraw.any():
        key = _keys(seed, b[Body.SERIAL], 0, tick)
        bits = draw_bits(key, _FIRST_TWO_DRAWS)
        shares = np.empty((3, b.shape[1]))
        shares[::2] = high_uniform(bits)
        shares[1] = low_uniform(bits[0])
        shares *= b[Axes.ERROR_MOST]
        b[Axes.ERROR] = shares if redraw.all() else np.where(redraw, shares, b[Axes.ERROR])


def _keys(seed: int, serials: FloatArray, kind: int, tick: int) -> npt.NDArray[np.uint64]:
    """The keys of the noise of some sources in one tick; `kind` is 0 for odometers, 1 for lasers, 2 for sonar."""
    keys: npt.NDArray[np.uint64] = key_at(_stems(seed, serials.tobytes(), kind), np.uint64(tick))
    return keys


@lru_cache(maxsize=16)
def _stems(seed: int, serials: bytes, kind: int) -> npt.NDArray[np.uint64]:
    """What stays the same from tick to tick."""
    source = np.frombuffer(serials).astype(np.uint64) * np.uint64(4) + np.uint64(kind)
    stems: npt.NDArray[np.uint64] = draw_stem(np.uint64(seed), source)
    return stems


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
        b[Axes.TARGET] = law.left_to_go(b[Axes.IS_DISTANCE], b[Axes.TARGET], covered)
        b[Axes.IS_DISTANCE] *= b[Axes.TARGET] != 0.0


def scan(
    bodies: FloatArray, count: int, lasers: FloatArray, units: IntArray, seed: int, tick: int, shapes: Shapes, grid: Grid
) -> tuple[FloatArray, ByteArray, FloatArray]:
    """A scan of each of the lasers `units`: rows of ranges [m], reflectance and, for reflectors, the cosine of incidence."""
    laser = lasers[:, units]
    counts = laser[Laser.COUNT].astype(np.int64)
    most = int(counts.max()) if len(counts) else 0
    ranges = np.zeros((len(units), most))
    shine = np.zeros((len(units), most), np.uint8)
    slant = np.zeros((len(units), most))
    if most == 0:
        return ranges, shine, slant
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        owner, k = runs(np.zeros(len(units), np.int64), counts)
        robot = laser[Laser.BODY].astype(np.int64)
        heading = bodies[Body.HEADING, robot]
        s, c = sincos(heading)
        ox = bodies[Body.X, robot] + laser[Laser.X] * c - laser[Laser.Y] * s
        oy = bodies[Body.Y, robot] + laser[Laser.X] * s + laser[Laser.Y] * c
        first = heading + laser[Laser.HEADING] + laser[Laser.START]
        key = _keys(seed, laser[Laser.SERIAL], 1, tick)
        bits = draw_bits(key[owner], k.astype(np.uint64))
        angle = first[owner] + k * laser[Laser.INCREMENT][owner]
        angle = angle + laser[Laser.ANGLE_NOISE][owner] * high_uniform(bits)
        sine, cosine = sincos(angle)
        limit = laser[Laser.RANGE_MAX][owner]
        mask = int(Stops.LASER)
        best, met = sweep.cast(grid, ox[owner], oy[owner], cosine, sine, limit, mask)
        reflectance = grid.sight(mask).reflectance
        value = np.where(met >= 0, max(0, reflectance), 0).astype(np.uint8)
        tilt = np.zeros(len(best))
        hit = np.flatnonzero(met >= 0)
        if reflectance == MIXED and len(hit):
            item = _items_met(grid, met[hit], best[hit], ox[owner[hit]], oy[owner[hit]], cosine[hit], sine[hit], mask)
            value[hit] = grid.kinds[item] >> 8
            bright = np.flatnonzero(value[hit] > 1)
            line = grid.lines[item[bright]]
            tilt[hit[bright]] = cosine_of_incidence(cosine[hit[bright]], sine[hit[bright]], line[:, 2], line[:, 3])
        fans = Fans(ox, oy, first, laser[Laser.INCREMENT], counts, laser[Laser.ANGLE_NOISE], robot)
        look(Outlines(bodies[:, :count], shapes, Stops.LASER), fans, owner, Beams(cosine, sine, best, value, tilt))
        noise = laser[Laser.RANGE_NOISE][owner]
        noisy = np.minimum(limit, np.maximum(laser[Laser.RANGE_MIN][owner], best + noise * low_uniform(bits)))
        ranges[owner, k] = np.where(best < limit, noisy, best)
        shine[owner, k] = value
        slant[owner, k] = tilt
    return ranges, shine, slant


def _items_met(
    grid: Grid, place: IntArray, best: FloatArray, ox: FloatArray, oy: FloatArray, dx: FloatArray, dy: FloatArray, mask: int
) -> IntArray:
    """Which segment of its cell each ray met at its distance; of several (a reflector on a wall) the later one."""
    first = grid.starts[place]
    ray, item = runs(first, grid.starts[place + 1] - first)
    ax, ay, ex, ey = grid.lines[item].T
    distance, ahead = sweep.meet(dx[ray], dy[ray], ax - ox[ray], ay - oy[ray], ex, ey)
    met = np.flatnonzero(ahead & (distance == best[ray]) & ((grid.kinds[item] & mask) != 0))
    ray, item = ray[met], item[met]
    # In the order of their segments, so that the last one stays.
    order = np.argsort(grid.items[item], kind="stable")
    found = np.zeros(len(place), np.int64)
    found[ray[order]] = item[order]
    return found


def ping(
    bodies: FloatArray, count: int, robots: IntArray, seed: int, tick: int, rings: SonarRings, shapes: Shapes, grid: Grid
) -> FloatArray:
    """One range for every transducer of each of the `robots`: rows of ranges [m], of which a robot uses its first ones."""
    ring = bodies[Body.SONAR, robots].astype(np.int64)
    per = rings.spread[ring]
    first = rings.starts[ring]
    rays = rings.starts[ring + 1] - first
    counts = rays // per
    ranges = np.zeros((len(robots), int(counts.max()) if len(counts) else 0))
    if ranges.size == 0:
        return ranges
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        owner, ray = runs(first, rays)
        robot = robots[owner]
        heading = bodies[Body.HEADING, robots]
        s, c = sincos(heading)
        place = rings.rays[ray]
        ox = bodies[Body.X, robot] + place[:, 0] * c[owner] - place[:, 1] * s[owner]
        oy = bodies[Body.Y, robot] + place[:, 0] * s[owner] + place[:, 1] * c[owner]
        sine, cosine = sincos(heading[owner] + place[:, 2])
        limit = rings.reach[ring, 1]
        best, _ = sweep.cast(grid, ox, oy, cosine, sine, limit[owner], int(Stops.SONAR))
        beams = Beams(cosine, sine, best, np.zeros(len(best), np.uint8), np.zeros(len(best)))
        listen(Outlines(bodies[:, :count], shapes, Stops.SONAR), ox, oy, robot, beams)
        # The nearest of a transducer's rays is its echo.
        which = (ray - first[owner]) // per[owner]
        nearest = np.full(ranges.shape, np.inf)
        np.minimum.at(nearest, (owner, which), best)
        key = _keys(seed, bodies[Body.SERIAL, robots], 2, tick)
        owner, which = runs(np.zeros(len(robots), np.int64), counts)
        shortest, farthest, noise = rings.reach[ring[owner]].T
        echo = nearest[owner, which]
        wobble = noise * high_uniform(draw_bits(key[owner], which.astype(np.uint64)))
        noisy = np.maximum(shortest, echo) + wobble
        echo = np.where((echo < farthest) & (noise > 0.0), noisy, echo)
        ranges[owner, which] = np.minimum(farthest, np.maximum(shortest, echo))
    return ranges
