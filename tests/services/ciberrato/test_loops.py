"""Loops through mazes and along lines."""

from __future__ import annotations

import pytest

from mobilesim_py.services.ciberrato import NoLoopError
from mobilesim_py.services.ciberrato.loops import _rounded, diagonal_loop, line_loop, maze_loop
from mobilesim_py.services.ciberrato.walls import Walls

from .playing import lab_of

ROOM = lab_of(4.0, 4.0)
RING = {1: "  +--+--+  ", 2: "  |     |", 3: "  +--+--+  "}
LINES = lab_of(
    10.0, 8.0, RING, wall_height=0.0, targets=((4.0, 2.0, 1.0), (6.0, 4.0, 1.0)), beacons=((4.0, 2.0, 4.0), (6.0, 4.0, 4.0))
)
DIAMOND = lab_of(10.0, 8.0, {1: "     +--+  ", 2: "   / \\", 4: "   \\ /", 5: "      "}, wall_height=0.0)


def test_the_loop_of_a_room_goes_around_it():
    assert maze_loop(Walls(ROOM), 1.0, 1.0) == [(0, 0), (1, 0), (1, 1), (0, 1)]


def test_a_loop_that_does_not_come_back_is_none():
    with pytest.raises(NoLoopError):
        maze_loop(Walls(lab_of(4.0, 2.0)), 1.0, 1.0)


def test_a_way_that_runs_in_a_circle_elsewhere_is_no_loop():
    lab = lab_of(8.0, 4.0, {0: "  |", 1: "--+  "})
    with pytest.raises(NoLoopError):
        maze_loop(Walls(lab), 1.0, 1.0)


def test_a_line_is_followed_to_where_it_began():
    path = line_loop(Walls(LINES), 4.0, 2.0)
    assert path[:4] == [(4, 2), (5, 2), (6, 2), (6, 3)]
    assert path[-1] == (3, 2)
    assert len(path) == 12


def test_a_line_is_followed_in_half_units_too():
    path = diagonal_loop(Walls(LINES), 4.0, 2.0)
    assert path[:3] == [(8, 4), (9, 4), (10, 4)]
    assert len(path) == 24


def test_rounding_cells_goes_away_from_zero():
    assert [_rounded(value) for value in (-0.5, -1.2, 0.5, 1.4)] == [-1, -1, 1, 1]
