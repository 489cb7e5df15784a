"""Scores for following a loop or a line: +10 for each next piece of the way, penalties for leaving it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from mobilesim_py.services.ciberrato.loops import Cell, cell_of, diagonal_loop, line_loop, maze_loop
from mobilesim_py.services.ciberrato.robot import Robot, State
from mobilesim_py.services.ciberrato.scoring import Field, count_collision, end_led_state
from mobilesim_py.services.ciberrato.walls import Walls

STEP = 10
OFF_LINE = 0.5


class _Following(ABC):
    """What following a loop has in common: the loop is found at the start, and a lit end led leaves only the penalties."""

    find_loop: Callable[[Walls, float, float], list[Cell]]

    def __init__(self, field: Field) -> None:
        self._field = field

    def start_score(self) -> int:
        """Return nothing to begin with."""
        return 0

    def begin(self, robot: Robot) -> dict[str, str]:
        """Find the loop from where the robot stands."""
        robot.path = type(self).find_loop(self._field.walls, robot.x, robot.y)
        return {}

    def update(self, robot: Robot, time: int) -> None:
        """Score one cycle."""
        count_collision(robot, self._field.parameters, -1)
        if robot.state is State.RUNNING:
            robot.earned += self.earned(robot)
            robot.scores.score = robot.penalties if robot.end_led else robot.penalties + robot.earned

    @abstractmethod
    def earned(self, robot: Robot) -> int:
        """Return the points of this cycle, and go on along the path."""

    def next_state(self, robot: Robot) -> State:
        """Return the state; only the end led ends the run."""
        return end_led_state(robot)

    @staticmethod
    def go_on(robot: Robot, pieces: int = 1) -> int:
        """Count the next pieces of the path as reached."""
        robot.path_index += pieces
        if robot.path_index >= len(robot.path):
            robot.path_index = 0
        return STEP


class MazeControl(_Following):
    """Round the loop of cells (scoring 1)."""

    find_loop = staticmethod(maze_loop)

    def earned(self, robot: Robot) -> int:
        """Return 10 for the next cell."""
        return self.go_on(robot) if cell_of(robot.x, robot.y) == robot.path[robot.path_index] else 0


class LineControl(_Following):
    """Along the line in cells of 1 x 1, never outside them (scoring 4)."""

    find_loop = staticmethod(line_loop)

    def earned(self, robot: Robot) -> int:
        """Return 10 for the next cell, and -10 outside all of them."""
        cell = int(robot.x + 0.5), int(robot.y + 0.5)
        points = self.go_on(robot) if cell == robot.path[robot.path_index] else 0
        return points if cell in robot.path else points - STEP


class DiagonalControl(_Following):
    """Along a line that may run diagonally, in cells of 0.5; a sharp corner's middle cell may be left out (scoring 7)."""

    find_loop = staticmethod(diagonal_loop)

    def earned(self, robot: Robot) -> int:
        """Return 10 for the next cell or the one after a corner, and -10 outside all of them."""
        x, y, path, index = robot.x * 2.0, robot.y * 2.0, robot.path, robot.path_index
        after, before = path[(index + 1) % len(path)], path[(index - 1) % len(path)]
        points = 0
        if _covers(path[index], x, y):
            points = self.go_on(robot)
        elif abs(after[0] - before[0]) + abs(after[1] - before[1]) < 1.1 and _covers(after, x, y):
            points = self.go_on(robot, 2)
        return points if any(_covers(cell, x, y) for cell in path) else points - STEP


def _covers(cell: Cell, x: float, y: float) -> bool:
    return abs(cell[0] - x) < 1.0 and abs(cell[1] - y) < 1.0


class LineKeeping:
    """Stay on the lines: +10, as a penalty, in every cycle farther than 0.5 from any line or wall (scoring 5 and 6)."""

    def __init__(self, field: Field) -> None:
        self._field = field

    def start_score(self) -> int:
        """Return nothing to begin with."""
        return 0

    def begin(self, robot: Robot) -> dict[str, str]:
        """Prepare nothing."""
        return {}

    def update(self, robot: Robot, time: int) -> None:
        """Score one cycle."""
        count_collision(robot, self._field.parameters, -1)
        if robot.state is State.RUNNING:
            place = np.array([robot.x]), np.array([robot.y])
            if self._field.walls.all.distances(*place).min() > OFF_LINE:
                robot.penalties += STEP
            robot.scores.score = robot.penalties

    def next_state(self, robot: Robot) -> State:
        """Return the state; only the end led ends the run."""
        return end_led_state(robot)
