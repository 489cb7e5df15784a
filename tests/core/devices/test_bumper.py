"""Bumpers: which segments a touch presses, and for how long."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from mobilesim_py.catalogue.accessories import BumperModel
from mobilesim_py.core.devices.bumper import BUMPER, segments_at
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.boxes import Box
from tests.core.conftest import make_model

Make = Callable[..., Simulation]


@pytest.mark.parametrize(
    ("degrees", "count", "bits"),
    [(54, 5, 0b1), (0, 5, 0b100), (-54, 5, 0b10000), (0, 6, 0b1100), (13.5, 5, 0b110), (70, 5, 0), (180, 5, 0), (0, 0, 0)],
)
def test_segments_are_counted_from_the_left(degrees: float, count: int, bits: int) -> None:
    angle = math.radians(degrees)
    assert segments_at(0.25 * math.cos(angle), 0.25 * math.sin(angle), count) == bits


def bumping(simulation: Simulation, x: float = 0.0, front: int = 5, rear: int = 5) -> Robot:
    return simulation.add_robot(make_model(devices=(BumperModel(front, rear),)), f"at {x}", Pose(x, 0.0))


def pressed(robot: Robot) -> tuple[int, int]:
    return robot.units(BUMPER)[0].pressed


@pytest.mark.parametrize("speed", [0.1, 0.3, 1.0])
def test_a_wall_presses_until_the_robot_is_a_centimetre_away(simulate: Make, speed: float) -> None:
    simulation = simulate((1.0, -2.0, 1.0, 2.0))
    robot = bumping(simulation)
    robot.drive(speed)
    for _ in range(120):
        simulation.step()
        if pressed(robot) != (0, 0):
            break
    assert pressed(robot) == (0b00100, 0)
    robot.stop()
    simulation.step(5)
    assert pressed(robot) == (0b00100, 0)
    robot.drive(-0.05)
    simulation.step(20)
    assert pressed(robot) == (0, 0)


def test_a_robot_that_runs_into_another_presses_the_bumpers_of_both(simulate: Make) -> None:
    simulation = simulate()
    hunter, quarry = bumping(simulation), bumping(simulation, 1.0)
    hunter.drive(0.3)
    simulation.step(40)
    assert (pressed(hunter)[0] > 0, pressed(hunter)[1], pressed(quarry)[0], pressed(quarry)[1] > 0) == (True, 0, 0, True)
    simulation.remove(hunter)
    simulation.step()
    assert pressed(quarry) == (0, 0)


def test_a_robot_with_bumpers_in_front_only(simulate: Make) -> None:
    simulation = simulate((-1.0, -2.0, -1.0, 2.0))
    robot = bumping(simulation, 0.0, 3, 0)
    robot.drive(-0.3)
    simulation.step(40)
    assert robot.stalled
    assert pressed(robot) == (0, 0)


def test_a_box_that_is_taken_away_presses_no_more(simulate: Make) -> None:
    simulation = simulate()
    box = simulation.add_box(Box("box", Pose(1.0, 0.0), ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))))
    robot = bumping(simulation)
    robot.drive(0.3)
    simulation.step(40)
    touched = pressed(robot)
    assert touched[0]
    robot.stop()
    simulation.step(5)
    assert pressed(robot) == touched
    simulation.remove(box)
    assert pressed(robot) == (0, 0)
