"""Boxes that robots push before them, where the box says that it can be pushed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.robot import BoxBody
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.world.boxes import Box
from tests.core.conftest import make_model, make_world

Make = Callable[..., Simulation]


def put(simulation: Simulation, x: float, y: float = 0.0, *, pushable: bool = True) -> BoxBody:
    return simulation.add_box(Box(f"box at {x}", Pose(x, y), rectangle(0.2, 0.2), pushable=pushable))


def test_a_light_box_goes_before_the_robot(simulate: Make) -> None:
    simulation = simulate()
    robot, box = simulation.add_robot(make_model(), "pusher"), put(simulation, 0.6)
    robot.drive(0.3)
    simulation.step(60)
    assert robot.pose.x > 1.2
    assert not robot.stalled
    assert box.pose.x - robot.pose.x == pytest.approx(0.35, abs=0.035)


def test_a_box_that_cannot_be_pushed_stops_it(simulate: Make) -> None:
    simulation = simulate()
    robot, box = simulation.add_robot(make_model(), "pusher"), put(simulation, 0.6, pushable=False)
    robot.drive(0.3)
    simulation.step(60)
    assert (robot.stalled, box.pose) == (True, Pose(0.6, 0.0))


def test_walls_and_other_things_stop_a_pushed_box_and_so_the_robot(simulate: Make) -> None:
    for wall, other in (((1.5, -1.0, 1.5, 1.0), False), ((9.0, 0.0, 9.0, 1.0), True)):
        simulation = simulate(wall)
        robot, box = simulation.add_robot(make_model(), "pusher"), put(simulation, 0.6)
        if other:
            put(simulation, 1.5, pushable=False)
        robot.drive(0.3)
        simulation.step(80)
        assert robot.stalled
        assert 1.2 < box.pose.x + 0.1 <= 1.5


def test_ghosts_and_boxes_of_other_copies_are_not_met() -> None:
    simulation = Simulation(make_world(), noise=False, copies=2)
    robot = simulation.add_robot(make_model(), "pusher")
    box = simulation.add_box(Box("elsewhere", Pose(0.6, 0.0), rectangle(0.2, 0.2), pushable=True), copy=1)
    robot.drive(0.3)
    simulation.step(60)
    assert box.pose == Pose(0.6, 0.0)
    robot.ghost = True
    simulation.step(5)


def test_a_turning_robot_pushes_with_its_corners(simulate: Make) -> None:
    simulation = simulate()
    robot, box = simulation.add_robot(make_model(), "pusher"), put(simulation, 0.15, 0.31)
    robot.turn(1.0)
    simulation.step(30)
    assert not robot.stalled
    assert box.pose != Pose(0.15, 0.31)


def test_both_engines_push_with_the_same_bits(compiled_engine: Engine) -> None:
    ways = []
    for engine in (NumpyEngine(), compiled_engine):
        simulation = Simulation(make_world((2.0, -1.0, 2.0, 1.0)), noise=False, engine=engine)
        robot, box = simulation.add_robot(make_model(), "pusher"), put(simulation, 0.6, 0.05)
        robot.drive(0.4)
        robot.turn(0.05)
        simulation.step(80)
        ways.append((robot.pose, box.pose))
    assert ways[0] == ways[1]
