"""The referee's desk: what it shows and which orders it takes."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ciber import Actions
from mobilesim_py.services.ciberrato import RunState, State
from mobilesim_py.services.ciberrato.desk import GameDesk
from mobilesim_py.services.ciberrato.referee import Referee
from mobilesim_py.services.panelled import OrderError

from .playing import cycle, game_of, lab_of, started

LAB = lab_of(10.0, 6.0, targets=((8.0, 3.0, 1.5),))
PLACES = ((1.0, 1.0, 0.0), (1.0, 3.0, 0.0))


def desk_of(robots: int = 2):
    game = game_of(LAB, PLACES)
    started(game, robots)
    return game, GameDesk(game, Referee(game), game.reset)


def test_it_shows_time_board_leds_buttons_and_sensors():
    game, desk = desk_of()
    cycle(game, Actions(0.1, 0.1, visiting_led=True), None)
    facts = desk.facts()
    assert (facts["state"], facts["time"], facts["start_button"], facts["stop_button"]) == ("Running", 1, True, False)
    first = next(robot for robot in facts["robots"] if robot["id"] == 1)
    assert first["leds"] == {"end": False, "returning": False, "visiting": True}
    assert [sensor["angle"] for sensor in first["obstacles"]] == list(game.robots[0].angles)
    assert (first["compass"], first["ground"], first["line"]) == (0, -1, "0000000")
    assert [robot["score"] for robot in facts["robots"]] == sorted(robot["score"] for robot in facts["robots"])


def test_it_stops_and_starts_the_run():
    game, desk = desk_of()
    desk.order("stop", {})
    cycle(game)
    assert game.state is RunState.STOPPED
    desk.order("start", {})
    cycle(game)
    assert game.state is RunState.RUNNING
    desk.order("reset", {})
    assert game.state is RunState.READY


def test_a_removed_robot_is_no_longer_seen_and_a_disqualified_one_has_250_points():
    game, desk = desk_of()
    desk.order("remove", {"robot": 1})
    cycle(game)
    assert [spot.id for spot in desk.spots()] == [2]
    desk.order("disqualify", {"robot": 2})
    cycle(game)
    assert (game.robots[1].scores.score, game.robots[1].state) == (250, State.REMOVED)
    cycle(game)
    assert game.robots[1].scores.score == 250


@pytest.mark.parametrize(
    ("order", "wish", "said"),
    [
        ("sing", {}, "There is no order sing; there are start, stop"),
        ("start", {}, "The run is running, so it cannot be started."),
        ("remove", {"robot": 7}, "There is no robot 7; there are: 1, 2."),
        ("disqualify", {}, "robot must be a whole number."),
    ],
)
def test_what_is_impossible_is_told(order, wish, said):
    _, desk = desk_of()
    with pytest.raises(OrderError, match=said):
        desk.order(order, wish)
