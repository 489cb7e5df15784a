"""Rows of characters become walls."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.formats.lab.facts import Wall
from mobilesim_py.formats.lab.rows import row_walls


def box(left, low, right, high, height=4.0):
    return Wall(((left, low), (right, low), (right, high), (left, high)), height)


def close(wall, other):
    assert wall.height == other.height
    assert [coordinate for corner in wall.corners for coordinate in corner] == pytest.approx(
        [coordinate for corner in other.corners for coordinate in corner]
    )


def test_an_upright_wall_stands_between_two_cells():
    walls, unended = row_walls(4, "  |  |", 4.0)
    assert unended is None
    close(walls[0], box(1.9, 4.0, 2.1, 6.0))
    close(walls[1], box(3.9, 4.0, 4.1, 6.0))


def test_a_flat_wall_ends_before_a_blank():
    walls, unended = row_walls(1, "--+--+  +--+  ", 3.0)
    assert unended is None
    assert len(walls) == 2
    close(walls[0], box(0.0, 1.9, 4.0, 2.1, 3.0))
    close(walls[1], box(6.0, 1.9, 8.0, 2.1, 3.0))


def test_a_flat_wall_in_the_middle_of_cells_is_a_line_on_the_ground():
    walls, _ = row_walls(2, "--+  ", 4.0)
    close(walls[0], box(0.0, 2.9, 2.0, 3.1, 0.0))


def test_a_flat_wall_may_end_in_the_last_column():
    walls, unended = row_walls(11, " " * 36 + "--+--", 4.0)
    assert unended is None
    close(walls[0], box(24.0, 11.9, 28.0, 12.1))


def test_a_flat_wall_without_an_end_is_kept_and_told():
    walls, unended = row_walls(1, "  +--+--", 4.0)
    assert unended == 3
    close(walls[0], box(2.0, 1.9, 6.0, 2.1))


def test_diagonals_cross_a_cell():
    d = 0.1 * math.cos(math.pi / 4)
    (up,), _ = row_walls(2, "   /", 0.0)
    close(up, Wall(((2 - d, 2 + d), (2 + d, 2 - d), (4 + d, 4 - d), (4 - d, 4 + d)), 0.0))
    (down,), _ = row_walls(2, "\\", 0.0)
    close(down, Wall(((-d, 4 - d), (d, 4 + d), (2 + d, 2 + d), (2 - d, 2 - d)), 0.0))


def test_walls_can_be_thinner():
    (wall,), _ = row_walls(0, "  |", 4.0, wall_width=0.1)
    close(wall, box(1.95, 0.0, 2.05, 2.0))


def test_other_characters_mean_nothing():
    assert row_walls(0, " XX+HH ++ 1 ", 4.0) == ([], None)
