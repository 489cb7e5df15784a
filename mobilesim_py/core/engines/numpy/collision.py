"""Collisions of all robots at once, in NumPy: who may take the step that it planned.

Every body plans its pose after the step. A body whose plan runs into a wall, or into another body's plan, retreats: to the
turn alone, then to the way alone, then to nothing; and all plans are looked at again until nobody has to retreat. So no two
bodies ever end a step inside one another, whatever their order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.engines.formulas import sincos
from mobilesim_py.core.engines.numpy.expand import IntArray, any_by_owner, runs
from mobilesim_py.core.fields import Body
from mobilesim_py.core.shapes import Shapes
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import FloatArray, Stops

BoolArray = npt.NDArray[np.bool_]
NOTHING = 3


@dataclass
class Plan:
    """Planned x and y, the turn to make, and the level of retreat (0 whole step, 1 turn alone, 2 way alone, 3 nothing)."""

    x: FloatArray
    y: FloatArray
    turn: FloatArray
    level: IntArray

    @classmethod
    def whole_step(cls, b: FloatArray, sine: FloatArray, cosine: FloatArray, dt: float) -> Plan:
        """The step as the velocities have it; `sine` and `cosine` are those of the headings."""
        x, y = _way(b, sine, cosine, dt)
        return cls(x, y, b[Body.ROTATION] * dt, np.zeros(b.shape[1], np.int64))

    @property
    def has_way(self) -> BoolArray:
        """Whose way is not blocked."""
        return np.asarray((self.level == 0) | (self.level == 2))

    @property
    def has_turn(self) -> BoolArray:
        """Whose turn is not blocked."""
        return np.asarray(self.level < 2)

    def retreat(self, who: IntArray, b: FloatArray, dt: float) -> None:
        """Plan less, and remember what was pushed at."""
        turn = b[Body.ROTATION, who] * dt
        level = self.level[who] + 1
        level[turn == 0.0] = NOTHING
        level[(level == 2) & (b[Body.FORWARD, who] == 0.0) & (b[Body.LATERAL, who] == 0.0)] = NOTHING
        self.level[who] = level
        sine, cosine = sincos(b[Body.HEADING])
        x, y = _way(b, sine, cosine, dt)
        self.x[who] = np.where(level == 2, x[who], b[Body.X, who])
        self.y[who] = np.where(level == 2, y[who], b[Body.Y, who])
        self.turn[who] = np.where(level == 1, turn, 0.0)
        b[Body.STALLED, who] = 1.0
        b[Body.STALL_X, who] = b[Body.X, who]
        b[Body.STALL_Y, who] = b[Body.Y, who]
        b[Body.STALL_HEADING, who] = b[Body.HEADING, who]
        b[Body.PUSH_FORWARD, who] = np.where(level == 2, 0.0, b[Body.FORWARD, who])
        b[Body.PUSH_LATERAL, who] = np.where(level == 2, 0.0, b[Body.LATERAL, who])
        b[Body.PUSH_ROTATION, who] = np.where(level == 1, 0.0, b[Body.ROTATION, who])


def _way(b: FloatArray, s: FloatArray, c: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    return (
        b[Body.X] + (b[Body.FORWARD] * c - b[Body.LATERAL] * s) * dt,
        b[Body.Y] + (b[Body.FORWARD] * s + b[Body.LATERAL] * c) * dt,
    )


def settle(
    all_bodies: FloatArray, b: FloatArray, active: IntArray, plan: Plan, dt: float, shapes: Shapes, grid: Grid
) -> None:
    """Let everybody retreat until all plans fit together. `b` are the columns `active` of all bodies, with their plans."""
    alone = all_bodies.shape[1] == 1
    if alone and _has_wide_berth(b, plan, shapes, grid):
        return
    final_x, final_y, final_heading = all_bodies[Body.X : Body.HEADING + 1].copy()
    solid = b[Body.GHOST] <= 0.0
    free_of_walls = np.zeros(b.shape[1], np.bool_)
    shape = b[Body.FOOTPRINT].astype(np.int64)
    radius, stride = shapes.radius[shape], shapes.stride[shape]
    while True:
        if not alone:
            final_x[active], final_y[active] = plan.x, plan.y
            final_heading[active] = all_bodies[Body.HEADING, active] + plan.turn
        gx, gy = plan.x - b[Body.X], plan.y - b[Body.Y]
        who = np.flatnonzero((plan.level < NOTHING) & solid & ((gx != 0.0) | (gy != 0.0) | (plan.turn != 0.0)))
        pieces = ((np.sqrt(gx * gx + gy * gy) + radius * np.abs(plan.turn)) / stride).astype(np.int64) + 1
        blocked = np.zeros(b.shape[1], np.bool_)
        for piece in range(1, int(pieces[who].max()) + 1 if len(who) else 1):
            part = who[(pieces[who] >= piece) & ~blocked[who]]
            fraction = piece / pieces[part]
            px = b[Body.X, part] + gx[part] * fraction
            py = b[Body.Y, part] + gy[part] * fraction
            ph = b[Body.HEADING, part] + plan.turn[part] * fraction
            walls = ~free_of_walls[part]
            if walls.all():
                blocked[part] = hits_wall(b, part, px, py, ph, shapes, grid)
            elif walls.any():
                blocked[part[walls]] = hits_wall(b, part[walls], px[walls], py[walls], ph[walls], shapes, grid)
            if not alone:
                blocked[part] |= _hits_body(
                    all_bodies, active[part], px, py, ph, final_x, final_y, final_heading, shapes
                )  # fmt: skip
        if not blocked.any():
            return
        free_of_walls[who] = ~blocked[who]
        plan.retreat(np.flatnonzero(blocked), b, dt)


def _has_wide_berth(b: FloatArray, plan: Plan, shapes: Shapes, grid: Grid) -> bool:
    """Whether the only body of a world is so far from every wall that its step needs no closer look."""
    x, y = float(b[Body.X, 0]), float(b[Body.Y, 0])
    way = math.hypot(float(plan.x[0]) - x, float(plan.y[0]) - y)
    i, j = math.floor((x - grid.x0) / grid.cell), math.floor((y - grid.y0) / grid.cell)
    if not (0 <= i < grid.columns and 0 <= j < grid.rows):
        return False
    free = (int(grid.clearance[j * grid.columns + i]) - 1) * grid.cell
    return bool(way + shapes.radius[int(b[Body.FOOTPRINT, 0])] < free)


def hits_wall(
    b: FloatArray, who: IntArray, px: FloatArray, py: FloatArray, ph: FloatArray, shapes: Shapes, grid: Grid
) -> BoolArray:
    """Whether a static segment is in the way of each body `who` at the pose beside it."""
    result = np.zeros(len(who), np.bool_)
    shape = b[Body.FOOTPRINT, who].astype(np.int64)
    radius = shapes.radius[shape]
    gx, gy, reach = (px - grid.x0) / grid.cell, (py - grid.y0) / grid.cell, radius / grid.cell
    ci, cj = np.floor(gx), np.floor(gy)
    within = (ci >= 0) & (ci < grid.columns) & (cj >= 0) & (cj < grid.rows)
    place = np.where(within, cj * grid.columns + ci, 0).astype(np.int64)
    clear = within & (grid.clearance[place].astype(np.float64) - 1.0 >= reach)
    clear |= (gx < -reach) | (gy < -reach) | (gx > grid.columns + reach) | (gy > grid.rows + reach)
    tight = np.flatnonzero(~clear)
    if len(tight) == 0:
        return result
    # Every item of every cell that the body's circle can touch.
    gx, gy, reach = gx[tight], gy[tight], reach[tight]
    low_j = np.maximum(0, np.floor(gy - reach)).astype(np.int64)
    high_j = np.minimum(grid.rows - 1, np.floor(gy + reach)).astype(np.int64)
    low_i = np.maximum(0, np.floor(gx - reach)).astype(np.int64)
    high_i = np.minimum(grid.columns - 1, np.floor(gx + reach)).astype(np.int64)
    line, j = runs(low_j, np.maximum(0, high_j - low_j + 1))
    start = grid.starts[j * grid.columns + low_i[line]]
    end = grid.starts[j * grid.columns + np.maximum(high_i, low_i - 1)[line] + 1]
    owner, item = runs(start, end - start)
    owner = tight[line[owner]]
    keep = (grid.kinds[item] & int(Stops.ROBOTS)) != 0
    owner, item = owner[keep], item[keep]
    ax, ay, ex, ey = grid.lines[item].T
    near = _distance_squared(px[owner], py[owner], ax, ay, ex, ey)
    keep = near <= radius[owner] * radius[owner]
    owner, near, ax, ay, ex, ey = owner[keep], near[keep], ax[keep], ay[keep], ex[keep], ey[keep]
    if len(owner) == 0:
        return result
    touch = _touches(px[owner], py[owner], ph[owner], ax, ay, ex, ey, shape[owner], shapes)
    owner, near, ax, ay, ex, ey = owner[touch], near[touch], ax[touch], ay[touch], ex[touch], ey[touch]
    # In the way already, before the step: then only coming closer is forbidden.
    x, y, heading = b[Body.X, who[owner]], b[Body.Y, who[owner]], b[Body.HEADING, who[owner]]
    parting = near >= _distance_squared(x, y, ax, ay, ex, ey)
    parting[parting] = _touches(
        x[parting], y[parting], heading[parting], ax[parting], ay[parting], ex[parting], ey[parting],
        shape[owner[parting]], shapes,
    )  # fmt: skip
    return any_by_owner(owner, ~parting, len(who))


def _hits_body(
    all_bodies: FloatArray, who: IntArray, px: FloatArray, py: FloatArray, ph: FloatArray,
    final_x: FloatArray, final_y: FloatArray, final_heading: FloatArray, shapes: Shapes,
) -> BoolArray:  # fmt: skip
    """Whether another body, at its planned pose, is in the way of each body `who` at the pose beside it."""
    footprint = all_bodies[Body.FOOTPRINT, who].astype(np.int64)
    outline = all_bodies[Body.OUTLINE].astype(np.int64)
    gx, gy = final_x - px[:, None], final_y - py[:, None]
    near = gx * gx + gy * gy
    both = shapes.radius[footprint][:, None] + shapes.radius[outline]
    close = near <= both * both
    close &= (all_bodies[Body.GHOST] <= 0.0) & ((all_bodies[Body.STOPS].astype(np.int64) & int(Stops.ROBOTS)) != 0)
    close[np.arange(len(who)), who] = False
    a, j = np.nonzero(close)
    if len(a) == 0:
        return np.zeros(len(who), np.bool_)
    hit = _overlap(
        px[a], py[a], ph[a], final_x[j], final_y[j], final_heading[j], footprint[a], outline[j], shapes
    )  # fmt: skip
    a, j = a[hit], j[hit]
    x, y, heading = all_bodies[Body.X], all_bodies[Body.Y], all_bodies[Body.HEADING]
    ox, oy = x[j] - x[who[a]], y[j] - y[who[a]]
    # Run into from behind: the other is to blame, as long as it has not given up its own step.
    gx, gy = x[j] - px[a], y[j] - py[a]
    rolls = (final_x[j] != x[j]) | (final_y[j] != y[j]) | (final_heading[j] != heading[j])
    guilty = ~(rolls & (gx * gx + gy * gy > ox * ox + oy * oy))
    a, j, ox, oy = a[guilty], j[guilty], ox[guilty], oy[guilty]
    parting = near[a, j] >= ox * ox + oy * oy
    p, q = who[a[parting]], j[parting]
    parting[parting] = _overlap(
        x[p], y[p], heading[p], x[q], y[q], heading[q], footprint[a[parting]], outline[q], shapes
    )  # fmt: skip
    return any_by_owner(a, ~parting, len(who))


def _overlap(
    x: FloatArray, y: FloatArray, heading: FloatArray, bx: FloatArray, by: FloatArray, bheading: FloatArray,
    footprint: IntArray, outline: IntArray, shapes: Shapes,
) -> BoolArray:  # fmt: skip
    """Whether footprints at poses touch outlines at theirs."""
    if len(x) == 0:
        return np.zeros(0, np.bool_)
    bs, bc = sincos(bheading)
    first = shapes.starts[outline]
    pair, edge = runs(first, shapes.starts[outline + 1] - first)
    ex, ey = shapes.edges[edge, 2], shapes.edges[edge, 3]
    lx, ly = shapes.edges[edge, 0], shapes.edges[edge, 1]
    s, c = bs[pair], bc[pair]
    ax, ay = bx[pair] + lx * c - ly * s, by[pair] + lx * s + ly * c
    touch = _touches(
        x[pair], y[pair], heading[pair], ax, ay, ex * c - ey * s, ex * s + ey * c, footprint[pair], shapes
    )  # fmt: skip
    rx, ry = x - bx, y - by
    return any_by_owner(pair, touch, len(x)) | _encloses(rx * bc + ry * bs, ry * bc - rx * bs, outline, shapes)


def _touches(
    x: FloatArray, y: FloatArray, heading: FloatArray, ax: FloatArray, ay: FloatArray, ex: FloatArray, ey: FloatArray,
    shape: IntArray, shapes: Shapes,
) -> BoolArray:  # fmt: skip
    """Whether segments in the world cross, or lie inside, shapes at poses."""
    if len(x) == 0:
        return np.zeros(0, np.bool_)
    s, c = sincos(heading)
    rx, ry = ax - x, ay - y
    ax, ay = rx * c + ry * s, ry * c - rx * s
    ex, ey = ex * c + ey * s, ey * c - ex * s
    first = shapes.starts[shape]
    pair, edge = runs(first, shapes.starts[shape + 1] - first)
    qx, qy = shapes.edges[edge, 2], shapes.edges[edge, 3]
    sx, sy = ex[pair], ey[pair]
    across = sx * qy - sy * qx
    rx, ry = shapes.edges[edge, 0] - ax[pair], shapes.edges[edge, 1] - ay[pair]
    t = (rx * qy - ry * qx) / across
    u = (rx * sy - ry * sx) / across
    crossing = (across != 0.0) & (t >= 0.0) & (t <= 1.0) & (u >= 0.0) & (u <= 1.0)
    return any_by_owner(pair, crossing, len(x)) | _encloses(ax, ay, shape, shapes)


def _encloses(x: FloatArray, y: FloatArray, shape: IntArray, shapes: Shapes) -> BoolArray:
    """Whether points lie inside shapes in whose frames they are given."""
    first = shapes.starts[shape]
    pair, edge = runs(first, shapes.starts[shape + 1] - first)
    px, py = x[pair], y[pair]
    ya = shapes.edges[edge, 1]
    yb = ya + shapes.edges[edge, 3]
    side = shapes.edges[edge, 2] * (py - ya) - (px - shapes.edges[edge, 0]) * shapes.edges[edge, 3]
    turns = np.where((ya <= py) & (yb > py) & (side > 0.0), 1, 0) - np.where((ya > py) & (yb <= py) & (side < 0.0), 1, 0)
    return np.bincount(pair, weights=turns, minlength=len(x)) > 0.0


def _distance_squared(
    px: FloatArray, py: FloatArray, ax: FloatArray, ay: FloatArray, ex: FloatArray, ey: FloatArray
) -> FloatArray:
    """Squared distances from points to segments."""
    length = ex * ex + ey * ey
    share = np.where(length > 0.0, ((px - ax) * ex + (py - ay) * ey) / np.where(length > 0.0, length, 1.0), 0.0)
    share = np.minimum(1.0, np.maximum(0.0, share))
    gx, gy = ax + share * ex - px, ay + share * ey - py
    return gx * gx + gy * gy
