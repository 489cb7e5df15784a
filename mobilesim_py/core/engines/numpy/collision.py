"""Collisions of all robots at once, in NumPy: who may take the step that it planned.

Every body plans its pose after the step. A body whose plan runs into a wall, or into another body's plan, retreats: to the
turn alone, then to the turn with its body moved aside by the little that its outline needs, then to the way alone, then to
nothing; and all plans are looked at again until nobody has to retreat. So no two bodies ever end a step inside one another,
whatever their order.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.engines.formulas import ASIDE, GIVE_WAY_SHARES, sincos
from mobilesim_py.core.engines.numpy.contacts import Touches, keep_contacts, lines_met
from mobilesim_py.core.engines.numpy.expand import first_by_owner, runs
from mobilesim_py.core.engines.numpy.outlines import Lines, Poses, distance_squared, meets_shape, overlap
from mobilesim_py.core.fields import Body, Retreat
from mobilesim_py.core.scene import WALL, GridTable, IntArray, Scene, ShapeTable
from mobilesim_py.world.obstacles import FloatArray, Stops

BoolArray = npt.NDArray[np.bool_]
FREE = -2
_FOR_ROBOTS = int(Stops.ROBOTS)


@dataclass
class Plan:
    """Planned x and y, the turn to make, how far each body has retreated, and which body it touched first (or below 0)."""

    x: FloatArray
    y: FloatArray
    turn: FloatArray
    level: IntArray
    other: IntArray | None = None
    """Unless nobody touched anything."""

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


class Step(NamedTuple):
    """Steps that some of the moving bodies would make, and whether walls can be in their way."""

    who: IntArray
    gx: FloatArray
    gy: FloatArray
    turn: FloatArray
    walls: BoolArray
    gives: BoolArray
    """Who gives way."""

    def pick(self, which: npt.NDArray[np.generic]) -> Step:
        """Return some of them."""
        return Step(*(field[which] for field in self))


class Met(NamedTuple):
    """What is in the way of some steps: a body's column, WALL or FREE; the item of the grid; the fraction done."""

    other: IntArray
    item: IntArray
    fraction: FloatArray


@dataclass(frozen=True)
class Movers:
    """The bodies that move, where everybody plans to be, and what they can run into."""

    scene: Scene
    all_bodies: FloatArray
    b: FloatArray
    """The columns `active` of all bodies."""
    active: IntArray
    final: Poses

    @property
    def alone(self) -> bool:
        """Whether there is nobody to run into."""
        return bool(self.all_bodies.shape[1] == 1)

    def poses(self, step: Step, fraction: FloatArray | float) -> Poses:
        """Return where bodies are when a fraction of a step is done."""
        x, y, heading = Poses.of(self.b)
        if len(step.who) < len(x):
            x, y, heading = x[step.who], y[step.who], heading[step.who]
        return Poses(x + step.gx * fraction, y + step.gy * fraction, heading + step.turn * fraction)

    def first_met(self, step: Step) -> Met:
        """Return what is in the way of steps, looked at piece by piece, so that nothing is jumped over."""
        shapes = self.scene.shapes
        shape = self.b[Body.FOOTPRINT, step.who].astype(np.int64)
        length = np.sqrt(step.gx * step.gx + step.gy * step.gy) + shapes.radius[shape] * np.abs(step.turn)
        pieces = (length / shapes.stride[shape]).astype(np.int64) + 1
        most = int(pieces.max(initial=1))
        if most == 1:
            other, item = self._met_at(step, self.poses(step, 1.0))
            return Met(other, item, np.ones(len(other)))
        met = Met(np.full(len(step.who), FREE), np.full(len(step.who), -1), np.ones(len(step.who)))
        for number in range(1, most + 1):
            part = np.flatnonzero((pieces >= number) & (met.other == FREE))
            some, fraction = step.pick(part), number / pieces[part]
            other, item = self._met_at(some, self.poses(some, fraction))
            hit = np.flatnonzero(other != FREE)
            met.other[part[hit]], met.item[part[hit]], met.fraction[part[hit]] = other[hit], item[hit], fraction[hit]
        return met

    def _met_at(self, step: Step, poses: Poses) -> tuple[IntArray, IntArray]:
        """Return what is in the way of bodies at poses on their steps, and the item of the grid."""
        shapes, ground = self.scene.shapes, self.scene.ground
        if step.walls.all():
            item = wall_met(self.b, step.who, poses, shapes, ground)
        else:
            item = np.full(len(step.who), -1)
            near = np.flatnonzero(step.walls)
            item[near] = wall_met(self.b, step.who[near], poses.pick(near), shapes, ground)
        if self.alone:
            return np.where(item >= 0, WALL, FREE), item
        body = _body_met(self.scene, self.all_bodies, self.active[step.who], poses, self.final, step.gives)
        return np.where(item >= 0, WALL, np.where(body >= 0, body, FREE)), item


def _way(b: FloatArray, s: FloatArray, c: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    return (
        b[Body.X] + (b[Body.FORWARD] * c - b[Body.LATERAL] * s) * dt,
        b[Body.Y] + (b[Body.FORWARD] * s + b[Body.LATERAL] * c) * dt,
    )


def settle(scene: Scene, all_bodies: FloatArray, b: FloatArray, active: IntArray, plan: Plan) -> None:
    """Let everybody retreat until all plans fit together. `b` are the columns `active` of all bodies, with their plans."""
    if all_bodies.shape[1] == 1 and _has_wide_berth(b, plan, scene.shapes, scene.ground):
        return
    final = Poses(*all_bodies[Body.X : Body.HEADING + 1].copy())
    movers = Movers(scene, all_bodies, b, active, final)
    solid = b[Body.GHOST] <= 0.0
    free_of_walls = np.zeros(b.shape[1], np.bool_)
    while True:
        final.x[active], final.y[active] = plan.x, plan.y
        final.heading[active] = b[Body.HEADING] + plan.turn
        gx, gy = plan.x - b[Body.X], plan.y - b[Body.Y]
        who = np.flatnonzero((plan.level < Retreat.NOTHING) & solid & ((gx != 0.0) | (gy != 0.0) | (plan.turn != 0.0)))
        step = Step(who, gx[who], gy[who], plan.turn[who], ~free_of_walls[who], plan.level[who] == Retreat.GIVE_WAY)
        met = movers.first_met(step)
        blocked = met.other != FREE
        if not blocked.any():
            return
        free_of_walls[who] = ~blocked
        step, met = step.pick(blocked), Met(*(field[blocked] for field in met))
        poses = movers.poses(step, met.fraction)
        lines = lines_met(scene, all_bodies, poses, b[Body.FOOTPRINT, step.who], final, met.other, met.item)
        touch = Touches.find(poses, lines, b[Body.FOOTPRINT, step.who].astype(np.int64), scene.shapes)
        first = plan.level[step.who] == Retreat.NONE
        keep_contacts(all_bodies, b, step.who[first], met.other[first], touch.pick(first))
        if plan.other is None:
            plan.other = np.full(b.shape[1], -1)
        plan.other[step.who[first]] = met.other[first]
        _retreat(movers, plan, step.who, touch)


def _retreat(movers: Movers, plan: Plan, who: IntArray, touch: Touches) -> None:
    """Let blocked bodies plan less, and remember what they pushed at."""
    b, dt = movers.b, movers.scene.dt
    turn = b[Body.ROTATION, who] * dt
    stands = (b[Body.FORWARD, who] == 0.0) & (b[Body.LATERAL, who] == 0.0)
    level = plan.level[who] + 1
    level[turn == 0.0] = Retreat.NOTHING
    # Who only turns has tried to turn alone already.
    level[(level == Retreat.TURN_ALONE) & stands] = Retreat.GIVE_WAY
    x, y = b[Body.X, who], b[Body.Y, who]
    gives = np.flatnonzero(level == Retreat.GIVE_WAY)
    if len(gives):
        found, x[gives], y[gives] = _find_room(movers, who[gives], turn[gives], touch.pick(gives))
        level[gives[~found]] = Retreat.WAY_ALONE
    level[(level == Retreat.WAY_ALONE) & stands] = Retreat.NOTHING
    turns, goes = (level == Retreat.TURN_ALONE) | (level == Retreat.GIVE_WAY), level == Retreat.WAY_ALONE
    if goes.any():
        sine, cosine = sincos(b[Body.HEADING])
        way_x, way_y = _way(b, sine, cosine, dt)
        x, y = np.where(goes, way_x[who], x), np.where(goes, way_y[who], y)
    plan.level[who], plan.x[who], plan.y[who], plan.turn[who] = level, x, y, np.where(turns, turn, 0.0)
    # Who only wants to turn, and can by giving way, is not held up.
    b[Body.STALLED, who] = ~(stands & (level == Retreat.GIVE_WAY))
    b[Body.STALL_X, who] = b[Body.X, who]
    b[Body.STALL_Y, who] = b[Body.Y, who]
    b[Body.STALL_HEADING, who] = b[Body.HEADING, who]
    b[Body.PUSH_FORWARD, who] = np.where(goes, 0.0, b[Body.FORWARD, who])
    b[Body.PUSH_LATERAL, who] = np.where(goes, 0.0, b[Body.LATERAL, who])
    b[Body.PUSH_ROTATION, who] = np.where(turns, 0.0, b[Body.ROTATION, who])


def _find_room(movers: Movers, who: IntArray, turn: FloatArray, touch: Touches) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Look for places where bodies can turn: as near as can be, and rather straight away from what they touch."""
    b = movers.b
    found, x, y = np.zeros(len(who), np.bool_), b[Body.X, who], b[Body.Y, who]
    most = movers.scene.shapes.radius[b[Body.FOOTPRINT, who].astype(np.int64)] * np.abs(turn)
    for share, (cosine, sine) in itertools.product(GIVE_WAY_SHARES, ASIDE):
        left = np.flatnonzero(~found)
        if len(left) == 0:
            break
        gx = (touch.away_x[left] * cosine - touch.away_y[left] * sine) * (most[left] * share)
        gy = (touch.away_x[left] * sine + touch.away_y[left] * cosine) * (most[left] * share)
        yes = np.ones(len(left), np.bool_)
        met = movers.first_met(Step(who[left], gx, gy, turn[left], yes, yes))
        free = met.other == FREE
        found[left[free]] = True
        x[left[free]] += gx[free]
        y[left[free]] += gy[free]
    return found, x, y


def _has_wide_berth(b: FloatArray, plan: Plan, shapes: ShapeTable, ground: GridTable) -> bool:
    """Tell whether the only body of a world is so far from every wall that its step needs no closer look."""
    x, y = float(b[Body.X, 0]), float(b[Body.Y, 0])
    way = math.hypot(float(plan.x[0]) - x, float(plan.y[0]) - y)
    i, j = math.floor((x - ground.x0) / ground.cell), math.floor((y - ground.y0) / ground.cell)
    if not (0 <= i < ground.columns and 0 <= j < ground.rows):
        return False
    free = (int(ground.clearance[j * ground.columns + i]) - 1) * ground.cell
    return bool(way + shapes.radius[int(b[Body.FOOTPRINT, 0])] < free)


def wall_met(b: FloatArray, who: IntArray, poses: Poses, shapes: ShapeTable, ground: GridTable) -> IntArray:
    """Return the first static segment (item of the grid) in the way of each body `who` at the pose beside it, or -1."""
    shape = b[Body.FOOTPRINT, who].astype(np.int64)
    radius = shapes.radius[shape]
    owner, item = _items_near(poses, radius, ground)
    if len(owner) == 0:
        return np.full(len(who), -1)
    lines = Lines(*ground.lines[item].T)
    near = distance_squared(poses.x[owner], poses.y[owner], lines)
    keep = near <= radius[owner] * radius[owner]
    owner, item, near, lines = owner[keep], item[keep], near[keep], lines.pick(keep)
    touch = meets_shape(poses.pick(owner), lines, shape[owner], shapes)
    owner, item, near, lines = owner[touch], item[touch], near[touch], lines.pick(touch)
    # In the way already, before the step: then only coming closer is forbidden.
    before = Poses.of(b).pick(who[owner])
    parting = near >= distance_squared(before.x, before.y, lines)
    parting[parting] = meets_shape(before.pick(parting), lines.pick(parting), shape[owner[parting]], shapes)
    return first_by_owner(owner[~parting], item[~parting], len(who))


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


def _body_met(scene: Scene, all_bodies: FloatArray, who: IntArray, poses: Poses, final: Poses, gives: BoolArray) -> IntArray:
    """Return the first other body that, at its final pose, is in the way of each body `who` at the pose beside it, or -1."""
    shapes = scene.shapes
    footprint = all_bodies[Body.FOOTPRINT, who].astype(np.int64)
    outline = all_bodies[Body.OUTLINE].astype(np.int64)
    gx, gy = final.x - poses.x[:, None], final.y - poses.y[:, None]
    near = gx * gx + gy * gy
    both = shapes.radius[footprint][:, None] + shapes.radius[outline]
    close = near <= both * both
    close &= (all_bodies[Body.GHOST] <= 0.0) & ((all_bodies[Body.STOPS].astype(np.int64) & _FOR_ROBOTS) != 0)
    if scene.copies > 1:
        close &= all_bodies[Body.COPY] == all_bodies[Body.COPY, who][:, None]
    close[np.arange(len(who)), who] = False
    a, j = np.nonzero(close)
    if len(a) == 0:
        return np.full(len(who), -1)
    hit = overlap(poses.pick(a), footprint[a], final.pick(j), outline[j], shapes)
    a, j = a[hit], j[hit]
    now = Poses.of(all_bodies)
    ox, oy = now.x[j] - now.x[who[a]], now.y[j] - now.y[who[a]]
    # Run into from behind: the other is to blame, as long as it has not given up its own step. Where both part from each
    # other, and for who gives way, there is no such excuse.
    gx, gy = now.x[j] - poses.x[a], now.y[j] - poses.y[a]
    rolls = (final.x[j] != now.x[j]) | (final.y[j] != now.y[j]) | (final.heading[j] != now.heading[j])
    hx, hy = final.x[j] - now.x[who[a]], final.y[j] - now.y[who[a]]
    apart = ox * ox + oy * oy
    guilty = gives[a] | ~(rolls & (gx * gx + gy * gy > apart) & (hx * hx + hy * hy <= apart))
    a, j, ox, oy = a[guilty], j[guilty], ox[guilty], oy[guilty]
    parting = near[a, j] >= ox * ox + oy * oy
    p, q = a[parting], j[parting]
    parting[parting] = overlap(now.pick(who[p]), footprint[p], now.pick(q), outline[q], shapes)
    return first_by_owner(a[~parting], j[~parting], len(who))
