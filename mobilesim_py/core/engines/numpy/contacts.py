"""Where bodies touch what is in their way, for all of them at once, in NumPy.

A body touches the segment that blocked its step in the middle of what its footprint would cover of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.engines.formulas import sincos
from mobilesim_py.core.engines.numpy.expand import first_by_owner, runs
from mobilesim_py.core.engines.numpy.outlines import Lines, Poses, encloses, meets_shape, sides_of
from mobilesim_py.core.fields import Body, Touch
from mobilesim_py.core.scene import WALL, IntArray, Scene, ShapeTable
from mobilesim_py.world.obstacles import FloatArray


class Touches(NamedTuple):
    """Where bodies touch, each in its own frame, and the directions away from what they touch, in the world."""

    x: FloatArray
    y: FloatArray
    away_x: FloatArray
    away_y: FloatArray

    def pick(self, which: npt.NDArray[np.generic]) -> Touches:
        """Return some of them."""
        return Touches(self.x[which], self.y[which], self.away_x[which], self.away_y[which])

    @classmethod
    def find(cls, poses: Poses, lines: Lines, shape: IntArray, shapes: ShapeTable) -> Touches:
        """Return where shapes at poses touch segments in the world."""
        _, _, ex, ey = lines
        share = _middle(lines.seen_from(poses), shape, shapes)
        s, c = sincos(poses.heading)
        rx, ry = lines.ax - poses.x, lines.ay - poses.y
        gx, gy = rx + share * ex, ry + share * ey
        # The normal, on the side of the body's middle; a point has none, then straight away from it.
        flip = np.where(-ey * rx + ex * ry > 0.0, -1.0, 1.0)
        point = (ex == 0.0) & (ey == 0.0)
        away_x, away_y = np.where(point, -gx, -ey * flip), np.where(point, -gy, ex * flip)
        length = np.sqrt(away_x * away_x + away_y * away_y)
        away_x = np.where(length > 0.0, away_x / length, 1.0)
        return cls(gx * c + gy * s, gy * c - gx * s, away_x, np.where(length > 0.0, away_y / length, 0.0))


def _middle(local: Lines, shape: IntArray, shapes: ShapeTable) -> FloatArray:
    """Return which shares along segments, in the frames of shapes, are the middles of what the shapes cover of them."""
    ax, ay, ex, ey = local
    low = np.where(encloses(ax, ay, shape, shapes), 0.0, 1.0)
    high = np.where(encloses(ax + ex, ay + ey, shape, shapes), 1.0, 0.0)
    first = shapes.starts[shape]
    pair, edge = runs(first, shapes.starts[shape + 1] - first)
    qx, qy = shapes.edges[edge, 2], shapes.edges[edge, 3]
    across = ex[pair] * qy - ey[pair] * qx
    rx, ry = shapes.edges[edge, 0] - ax[pair], shapes.edges[edge, 1] - ay[pair]
    t = (rx * qy - ry * qx) / across
    u = (rx * ey[pair] - ry * ex[pair]) / across
    crossing = (across != 0.0) & (t >= 0.0) & (t <= 1.0) & (u >= 0.0) & (u <= 1.0)
    np.minimum.at(low, pair[crossing], t[crossing])
    np.maximum.at(high, pair[crossing], t[crossing])
    return np.asarray(0.5 * (low + high))


def lines_met(
    scene: Scene, all_bodies: FloatArray, poses: Poses, footprint: FloatArray, final: Poses, other: IntArray, item: IntArray
) -> Lines:
    """Return the segment that each body met: of the walls, or the first side of the other body that it meets."""
    ax, ay, ex, ey = np.zeros((4, len(other)))
    lines = Lines(ax, ay, ex, ey)
    walls = np.flatnonzero(other == WALL)
    ax[walls], ay[walls], ex[walls], ey[walls] = scene.ground.lines[item[walls]].T
    hits = np.flatnonzero(other >= 0)
    if len(hits):
        whom = final.pick(other[hits])
        outline = all_bodies[Body.OUTLINE, other[hits]].astype(np.int64)
        pair, sides = sides_of(whom, outline, scene.shapes)
        met = np.flatnonzero(
            meets_shape(poses.pick(hits[pair]), sides, footprint[hits[pair]].astype(np.int64), scene.shapes)
        )
        first = first_by_owner(pair[met], met, len(hits))
        # Where no side is met, the footprint is inside the body.
        ax[hits], ay[hits] = whom.x, whom.y
        there = np.flatnonzero(first >= 0)
        hits, first = hits[there], first[there]
        ax[hits], ay[hits], ex[hits], ey[hits] = sides.pick(first)
    return lines


def keep_contacts(all_bodies: FloatArray, b: FloatArray, who: IntArray, other: IntArray, touch: Touches) -> None:
    """Let bodies know what they touched with the step that they wanted to make."""
    b[Body.CONTACT, who] = np.where(other < 0, Touch.WALL, Touch.BODY)
    b[Body.CONTACT_X, who], b[Body.CONTACT_Y, who] = touch.x, touch.y
    b[Body.CONTACT_WITH, who] = np.where(other < 0, 0.0, all_bodies[Body.SERIAL, other])


def tell_others(bodies: FloatArray, who: IntArray, other: IntArray) -> None:
    """Let bodies that were run into by `who` know it, unless they touch something themselves."""
    told = np.flatnonzero(bodies[Body.CONTACT, other] <= 0.0)
    if len(told) == 0:
        return
    _, first = np.unique(other[told], return_index=True)
    i, j = who[told[first]], other[told[first]]
    s, c = sincos(bodies[Body.HEADING, i])
    x, y = bodies[Body.CONTACT_X, i], bodies[Body.CONTACT_Y, i]
    gx = bodies[Body.X, i] + x * c - y * s - bodies[Body.X, j]
    gy = bodies[Body.Y, i] + x * s + y * c - bodies[Body.Y, j]
    s, c = sincos(bodies[Body.HEADING, j])
    bodies[Body.CONTACT, j] = float(Touch.BODY)
    bodies[Body.CONTACT_X, j], bodies[Body.CONTACT_Y, j] = gx * c + gy * s, gy * c - gx * s
    bodies[Body.CONTACT_WITH, j] = bodies[Body.SERIAL, i]
