"""Walls by place, so that a robot looks only at those around it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mobilesim_py.formats.lab import Wall
from mobilesim_py.services.ciberrato.robot import RADIUS
from mobilesim_py.services.ciberrato.sides import FloatArray, Sides

REACH = RADIUS + 1e-3
"""How far from a point the walls are that `Close` tells of, at least."""
VIEW = 3.0
"""How far from a robot the walls are that `Neighbourhoods` tells of, at least."""
CELL = 1.0


class Close:
    """The walls that something within `REACH` of a point may lie on, in the order of the lab."""

    def __init__(self, walls: Sequence[Wall]) -> None:
        self._boxes = [(wall, *_box(wall)) for wall in walls]
        self._cells: dict[tuple[int, int], list[tuple[Wall, float, float, float, float]]] = {}

    def at(self, x: float, y: float) -> list[Wall]:
        """Return the walls whose boxes reach that near to a point."""
        key = int(x), int(y)
        boxes = self._cells.get(key)
        if boxes is None:
            boxes = self._cells[key] = [box for box in self._boxes if _box_meets(box[1:], *key)]
        return [wall for wall, left, low, right, high in boxes if left <= x <= right and low <= y <= high]


def _box(wall: Wall) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in wall.corners], [y for _, y in wall.corners]
    return min(xs) - REACH, min(ys) - REACH, max(xs) + REACH, max(ys) + REACH


def _box_meets(box: tuple[float, float, float, float], column: int, row: int) -> bool:
    # int() rounds towards zero, so the cells at 0 are twice as wide
    left, low, right, high = box
    return left <= column + CELL and right >= column - CELL and low <= row + CELL and high >= row - CELL


class Neighbourhoods:
    """The sides of the walls around a robot, as arrays of equal lengths: where they start and how they run on.

    What is farther than `VIEW` from the robot may be missing. Arrays are filled up with sides of the border, which count
    once however often they are there.
    """

    STEP = 16

    def __init__(self, sides: Sides) -> None:
        self._all = np.stack([sides.ax, sides.ay, sides.ex, sides.ey])
        self._sides = sides
        counts = [len(corners) for corners in sides.polygons]
        self._wall_of_side = np.repeat(np.arange(len(counts)), counts)
        self._cells: dict[tuple[int, int, int], FloatArray] = {}
        self._needed: dict[tuple[int, int], int] = {}

    @property
    def everything(self) -> FloatArray:
        """Return the starts (x, y) and the ways (x, y) of all sides, one row for each of the four."""
        return self._all

    def around(self, places: Sequence[tuple[float, float]]) -> FloatArray:
        """Return the sides around each place: places, then start x, start y, way x, way y, then sides."""
        cells = [(math.floor(x / CELL), math.floor(y / CELL)) for x, y in places]
        if len(cells) == 1:
            cell = cells[0]
            return self._cell(*cell, self._need(*cell))[None]
        needed = max(self._need(*cell) for cell in cells)
        return np.stack([self._cell(*cell, needed) for cell in cells])

    def _need(self, column: int, row: int) -> int:
        needed = self._needed.get((column, row))
        if needed is None:
            found = self._near(column, row).shape[1]
            needed = self._needed[column, row] = max(-(-found // self.STEP), 1) * self.STEP
        return needed

    def _near(self, column: int, row: int) -> FloatArray:
        middle_x, middle_y = (column + 0.5) * CELL, (row + 0.5) * CELL
        away = self._sides.distances(np.array([middle_x]), np.array([middle_y]))[0]
        walls = np.unique(self._wall_of_side[away <= VIEW + CELL * math.sqrt(0.5)])
        return self._all[:, np.isin(self._wall_of_side, walls)]

    def _cell(self, column: int, row: int, count: int) -> FloatArray:
        known = self._cells.get((column, row, count))
        if known is None:
            near = self._near(column, row)
            filling = np.resize(self._all[:, :4].T, (count - near.shape[1], 4)).T
            known = self._cells[column, row, count] = np.ascontiguousarray(np.concatenate([near, filling], axis=1))
        return known
