"""The run and its referee: who may register, what orders do, what is told."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.formats.lab import Parameters
from mobilesim_py.protocols.ciber import Actions, RobotBeaconRequest, RobotRequest
from mobilesim_py.services.ciberrato import EXPLORER_2022, CounterNoise, Game, RunState, State
from mobilesim_py.services.ciberrato.rules import FIRST_ORIGIN

from .playing import cycle, game_of, lab_of, put, started

OPEN = lab_of(20.0, 20.0, targets=((5.0, 5.0, 1.0),), beacons=((5.0, 5.0, 4.0),))
THREE = ((2.0, 2.0, 0.0), (6.0, 2.0, 0.0), (15.0, 15.0, math.pi))


def test_a_game_has_the_default_lab_and_parameters():
    game = Game()
    assert (game.lab.name, len(game.grid.places), game.parameters) == ("Default LAB", 1, Parameters())
    assert game.state is RunState.READY


def test_a_game_can_be_prepared():
    game = Game()
    game.prepare()
    assert game.paths.distance((9.0, 3.0), 25.0, 7.0) == pytest.approx(19.23, abs=0.01)


def test_robots_get_the_place_they_ask_for_or_the_first_free_one():
    game = game_of(OPEN, THREE)
    assert game.register(RobotRequest("b", 2)) == 2
    assert game.register(RobotRequest("a")) == 1
    assert game.register(RobotRequest("c")) == 3
    assert [(robot.name, robot.x) for robot in game.present] == [("a", 2.0), ("b", 6.0), ("c", 15.0)]


@pytest.mark.parametrize("request_", [RobotRequest("n", 2), RobotRequest("n", 9), RobotBeaconRequest("n", 1)])
def test_some_are_refused(request_):
    game = game_of(OPEN, THREE)
    game.register(RobotRequest("first", 2))
    assert game.register(request_) is None


def test_nobody_is_registered_beyond_the_places_or_while_running():
    game = game_of(OPEN, THREE[:2])
    started(game, 1)
    assert game.register(RobotRequest("late")) is None
    game.stop()
    cycle(game)
    assert game.register(RobotRequest("late")) == 2
    assert game.register(RobotRequest("more")) is None


def test_the_first_client_makes_a_ready_game_stopped():
    game = game_of(OPEN)
    cycle(game)
    assert game.state is RunState.READY
    game.start()
    cycle(game)
    assert game.state is RunState.READY
    game.look()
    cycle(game)
    assert game.state is RunState.STOPPED
    game.look()
    game.stop()
    cycle(game)
    assert game.state is RunState.STOPPED


def test_time_runs_only_while_the_run_does():
    game = game_of(OPEN)
    (robot,) = started(game)
    assert (game.state, game.time, robot.state) == (RunState.RUNNING, 0, State.RUNNING)
    cycle(game)
    assert game.time == 1
    game.stop()
    cycle(game)
    assert (game.time, game.state, robot.state) == (2, RunState.STOPPED, State.STOPPED)
    cycle(game)
    assert game.time == 2
    game.start()
    cycle(game)
    cycle(game)
    assert (game.time, robot.state) == (3, State.RUNNING)


def test_a_returning_robot_returns_on_after_a_stop():
    game = game_of(OPEN)
    (robot,) = started(game)
    robot.state = State.RETURNING
    game.stop()
    cycle(game)
    assert robot.state is State.STOPPED
    game.start()
    cycle(game)
    assert robot.state is State.RETURNING


def test_the_run_ends_at_its_time_and_stays_there():
    game = game_of(OPEN, sim_time=3)
    (robot,) = started(game)
    for _ in range(5):
        cycle(game)
    assert (game.time, game.state, robot.state) == (3, RunState.FINISHED, State.RUNNING)
    told = game.measures(robot)
    assert (told.start, told.stop) == (False, False)


def test_a_run_without_an_end_goes_on():
    game = game_of(OPEN, sim_time=0)
    started(game)
    for _ in range(10):
        cycle(game)
    assert game.state is RunState.RUNNING


def test_a_reset_forgets_all_but_the_field():
    game = game_of(OPEN, gps=True)
    (robot,) = started(game)
    cycle(game)
    assert robot.gps == pytest.approx((FIRST_ORIGIN[0] + 1.0, FIRST_ORIGIN[1] + 1.0), abs=0.06)
    game.reset()
    assert (game.state, game.time, game.present) == (RunState.READY, 0, [])
    (again,) = started(game)
    assert all(0.0 <= again.gps[k] <= 1001.05 for k in (0, 1))
    assert again.gps != robot.gps


def test_the_written_rules_draw_the_gps_origin_from_the_seed():
    origins = []
    for seed in (1, 1, 2):
        game = game_of(OPEN, rules=EXPLORER_2022, noise=CounterNoise(seed), gps=True)
        (robot,) = started(game)
        origins.append(robot.gps)
    assert origins[0] == origins[1] != origins[2]


def test_a_run_repeats_itself_however_long_it_waited():
    poses = []
    for waits in (0, 7):
        game = game_of(OPEN, ((10.0, 10.0, 0.0),), Parameters(), noise=CounterNoise(5))
        (robot,) = started(game)
        game.stop()
        cycle(game)
        for _ in range(waits):
            cycle(game)
        game.start()
        cycle(game)
        for _ in range(20):
            cycle(game, Actions(0.1, 0.08))
        poses.append((robot.x, robot.y, robot.heading, robot.compass_sensor.value))
    assert poses[0] == poses[1]


def test_removing_and_disqualifying():
    game = game_of(OPEN, THREE)
    one, two, three = started(game, 3)
    assert game.remove(1)
    assert game.disqualify(2)
    assert not game.remove(0)
    assert not game.remove(4)
    assert not game.disqualify(9)
    assert (one.state, two.state, two.scores.score) == (State.RUNNING, State.REMOVED, 250)
    cycle(game)
    assert (one.state, two.state, three.state) == (State.REMOVED, State.REMOVED, State.RUNNING)
    cycle(game, Actions(0.1, 0.1), Actions(0.1, 0.1))
    assert (one.x, two.x, two.scores.score) == (2.0, 6.0, 250)


def test_actions_for_nobody_are_passed_over():
    game = game_of(OPEN, THREE)
    started(game, 1)
    cycle(game, None, Actions(0.1, 0.1))
    assert len(game.present) == 1


def test_what_comes_later_in_a_cycle_counts():
    game = game_of(OPEN)
    (robot,) = started(game)
    game.begin_cycle()
    game.act(1, Actions(0.1, 0.5, end_led=False, say="one"))
    game.act(1, Actions(0.05, end_led=True, returning_led=True, visiting_led=True, say="two"))
    assert (robot.left_order, robot.right_order, robot.end_led, robot.say) == (0.05, 0.15, True, "two")
    assert robot.received == Actions(0.05, 0.15, True, True, True)
    game.begin_cycle()
    assert (robot.received, robot.say) == (None, "")


def test_words_are_heard_near_by_in_the_same_cycle():
    game = game_of(OPEN, THREE)
    one, two, three = started(game, 3)
    cycle(game, Actions(say="hello"))
    assert game.measures(one).messages == [(1, "hello")]
    assert game.measures(two).messages == [(1, "hello")]
    assert game.measures(three).messages == []
    cycle(game)
    assert game.measures(one).messages == []


def test_more_than_a_hundred_characters_are_not_heard():
    game = game_of(OPEN)
    (robot,) = started(game)
    cycle(game, Actions(say="x" * 101))
    assert game.measures(robot).messages == []
    cycle(game, Actions(say="x" * 100))
    assert game.measures(robot).messages == [(1, "x" * 100)]


REQUESTED = {
    "obstacle_requestable": True,
    "beacon_requestable": True,
    "compass_requestable": True,
    "ground_requestable": True,
    "collision_requestable": True,
    "beacon_sensor": True,
    "requests_per_cycle": 3,
}


def asked(*names):
    game = game_of(OPEN, **REQUESTED)
    (robot,) = started(game)
    game.begin_cycle()
    game.act(1, Actions(requests=names))
    game.advance()
    return game.measures(robot)


def test_sensors_on_request_are_told_only_when_asked_for():
    told = asked()
    assert (told.collision, told.compass, told.ground, told.obstacles, told.beacons) == (None, None, None, [], [])
    told = asked("Compass", "IRSensor2", "Beacon0")
    assert told.compass == 0
    assert [number for number, _ in told.obstacles] == [2]
    assert [number for number, _ in told.beacons] == [0]
    told = asked("Ground", "Collision")
    assert (told.ground, told.collision) == (-1, False)


def test_only_so_many_requests_count_and_only_those_for_sensors():
    told = asked("Foo", "Beacon7", "IRSensor0", "IRSensor1", "IRSensor2", "IRSensor3", "Compass")
    assert [number for number, _ in told.obstacles] == [0, 1, 2]
    assert told.compass is None
    assert asked("IRSensor0", "IRSensor0", "IRSensor0", "Compass").compass is None


def test_the_written_rules_send_four_on_request():
    game = game_of(OPEN, rules=EXPLORER_2022)
    (robot,) = started(game)
    told = game.measures(robot)
    assert (told.compass, told.ground, told.obstacles, told.collision) == (None, None, [], False)
    game.begin_cycle()
    game.act(1, Actions(requests=("Compass", "Ground", "IRSensor0", "IRSensor1", "IRSensor2")))
    told = game.measures(robot)
    assert (told.compass, told.ground) == (0, -1)
    assert [number for number, _ in told.obstacles] == [0, 1]
    assert game.parameters.compass_latency == 4


def test_sensors_that_are_off_are_not_told():
    game = game_of(OPEN, compass_sensor=False)
    (robot,) = started(game)
    told = game.measures(robot)
    assert (told.compass, told.gps, told.beacons, told.scores) == (None, None, (), None)


def test_the_log_tells_of_all_robots_and_their_actions():
    game = game_of(OPEN, THREE)
    started(game, 2)
    game.begin_cycle()
    game.act(1, Actions(0.5, 0.1))
    entry = game.log_entry()
    assert entry.count("<Robot ") == 2
    assert '<Action LeftMotor="0.15" RightMotor="0.1" />' in entry
    assert "<Action" not in game.log_entry(with_actions=False)


def test_viewers_see_degrees():
    game = game_of(OPEN, THREE)
    robots = started(game, 3)
    put(robots[2], 3.0, 4.0)
    view = game.view(robots[2])
    assert (view.name, view.id, view.x, view.y, view.heading_deg, view.state) == ("robot3", 3, 3.0, 4.0, 180.0, "Running")
