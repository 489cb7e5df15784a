"""The referee: starts, sees the end, reads the scores."""

from __future__ import annotations

from mobilesim_py.protocols.ciber import Actions, RobotRequest
from mobilesim_py.services.ciberrato import RunState, State
from mobilesim_py.services.ciberrato.referee import LAST_CYCLES, Referee, Standing, board_text, ranked

from .playing import cycle, game_of, lab_of

LAB = lab_of(10.0, 6.0, targets=((8.0, 3.0, 1.5),))
PLACES = ((1.0, 1.0, 0.0), (1.0, 3.0, 0.0))


def test_the_run_starts_when_all_are_there():
    game = game_of(LAB, PLACES)
    referee = Referee(game, expected=2, starts=True)
    game.register(RobotRequest("one"))
    for _ in range(3):
        cycle(game)
        referee.after_cycle()
    assert game.state is RunState.STOPPED
    game.register(RobotRequest("two"))
    cycle(game)
    referee.after_cycle()
    cycle(game)
    assert game.state is RunState.RUNNING


def test_a_referee_who_does_not_start_leaves_that_to_others():
    game = game_of(LAB, PLACES)
    referee = Referee(game)
    game.register(RobotRequest("one"))
    for _ in range(3):
        cycle(game)
        referee.after_cycle()
    assert game.state is RunState.STOPPED


def test_a_run_that_somebody_stopped_is_not_started_again():
    game = game_of(LAB, PLACES)
    referee = Referee(game, starts=True)
    game.register(RobotRequest("one"))
    for _ in range(4):
        cycle(game)
        referee.after_cycle()
    assert game.time > 0
    game.stop()
    for _ in range(4):
        cycle(game)
        referee.after_cycle()
    assert game.state is RunState.STOPPED


def test_it_is_over_at_the_end_of_time_and_a_little_later_all_have_heard_it():
    game = game_of(LAB, PLACES, sim_time=4)
    referee = Referee(game, starts=True)
    game.register(RobotRequest("one"))
    cycles = 0
    while not referee.is_over:
        cycle(game)
        referee.after_cycle()
        cycles += 1
        assert cycles < 20
    assert not referee.may_go
    for _ in range(LAST_CYCLES):
        cycle(game)
        referee.after_cycle()
    assert referee.may_go


def test_it_is_over_when_every_robot_has_finished():
    game = game_of(LAB, PLACES)
    referee = Referee(game, starts=True)
    game.register(RobotRequest("one"))
    for _ in range(3):
        cycle(game)
        referee.after_cycle()
    game.robots[0].returning_led = True
    for _ in range(3):
        cycle(game, Actions(end_led=True))
    assert game.robots[0].state is State.FINISHED
    assert referee.is_over
    assert game.state is RunState.RUNNING
    (standing,) = referee.standings()
    assert (standing.name, standing.state, standing.time) == ("one", "Finished", game.parameters.sim_time)


def test_the_lowest_score_is_the_best_and_time_decides_between_equals():
    def standing(number: int, score: int, time: int) -> Standing:
        return Standing(number, f"r{number}", "Finished", score, time, 0, 0, 0, "")

    order = ranked([standing(1, 100, 50), standing(2, 10, 90), standing(3, 10, 80), standing(4, 10, 80)])
    assert [one.id for one in order] == [3, 4, 2, 1]
    lines = board_text(order).splitlines()
    assert lines[0].split() == ["Place", "Robot", "Score", "Time", "Collisions", "State"]
    assert lines[1].split() == ["1", "3", "r3", "10", "80", "0", "Finished"]
