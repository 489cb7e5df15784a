"""Does an outline touch anything? Questions about polygons and segments, answered for all of them at once."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from mobilesim_py.geometry import Point, Polygon
from mobilesim_py.world.obstacles import FloatArray

BoolArray = npt.NDArray[np.bool_]


def edges_of(polygon: Polygon) -> FloatArray:
    """Give the edges of a closed polygon, N x 4."""
    corners = np.asarray(polygon, np.float64).reshape(-1, 2)
    return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)


def radius_of(polygons: tuple[Polygon, ...]) -> float:
    """Give how far the outlines reach from the origin of their frame."""
    return max((math.hypot(x, y) for polygon in polygons for x, y in polygon), default=0.0)


def crosses(first: FloatArray, second: FloatArray) -> bool:
    """Tell whether any segment of the one set meets any of the other (touching counts)."""
    if not len(first) or not len(second):
        return False
    a, b = first[:, None, :], second[None, :, :]
    side_1, side_2 = _side(a, b[..., 0], b[..., 1]), _side(a, b[..., 2], b[..., 3])
    side_3, side_4 = _side(b, a[..., 0], a[..., 1]), _side(b, a[..., 2], a[..., 3])
    apart = (side_1 * side_2 > 0) | (side_3 * side_4 > 0)
    # Segments in one line have no side; then their extents decide.
    for low in (0, 1):
        apart |= np.maximum(a[..., low], a[..., low + 2]) < np.minimum(b[..., low], b[..., low + 2])
        apart |= np.maximum(b[..., low], b[..., low + 2]) < np.minimum(a[..., low], a[..., low + 2])
    return not bool(apart.all())


def inside(points: FloatArray, polygon: Polygon) -> BoolArray:
    """Tell which of N points are inside a polygon."""
    x, y = points[:, :1], points[:, 1:2]
    x1, y1, x2, y2 = edges_of(polygon).T
    straddles = (y1 > y) != (y2 > y)
    slope = (x2 - x1) / np.where(y2 == y1, 1.0, y2 - y1)
    return np.asarray(np.count_nonzero(straddles & (x < x1 + (y - y1) * slope), axis=1) % 2 == 1)


def overlaps(first: Polygon, second: Polygon) -> bool:
    """Tell whether two polygons share any place."""
    if crosses(edges_of(first), edges_of(second)):
        return True
    return bool(inside(np.array([first[0]]), second)[0] or inside(np.array([second[0]]), first)[0])


def touches(polygon: Polygon, segments: FloatArray) -> bool:
    """Tell whether any segment meets a polygon or lies inside it."""
    if not len(segments):
        return False
    return crosses(segments, edges_of(polygon)) or bool(inside(segments[:, :2], polygon).any())


def is_in_sight(start: Point, end: Point, segments: FloatArray) -> bool:
    """Tell whether no segment is between two places."""
    return not crosses(np.array([[*start, *end]]), segments)


def _side(line: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Give on which side of a line points are: the sign of the cross product."""
    x1, y1, x2, y2 = line[..., 0], line[..., 1], line[..., 2], line[..., 3]
    return np.asarray((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1))
