"""How robots move and what stops them."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.protocols.ciber import Actions
from mobilesim_py.services.ciberrato import CIBERRATO, EXPLORER_2022, State
from mobilesim_py.services.ciberrato.physics import accepted_power, drives_towards

from .playing import cycle, game_of, lab_of, put, started

OPEN = lab_of(20.0, 20.0)


@pytest.mark.parametrize(("order", "power"), [(0.1, 0.1), (0.5, 0.15), (-2.0, -0.15)])
def test_orders_are_clamped(order, power):
    assert accepted_power(order, CIBERRATO) == power


def test_the_written_rules_round_orders():
    assert accepted_power(0.10049, EXPLORER_2022) == pytest.approx(0.1)
    assert accepted_power(0.10051, EXPLORER_2022) == pytest.approx(0.101)
    assert accepted_power(0.10049, CIBERRATO) == 0.10049


def test_motors_take_half_of_the_order_in_each_cycle():
    game = game_of(OPEN, ((5.0, 5.0, 0.0),))
    (robot,) = started(game)
    speeds = []
    for _ in range(3):
        cycle(game, Actions(0.1, 0.1))
        speeds.append(robot.speed)
    cycle(game)
    assert speeds == pytest.approx([0.05, 0.075, 0.0875])
    assert robot.speed == pytest.approx(0.09375)
    assert robot.x == pytest.approx(5.0 + sum(speeds) + 0.09375)


def test_a_robot_goes_straight_first_and_turns_then():
    game = game_of(OPEN, ((5.0, 5.0, 0.0),))
    (robot,) = started(game)
    cycle(game, Actions(0.0, 0.1))
    assert (robot.x, robot.y, robot.heading) == pytest.approx((5.025, 5.0, 0.05))


def test_headings_are_wrapped():
    game = game_of(OPEN, ((5.0, 5.0, math.pi - 0.05), (9.0, 9.0, -math.pi + 0.05)))
    one, other = started(game, 2)
    cycle(game, Actions(-0.1, 0.1), Actions(0.1, -0.1))
    assert one.heading == pytest.approx(-math.pi + 0.05)
    assert other.heading == pytest.approx(math.pi - 0.05)


def test_a_wall_stops_a_robot_but_not_its_turning():
    game = game_of(OPEN, ((0.52, 5.0, math.pi),))
    (robot,) = started(game)
    cycle(game, Actions(0.1, 0.12))
    assert robot.x == 0.52
    assert robot.heading == pytest.approx(-math.pi + 0.01)
    assert robot.hit_wall
    assert robot.collision_sensor.value is True


def test_lines_on_the_ground_stop_nobody():
    game = game_of(lab_of(8.0, 8.0, {2: "  |"}, wall_height=0.0), ((1.3, 3.0, 0.0),))
    (robot,) = started(game)
    for _ in range(4):
        cycle(game, Actions(0.1, 0.1))
    assert not robot.hit
    assert robot.x > 1.5


def test_the_robot_that_drives_at_another_is_the_one_that_collides():
    game = game_of(OPEN, ((5.0, 5.0, 0.0), (6.04, 5.0, 0.0)))
    one, other = started(game, 2)
    cycle(game, Actions(0.1, 0.1))
    assert (one.hit_robot, other.hit_robot) == (True, False)
    assert one.x == 5.0
    cycle(game, Actions(0.0, 0.0), Actions(-0.15, -0.15))
    assert (one.hit_robot, other.hit_robot) == (True, True)
    cycle(game, Actions(-0.15, -0.15), Actions(0.15, 0.15))
    cycle(game)
    assert (one.hit_robot, other.hit_robot) == (False, False)


def test_robots_on_the_same_spot_do_not_drive_at_each_other():
    game = game_of(OPEN, ((5.0, 5.0, 0.0), (8.0, 5.0, 0.0)))
    one, other = started(game, 2)
    put(other, 5.0, 5.0)
    assert not drives_towards(one, other)


def test_a_removed_robot_is_in_nobodys_way():
    game = game_of(OPEN, ((5.0, 5.0, 0.0), (6.1, 5.0, 0.0)))
    one, other = started(game, 2)
    game.remove(2)
    cycle(game)
    assert other.state is State.REMOVED
    for _ in range(5):
        cycle(game, Actions(0.1, 0.1))
    assert one.x > 5.2
    assert one.obstacle_sensors[0].value == 0.1


def test_finished_robots_stand_while_their_motors_run_on():
    game = game_of(OPEN, ((5.0, 5.0, 0.0),))
    (robot,) = started(game)
    cycle(game, Actions(0.1, 0.1, end_led=True))
    assert robot.state is State.FINISHED
    before = robot.x
    cycle(game, Actions(0.1, 0.1))
    assert robot.x == before
    assert robot.left_power == pytest.approx(0.075)
