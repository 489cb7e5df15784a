"""Lines from pictures: the outlines of occupied cells, as few and as long as half a cell of tolerance allows.

1. The border between occupied and free cells is followed, with the occupied side on the left, into closed rings.
2. Rings about a few cells become points: specks, not walls.
3. A ring of cell borders is a staircase. The middles of its steps lie within half a cell of the true wall; they are
   simplified, and a straight line is fitted to the steps of each side; corners are where fitted lines meet.
4. A ring that came out farther off than that is simplified without fitting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import ArMap, Info, Scan
from mobilesim_py.formats.armap.data import IntArray
from mobilesim_py.formats.pictures.raster import TRACED, Cells, Raster
from mobilesim_py.geometry import FloatArray

if TYPE_CHECKING:
    import shapely

SPECK_CELLS = 3
"""Regions of at most this many cells become points."""
_TOLERANCE = 0.9
_FARTHEST = 0.75
_SHORT_RING = 14
FARTHEST = 1e6
"""How far a picture may reach from the origin [m]."""

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Traced:
    """Outlines as closed rings (K x 2 each, in cells) and the centres of the cells of specks."""

    rings: tuple[FloatArray, ...]
    specks: FloatArray


def trace(occupied: Cells, progress: Progress | None = None) -> Traced:
    """Trace the outlines of occupied cells; `progress` is called with the fraction that is done."""
    rings: list[FloatArray] = []
    specks: list[FloatArray] = []
    borders = _border_rings(occupied)
    for index, ring in enumerate(borders):
        if progress and index % 50 == 0:
            progress(index / len(borders))
        if 0 < _area(ring) <= SPECK_CELLS:
            specks.append(_cells_inside(ring))
        else:
            rings.append(_simplified(ring))
    return Traced(tuple(rings), np.concatenate(specks) if specks else np.empty((0, 2)))


def map_of_raster(raster: Raster, keep_specks: bool = True, progress: Progress | None = None) -> ArMap:
    """Make a map of a picture: outlines as lines, specks as points."""
    if not abs(raster.x) + abs(raster.y) + sum(raster.occupied.shape) * raster.resolution <= FARTHEST:  # NaN is neither
        raise MapError("the picture reaches farther than a thousand kilometres; check its resolution and its origin")
    traced = trace(raster.occupied, progress)
    lines: list[IntArray] = []
    for ring in traced.rings:
        corners = np.rint(raster.to_world(ring) * 1000.0).astype(np.int64)
        edges = np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)
        lines.append(edges[(edges[:, :2] != edges[:, 2:]).any(axis=1)])
    specks = traced.specks if keep_specks else traced.specks[:0]
    points = np.rint(raster.to_world(specks) * 1000.0).astype(np.int64)
    scan = Scan(
        resolution=max(1, round(raster.resolution * 1000.0)),
        lines=np.concatenate(lines) if lines else np.empty((0, 4), np.int64),
        points=points,
    )
    return ArMap(scans=(scan,), infos=(Info("CustomInfo:", f"{TRACED} Solid=left", (TRACED, "Solid=left")),))


def _border_rings(occupied: Cells) -> list[FloatArray]:
    """Follow the borders of occupied cells; where two cells meet at a corner only, they count as connected."""
    padded = np.zeros((occupied.shape[0] + 2, occupied.shape[1] + 2), np.bool_)
    padded[1:-1, 1:-1] = occupied
    width = padded.shape[1] + 1
    inner = padded[1:-1, 1:-1]
    # Each border step by its start corner, with the occupied cell on its left: right, up, left, down.
    sides = (
        (~padded[:-2, 1:-1], (0, 0)),
        (~padded[1:-1, 2:], (0, 1)),
        (~padded[2:, 1:-1], (1, 1)),
        (~padded[1:-1, :-2], (1, 0)),
    )
    steps: dict[int, list[int]] = {}
    for direction, (is_free, (row_shift, column_shift)) in enumerate(sides):
        row, column = np.nonzero(inner & is_free)
        for corner in ((row + 1 + row_shift) * width + column + 1 + column_shift).tolist():
            steps.setdefault(corner, []).append(direction)
    moves = (1, width, -1, -width)
    rings: list[FloatArray] = []
    while steps:
        corner = start = next(iter(steps))
        direction = steps[corner][0]
        path: list[int] = []
        while True:
            open_steps = steps[corner]
            # Turning right at a crossing joins cells that touch at the corner.
            chosen = next(d for turn in (-1, 0, 1) if (d := (direction + turn) % 4) in open_steps)
            open_steps.remove(chosen)
            if not open_steps:
                del steps[corner]
            path.append(corner)
            direction = chosen
            corner += moves[chosen]
            if corner == start and (corner not in steps or not _goes_on(steps[corner], direction)):
                break
        row, column = np.divmod(np.array(path), width)
        rings.append(np.stack([column - 1.0, row - 1.0], axis=1))
    return rings


def _goes_on(open_steps: list[int], direction: int) -> bool:
    """Tell whether a ring that is back at its start turns right there into a cell that touches at the corner."""
    return (direction - 1) % 4 in open_steps


def _area(ring: FloatArray) -> float:
    """Return the area of a ring in cells; negative for a hole."""
    following = np.roll(ring, -1, axis=0)
    return float(np.sum(ring[:, 0] * following[:, 1] - following[:, 0] * ring[:, 1])) / 2.0


def _cells_inside(ring: FloatArray) -> FloatArray:
    """Return the centres of the cells of a small ring: those to the left of its steps."""
    along = np.roll(ring, -1, axis=0) - ring
    left = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return np.asarray(np.unique(np.floor(ring + along / 2.0 + left / 2.0), axis=0) + 0.5)


def _simplified(ring: FloatArray) -> FloatArray:
    """Return the corners of a ring of unit steps with as few sides as the tolerance allows."""
    import shapely

    if len(ring) > _SHORT_RING:
        middles = _from_corner((ring + np.roll(ring, -1, axis=0)) / 2.0)
        steps = shapely.points(middles)
        fitted = _fitted(middles)
        if fitted is not None:
            fitted = _held(fitted, shapely.LinearRing(ring))
            outline = shapely.LinearRing(fitted)
            if shapely.distance(outline, steps).max() <= _FARTHEST and outline.is_simple:
                return fitted
        closed = np.concatenate([middles, middles[:1]])
        simple = shapely.get_coordinates(shapely.LineString(closed).simplify(0.5))[:-1]
        if len(simple) >= 3:
            return np.asarray(simple)
    along = np.roll(ring, -1, axis=0) - ring
    return np.asarray(ring[(along != np.roll(along, 1, axis=0)).any(axis=1)])


def _held(corners: FloatArray, border: shapely.LinearRing) -> FloatArray:
    """Pull corners back to the border that went too far from it, as where two sides meet at a small angle."""
    import shapely

    points = shapely.points(corners)
    nearest = shapely.get_coordinates(shapely.line_interpolate_point(border, shapely.line_locate_point(border, points)))
    is_far = np.asarray(shapely.distance(border, points)) > _FARTHEST
    return np.where(is_far[:, None], nearest, corners)


def _from_corner(ring: FloatArray) -> FloatArray:
    """Let a ring begin at its lowest left corner, which simplification has to keep."""
    return np.asarray(np.roll(ring, -int(np.argmin(ring[:, 0] + ring[:, 1])), axis=0))


def _fitted(middles: FloatArray) -> FloatArray | None:
    """Fit lines to the sides of a ring and intersect neighbours; None when too little is left of it."""
    import shapely

    closed = np.concatenate([middles, middles[:1]])
    kept = shapely.get_coordinates(shapely.LineString(closed).simplify(_TOLERANCE))[:-1]
    if len(kept) < 3:
        return None
    breaks = _positions(closed[:-1], kept)
    sides = [
        _line(middles[start : end + 1] if start < end else np.concatenate([middles[start:], middles[: end + 1]]))
        for start, end in zip(breaks, np.roll(breaks, -1), strict=True)
    ]
    meetings = zip([*sides[-1:], *sides[:-1]], sides, kept, strict=True)
    return np.array([_meet(before, after, corner) for before, after, corner in meetings])


def _positions(points: FloatArray, kept: FloatArray) -> npt.NDArray[np.int64]:
    """Find where each kept point is among all; both are in the same order."""
    found, position = [], 0
    lookup: dict[tuple[float, float], list[int]] = {}
    for index, point in enumerate(points.tolist()):
        lookup.setdefault((point[0], point[1]), []).append(index)
    for point in kept.tolist():
        position = next(index for index in lookup[(point[0], point[1])] if index >= position)
        found.append(position)
    return np.array(found)


_Side = tuple[FloatArray, FloatArray]


def _line(points: FloatArray) -> _Side:
    """Fit a line to points: a place on it and its direction. The ends belong to the corners and count only if few."""
    inner = points[1:-1] if len(points) >= 4 else points
    centre = inner.mean(axis=0)
    (xx, xy), (_, yy) = (inner - centre).T @ (inner - centre)
    angle = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    return centre, np.array([np.cos(angle), np.sin(angle)])


def _meet(before: _Side, after: _Side, corner: FloatArray) -> Iterable[float]:
    """Intersect two sides near a corner; sides that hardly turn, or meet far away, keep the corner between them."""
    (place_1, along_1), (place_2, along_2) = before, after
    cross = float(along_1[0] * along_2[1] - along_1[1] * along_2[0])
    middle = (_foot(before, corner) + _foot(after, corner)) / 2.0
    if abs(cross) < 0.05:
        return np.asarray(middle)
    gap = place_2 - place_1
    share = float(gap[0] * along_2[1] - gap[1] * along_2[0]) / cross
    meeting = place_1 + share * along_1
    return np.asarray(meeting if float(np.hypot(*(meeting - corner))) <= 1.5 else middle)


def _foot(side: _Side, point: FloatArray) -> FloatArray:
    """Drop a perpendicular from a point onto a side."""
    place, along = side
    return np.asarray(place + along * float((point - place) @ along))
