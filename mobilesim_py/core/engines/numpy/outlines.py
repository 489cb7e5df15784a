"""What the lasers and sonar of the NumPy engine see of robots and boxes: outlines that are somewhere else at every tick.

In a crowd everybody is near everybody, but the nearest few hide nearly all others. So each sensor looks at its nearest
neighbours first, and beams that they have stopped are not held against those behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.engines.formulas import TAU, sincos
from mobilesim_py.core.engines.numpy.casting import meet
from mobilesim_py.core.engines.numpy.expand import any_by_owner, runs
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import IntArray, Scene, ShapeTable
from mobilesim_py.world.obstacles import ByteArray, FloatArray

BoolArray = npt.NDArray[np.bool_]
NEAREST = (4, 16)
"""So many neighbours are looked at first, and so many before all the others."""
FEW_NEIGHBOURS = 24


@dataclass(frozen=True)
class Fans:
    """The fans of beams of some lasers: origin, first angle, increment, count and wobble of each, and its robot."""

    ox: FloatArray
    oy: FloatArray
    first: FloatArray
    increment: FloatArray
    counts: IntArray
    wobble: FloatArray
    robot: IntArray


@dataclass(frozen=True)
class Beams:
    """Rays: their direction, how far they go so far, and what they hit: reflectance, cosine of incidence, which body."""

    cosine: FloatArray
    sine: FloatArray
    best: FloatArray
    value: ByteArray
    tilt: FloatArray
    body: IntArray | None = None
    """Kept only where somebody wants to know."""


class Lines(NamedTuple):
    """Segments: where each begins and how far it goes."""

    ax: FloatArray
    ay: FloatArray
    ex: FloatArray
    ey: FloatArray

    def pick(self, which: npt.NDArray[np.generic]) -> Lines:
        """Return some of them."""
        return Lines(self.ax[which], self.ay[which], self.ex[which], self.ey[which])

    def seen_from(self, poses: Poses) -> Lines:
        """Return them in the frames of poses."""
        s, c = sincos(poses.heading)
        rx, ry = self.ax - poses.x, self.ay - poses.y
        return Lines(rx * c + ry * s, ry * c - rx * s, self.ex * c + self.ey * s, self.ey * c - self.ex * s)


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


def touches(lines: Lines, shape: IntArray, shapes: ShapeTable) -> BoolArray:
    """Tell whether segments cross, or lie inside, the shapes in whose frames they are given."""
    if len(shape) == 0:
        return np.zeros(0, np.bool_)
    first = shapes.starts[shape]
    pair, edge = runs(first, shapes.starts[shape + 1] - first)
    qx, qy = shapes.edges[edge, 2], shapes.edges[edge, 3]
    sx, sy = lines.ex[pair], lines.ey[pair]
    across = sx * qy - sy * qx
    rx, ry = shapes.edges[edge, 0] - lines.ax[pair], shapes.edges[edge, 1] - lines.ay[pair]
    t = (rx * qy - ry * qx) / across
    u = (rx * sy - ry * sx) / across
    crossing = (across != 0.0) & (t >= 0.0) & (t <= 1.0) & (u >= 0.0) & (u <= 1.0)
    return any_by_owner(pair, crossing, len(shape)) | encloses(lines.ax, lines.ay, shape, shapes)


def encloses(x: FloatArray, y: FloatArray, shape: IntArray, shapes: ShapeTable) -> BoolArray:
    """Tell whether points lie inside the shapes in whose frames they are given."""
    first = shapes.starts[shape]
    pair, edge = runs(first, shapes.starts[shape + 1] - first)
    px, py = x[pair], y[pair]
    ya = shapes.edges[edge, 1]
    yb = ya + shapes.edges[edge, 3]
    side = shapes.edges[edge, 2] * (py - ya) - (px - shapes.edges[edge, 0]) * shapes.edges[edge, 3]
    turns = np.where((ya <= py) & (yb > py) & (side > 0.0), 1, 0) - np.where((ya > py) & (yb <= py) & (side < 0.0), 1, 0)
    return np.bincount(pair, weights=turns, minlength=len(x)) > 0.0


def meets_shape(poses: Poses, lines: Lines, shape: IntArray, shapes: ShapeTable) -> BoolArray:
    """Tell whether segments in the world cross, or lie inside, shapes at poses."""
    return touches(lines.seen_from(poses), shape, shapes)


def overlap(poses: Poses, footprint: IntArray, others: Poses, outline: IntArray, shapes: ShapeTable) -> BoolArray:
    """Tell whether footprints at poses touch outlines at theirs."""
    if len(footprint) == 0:
        return np.zeros(0, np.bool_)
    pair, sides = sides_of(others, outline, shapes)
    touch = meets_shape(poses.pick(pair), sides, footprint[pair], shapes)
    bs, bc = sincos(others.heading)
    rx, ry = poses.x - others.x, poses.y - others.y
    inside = encloses(rx * bc + ry * bs, ry * bc - rx * bs, outline, shapes)
    return any_by_owner(pair, touch, len(footprint)) | inside


def sides_of(poses: Poses, outline: IntArray, shapes: ShapeTable) -> tuple[IntArray, Lines]:
    """Return the sides of outlines at poses, as segments in the world, and whose each is."""
    first = shapes.starts[outline]
    pair, edge = runs(first, shapes.starts[outline + 1] - first)
    sine, cosine = sincos(poses.heading)
    s, c = sine[pair], cosine[pair]
    lx, ly, ex, ey = shapes.edges[edge].T
    ax, ay = poses.x[pair] + lx * c - ly * s, poses.y[pair] + lx * s + ly * c
    return pair, Lines(ax, ay, ex * c - ey * s, ex * s + ey * c)


def distance_squared(x: FloatArray, y: FloatArray, lines: Lines) -> FloatArray:
    """Return the squared distances from points to segments."""
    ax, ay, ex, ey = lines
    length = ex * ex + ey * ey
    share = np.where(length > 0.0, ((x - ax) * ex + (y - ay) * ey) / np.where(length > 0.0, length, 1.0), 0.0)
    share = np.minimum(1.0, np.maximum(0.0, share))
    gx, gy = ax + share * ex - x, ay + share * ey - y
    return gx * gx + gy * gy


class Outlines:
    """The outlines of all bodies where they are now."""

    def __init__(self, scene: Scene, stops: int) -> None:
        bodies, shapes = scene.bodies[:, : scene.population], scene.shapes
        self.x, self.y = bodies[Body.X], bodies[Body.Y]
        self.visible = np.flatnonzero(
            (bodies[Body.GHOST] <= 0.0) & ((bodies[Body.STOPS].astype(np.int64) & int(stops)) != 0)
        )
        self.copy = bodies[Body.COPY] if scene.copies > 1 else None
        """Which copy of the world each is in, unless there is only one."""
        self.sine, self.cosine = sincos(bodies[Body.HEADING])
        self.reflectance = bodies[Body.REFLECTANCE].astype(np.uint8)
        shape = bodies[Body.OUTLINE].astype(np.int64)
        self.radius = shapes.radius[shape]
        self.edges = shapes.edges
        self.first = shapes.starts[shape].astype(np.int64)
        self.number = shapes.starts[shape + 1] - self.first

    def seen_by(self, carrier: IntArray) -> BoolArray:
        """Tell for each carrier of a sensor (a column, or -1) which of the visible bodies are there for it."""
        seen = self.visible != carrier[:, None]
        if self.copy is not None:
            seen &= self.copy[self.visible] == np.where(carrier >= 0, self.copy[carrier], 0.0)[:, None]
        return np.asarray(seen)

    def meet(self, ox: FloatArray, oy: FloatArray, body: IntArray, beam: IntArray, beams: Beams) -> None:
        """Meet every edge of the outline of each body with the beam beside it, and keep what is nearest to each beam."""
        # In the body's own frame, once for each pair; then every edge of its outline.
        bs, bc = self.sine[body], self.cosine[body]
        rx, ry = ox - self.x[body], oy - self.y[body]
        lx, ly = rx * bc + ry * bs, ry * bc - rx * bs
        cosine, sine = beams.cosine[beam], beams.sine[beam]
        dx, dy = cosine * bc + sine * bs, sine * bc - cosine * bs
        pair, edge = runs(self.first[body], self.number[body])
        ax, ay, ex, ey = self.edges[edge].T
        distance, ahead = meet(dx[pair], dy[pair], ax - lx[pair], ay - ly[pair], ex, ey)
        good = np.flatnonzero(ahead & (distance < beams.best[beam[pair]]))
        if len(good) == 0:
            return
        pair, edge, distance = pair[good], edge[good], distance[good]
        np.minimum.at(beams.best, beam[pair], distance)
        nearest = np.flatnonzero(distance == beams.best[beam[pair]])
        # Of equals the first counts, body by body and edge by edge, as when they are met one after the other: write it last.
        nearest = nearest[np.argsort(-(body[pair[nearest]] * len(self.edges) + edge[nearest]))]
        pair, edge = pair[nearest], edge[nearest]
        hit, whom, value = beam[pair], body[pair], self.reflectance[body[pair]]
        tilt = np.zeros(len(hit))
        bright = np.flatnonzero(value > 1)
        if len(bright):
            pair, edge = pair[bright], edge[bright]
            ex, ey = self.edges[edge, 2], self.edges[edge, 3]
            wx, wy = ex * bc[pair] - ey * bs[pair], ex * bs[pair] + ey * bc[pair]
            tilt[bright] = cosine_of_incidence(cosine[pair], sine[pair], wx, wy)
        beams.value[hit] = value
        beams.tilt[hit] = tilt
        if beams.body is not None:
            beams.body[hit] = whom


def cosine_of_incidence(dx: FloatArray, dy: FloatArray, ex: FloatArray, ey: FloatArray) -> FloatArray:
    """Return the cosine of the angle between rays and the normals of what they hit."""
    result: FloatArray = np.abs(dx * ey - dy * ex) / np.sqrt(ex * ex + ey * ey)
    return result


def look(outlines: Outlines, fans: Fans, owner: IntArray, beams: Beams) -> None:
    """Shorten the beams that meet another body: only those between its flanks as seen from the laser are looked at."""
    visible = outlines.visible
    if len(visible) == 0 or len(beams.best) == 0:
        return
    farthest = np.zeros(len(fans.counts))
    np.maximum.at(farthest, owner, beams.best)
    radius = outlines.radius[visible]
    gx = outlines.x[visible] - fans.ox[:, None]
    gy = outlines.y[visible] - fans.oy[:, None]
    apart = gx * gx + gy * gy
    reach = farthest[:, None] + radius
    unit, seen = np.nonzero((apart <= reach * reach) & outlines.seen_by(fans.robot) & (fans.counts > 0)[:, None])
    if len(unit) == 0:
        return
    apart, radius, body = apart[unit, seen], radius[seen], visible[seen]
    distance = np.sqrt(apart)
    step = np.abs(fans.increment[unit])
    inside = (apart <= radius * radius) | (step == 0.0)
    half = np.arcsin(np.minimum(1.0, radius / distance)) + fans.wobble[unit] + 1e-9
    bearing = np.arctan2(gy[unit, seen], gx[unit, seen]) - fans.first[unit]
    bearing = np.where(fans.increment[unit] < 0.0, -bearing, bearing)
    # The first flank within a turn of the first beam; beams of the turns before and after may meet the body too.
    flank = bearing - half
    flank = flank - TAU * np.floor(flank / TAU)
    last = fans.counts[unit] - 1
    offset = np.cumsum(fans.counts) - fans.counts
    turns = range(-1, 1 + int((fans.counts * np.abs(fans.increment) / TAU).max()))
    lowest = [np.where(inside, 0, np.maximum(0.0, np.ceil((flank + t * TAU) / step))) for t in turns]
    highest = [np.where(inside, last, np.minimum(last, np.floor((flank + t * TAU + 2.0 * half) / step))) for t in turns]
    number = [np.maximum(0, high - low + 1).astype(np.int64) for low, high in zip(lowest, highest, strict=True)]
    for others in number[1:]:
        others[inside] = 0
    for some in _nearest_first(unit, distance):
        for low, many in zip(lowest, number, strict=True):
            pair, k = runs(low[some].astype(np.int64), many[some])
            pair = some[pair]
            beam = offset[unit[pair]] + k
            close = np.flatnonzero((distance - radius)[pair] < beams.best[beam])
            if len(close):
                pair, beam = pair[close], beam[close]
                outlines.meet(fans.ox[unit[pair]], fans.oy[unit[pair]], body[pair], beam, beams)


def listen(outlines: Outlines, ox: FloatArray, oy: FloatArray, robot: IntArray, beams: Beams) -> None:
    """Shorten the sonar rays that meet another body; the rays of a robot stand together, the robots in any order."""
    visible = outlines.visible
    if len(visible) == 0 or len(beams.best) == 0:
        return
    radius = outlines.radius[visible]
    # First robots against bodies, then only the rays of those that are near.
    first = np.flatnonzero(np.diff(robot, prepend=-1))
    number = np.diff(first, append=len(robot))
    near_robot = robot[first]
    sx, sy = ox - outlines.x[robot], oy - outlines.y[robot]
    on_body = float(np.sqrt((sx * sx + sy * sy).max()))
    gx = outlines.x[visible] - outlines.x[near_robot][:, None]
    gy = outlines.y[visible] - outlines.y[near_robot][:, None]
    reach = float(beams.best.max()) + radius + on_body
    apart = gx * gx + gy * gy
    who, seen = np.nonzero((apart <= reach * reach) & outlines.seen_by(near_robot))
    if len(who) == 0:
        return
    # No ray of the robot meets the body before this.
    before = np.sqrt(apart[who, seen]) - radius[seen] - on_body
    for some in _nearest_first(who, before):
        pair, ray = runs(first[who[some]], number[who[some]])
        pair = some[pair]
        close = np.flatnonzero(before[pair] < beams.best[ray])
        pair, ray = pair[close], ray[close]
        body = visible[seen[pair]]
        gx, gy = outlines.x[body] - ox[ray], outlines.y[body] - oy[ray]
        size = outlines.radius[body]
        aside = gx * beams.sine[ray] - gy * beams.cosine[ray]
        close = np.flatnonzero((gx * gx + gy * gy <= (beams.best[ray] + size) ** 2) & (aside * aside <= size * size))
        if len(close):
            outlines.meet(ox[ray[close]], oy[ray[close]], body[close], ray[close], beams)


def _nearest_first(owner: IntArray, distance: FloatArray) -> Iterator[IntArray]:
    """Pairs of owners and neighbours in some portions: each owner's nearest ones, the next ones, and the rest.

    All in one portion where there are few: then nobody hides many others, and every portion has its price.
    """
    if len(owner) <= FEW_NEIGHBOURS * (owner[-1] + 1):
        yield np.arange(len(owner))
        return
    order = np.lexsort((distance, owner))
    begin = np.flatnonzero(np.diff(owner[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(begin, np.diff(begin, append=len(order)))
    low = 0
    for high in (*NEAREST, len(order)):
        some = order[(rank >= low) & (rank < high)]
        if len(some) == 0:
            return
        yield some
        low = high
