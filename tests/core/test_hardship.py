"""Slippery ground, mud, stones and tools: what they do to any robot, the same in both engines."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from mobilesim_py.catalogue.model import LaserModel
from mobilesim_py.catalogue.outdoor import ToolModel
from mobilesim_py.core.devices.tool import TOOL
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.reality import FULL, Reality
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.ground import Area
from mobilesim_py.world.world import Bounds, World
from tests.core.conftest import make_model, make_world

Make = Callable[..., Simulation]
WHEELS = WheelDrive(0.3, 0.5)


def patch(**values: float) -> World:
    """Return a world with a patch of bad ground from x = 1 to 3."""
    area = Area(((1.0, -5.0), (3.0, -5.0), (3.0, 5.0), (1.0, 5.0)), values=values)
    return World("field", Bounds(-9, -9, 9, 9), areas=(area,))


def way_of(robot: Robot, simulation: Simulation, seconds: float) -> float:
    """Let time pass; return how far the robot came."""
    before = robot.pose
    simulation.step(round(seconds / simulation.dt))
    return math.dist((before.x, before.y), (robot.pose.x, robot.pose.y))


@pytest.mark.parametrize("on_wheels", [True, False], ids=["on wheels", "along axes"])
def test_any_robot_slips_in_a_slippery_patch_and_nowhere_else(engine: Engine, on_wheels: bool) -> None:
    simulation = Simulation(patch(slip=0.4), engine=engine, noise=False)
    robot = simulation.add_robot(make_model(devices=()), "r", Pose(-1.0), wheels=WHEELS if on_wheels else None)
    robot.set_ramp(0, acceleration=0.0)
    if on_wheels:
        robot.roll(0.5, 0.5)
    else:
        robot.drive(0.5)
    assert way_of(robot, simulation, 2.0) == pytest.approx(1.0)
    robot.place(1.5, 0.0, 0.0)
    assert way_of(robot, simulation, 2.0) == pytest.approx(0.6)
    assert robot.odometry.x == pytest.approx(2.0), "odometry does not know"


def test_one_wheel_in_the_mud_turns_the_robot(engine: Engine) -> None:
    area = Area(((-9.0, 0.0), (9.0, 0.0), (9.0, 9.0), (-9.0, 9.0)), values={"slip": 0.5})
    simulation = Simulation(World("field", Bounds(-9, -9, 9, 9), areas=(area,)), engine=engine, noise=False)
    robot = simulation.add_robot(make_model(devices=()), "r", wheels=WHEELS)
    robot.roll(0.5, 0.5)
    simulation.step(2)
    assert robot.pose.heading > 0.1, "to the left, where its wheels lose half of their speed"


def test_wheels_get_stuck_until_they_are_driven_the_other_way(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(devices=()), "r", wheels=WHEELS)
    robot.reality = Reality(mud=1000.0)
    robot.roll(0.5, 0.5)
    simulation.step(5)
    assert robot.rim_speeds == (0.0, 0.0)
    robot.reality = Reality()
    assert way_of(robot, simulation, 1.0) == 0.0
    robot.roll(-0.5, -0.5)
    assert way_of(robot, simulation, 1.0) == pytest.approx(0.5)


def test_a_tool_in_the_ground_slows_the_robot(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(devices=(ToolModel(),)), "r", wheels=WHEELS)
    robot.reality = Reality(tool_drag=0.4)
    robot.units(TOOL)[0].go(1.0)
    simulation.step(30)
    robot.roll(0.5, 0.5)
    assert way_of(robot, simulation, 1.0) == pytest.approx(0.3)
    robot.reality = Reality()
    assert way_of(robot, simulation, 1.0) == pytest.approx(0.5)


def test_stones_throw_a_robot_aside_but_never_into_a_wall(simulate: Make) -> None:
    simulation = simulate((-20.0, 0.25, 20.0, 0.25), seed=4)
    robot = simulation.add_robot(make_model(devices=()), "r", Pose(-5.0))
    robot.reality = Reality(stones=5.0, stone_kick=0.1)
    robot.drive(0.5)
    simulation.step(200)
    assert robot.pose.x > -2.0
    assert robot.pose.y != 0.0
    assert simulation.world.fits(robot.model.body.footprint, robot.pose)


def test_weaker_motors_on_one_side_bend_the_way(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(devices=()), "r", wheels=WHEELS)
    robot.reality = Reality(asymmetry=0.2)
    robot.roll(0.5, 0.5)
    simulation.step(10)
    assert abs(robot.pose.heading) > 0.01


def test_nobody_suffers_by_default(simulate: Make) -> None:
    simulation = simulate()
    simulation.add_robot(make_model(), "r")
    assert simulation.hardship.suffering() == []


def test_both_engines_suffer_alike(compiled_engine: Engine) -> None:
    poses = []
    for engine in (compiled_engine, NumpyEngine()):
        simulation = Simulation(make_world((0.0, -2.0, 9.0, -2.0)), engine=engine, seed=7)
        robots = [
            simulation.add_robot(make_model(), f"r{k}", Pose(k, 0.0, 0.2 * k), wheels=WHEELS if k % 2 else None)
            for k in range(6)
        ]
        for robot in robots:
            robot.reality = FULL
            robot.drive(0.4)
            robot.roll(0.5, 0.4)
        simulation.step(100)
        poses.append([robot.pose for robot in robots])
    assert poses[0] == poses[1]


def test_bad_ground_disturbs_devices_while_a_robot_is_there(engine: Engine) -> None:
    laser = LaserModel("laser", samples=181, range_max=8.0)
    simulation = Simulation(patch(lidar_clutter=1.0), engine=engine, noise=False)
    robot = simulation.add_robot(make_model(devices=(laser,)), "r", Pose(-1.0), wheels=WHEELS)
    robot.lasers[0].on = True
    clear = []
    for x in (-1.0, 2.0, -1.0):
        robot.place(x, 0.0, 0.0)
        simulation.step()
        clear.append(bool((robot.laser >= laser.range_max).all()))
    assert clear == [True, False, True]


def test_of_a_robot_and_the_ground_the_worse_counts(simulate: Make) -> None:
    simulation = Simulation(patch(tool_drag=0.5, stones=2.0))
    robot = simulation.add_robot(make_model(devices=()), "r", Pose(2.0), wheels=WHEELS)
    robot.reality = Reality(tool_drag=0.2, gps_loss=0.1)
    simulation.step()
    there = simulation.hardship.at(robot)
    assert (there.tool_drag, there.stones, there.gps_loss) == (0.5, 2.0, 0.1)
    assert there.stone_kick == FULL.stone_kick, "stones throw robots as far as they usually do"
    robot.reality = Reality(tool_drag=0.9)
    simulation.step()
    assert simulation.hardship.at(robot).tool_drag == 0.9


def test_another_world_has_other_patches(simulate: Make) -> None:
    simulation = Simulation(patch(stones=1.0))
    robot = simulation.add_robot(make_model(devices=()), "r", Pose(2.0), wheels=WHEELS)
    simulation.step()
    simulation.replace_world(patch(stones=3.0))
    simulation.step()
    assert simulation.hardship.at(robot).stones == 3.0
    simulation.replace_world(World("field", Bounds(-9, -9, 9, 9)))
    simulation.step()
    assert simulation.hardship.at(robot) == Reality()
