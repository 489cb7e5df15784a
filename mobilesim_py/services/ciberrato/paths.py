"""The shortest way of a disc through the maze: straight pieces that touch corners, and arcs around them.

The graph's nodes are points where such a piece leaves the circle around a convex corner; circles have the robot's radius.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from mobilesim_py.services.ciberrato import exact
from mobilesim_py.services.ciberrato.robot import RADIUS
from mobilesim_py.services.ciberrato.sides import FloatArray
from mobilesim_py.services.ciberrato.walls import Walls

BoolArray = NDArray[np.bool_]

CLEARANCE = RADIUS * 0.999
ANGLE_SLACK = 1e-9
TOUCHING = 1e-9
ARC_SAMPLES = 13
BATCH = 12


@dataclass(slots=True)
class Corner:
    """A convex corner: the disc can roll around it from one angle on, as far as the corner turns (radians)."""

    x: float
    y: float
    first: float
    extent: float
    blocked: tuple[float, ...]
    """Angles from `first` on at which the disc does not fit."""
    nodes: list[int] = field(default_factory=list)

    def offset(self, angle: float) -> float | None:
        """Return how far an angle is into the arc, or None where it is outside."""
        offset = math.remainder(angle - self.first - self.extent / 2.0, math.tau) + self.extent / 2.0
        if -ANGLE_SLACK <= offset <= self.extent + ANGLE_SLACK:
            return min(max(offset, 0.0), self.extent)
        return None

    def open_between(self, one: float, other: float) -> bool:
        """Return whether the disc can roll from one offset to another."""
        low, high = (one, other) if one <= other else (other, one)
        return not any(low < blocked < high for blocked in self.blocked)


@dataclass(slots=True)
class _Node:
    corner: int
    offset: float
    links: list[tuple[int, float]] = field(default_factory=list)


class DiscPaths:
    """Shortest ways between start places and anywhere."""

    def __init__(self, walls: Walls) -> None:
        self._walls = walls
        solid = [shapely.Polygon(wall.corners) for wall in walls.lab.walls if wall.height > 0.0]
        self._obstacles = shapely.STRtree([shapely.LinearRing(walls.lab.border.corners), *solid])
        self._from: dict[tuple[float, float], list[float]] = {}

    def prepare(self, starts: Iterable[tuple[float, float]]) -> None:
        """Find all ways from some starts now, which takes a moment, so that asking for one later does not."""
        for start in starts:
            self._distances_from(start)

    def distance(self, start: tuple[float, float], x: float, y: float) -> float:
        """Return the length of the shortest way of a robot's centre from a start to a point; infinite without one."""
        if start == (x, y):
            return 0.0
        if self._clear(np.array([[*start, x, y]]))[0]:
            return exact.distance(*start, x, y)
        best_first = sorted(self._arrivals(start, x, y))
        for i in range(0, len(best_first), BATCH):
            batch = best_first[i : i + BATCH]
            clear = self._clear(np.array([[touch_x, touch_y, x, y] for _, touch_x, touch_y in batch]))
            if clear.any():
                return batch[int(clear.argmax())][0]
        return math.inf

    def _arrivals(self, start: tuple[float, float], x: float, y: float) -> list[tuple[float, float, float]]:
        """Return the lengths of ways by the last corner they touch, and where they leave it."""
        corners, nodes = self.graph
        away = self._distances_from(start)
        found = []
        for corner, offset, piece in self._tangents(x, y):
            best = math.inf
            for n in corners[corner].nodes:
                node = nodes[n]
                length = away[n] + RADIUS * abs(node.offset - offset)
                if length < best and corners[corner].open_between(node.offset, offset):
                    best = length
            if best < math.inf:
                found.append((best + piece, *self._touch(corners[corner], offset)))
        return found

    def _tangents(self, x: float, y: float) -> list[tuple[int, float, float]]:
        """Return the corners whose circles a straight piece from a point can touch: corner, offset on its arc, length."""
        corners, _ = self.graph
        found = []
        for i, corner in enumerate(corners):
            dx, dy = x - corner.x, y - corner.y
            square = dx * dx + dy * dy - RADIUS * RADIUS
            if square < -TOUCHING:
                continue
            # a robot that touches the corner may be a rounding nearer than its radius
            square = max(square, 0.0)
            angle, side = math.atan2(dy, dx), math.atan2(math.sqrt(square), RADIUS)
            for touch in (angle + side, angle - side):
                offset = corner.offset(touch)
                if offset is not None:
                    found.append((i, offset, math.sqrt(square)))
        return found

    @staticmethod
    def _touch(corner: Corner, offset: float) -> tuple[float, float]:
        angle = corner.first + offset
        return corner.x + RADIUS * math.cos(angle), corner.y + RADIUS * math.sin(angle)

    def _distances_from(self, start: tuple[float, float]) -> list[float]:
        known = self._from.get(start)
        if known is not None:
            return known
        corners, nodes = self.graph
        tangents = self._tangents(*start)
        pieces = np.array([[*start, *self._touch(corners[i], offset)] for i, offset, _ in tangents]).reshape(-1, 4)
        best = [math.inf] * len(nodes)
        queue: list[tuple[float, int]] = []
        for (i, offset, length), clear in zip(tangents, self._clear(pieces).tolist(), strict=True):
            if not clear:
                continue
            for n in corners[i].nodes:
                if corners[i].open_between(offset, nodes[n].offset):
                    heapq.heappush(queue, (length + RADIUS * abs(nodes[n].offset - offset), n))
            # a piece that no other corner goes on from is a node of its own for what is touched last
            best.append(length)
            nodes.append(_Node(i, offset))
            corners[i].nodes.append(len(nodes) - 1)
            for others in self._from.values():
                others.append(math.inf)
        while queue:
            length, n = heapq.heappop(queue)
            if length < best[n]:
                best[n] = length
                for to, piece in nodes[n].links:
                    if length + piece < best[to]:
                        heapq.heappush(queue, (length + piece, to))
        self._from[start] = best
        return best

    @cached_property
    def graph(self) -> tuple[list[Corner], list[_Node]]:
        """Return the corners and the nodes on them, linked by straight pieces and by arcs."""
        corners = self._corners()
        nodes: list[_Node] = []
        pieces, ends = self._pieces(corners)
        for (i, offset_i, j, offset_j), length in zip(ends, pieces, strict=True):
            first = len(nodes)
            nodes.append(_Node(i, offset_i, [(first + 1, length)]))
            nodes.append(_Node(j, offset_j, [(first, length)]))
            corners[i].nodes.append(first)
            corners[j].nodes.append(first + 1)
        for corner in corners:
            for n in corner.nodes:
                for m in corner.nodes:
                    if n != m and corner.open_between(nodes[n].offset, nodes[m].offset):
                        nodes[n].links.append((m, RADIUS * abs(nodes[n].offset - nodes[m].offset)))
        return corners, nodes

    def _corners(self) -> list[Corner]:
        found: list[Corner] = []
        seen: set[tuple[float, float, float]] = set()
        for wall in self._walls.lab.walls:
            if wall.height <= 0.0:
                continue
            points = wall.corners
            area = sum(points[i - 1][0] * points[i][1] - points[i][0] * points[i - 1][1] for i in range(len(points)))
            if area < 0.0:
                points = points[::-1]
            for i, (x, y) in enumerate(points):
                (px, py), (nx, ny) = points[i - 1], points[(i + 1) % len(points)]
                turn = math.remainder(math.atan2(ny - y, nx - x) - math.atan2(y - py, x - px), math.tau)
                first = math.atan2(y - py, x - px) - math.pi / 2.0
                if turn <= 0.0 or (x, y, first) in seen:
                    continue
                seen.add((x, y, first))
                blocked = self._blocked(x, y, first, turn)
                if len(blocked) < ARC_SAMPLES:
                    found.append(Corner(x, y, first, turn, blocked))
        return found

    def _blocked(self, x: float, y: float, first: float, extent: float) -> tuple[float, ...]:
        offsets = np.linspace(0.0, extent, ARC_SAMPLES)
        xs, ys = x + RADIUS * np.cos(first + offsets), y + RADIUS * np.sin(first + offsets)
        lab = self._walls.lab
        blocked = (xs < 0.0) | (xs > lab.width) | (ys < 0.0) | (ys > lab.height)
        blocked[self._obstacles.query(shapely.points(xs, ys), predicate="dwithin", distance=CLEARANCE)[0]] = True
        return tuple(offsets[blocked].tolist())

    def _pieces(self, corners: list[Corner]) -> tuple[list[float], list[tuple[int, float, int, float]]]:
        """Return the lengths of the straight pieces between two corners that the disc fits along, and where they touch."""
        ends: list[tuple[int, float, int, float]] = []
        arcs = np.array([(corner.x, corner.y, corner.first, corner.extent) for corner in corners]).reshape(-1, 4)
        for i in range(1, len(corners)):
            ends += [(i, offset_i, j, offset_j) for j, offset_i, offset_j in _common_tangents(arcs[i], arcs[:i])]
        pieces = np.array([[*self._touch(corners[i], a), *self._touch(corners[j], b)] for i, a, j, b in ends]).reshape(-1, 4)
        kept = np.nonzero(self._clear(pieces))[0]
        lengths = np.hypot(pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1])
        return lengths[kept].tolist(), [ends[k] for k in kept]

    def _clear(self, pieces: FloatArray) -> BoolArray:
        """Return along which straight pieces (x, y, x, y) the disc touches no wall."""
        lines = shapely.linestrings(pieces.reshape(-1, 2, 2))
        clear = np.ones(len(pieces), dtype=np.bool_)
        clear[self._obstacles.query(lines, predicate="dwithin", distance=CLEARANCE)[0]] = False
        return clear


def _common_tangents(one: FloatArray, others: FloatArray) -> list[tuple[int, float, float]]:
    """Return where common tangents touch the arc of a corner and those of others: number of the other, both offsets."""
    dx, dy = others[:, 0] - one[0], others[:, 1] - one[1]
    apart, way = np.hypot(dx, dy), np.arctan2(dy, dx)
    quarter = np.full_like(way, math.pi / 2.0)
    # tangents that cross between the circles need room for both
    inner = np.arccos(np.clip(2.0 * RADIUS / np.maximum(apart, 1e-9), -1.0, 1.0))
    crossing = apart > 2.0 * RADIUS
    found: list[tuple[int, float, float]] = []
    for side, turn, possible in ((quarter, 0.0, apart > 0.0), (inner, math.pi, crossing)):
        for sign in (1.0, -1.0):
            offset_one = _offsets(way + sign * side, one[2], one[3])
            offset_other = _offsets(way + sign * side + turn, others[:, 2], others[:, 3])
            for j in np.nonzero(possible & ~np.isnan(offset_one) & ~np.isnan(offset_other))[0].tolist():
                found.append((j, float(offset_one[j]), float(offset_other[j])))
    return found


def _offsets(angles: FloatArray, first: FloatArray | float, extent: FloatArray | float) -> FloatArray:
    """Return how far angles are into arcs, NaN outside."""
    half = np.asarray(extent) / 2.0
    offset = np.remainder(angles - first - half + math.pi, math.tau) - math.pi + half
    outside = (offset < -ANGLE_SLACK) | (offset > extent + ANGLE_SLACK)
    return np.where(outside, np.nan, np.clip(offset, 0.0, extent))
