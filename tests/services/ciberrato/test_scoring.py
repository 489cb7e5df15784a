"""Scores of the competition and of the written rules."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.protocols.ciber import Actions
from mobilesim_py.services.ciberrato import EXPLORER_2022, State, tie_break_time
from mobilesim_py.services.ciberrato.scoring import visit_reward

from .playing import QUIET, cycle, game_of, lab_of, put, started

TARGET = ((9.0, 1.0, 1.0),)
LAB = lab_of(12.0, 8.0, targets=TARGET)
VISIT, RETURN, END = Actions(visiting_led=True), Actions(returning_led=True), Actions(end_led=True)


def running(**keywords):
    game = game_of(keywords.pop("lab", LAB), **keywords)
    (robot,) = started(game)
    return game, robot


def test_a_robot_starts_with_a_hundred_for_each_target_and_the_return():
    game, robot = running()
    assert robot.scores.score == 0
    cycle(game)
    assert robot.scores.score == 200
    two = lab_of(12.0, 8.0, targets=(*TARGET, (9.0, 5.0, 1.0)))
    game, robot = running(lab=two)
    cycle(game)
    assert (robot.scores.score, robot.scores.visited_mask) == (300, "00")


def test_a_collision_costs_when_it_starts():
    game, robot = running(places=((0.52, 1.0, math.pi),), collision_wall_penalty=3)
    for _ in range(4):
        cycle(game, Actions(0.1, 0.1))
    assert (robot.scores.score, robot.scores.collisions, robot.scores.collision) == (203, 1, True)
    for _ in range(9):
        cycle(game, Actions(-0.1, -0.1))
    assert robot.scores.collision is False
    for _ in range(20):
        cycle(game, Actions(0.1, 0.1))
    assert (robot.scores.score, robot.scores.collisions) == (206, 2)


def test_visiting_a_target_is_worth_a_hundred_and_shown_with_the_led_off():
    game, robot = running()
    put(robot, 9.0, 1.0)
    cycle(game, VISIT)
    assert (robot.scores.score, robot.scores.visited_mask, robot.scores.arrival_time) == (200, "1", 0)
    cycle(game)
    cycle(game, Actions(visiting_led=False))
    assert robot.scores.score == 100


def test_a_visiting_led_elsewhere_costs_five_in_every_cycle():
    game, robot = running()
    cycle(game, VISIT)
    cycle(game)
    assert robot.scores.score == 100 + 200 + 10
    cycle(game, Actions(visiting_led=False))
    assert (robot.scores.score, robot.state) == (210, State.RUNNING)


def visited(**keywords):
    game, robot = running(**keywords)
    put(robot, 9.0, 1.0)
    cycle(game, VISIT)
    cycle(game, Actions(visiting_led=False))
    return game, robot


def test_the_way_home_is_worth_what_is_left_of_it():
    game, robot = visited()
    cycle(game, RETURN)
    assert (robot.state, robot.scores.score) == (State.RETURNING, 100)
    for x, score in ((5.0, 50), (3.0, 25), (1.1, 1), (1.0, 0)):
        put(robot, x, 1.0)
        cycle(game)
        assert robot.scores.score == score
    assert robot.scores.returning_time == 4
    cycle(game, END)
    assert (robot.state, robot.scores.score) == (State.FINISHED, 0)
    put(robot, 9.0, 1.0)
    cycle(game)
    assert robot.scores.score == 0


def test_the_way_home_goes_around_walls():
    lab = lab_of(12.0, 8.0, {0: "           |", 2: "           |"}, targets=TARGET)
    game, robot = visited(lab=lab)
    cycle(game, RETURN)
    assert robot.distance_at_return > 9.0
    put(robot, 9.0, 3.0)
    cycle(game)
    assert 70 < robot.scores.score < 100


def test_who_cannot_come_home_any_more_has_all_the_way_left():
    lab = lab_of(12.0, 8.0, {6: "  |", 5: "--+  "}, targets=TARGET)
    game, robot = visited(lab=lab)
    cycle(game, RETURN)
    put(robot, 1.0, 7.0)
    cycle(game)
    assert robot.scores.score == 100


def test_a_return_before_all_targets_were_visited_is_the_end():
    game, robot = running()
    put(robot, 9.0, 1.0)
    cycle(game, RETURN)
    assert (robot.state, robot.scores.score) == (State.FINISHED, 200)


def test_a_return_can_begin_again_from_a_target():
    game, robot = visited()
    cycle(game, RETURN)
    put(robot, 9.25, 1.0)
    cycle(game, RETURN)
    assert (robot.scores.score, robot.scores.returning_time) == (100, 0)
    assert robot.distance_at_return == 8.25


def test_leds_count_while_returning_too():
    lab = lab_of(12.0, 8.0, targets=TARGET)
    game, robot = visited(lab=lab)
    cycle(game, RETURN)
    put(robot, 5.0, 1.0)
    cycle(game, VISIT)
    assert robot.scores.score == 55
    cycle(game)
    assert robot.scores.score == 60


def test_ending_at_the_target_counts_the_whole_way():
    game, robot = visited()
    cycle(game, END)
    assert (robot.state, robot.scores.score, robot.scores.arrival_time) == (State.FINISHED, 200, game.time)


def test_who_is_still_on_the_way_at_the_end_gets_fifteen():
    game, robot = visited(sim_time=4)
    cycle(game, RETURN)
    put(robot, 5.0, 1.0)
    cycle(game)
    assert (game.time, robot.scores.score) == (4, 65)


def test_a_return_from_the_start_itself_costs_nothing():
    game, robot = running(lab=lab_of(8.0, 8.0, targets=((1.0, 1.0, 1.0),)))
    cycle(game, VISIT)
    cycle(game, Actions(visiting_led=False, returning_led=True))
    cycle(game)
    assert robot.scores.score == 0


def test_an_unknown_mode_is_the_competition_from_nothing():
    game, robot = running(scoring=42)
    cycle(game)
    assert robot.scores.score == 0
    put(robot, 9.0, 1.0)
    cycle(game, VISIT)
    cycle(game, Actions(visiting_led=False))
    assert robot.scores.score == -100


# -- the written rules -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("time", "reward"), [(1, 100), (600, 100), (601, 99), (800, 75), (1000, 50)])
def test_a_late_visit_is_worth_less(time, reward):
    assert visit_reward(time, QUIET) == reward


def test_without_time_after_the_key_time_every_visit_is_worth_all():
    assert visit_reward(900, type(QUIET)(sim_time=500, key_time=500)) == 100


def explorer(**keywords):
    game, robot = running(rules=EXPLORER_2022, **keywords)
    cycle(game)
    assert robot.scores.score == 200
    return game, robot


def test_the_written_rules_reward_visit_and_return():
    game, robot = explorer()
    put(robot, 9.0, 1.0)
    cycle(game, VISIT)
    assert (robot.scores.score, robot.scores.arrival_time) == (100, 1)
    assert tie_break_time(robot, game.parameters) == 1
    cycle(game, VISIT)
    assert robot.scores.score == 100
    cycle(game, RETURN)
    assert (robot.state, robot.scores.score) == (State.RETURNING, 100)
    put(robot, 5.0, 1.0)
    cycle(game)
    assert robot.scores.score == 50
    put(robot, 1.0, 1.0)
    cycle(game, END)
    assert (robot.state, robot.scores.score) == (State.FINISHED, 0)


def test_a_false_visit_ends_the_run_with_the_score_of_the_moment():
    game, robot = explorer()
    cycle(game, VISIT)
    assert (robot.state, robot.scores.score) == (State.FINISHED, 200)
    assert tie_break_time(robot, game.parameters) == 1000


def test_a_led_that_stays_on_after_the_visit_is_no_false_visit():
    game, robot = explorer()
    put(robot, 9.0, 1.0)
    cycle(game, VISIT)
    put(robot, 5.0, 1.0)
    cycle(game)
    assert robot.state is State.RUNNING
    cycle(game, Actions(visiting_led=False))
    cycle(game, VISIT)
    assert robot.state is State.FINISHED


def test_a_return_that_is_none_ends_the_run():
    game, robot = explorer()
    cycle(game, RETURN)
    assert (robot.state, robot.scores.score) == (State.FINISHED, 200)


def test_no_score_is_above_250():
    game, robot = explorer(places=((0.52, 1.0, math.pi),))
    robot.penalties = 249
    for _ in range(3):
        cycle(game, Actions(0.1, 0.1))
    assert robot.scores.collisions == 1
    assert robot.scores.score == 250
