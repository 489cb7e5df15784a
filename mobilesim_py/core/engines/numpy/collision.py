"""Collisions of all robots at once, in NumPy: who may take the step that it planned.

Every body plans its pose after the step. A body whose plan runs into a wall, or into another body's plan, retreats: to the
turn alone, then to the way alone, then to nothing; and all plans are looked at again until nobody has to retreat. So no two
bodies ever end a step inside one another, whatever their order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.engines.formulas import sincos
from mobilesim_py.core.engines.numpy.expand import any_by_owner, runs
from mobilesim_py.core.engines.numpy.outlines import Lines, distance_squared, encloses, touches
from mobilesim_py.core.fields import Body, Retreat
from mobilesim_py.core.scene import GridTable, IntArray, Scene, ShapeTable
from mobilesim_py.world.obstacles import FloatArray, Stops

BoolArray = npt.NDArray[np.bool_]
_FOR_ROBOTS = int(Stops.ROBOTS)


class Poses(NamedTuple):
    """Where some bodies are, or would be."""

    x: FloatArray
    y: FloatArray
    heading: FloatArray

    @classmethod
    def of(cls, bodies: FloatArray) -> Poses:
        """Return where bodies are now."""
        return cls(bodies[Body.X], bodies[Body.Y], bodies[Body.HEADING])

    def pick(self, who: npt.NDArray[np.generic]) -> Poses:
        """Return the poses of some of them."""
        return Poses(self.x[who], self.y[who], self.heading[who])


@dataclass
class Plan:
    """Planned x and y, the turn to make, and how far each body has retreated."""

    x: FloatArray
    y: FloatArray
    turn: FloatArray
    level: IntArray

    @classmethod
    def whole_step(cls, b: FloatArray, sine: FloatArray, cosine: FloatArray, dt: float) -> Plan:
        """Plan the step as the velocities have it; `sine` and `cosine` are those of the headings."""
        x, y = _way(b, sine, cosine, dt)
        return cls(x, y, b[Body.ROTATION] * dt, np.zeros(b.shape[1], np.int64))

    @property
    def has_way(self) -> BoolArray:
        """Whose way is not blocked."""
        return np.asarray((self.level == Retreat.NONE) | (self.level == Retreat.WAY_ALONE))

    @property
    def has_turn(self) -> BoolArray:
        """Whose turn is not blocked."""
        return np.asarray(self.level < Retreat.WAY_ALONE)

    def retreat(self, who: IntArray, b: FloatArray, dt: float) -> None:
        """Plan less, and remember what was pushed at."""
        turn = b[Body.ROTATION, who] * dt
        stands = (b[Body.FORWARD, who] == 0.0) & (b[Body.LATERAL, who] == 0.0)
        level = self.level[who] + 1
        level[(turn == 0.0) | ((level == Retreat.WAY_ALONE) & stands)] = Retreat.NOTHING
        self.level[who] = level
        turns, goes = level == Retreat.TURN_ALONE, level == Retreat.WAY_ALONE
        sine, cosine = sincos(b[Body.HEADING])
        x, y = _way(b, sine, cosine, dt)
        self.x[who] = np.where(goes, x[who], b[Body.X, who])
        self.y[who] = np.where(goes, y[who], b[Body.Y, who])
        self.turn[who] = np.where(turns, turn, 0.0)
        b[Body.STALLED, who] = 1.0
        b[Body.STALL_X, who] = b[Body.X, who]
        b[Body.STALL_Y, who] = b[Body.Y, who]
        b[Body.STALL_HEADING, who] = b[Body.HEADING, who]
        b[Body.PUSH_FORWARD, who] = np.where(goes, 0.0, b[Body.FORWARD, who])
        b[Body.PUSH_LATERAL, who] = np.where(goes, 0.0, b[Body.LATERAL, who])
        b[Body.PUSH_ROTATION, who] = np.where(turns, 0.0, b[Body.ROTATION, who])


def _way(b: FloatArray, s: FloatArray, c: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    return (
        b[Body.X] + (b[Body.FORWARD] * c - b[Body.LATERAL] * s) * dt,
        b[Body.Y] + (b[Body.FORWARD] * s + b[Body.LATERAL] * c) * dt,
    )


def settle(scene: Scene, all_bodies: FloatArray, b: FloatArray, active: IntArray, plan: Plan) -> None:
    """Let everybody retreat until all plans fit together. `b` are the columns `active` of all bodies, with their plans."""
    shapes, ground = scene.shapes, scene.ground
    alone = all_bodies.shape[1] == 1
    if alone and _has_wide_berth(b, plan, shapes, ground):
        return
    final = Poses(*all_bodies[Body.X : Body.HEADING + 1].copy())
    solid = b[Body.GHOST] <= 0.0
    free_of_walls = np.zeros(b.shape[1], np.bool_)
    shape = b[Body.FOOTPRINT].astype(np.int64)
    radius, stride = shapes.radius[shape], shapes.stride[shape]
    while True:
        if not alone:
            final.x[active], final.y[active] = plan.x, plan.y
            final.heading[active] = all_bodies[Body.HEADING, active] + plan.turn
        gx, gy = plan.x - b[Body.X], plan.y - b[Body.Y]
        who = np.flatnonzero((plan.level < Retreat.NOTHING) & solid & ((gx != 0.0) | (gy != 0.0) | (plan.turn != 0.0)))
        pieces = ((np.sqrt(gx * gx + gy * gy) + radius * np.abs(plan.turn)) / stride).astype(np.int64) + 1
        blocked = np.zeros(b.shape[1], np.bool_)
        for piece in range(1, int(pieces[who].max()) + 1 if len(who) else 1):
            part = who[(pieces[who] >= piece) & ~blocked[who]]
            fraction = piece / pieces[part]
            poses = Poses(
                b[Body.X, part] + gx[part] * fraction,
                b[Body.Y, part] + gy[part] * fraction,
                b[Body.HEADING, part] + plan.turn[part] * fraction,
            )
            walls = ~free_of_walls[part]
            if walls.all():
                blocked[part] = hits_wall(b, part, poses, shapes, ground)
            elif walls.any():
                blocked[part[walls]] = hits_wall(b, part[walls], poses.pick(walls), shapes, ground)
            if not alone:
                blocked[part] |= _hits_body(all_bodies, active[part], poses, final, shapes)
        if not blocked.any():
            return
        free_of_walls[who] = ~blocked[who]
        plan.retreat(np.flatnonzero(blocked), b, scene.dt)


def _has_wide_berth(b: FloatArray, plan: Plan, shapes: ShapeTable, ground: GridTable) -> bool:
    """Tell whether the only body of a world is so far from every wall that its step needs no closer look."""
    x, y = float(b[Body.X, 0]), float(b[Body.Y, 0])
    way = math.hypot(float(plan.x[0]) - x, float(plan.y[0]) - y)
    i, j = math.floor((x - ground.x0) / ground.cell), math.floor((y - ground.y0) / ground.cell)
    if not (0 <= i < ground.columns and 0 <= j < ground.rows):
        return False
    free = (int(ground.clearance[j * ground.columns + i]) - 1) * ground.cell
    return bool(way + shapes.radius[int(b[Body.FOOTPRINT, 0])] < free)


def hits_wall(b: FloatArray, who: IntArray, poses: Poses, shapes: ShapeTable, ground: GridTable) -> BoolArray:
    """Tell whether a static segment is in the way of each body `who` at the pose beside it."""
    shape = b[Body.FOOTPRINT, who].astype(np.int64)
    radius = shapes.radius[shape]
    owner, item = _items_near(poses, radius, ground)
    if len(owner) == 0:
        return np.zeros(len(who), np.bool_)
    lines = Lines(*ground.lines[item].T)
    near = distance_squared(poses.x[owner], poses.y[owner], lines)
    keep = near <= radius[owner] * radius[owner]
    owner, near, lines = owner[keep], near[keep], lines.pick(keep)
    touch = _meets(poses.pick(owner), lines, shape[owner], shapes)
    owner, near, lines = owner[touch], near[touch], lines.pick(touch)
    # In the way already, before the step: then only coming closer is forbidden.
    before = Poses.of(b).pick(who[owner])
    parting = near >= distance_squared(before.x, before.y, lines)
    parting[parting] = _meets(before.pick(parting), lines.pick(parting), shape[owner[parting]], shapes)
    return any_by_owner(owner, ~parting, len(who))


def _items_near(poses: Poses, radius: FloatArray, ground: GridTable) -> tuple[IntArray, IntArray]:
    """Return pairs of a pose and an item that stops robots in any cell that the circle about the pose can touch."""
    gx, gy, reach = (poses.x - ground.x0) / ground.cell, (poses.y - ground.y0) / ground.cell, radius / ground.cell
    ci, cj = np.floor(gx), np.floor(gy)
    within = (ci >= 0) & (ci < ground.columns) & (cj >= 0) & (cj < ground.rows)
    place = np.where(within, cj * ground.columns + ci, 0).astype(np.int64)
    clear = within & (ground.clearance[place].astype(np.float64) - 1.0 >= reach)
    clear |= (gx < -reach) | (gy < -reach) | (gx > ground.columns + reach) | (gy > ground.rows + reach)
    tight = np.flatnonzero(~clear)
    if len(tight) == 0:
        return tight, tight
    gx, gy, reach = gx[tight], gy[tight], reach[tight]
    low_j = np.maximum(0, np.floor(gy - reach)).astype(np.int64)
    high_j = np.minimum(ground.rows - 1, np.floor(gy + reach)).astype(np.int64)
    low_i = np.maximum(0, np.floor(gx - reach)).astype(np.int64)
    high_i = np.minimum(ground.columns - 1, np.floor(gx + reach)).astype(np.int64)
    line, j = runs(low_j, np.maximum(0, high_j - low_j + 1))
    start = ground.starts[j * ground.columns + low_i[line]]
    end = ground.starts[j * ground.columns + np.maximum(high_i, low_i - 1)[line] + 1]
    owner, item = runs(start, end - start)
    keep = (ground.kinds[item] & _FOR_ROBOTS) != 0
    return tight[line[owner[keep]]], item[keep]


def _hits_body(all_bodies: FloatArray, who: IntArray, poses: Poses, final: Poses, shapes: ShapeTable) -> BoolArray:
    """Tell whether another body, at its final pose, is in the way of each body `who` at the pose beside it."""
    footprint = all_bodies[Body.FOOTPRINT, who].astype(np.int64)
    outline = all_bodies[Body.OUTLINE].astype(np.int64)
    gx, gy = final.x - poses.x[:, None], final.y - poses.y[:, None]
    near = gx * gx + gy * gy
    both = shapes.radius[footprint][:, None] + shapes.radius[outline]
    close = near <= both * both
    close &= (all_bodies[Body.GHOST] <= 0.0) & ((all_bodies[Body.STOPS].astype(np.int64) & _FOR_ROBOTS) != 0)
    close[np.arange(len(who)), who] = False
    a, j = np.nonzero(close)
    if len(a) == 0:
        return np.zeros(len(who), np.bool_)
    hit = _overlap(poses.pick(a), footprint[a], final.pick(j), outline[j], shapes)
    a, j = a[hit], j[hit]
    now = Poses.of(all_bodies)
    ox, oy = now.x[j] - now.x[who[a]], now.y[j] - now.y[who[a]]
    # Run into from behind: the other is to blame, as long as it has not given up its own step.
    gx, gy = now.x[j] - poses.x[a], now.y[j] - poses.y[a]
    rolls = (final.x[j] != now.x[j]) | (final.y[j] != now.y[j]) | (final.heading[j] != now.heading[j])
    guilty = ~(rolls & (gx * gx + gy * gy > ox * ox + oy * oy))
    a, j, ox, oy = a[guilty], j[guilty], ox[guilty], oy[guilty]
    parting = near[a, j] >= ox * ox + oy * oy
    p, q = a[parting], j[parting]
    parting[parting] = _overlap(now.pick(who[p]), footprint[p], now.pick(q), outline[q], shapes)
    return any_by_owner(a, ~parting, len(who))


def _overlap(poses: Poses, footprint: IntArray, others: Poses, outline: IntArray, shapes: ShapeTable) -> BoolArray:
    """Tell whether footprints at poses touch outlines at theirs."""
    if len(footprint) == 0:
        return np.zeros(0, np.bool_)
    bs, bc = sincos(others.heading)
    first = shapes.starts[outline]
    pair, edge = runs(first, shapes.starts[outline + 1] - first)
    lx, ly, ex, ey = shapes.edges[edge].T
    s, c = bs[pair], bc[pair]
    ax, ay = others.x[pair] + lx * c - ly * s, others.y[pair] + lx * s + ly * c
    touch = _meets(poses.pick(pair), Lines(ax, ay, ex * c - ey * s, ex * s + ey * c), footprint[pair], shapes)
    rx, ry = poses.x - others.x, poses.y - others.y
    inside = encloses(rx * bc + ry * bs, ry * bc - rx * bs, outline, shapes)
    return any_by_owner(pair, touch, len(footprint)) | inside


def _meets(poses: Poses, lines: Lines, shape: IntArray, shapes: ShapeTable) -> BoolArray:
    """Tell whether segments in the world cross, or lie inside, shapes at poses."""
    s, c = sincos(poses.heading)
    rx, ry = lines.ax - poses.x, lines.ay - poses.y
    local = Lines(rx * c + ry * s, ry * c - rx * s, lines.ex * c + lines.ey * s, lines.ey * c - lines.ex * s)
    return touches(local, shape, shapes)
