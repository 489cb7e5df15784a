"""How far walls are from obstacle sensors: three rays and the corners in a cone, for all robots at once.

Where a ray grazes a corner, only the exact formulas can tell what the contest's program says, so they are asked then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mobilesim_py.services.ciberrato import exact
from mobilesim_py.services.ciberrato.nearby import VIEW
from mobilesim_py.services.ciberrato.robot import RADIUS, Robot
from mobilesim_py.services.ciberrato.sides import GRAZING, FloatArray
from mobilesim_py.services.ciberrato.walls import Walls

HALF_CONE = math.pi / 6
CONE_SLOPE = math.tan(HALF_CONE)
TRUSTED = VIEW - RADIUS - 1e-3
"""What is nearer than this to a sensor is not beaten by anything outside the neighbourhood."""

_RAYS = np.array([0.0, HALF_CONE, -HALF_CONE])[:, None, None]


def wrapped(angle: float) -> float:
    """Return an angle of less than two turns within half a turn to either side."""
    if angle > math.pi:
        return angle - 2 * math.pi
    return angle + 2 * math.pi if angle < -math.pi else angle


def sensor_pose(robot: Robot, number: int) -> tuple[float, float, float]:
    """Return where an obstacle sensor is and where it looks."""
    angle = robot.angles[number]
    x = robot.x + RADIUS * math.cos(angle + robot.heading)
    y = robot.y + RADIUS * math.sin(angle + robot.heading)
    return x, y, wrapped(robot.heading + angle)


def exact_obstacle_distance(robot: Robot, number: int, walls: Walls) -> float:
    """Return how far walls are from one sensor, by the exact formulas."""
    x, y, heading = sensor_pose(robot, number)
    polygons = walls.solid.polygons
    best = exact.ray_distance(x, y, heading, polygons)
    for side in (HALF_CONE, -HALF_CONE):
        best = exact.nearer(exact.ray_distance(x, y, heading + side, polygons), best)
    return exact.nearer(exact.corner_distance(x, y, heading, HALF_CONE, polygons), best)


def obstacle_distances(robots: Sequence[Robot], walls: Walls) -> list[list[float | None]]:
    """Return how far walls are from each sensor of each robot; None where only the exact formulas can tell."""
    found = _nearest(robots, walls.around.around([(robot.x, robot.y) for robot in robots]))
    for i, distances in enumerate(found):
        if any(distance is not None and distance > TRUSTED for distance in distances):
            everywhere = _nearest(robots[i : i + 1], walls.around.everything[None])[0]
            found[i] = [None if distance == math.inf else distance for distance in everywhere]
    return found


def _nearest(robots: Sequence[Robot], sides: FloatArray) -> list[list[float | None]]:
    poses = np.array([(robot.x, robot.y, robot.heading) for robot in robots])
    looks = np.array([robot.angles for robot in robots]) + poses[:, 2:]
    directions = _RAYS + looks
    cos, sin = np.cos(directions)[..., None], np.sin(directions)[..., None]
    x, y = poses[:, 0, None, None] + RADIUS * cos[0], poses[:, 1, None, None] + RADIUS * sin[0]
    start_x, start_y, way_x, way_y = (sides[:, k, None, :] for k in range(4))
    rx, ry = start_x - x, start_y - y
    # how far a corner lies to the right of a ray; a side is crossed where its ends lie on different hands
    right = rx * sin
    right -= ry * cos
    slant = cos * way_y
    slant -= sin * way_x
    crossed = right * (right - slant) < 0.0
    along = np.full(right.shape, np.inf)
    np.divide(rx * way_y - ry * way_x, slant, out=along, where=crossed)
    aside = np.abs(right)
    over = aside[0] - CONE_SLOPE * (rx * cos[0] + ry * sin[0])
    doubtful = _doubts(aside, along, over)
    along[along < 0.0] = np.inf
    nearest = along.min(axis=(0, 3))
    squares = rx * rx + ry * ry
    squares[over > 0.0] = np.inf
    nearest = np.minimum(nearest, np.sqrt(squares.min(axis=2)))
    found: list[list[float | None]] = nearest.tolist()
    if doubtful is not None:
        for i, j in zip(*np.nonzero(doubtful), strict=True):
            found[i][j] = None
    return found


def _doubts(aside: FloatArray, along: FloatArray, over: FloatArray) -> NDArray[np.bool_] | None:
    """Return for which sensors a ray grazes a corner, starts on a wall, or a corner lies on the edge of the cone."""
    away, edge = np.abs(along), np.abs(over)
    if min(aside.min(), away.min(), edge.min()) >= GRAZING:
        return None
    doubts: NDArray[np.bool_] = np.minimum(aside, away).min(axis=(0, 3)) < GRAZING
    doubts |= edge.min(axis=2) < GRAZING
    return doubts
