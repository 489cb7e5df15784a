"""What robots sense: ideal values, noise over many samples, latency."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest

from mobilesim_py.formats.lab import Parameters
from mobilesim_py.protocols.ciber import Actions, RobotBeaconRequest, RobotRequest
from mobilesim_py.services.ciberrato import EXPLORER_2022, CounterNoise
from mobilesim_py.services.ciberrato.rules import FIRST_ORIGIN

from .playing import QUIET, cycle, game_of, lab_of, put, started

SAMPLES = 5000
NOISY = Parameters(gps=True, beacon_sensor=True)


def registered(game, **keywords):
    game.register(RobotRequest("n", **keywords))
    cycle(game)
    return game.present[0]


@pytest.fixture(scope="module")
def samples():
    """Measures of a robot at (5, 4), heading 0, in 5 000 cycles: 2.5 and 4.5 from the border before and behind it."""
    lab = lab_of(8.0, 20.0, beacons=((5.0, 15.0, 4.0),))
    game = game_of(lab, ((5.0, 4.0, 0.0),), NOISY, noise=CounterNoise(3))
    robot = registered(game)
    found = []
    for _ in range(SAMPLES):
        cycle(game)
        found.append(game.all_measures(robot))
    return found


def mean_and_deviation(values, mean, deviation):
    """Check a sample's mean and deviation within four of their own deviations."""
    assert abs(statistics.fmean(values) - mean) < 4 * deviation / math.sqrt(SAMPLES)
    assert abs(statistics.stdev(values) - deviation) < 4 * deviation / math.sqrt(2 * SAMPLES)


def rounded(deviation, step):
    """Return the deviation of a normal value that is rounded to a step."""
    return math.sqrt(deviation**2 + step**2 / 12)


def test_the_compass_errs_by_two_degrees(samples):
    mean_and_deviation([m.compass for m in samples], 0.0, rounded(2.0, 1.0))


def test_the_beacon_sensor_errs_by_two_degrees(samples):
    mean_and_deviation([m.beacons[0][1] for m in samples], 90.0, rounded(2.0, 1.0))


@pytest.mark.parametrize(("sensor", "ideal"), [(0, 1 / 2.5), (3, 1 / 4.5)])
def test_obstacle_sensors_err_by_a_tenth(samples, sensor, ideal):
    mean_and_deviation([m.obstacles[sensor][1] for m in samples], ideal, rounded(0.1, 0.1))


def test_the_gps_errs_by_half_a_unit(samples):
    mean_and_deviation([m.gps[0] for m in samples], FIRST_ORIGIN[0] + 5.0, rounded(0.5, 0.1))
    mean_and_deviation([m.gps[1] for m in samples], FIRST_ORIGIN[1] + 4.0, rounded(0.5, 0.1))


def test_each_element_of_the_line_sensor_lies_once_in_fifty(samples):
    for element in range(7):
        wrong = sum(m.line[element] == "1" for m in samples) / SAMPLES
        assert abs(wrong - 0.02) < 4 * math.sqrt(0.02 * 0.98 / SAMPLES)


def test_motors_err_by_their_percentage():
    game = game_of(
        lab_of(900.0, 4.0), ((1.0, 2.0, 0.0),), replace(QUIET, motors_noise_percent=1.5, sim_time=0), noise=CounterNoise(3)
    )
    (robot,) = started(game)
    factors = []
    for _ in range(SAMPLES):
        before = robot.left_power
        cycle(game, Actions(0.1, 0.1))
        factors.append(robot.left_power / (0.5 * 0.1 + 0.5 * before))
    mean_and_deviation(factors, 1.0, 0.015)


def test_the_written_rules_keep_the_motors_noise_out_of_their_inertia():
    game = game_of(
        lab_of(900.0, 4.0), ((1.0, 2.0, 0.0),), replace(QUIET, motors_noise_percent=1.5, sim_time=0), rules=EXPLORER_2022
    )
    (robot,) = started(game)
    speeds = []
    for _ in range(200):
        cycle(game, Actions(0.1004, 0.1004))
        speeds.append(robot.speed)
    assert robot.left_power == pytest.approx(0.1)
    assert 0.0005 < statistics.stdev(speeds[50:]) < 0.0017


def test_obstacle_measures_end_at_100_only_under_the_written_rules():
    lab = lab_of(20.0, 20.0)
    for rules, highest in (({}, 103.0), ({"rules": EXPLORER_2022}, 100.0)):
        game = game_of(lab, ((0.505, 10.0, math.pi),), replace(QUIET, obstacle_noise=30.0), noise=CounterNoise(1), **rules)
        robot = registered(game)
        values = []
        for _ in range(200):
            cycle(game)
            values += [sensor.value for sensor in robot.obstacle_sensors]
        assert (max(values) > highest) is (not rules)
        assert (min(values) < 0.0) is (not rules)
        assert not rules or (max(values), min(values)) == (100.0, 0.0)


def test_a_robot_is_seen_by_its_centre_or_by_its_rim():
    game = game_of(lab_of(40.0, 40.0), ((20.0, 20.0, 0.0), (23.0, 20.0, 0.0)))
    one, other = started(game, 2)
    assert one.obstacle_sensors[0].value == pytest.approx(0.5)
    put(other, 20.5 + 3.0 * math.cos(math.radians(35)), 20.0 + 3.0 * math.sin(math.radians(35)))
    cycle(game)
    assert one.obstacle_sensors[0].value == pytest.approx(0.4)
    put(other, 20.5, 23.0)
    cycle(game)
    assert one.obstacle_sensors[0].value == pytest.approx(0.1)
    put(other, 20.6, 20.0)
    cycle(game)
    assert one.obstacle_sensors[0].value == 100.0


def test_the_ground_sensor_tells_the_last_target_under_the_whole_robot():
    lab = lab_of(20.0, 20.0, targets=((5.0, 5.0, 1.0), (5.2, 5.0, 1.0), (9.0, 9.0, 1.0)))
    game = game_of(lab, ((5.1, 5.0, 0.0),))
    robot = registered(game)
    assert robot.ground_sensor.value == 1
    put(robot, 4.65, 5.0)
    cycle(game)
    assert robot.ground_sensor.value == 0
    put(robot, 4.45, 5.0)
    cycle(game)
    assert robot.ground_sensor.value == -1


def test_the_line_sensor_sees_lines_and_walls_but_not_the_border():
    lab = lab_of(8.0, 8.0, {3: "--+--+--+  "}, wall_height=0.0)
    game = game_of(lab, ((3.0, 4.0, 0.0),))
    robot = registered(game)
    assert robot.line == "0011100"
    put(robot, 3.0, 4.08)
    cycle(game)
    assert robot.line == "0001110"
    put(robot, 7.8, 7.0)
    cycle(game)
    assert robot.line == "0000000"


def test_walls_hide_beacons_that_are_not_higher():
    rows = {1: "--+--+--+  "}
    for height, seen in ((4.0, None), (4.5, 90)):
        game = game_of(lab_of(8.0, 8.0, rows, beacons=((3.0, 6.0, height),)), ((3.0, 1.0, 0.0),), beacon_sensor=True)
        robot = registered(game)
        cycle(game)
        assert robot.beacon_sensors[0].value == seen


def test_a_hidden_beacon_comes_into_sight():
    game = game_of(lab_of(20.0, 8.0, {1: "--+--+--+  "}, beacons=((3.0, 6.0, 4.0),)), ((3.0, 1.0, 0.0),), beacon_sensor=True)
    robot = registered(game)
    seen = []
    for x in (3.0, 4.0, 5.0, 10.0, 18.0):
        put(robot, x, 1.0)
        cycle(game)
        seen.append(robot.beacon_sensors[0].value)
    assert seen == [None, None, None, 144, 162]


def test_a_beacon_outside_the_aperture_is_not_seen():
    lab = lab_of(8.0, 8.0, beacons=((3.0, 6.0, 4.0),))
    game = game_of(lab, ((3.0, 1.0, 0.0),), beacon_sensor=True, beacon_aperture=1.0)
    assert registered(game).beacon_sensors[0].value is None


def test_a_robot_can_carry_the_beacon():
    game = game_of(lab_of(8.0, 8.0), ((3.0, 1.0, 0.0), (3.0, 5.0, 0.0), (1.0, 1.0, 0.0)), beacon_sensor=True)
    assert game.register(RobotBeaconRequest("b", 2, 5.0)) == 2
    assert game.register(RobotBeaconRequest("c", 3, 5.0)) is None
    assert game.register(RobotRequest("n", 1)) == 1
    cycle(game)
    assert game.present[0].beacon_sensors[0].value == 90
    assert game.present[1].beacon_sensors == []


def test_latency_shows_what_was_some_cycles_ago():
    lab = lab_of(20.0, 20.0, targets=((5.0, 5.0, 1.0),))
    game = game_of(lab, ((5.0, 5.0, 0.0),), compass_latency=2, ground_latency=1, obstacle_latency=3, collision_latency=1)
    game.register(RobotRequest("n"))
    robot = game.present[0]
    seen = []
    for k in range(5):
        robot.heading = k * math.pi / 18
        cycle(game)
        seen.append((robot.compass_sensor.value, robot.ground_sensor.value, robot.obstacle_sensors[0].value))
    assert [compass for compass, _, _ in seen] == [0, 0, 0, 10, 20]
    assert [ground for _, ground, _ in seen] == [-1, 0, 0, 0, 0]
    assert [obstacle for _, _, obstacle in seen] == [0.0, 0.0, 0.0, 0.1, 0.1]


def test_a_game_without_robots_senses_nothing():
    game = game_of(lab_of(8.0, 8.0))
    cycle(game)
    assert game.present == []
