"""The NumPy engine: what `sim.compiled_motion` and `sim.compiled_senses` do, for all robots at once, with the same results.

It serves until the compiled code is loaded, wherever Numba is not to be had, and as the oracle in the tests.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mobilesim_py.sim import collision, law
from mobilesim_py.sim.fields import Axes, Body, Laser
from mobilesim_py.sim.shapes import Shapes, SonarRings
from mobilesim_py.world import sweep
from mobilesim_py.world.expand import IntArray, runs
from mobilesim_py.world.formulas import (
    TAU,
    draw_bits,
    draw_stem,
    high_uniform,
    key_at,
    low_uniform,
    sincos,
    wrap,
)
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray, Stops
from mobilesim_py.world.sight import MIXED

_HEADINGS = slice(Body.HEADING, Body.ODOMETRY_HEADING + 1, Body.ODOMETRY_HEADING - Body.HEADING)
_FIRST_TWO_DRAWS = np.arange(2, dtype=np.uint64)[:, None]


def advance(
    bodies: FloatArray, count: int, dt: float, ticks: int, seed: int, tick: int, shapes: Shapes, grid: Grid
) -> None:
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
            tilt[hit[bright]] = _slant(cosine[hit[bright]], sine[hit[bright]], line[:, 2], line[:, 3])
        beams = _Beams(ox, oy, first, laser[Laser.INCREMENT], counts, laser[Laser.ANGLE_NOISE], robot)
        _look_at_bodies(bodies[:, :count], shapes, beams, owner, cosine, sine, best, value, tilt)
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


class _Beams:
    """The fans of beams of some lasers: origin, first angle, increment, count and wobble of each, and its robot."""

    def __init__(
        self, ox: FloatArray, oy: FloatArray, first: FloatArray, increment: FloatArray, counts: IntArray,
        wobble: FloatArray, robot: IntArray,
    ) -> None:  # fmt: skip
        self.ox, self.oy, self.first, self.increment = ox, oy, first, increment
        self.counts, self.wobble, self.robot = counts, wobble, robot
        self.offset = np.cumsum(counts) - counts


def _look_at_bodies(
    bodies: FloatArray, shapes: Shapes, beams: _Beams, owner: IntArray, cosine: FloatArray, sine: FloatArray,
    best: FloatArray, value: ByteArray, tilt: FloatArray,
) -> None:  # fmt: skip
    """Shorten the beams that meet another body: only those between its flanks as seen from the laser are looked at."""
    visible = np.flatnonzero((bodies[Body.GHOST] <= 0.0) & ((bodies[Body.STOPS].astype(np.int64) & int(Stops.LASER)) != 0))
    if len(visible) == 0 or len(best) == 0:
        return
    farthest = np.zeros(len(beams.counts))
    np.maximum.at(farthest, owner, best)
    radius = shapes.radius[bodies[Body.OUTLINE, visible].astype(np.int64)]
    gx = bodies[Body.X, visible] - beams.ox[:, None]
    gy = bodies[Body.Y, visible] - beams.oy[:, None]
    apart = gx * gx + gy * gy
    reach = farthest[:, None] + radius
    unit, seen = np.nonzero((apart <= reach * reach) & (visible != beams.robot[:, None]) & (beams.counts > 0)[:, None])
    if len(unit) == 0:
        return
    apart, radius, body = apart[unit, seen], radius[seen], visible[seen]
    step = np.abs(beams.increment[unit])
    inside = (apart <= radius * radius) | (step == 0.0)
    half = np.arcsin(np.minimum(1.0, radius / np.sqrt(apart))) + beams.wobble[unit] + 1e-9
    bearing = np.arctan2(gy[unit, seen], gx[unit, seen]) - beams.first[unit]
    bearing = np.where(beams.increment[unit] < 0.0, -bearing, bearing)
    bearing = bearing - TAU * np.floor(bearing / TAU)
    last = beams.counts[unit] - 1
    for turn in range(2):
        lowest = np.where(inside, 0, np.maximum(0.0, np.ceil((bearing - turn * TAU - half) / step)))
        highest = np.where(inside, last, np.minimum(last, np.floor((bearing - turn * TAU + half) / step)))
        number = np.maximum(0, highest - lowest + 1).astype(np.int64)
        if turn:
            number[inside] = 0
        pair, k = runs(lowest.astype(np.int64), number)
        beam = beams.offset[unit[pair]] + k
        close = np.flatnonzero(np.sqrt(apart[pair]) - radius[pair] < best[beam])
        if len(close):
            _meet(
                bodies, shapes, beams.ox[unit[pair[close]]], beams.oy[unit[pair[close]]], body[pair[close]], beam[close],
                cosine, sine, best, value, tilt,
            )  # fmt: skip


def _meet(
    bodies: FloatArray, shapes: Shapes, ox: FloatArray, oy: FloatArray, body: IntArray, beam: IntArray,
    cosine: FloatArray, sine: FloatArray, best: FloatArray, value: ByteArray, tilt: FloatArray,
) -> None:  # fmt: skip
    """Meet every edge of the outline of each body with the beam beside it, and keep what is nearest to each beam."""
    shape = bodies[Body.OUTLINE, body].astype(np.int64)
    first = shapes.starts[shape]
    # In the body's own frame, once for each pair; then every edge of its outline.
    bs, bc = sincos(bodies[Body.HEADING, body])
    rx, ry = ox - bodies[Body.X, body], oy - bodies[Body.Y, body]
    lx, ly = rx * bc + ry * bs, ry * bc - rx * bs
    dx, dy = cosine[beam] * bc + sine[beam] * bs, sine[beam] * bc - cosine[beam] * bs
    pair, edge = runs(first, shapes.starts[shape + 1] - first)
    ex, ey = shapes.edges[edge, 2], shapes.edges[edge, 3]
    rx, ry = shapes.edges[edge, 0] - lx[pair], shapes.edges[edge, 1] - ly[pair]
    distance, ahead = sweep.meet(dx[pair], dy[pair], rx, ry, ex, ey)
    good = np.flatnonzero(ahead & (distance < best[beam[pair]]))
    if len(good) == 0:
        return
    # Of equals the first counts, body by body and edge by edge, as when they are met one after the other.
    pair, edge, distance = pair[good], edge[good], distance[good]
    order = np.lexsort((edge, body[pair], distance, beam[pair]))
    nearest = order[np.diff(beam[pair[order]], prepend=-1) != 0]
    pair, edge = pair[nearest], edge[nearest]
    hit = beam[pair]
    best[hit] = distance[nearest]
    value[hit] = bodies[Body.REFLECTANCE, body[pair]].astype(np.uint8)
    tilt[hit] = 0.0
    bright = np.flatnonzero(value[hit] > 1)
    if len(bright):
        pair, edge, hit = pair[bright], edge[bright], hit[bright]
        ex, ey = shapes.edges[edge, 2], shapes.edges[edge, 3]
        wx, wy = ex * bc[pair] - ey * bs[pair], ex * bs[pair] + ey * bc[pair]
        tilt[hit] = _slant(cosine[hit], sine[hit], wx, wy)


def _slant(dx: FloatArray, dy: FloatArray, ex: FloatArray, ey: FloatArray) -> FloatArray:
    """Cosine of the angle between rays and the normals of what they hit."""
    result: FloatArray = np.abs(dx * ey - dy * ex) / np.sqrt(ex * ex + ey * ey)
    return result


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
        _echoes_of_bodies(bodies[:, :count], shapes, ox, oy, robot, cosine, sine, best)
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


def _echoes_of_bodies(
    bodies: FloatArray, shapes: Shapes, ox: FloatArray, oy: FloatArray, robot: IntArray,
    cosine: FloatArray, sine: FloatArray, best: FloatArray,
) -> None:  # fmt: skip
    """Shorten the sonar rays that meet another body."""
    visible = np.flatnonzero((bodies[Body.GHOST] <= 0.0) & ((bodies[Body.STOPS].astype(np.int64) & int(Stops.SONAR)) != 0))
    if len(visible) == 0 or len(best) == 0:
        return
    radius = shapes.radius[bodies[Body.OUTLINE, visible].astype(np.int64)]
    # First robots against bodies, then only the rays of those that are near.
    near_robot = np.unique(robot)
    gx = bodies[Body.X, visible] - bodies[Body.X, near_robot][:, None]
    gy = bodies[Body.Y, visible] - bodies[Body.Y, near_robot][:, None]
    reach = float(best.max()) + radius + 2.0
    who, seen = np.nonzero((gx * gx + gy * gy <= reach * reach) & (visible != near_robot[:, None]))
    if len(who) == 0:
        return
    first = np.searchsorted(robot, near_robot)
    number = np.searchsorted(robot, near_robot, side="right") - first
    pair, ray = runs(first[who], number[who])
    body = visible[seen[pair]]
    gx, gy = bodies[Body.X, body] - ox[ray], bodies[Body.Y, body] - oy[ray]
    size = radius[seen[pair]]
    aside = gx * sine[ray] - gy * cosine[ray]
    close = np.flatnonzero((gx * gx + gy * gy <= (best[ray] + size) ** 2) & (aside * aside <= size * size))
    if len(close):
        blank = np.zeros(len(best), np.uint8)
        _meet(
            bodies, shapes, ox[ray[close]], oy[ray[close]], body[close], ray[close],
            cosine, sine, best, blank, np.zeros(len(best)),
        )  # fmt: skip
