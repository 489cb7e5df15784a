"""Scores for following loops and lines, and the drawings of the mapping modes."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.protocols.ciber import Actions
from mobilesim_py.services.ciberrato import NoLoopError, State
from mobilesim_py.services.ciberrato.loops import _rounded, diagonal_loop, line_loop, maze_loop
from mobilesim_py.services.ciberrato.maps import line_mapping, line_planning, maze_mapping, maze_planning
from mobilesim_py.services.ciberrato.walls import Walls

from .playing import cycle, game_of, lab_of, put, started

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


def control(lab, scoring, place):
    game = game_of(lab, (place,), scoring=scoring)
    (robot,) = started(game)
    return game, robot


def test_each_next_cell_of_the_loop_is_worth_ten():
    game, robot = control(ROOM, 1, (1.0, 1.0, 0.0))
    scores = []
    for x, y in ((1.0, 1.0), (3.0, 1.0), (3.0, 1.0), (1.0, 3.0), (3.0, 3.0), (1.0, 3.0), (1.0, 1.0), (3.0, 1.0)):
        put(robot, x, y)
        cycle(game)
        scores.append(robot.scores.score)
    assert scores == [0, 10, 10, 10, 20, 30, 40, 50]
    assert robot.scores.arrival_time == 0


def test_collisions_are_subtracted_and_the_end_led_leaves_only_them():
    game, robot = control(ROOM, 1, (1.0, 1.0, 0.0))
    put(robot, 3.0, 1.0)
    cycle(game)
    put(robot, 3.48, 1.0)
    for _ in range(3):
        cycle(game, Actions(0.1, 0.1))
    assert robot.scores.score == 8
    cycle(game, Actions(end_led=True))
    assert (robot.scores.score, robot.state) == (-2, State.FINISHED)


def test_a_line_is_left_at_ten_points_a_cycle():
    game, robot = control(LINES, 4, (4.0, 2.0, 0.0))
    scores = []
    for x, y in ((4.0, 2.0), (5.0, 2.2), (5.0, 3.0), (5.0, 3.0), (6.0, 2.0)):
        put(robot, x, y)
        cycle(game)
        scores.append(robot.scores.score)
    assert scores == [0, 10, 0, -10, 0]


def test_a_diagonal_line_lets_a_sharp_corner_be_cut():
    game, robot = control(LINES, 7, (4.0, 2.0, 0.0))
    robot.path = [(8, 4), (9, 4), (9, 5), (8, 5), (7, 5), (7, 4)]
    scores = []
    for x, y in ((4.0, 2.0), (4.5, 2.0), (4.0, 2.5), (6.0, 6.0)):
        put(robot, x, y)
        cycle(game)
        scores.append(robot.scores.score)
    assert scores[0] == 0
    assert scores[1] == 10
    assert scores[3] == scores[2] - 10


def test_a_corner_is_cut_only_where_it_is_sharp():
    game, robot = control(LINES, 7, (4.0, 2.0, 0.0))
    robot.path, robot.path_index = [(10, 10), (12, 12), (11, 10), (8, 8)], 1
    put(robot, 5.6, 5.05)
    cycle(game)
    assert (robot.scores.score, robot.path_index) == (10, 3)
    robot.path, robot.path_index = [(10, 10), (12, 12), (14, 14), (8, 8)], 1
    put(robot, 7.0, 7.0)
    cycle(game)
    assert (robot.scores.score, robot.path_index) == (10, 1)


@pytest.mark.parametrize("scoring", [5, 6])
def test_staying_near_lines_costs_nothing(scoring):
    game, robot = control(LINES, scoring, (4.0, 2.0, 0.0))
    cycle(game)
    assert robot.scores.score == 0
    put(robot, 4.0, 3.0)
    cycle(game)
    cycle(game)
    assert robot.scores.score == 20
    cycle(game, Actions(end_led=True))
    assert (robot.state, robot.scores.score) == (State.FINISHED, 30)


@pytest.mark.parametrize("scoring", [0, 1, 4, 5])
def test_a_robot_that_waits_scores_nothing(scoring):
    game, robot = control(ROOM if scoring == 1 else LINES, scoring, (1.0, 1.0, 0.0) if scoring == 1 else (4.0, 2.0, 0.0))
    cycle(game)
    before = robot.scores.score
    robot.state = State.WAITING
    put(robot, 3.0, 3.0)
    cycle(game)
    assert robot.scores.score == before


@pytest.mark.parametrize("scoring", range(8))
def test_every_mode_says_what_a_robot_starts_with(scoring):
    lab = ROOM if scoring == 1 else LINES
    game = game_of(lab, ((1.0, 1.0, 0.0) if scoring == 1 else (4.0, 2.0, 0.0),), scoring=scoring)
    assert game.scoring.start_score() == (300 if scoring == 0 else 0)


def test_files_appear_when_the_run_starts():
    for scoring, name in ((2, "mapping.out"), (3, "planning.out"), (5, "mapping.out"), (6, "planning.out")):
        game = game_of(LINES, ((5.0, 3.0, 0.0),), scoring=scoring)
        assert game.files == {}
        started(game)
        assert list(game.files) == [name]
        game.files.clear()
        game.stop()
        cycle(game)
        game.start()
        cycle(game)
        cycle(game)
        assert game.files == {}


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
