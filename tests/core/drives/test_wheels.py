"""Robots that are driven by their wheels: lag, track, slip, blocked wheels, and the way that each wheel rolled."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from tests.core.conftest import make_model

Make = Callable[..., Simulation]
PLAIN = WheelDrive(track=0.4, top_speed=1.0)


def test_equal_wheels_drive_straight_and_opposite_ones_turn_on_the_spot(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r", wheels=PLAIN)
    assert robot.roll(0.2, 0.2)
    simulation.step(10)
    assert (robot.pose.x, robot.pose.heading) == (pytest.approx(0.2), 0.0)
    robot.roll(-0.1, 0.1)
    simulation.step(10)
    assert robot.pose.x == pytest.approx(0.2)
    assert robot.pose.heading == pytest.approx(0.5)
    assert robot.wheel_ways == pytest.approx((0.1, 0.3))


def test_the_lag_halves_the_difference_and_the_old_heading_counts_for_the_way(simulate: Make) -> None:
    # A robot of the CiberRato contest: out = (in + out) / 2 in every cycle, x first, then the heading.
    dt = 0.05
    simulation = simulate(dt=dt)
    robot = simulation.add_robot(make_model(), "r", wheels=WheelDrive(1.0, 0.15 / dt, half_life=dt))
    left = right = x = y = heading = 0.0
    for cycle in range(60):
        orders = (0.1, 0.15) if cycle < 30 else (-0.05, 0.15)
        robot.roll(orders[0] / dt, orders[1] / dt)
        simulation.step()
        left, right = 0.5 * orders[0] + 0.5 * left, 0.5 * orders[1] + 0.5 * right
        forward = (left + right) / 2.0
        x += forward * math.cos(heading)
        y += forward * math.sin(heading)
        heading = math.remainder(heading + (right - left) / 1.0, math.tau)
        assert (robot.pose.x, robot.pose.y) == pytest.approx((x, y), abs=1e-12)
        assert math.remainder(robot.pose.heading - heading, math.tau) == pytest.approx(0.0, abs=1e-12)


def test_no_rim_is_faster_than_it_can_be(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r", wheels=PLAIN)
    robot.roll(5.0, -5.0)
    simulation.step()
    assert robot.rim_speeds == (1.0, -1.0)


def test_a_wheel_that_slips_turns_the_robot_and_its_odometry_does_not_know(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r", wheels=PLAIN)
    robot.set_slip(0.5, 0.0)
    robot.roll(0.2, 0.2)
    simulation.step(10)
    assert robot.pose.heading == pytest.approx(0.1 / 0.4)
    assert robot.odometry == Pose(pytest.approx(0.2), 0.0, 0.0)
    assert robot.wheel_ways == pytest.approx((0.2, 0.2))


def test_a_blocked_wheel_stands_until_it_is_driven_the_other_way(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r", wheels=PLAIN)
    robot.block_wheels(0, 1)
    robot.roll(0.2, 0.2)
    simulation.step(10)
    assert robot.wheel_ways == pytest.approx((0.2, 0.0))
    robot.roll(-0.2, -0.2)
    simulation.step()
    robot.roll(0.2, 0.2)
    simulation.step()
    assert robot.rim_speeds == (0.2, 0.2)


def test_stopping_and_motors_and_emergencies_hold_for_wheels_too(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r", wheels=WheelDrive(0.4, 1.0, half_life=0.2))
    robot.roll(0.5, 0.5)
    simulation.step(20)
    robot.emergency_stop()
    assert not robot.roll(0.5, 0.5)
    simulation.step()
    assert robot.velocity == (0.0, 0.0, 0.0)
    robot.roll(0.5, 0.5)
    simulation.step(5)
    robot.motors = False
    simulation.step()
    assert 0.0 < robot.rim_speeds[0] < 0.5
    simulation.step(100)
    assert robot.rim_speeds == (0.0, 0.0)
    assert not robot.roll(0.5, 0.5)


def test_a_wall_stops_the_robot_but_its_wheels_roll_on(simulate: Make) -> None:
    simulation = simulate((1.0, -1.0, 1.0, 1.0))
    robot = simulation.add_robot(make_model(), "r", wheels=PLAIN)
    robot.roll(0.5, 0.5)
    simulation.step(40)
    assert robot.stalled
    assert robot.pose.x < 0.75
    assert robot.wheel_ways == pytest.approx((2.0, 2.0))


def test_motors_err_by_a_share_of_their_speed_that_is_drawn_anew(simulate: Make) -> None:
    simulation = simulate(noise=True, seed=5)
    robot = simulation.add_robot(make_model(), "r", wheels=WheelDrive(0.4, 1.0, noise=0.1))
    robot.roll(0.5, -0.5)
    shares = []
    for _ in range(400):
        simulation.step()
        shares += [robot.rim_speeds[0] / 0.5 - 1.0, robot.rim_speeds[1] / -0.5 - 1.0]
    assert sum(shares) / 800 == pytest.approx(0.0, abs=0.02)
    assert math.sqrt(sum(share * share for share in shares) / 800) == pytest.approx(0.1, rel=0.1)


def test_wheels_of_a_robot_that_is_driven_along_its_axes_count_their_way(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.turn_by(math.pi / 2)
    simulation.step(40)
    half_track = 0.5 * robot.model.drive.track
    assert robot.wheel_ways == pytest.approx((-half_track * math.pi / 2, half_track * math.pi / 2), abs=1e-5)
    assert not robot.roll(0.1, 0.1)
