"""Drawings of mazes and lines, and the best tour."""

from __future__ import annotations

import math

from mobilesim_py.services.ciberrato.maps import line_mapping, line_planning, maze_mapping, maze_planning
from mobilesim_py.services.ciberrato.walls import Walls

from .playing import lab_of

ROOM = lab_of(4.0, 4.0)
RING = {1: "  +--+--+  ", 2: "  |     |", 3: "  +--+--+  "}
LINES = lab_of(
    10.0, 8.0, RING, wall_height=0.0, targets=((4.0, 2.0, 1.0), (6.0, 4.0, 1.0)), beacons=((4.0, 2.0, 4.0), (6.0, 4.0, 4.0))
)
DIAMOND = lab_of(10.0, 8.0, {1: "     +--+  ", 2: "   / \\", 4: "   \\ /", 5: "      "}, wall_height=0.0)


def test_the_drawing_of_a_maze_has_its_walls_and_where_a_robot_can_go():
    lab = lab_of(8.0, 4.0, {0: "     |", 2: "  |  |"})
    assert maze_mapping(Walls(lab), 1.0, 1.0).splitlines() == [
        "       - -     ",
        "      |X|X|    ",
        "       X X     ",
        "      |IXX|    ",
        "       - -     ",
        "               ",
        "               ",
    ]


def test_planning_names_the_targets_and_the_best_tour():
    lab = lab_of(
        12.0,
        4.0,
        {0: "  |"},
        targets=((1.0, 1.0, 1.0), (11.0, 1.0, 1.0), (3.0, 3.0, 1.0)),
        beacons=((1.0, 1.0, 4.0), (11.0, 1.0, 4.0), (3.0, 3.0, 4.0)),
    )
    drawing = maze_planning(Walls(lab), 1.0, 1.0).splitlines()
    assert drawing[-2:] == [" 0 1 2 0", "28.000000"]
    assert sum(line.count(digit) for line in drawing[:-2] for digit in "012") == 3


def test_a_tour_needs_at_least_two_beacons_that_can_be_reached():
    one = lab_of(8.0, 4.0, targets=((1.0, 1.0, 1.0),), beacons=((1.0, 1.0, 4.0),))
    assert len(maze_planning(Walls(one), 1.0, 1.0).splitlines()) == 7
    apart = lab_of(8.0, 4.0, targets=(), beacons=((1.0, 1.0, 4.0), (4.4, 1.0, 4.0)))
    assert len(maze_planning(Walls(apart), 1.0, 1.0).splitlines()) == 7


def test_lines_are_drawn_around_the_start():
    drawing = line_mapping(Walls(LINES), 4.0, 2.0).splitlines()
    assert (len(drawing), len(drawing[0])) == (9, 13)
    assert drawing[4][6] == "I"
    assert drawing[2][5] == drawing[2][7] == "-"
    assert drawing[4][5] == drawing[4][7] == "-"
    assert drawing[3][4] == drawing[3][8] == "|"


def test_diagonal_lines_are_drawn_as_they_run():
    drawing = "".join(line_mapping(Walls(DIAMOND), 4.0, 4.0))
    assert "/" in drawing
    assert "\\" in drawing


def test_line_planning_measures_along_the_lines():
    lines = line_planning(Walls(LINES), 4.0, 2.0).splitlines()
    assert lines[-2:] == [" 0 1 0", f"{2 * (2.0 + 2.0):f}"]
    assert "".join(lines[:-2]).count("0") == 1
    assert "".join(lines[:-2]).count("1") == 1


def test_a_target_outside_the_drawing_is_left_out():
    lab = lab_of(10.0, 8.0, RING, wall_height=0.0, targets=((1.0, 7.0, 1.0),), beacons=((1.0, 7.0, 4.0),))
    assert "0" not in line_planning(Walls(lab), 8.0, 2.0)


def test_diagonals_are_longer():
    lab = lab_of(
        10.0,
        10.0,
        {2: "   /"},
        wall_height=0.0,
        beacons=((2.0, 2.0, 4.0), (4.0, 4.0, 4.0)),
        targets=((2.0, 2.0, 1.0), (4.0, 4.0, 1.0)),
    )
    assert line_planning(Walls(lab), 2.0, 2.0).splitlines()[-1] == f"{2 * math.sqrt(8):f}"
