"""Places, poses and outlines: the words that every room shares, in metres and radians.

Placing, containing and crossing stand here once, for scalars and arrays. What is a question of place goes to shapely,
which is imported when the first such question is asked: most programs start without one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import shapely

Point = tuple[float, float]
Polygon = tuple[Point, ...]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Pose:
    """A place and a heading [m, m, rad]."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0


@dataclass(frozen=True)
class AxisTriple:
    """One number for each axis of motion: forward, lateral [m or m/s ...] and rotation [rad ...]."""

    forward: float = 0.0
    lateral: float = 0.0
    rotation: float = 0.0


def placed(outline: Polygon, pose: Pose) -> Polygon:
    """Return an outline of a body's own frame as it lies in the world when the body is at `pose`."""
    cos, sin = math.cos(pose.heading), math.sin(pose.heading)
    return tuple((pose.x + x * cos - y * sin, pose.y + x * sin + y * cos) for x, y in outline)


def placed_points(points: FloatArray, pose: Pose) -> FloatArray:
    """Return places (N x 2) of a body's own frame as they are in the world when the body is at `pose`."""
    cos, sin = math.cos(pose.heading), math.sin(pose.heading)
    x, y = points[:, 0], points[:, 1]
    return np.stack([pose.x + x * cos - y * sin, pose.y + x * sin + y * cos], axis=1)


def compose(outer: Pose, inner: Pose) -> Pose:
    """Return the pose in the world of something that is at `inner` in the frame of a body at `outer`."""
    ((x, y),) = placed(((inner.x, inner.y),), outer)
    return Pose(x, y, outer.heading + inner.heading)


def relative(inner: Pose, outer: Pose) -> Pose:
    """Return the pose in the frame of a body at `outer` of something that is at `inner` in the world."""
    cos, sin = math.cos(outer.heading), math.sin(outer.heading)
    x, y = inner.x - outer.x, inner.y - outer.y
    return Pose(x * cos + y * sin, y * cos - x * sin, math.remainder(inner.heading - outer.heading, math.tau))


def rectangle(length: float, width: float) -> Polygon:
    """Return the rectangle of this size about the origin, counter-clockwise from its rear right corner."""
    x, y = length / 2.0, width / 2.0
    return (-x, -y), (x, -y), (x, y), (-x, y)


def edges_of(polygon: Polygon) -> FloatArray:
    """Return the edges of a closed polygon, N x 4 (x1 y1 x2 y2)."""
    corners = np.asarray(polygon, np.float64).reshape(-1, 2)
    return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)


def radius_of(polygons: Iterable[Polygon]) -> float:
    """Return how far outlines reach from the origin of their frame."""
    return max((math.hypot(x, y) for polygon in polygons for x, y in polygon), default=0.0)


def circle_of(polygon: Polygon) -> tuple[float, float, float]:
    """Return a circle about a polygon: x, y and radius; its centre is that of the polygon's extent."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    x, y = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
    return x, y, max(math.hypot(cx - x, cy - y) for cx, cy in polygon)


def shape_of(polygons: Sequence[Polygon]) -> shapely.Geometry:
    """Return outlines as one shapely geometry; less than three corners become a line or a point."""
    import shapely

    shapes = [_shape(polygon) for polygon in polygons if polygon]
    return shapes[0] if len(shapes) == 1 else shapely.GeometryCollection(shapes)


@overload
def contains(polygon: Polygon | shapely.Geometry, x: float, y: float) -> bool: ...
@overload
def contains(polygon: Polygon | shapely.Geometry, x: FloatArray, y: FloatArray) -> BoolArray: ...


def contains(polygon: Polygon | shapely.Geometry, x: float | FloatArray, y: float | FloatArray) -> bool | BoolArray:
    """Tell whether a place, or which of many, is inside a polygon or on its border."""
    if isinstance(polygon, tuple) and not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray):
        return _contains(polygon, x, y)
    import shapely

    found = shapely.intersects_xy(_shape(polygon) if isinstance(polygon, tuple) else polygon, x, y)
    return np.asarray(found, np.bool_) if isinstance(found, np.ndarray) else bool(found)


def _contains(polygon: Polygon, x: float, y: float) -> bool:
    """Tell it of one place by the parity of the edges to its right: models are built before anything needs shapely."""
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if abs(cross) < 1e-12 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return True
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def overlaps(first: Sequence[Polygon], second: Sequence[Polygon]) -> bool:
    """Tell whether outlines share any place with others (touching counts)."""
    import shapely

    return bool(first and second and shapely.intersects(shape_of(first), shape_of(second)))


def lines_of(ends: FloatArray) -> npt.NDArray[np.object_]:
    """Return segments (N x 4) as shapely lines, N of them at once."""
    import shapely

    return np.asarray(shapely.linestrings(ends.reshape(-1, 2, 2)), np.object_)


def ends_of(geometry: shapely.Geometry) -> FloatArray:
    """Return the segments that a shapely geometry's lines and rings consist of, M x 4, in their order."""
    import shapely

    parts = np.asarray(shapely.get_parts(geometry)).reshape(-1)
    solid = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    lines = [ring for part, is_solid in zip(parts, solid, strict=True) for ring in (_rings(part) if is_solid else (part,))]
    corners, line = shapely.get_coordinates(lines, return_index=True)
    joined = np.flatnonzero(line[1:] == line[:-1])
    return np.concatenate([corners[joined], corners[joined + 1]], axis=1)


def _rings(polygon: shapely.Geometry) -> list[shapely.Geometry]:
    import shapely

    return list(np.atleast_1d(shapely.get_rings(polygon)))


def _shape(polygon: Polygon) -> shapely.Geometry:
    import shapely

    if len(polygon) > 2:
        return shapely.Polygon(polygon)
    return shapely.LineString(polygon) if len(polygon) == 2 else shapely.Point(polygon)
