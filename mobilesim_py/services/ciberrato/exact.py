"""Distances to walls by the contest's own formulas, wall by wall: slow, and the last word wherever a digit hangs on them.

The array versions serve almost always; they ask here when a ray grazes a corner or a value lies on the edge of its rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from mobilesim_py.formats.lab import Point

NOTHING = -1.0
"""The distance to what is not seen."""

Corners = Sequence[Point]


def bearing(px: float, py: float, x: float, y: float) -> float:
    """Return the direction from p to a point, in radians."""
    if px == x:
        return math.pi / 2.0 if y > py else -math.pi / 2
    return math.atan2(y - py, x - px)


def distance(px: float, py: float, x: float, y: float) -> float:
    """Return the distance between two points."""
    dx, dy = px - x, py - y
    return math.sqrt(dx * dx + dy * dy)


def nearer(candidate: float, best: float) -> float:
    """Return the smaller of two distances, either of which may be nothing."""
    return candidate if candidate != NOTHING and (best == NOTHING or candidate < best) else best


def ray_distance(px: float, py: float, heading: float, walls: Iterable[Corners]) -> float:
    """Return how far the first wall is from p along a heading, or NOTHING."""
    while heading > math.pi:
        heading -= 2 * math.pi
    while heading < -math.pi:
        heading += 2 * math.pi
    best = NOTHING
    for corners in walls:
        best = nearer(_wall_ray(px, py, heading, corners), best)
    return best


def _wall_ray(px: float, py: float, theta: float, corners: Corners) -> float:
    best = NOTHING
    ax, ay = corners[-1]
    alpha = bearing(px, py, ax, ay)
    for bx, by in corners:
        beta = bearing(px, py, bx, by)
        if not _misses(theta, alpha, beta):
            best = nearer(_face(px, py, theta, alpha, beta, ax, ay, bx, by), best)
        ax, ay, alpha = bx, by, beta
    return best


def _misses(theta: float, alpha: float, beta: float) -> bool:
    delta = beta - alpha
    if delta > math.pi:
        return alpha < theta < beta
    if delta < -math.pi:
        return beta < theta < alpha
    if delta > 0:
        return theta < alpha or theta > beta
    if delta < 0:
        return theta < beta or theta > alpha
    return False


def _face(
    px: float, py: float, theta: float, alpha: float, beta: float, ax: float, ay: float, bx: float, by: float
) -> float:
    if alpha == beta:
        return min(distance(px, py, ax, ay), distance(px, py, bx, by)) if theta == alpha else NOTHING
    if theta == math.pi / 2:
        if ax == bx:
            return 0.0 if px == ax else NOTHING  # on the side itself, or beside it by less than an angle can tell
        x = px
        y = ((by - ay) / (bx - ax)) * (x - ax) + ay
    elif ax == bx:
        x = ax
        y = math.tan(theta) * (x - px) + py
    else:
        m1 = math.tan(theta)
        b1 = py - m1 * px
        m2 = (by - ay) / (bx - ax)
        b2 = ay - m2 * ax
        if m1 == m2:
            return NOTHING
        x = (b1 - b2) / (m2 - m1)
        y = (m2 * b1 - m1 * b2) / (m2 - m1)
    return distance(px, py, x, y)


def corner_distance(px: float, py: float, heading: float, half_cone: float, walls: Iterable[Corners]) -> float:
    """Return how far the nearest corner inside a cone is, whether or not a wall hides it, or NOTHING."""
    best = NOTHING
    for corners in walls:
        for x, y in corners:
            delta = abs(bearing(px, py, x, y) - heading)
            if delta > math.pi:
                delta = 2 * math.pi - delta
            if delta <= half_cone:
                best = nearer(distance(px, py, x, y), best)
    return best


def wall_distance(px: float, py: float, corners: Corners) -> float:
    """Return how far the nearest side of a wall is from p."""
    ax, ay = corners[-1]
    best = distance(px, py, ax, ay)
    for bx, by in corners:
        length = distance(ax, ay, bx, by)
        nx, ny = (bx - ax) / length, (by - ay) / length
        if nx * (px - ax) + ny * (py - ay) < 0.0:
            side = distance(px, py, ax, ay)
        elif nx * (px - bx) + ny * (py - by) > 0.0:
            side = distance(px, py, bx, by)
        else:
            side = abs(ny * (px - ax) - nx * (py - ay))
        best = min(best, side)
        ax, ay = bx, by
    return best


def contains(corners: Corners, x: float, y: float) -> bool:
    """Return whether a point lies inside a polygon."""
    inside = False
    jx, jy = corners[-1]
    for ix, iy in corners:
        if (iy > y) != (jy > y) and x < (jx - ix) * (y - iy) / (jy - iy) + ix:
            inside = not inside
        jx, jy = ix, iy
    return inside
