"""Odometry that is reckoned with other factors."""

from __future__ import annotations

import pytest

from mobilesim_py.core.calibration import PLAIN, Reckoning
from mobilesim_py.core.simulation import Simulation
from tests.core.conftest import make_model, make_world


def test_ways_turns_and_drift() -> None:
    simulation = Simulation(make_world(), noise=False)
    robot = simulation.add_robot(make_model(), "reckoning")
    simulation.calibration.set(robot, Reckoning(distance=0.5, rotation=2.0))
    robot.turn(0.3)
    simulation.step(20)
    assert robot.odometry.heading == pytest.approx(2.0 * robot.pose.heading)
    robot.halt()
    robot.set_odometry()
    simulation.calibration.set(robot, Reckoning(distance=0.5, drift=0.1))
    robot.drive(0.5)
    simulation.step(40)
    gone = ((robot.pose.x) ** 2 + (robot.pose.y) ** 2) ** 0.5
    assert robot.odometry.heading == pytest.approx(0.1 * gone, rel=0.05)
    assert robot.odometry.x == pytest.approx(0.5 * gone, rel=0.02)


def test_a_plain_robot_costs_nothing() -> None:
    simulation = Simulation(make_world(), noise=False)
    robot = simulation.add_robot(make_model(), "reckoning")
    simulation.calibration.set(robot, Reckoning(distance=2.0))
    assert simulation.calibration.of(robot).distance == 2.0
    simulation.calibration.set(robot, PLAIN)
    assert simulation.calibration.robots == {}
    simulation.calibration.set(robot, Reckoning(distance=2.0))
    simulation.remove(robot)
    assert simulation.calibration.robots == {}
