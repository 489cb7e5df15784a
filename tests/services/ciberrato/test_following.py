"""Scores for following loops and lines."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ciber import Actions
from mobilesim_py.services.ciberrato import State

from .playing import cycle, game_of, lab_of, put, started

ROOM = lab_of(4.0, 4.0)
RING = {1: "  +--+--+  ", 2: "  |     |", 3: "  +--+--+  "}
LINES = lab_of(
    10.0, 8.0, RING, wall_height=0.0, targets=((4.0, 2.0, 1.0), (6.0, 4.0, 1.0)), beacons=((4.0, 2.0, 4.0), (6.0, 4.0, 4.0))
)
DIAMOND = lab_of(10.0, 8.0, {1: "     +--+  ", 2: "   / \\", 4: "   \\ /", 5: "      "}, wall_height=0.0)


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
