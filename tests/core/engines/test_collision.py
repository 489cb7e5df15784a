"""Robots stop at walls, boxes and each other, say that they are stalled, and get away again."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import shapely

from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import AxisTriple, Pose
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Obstacle, Stops
from tests.core.conftest import make_model, square

Make = Callable[..., Simulation]
FRONT = 0.25


def drive(simulation: Simulation, robot: Robot, velocity: float, steps: int = 100) -> list[bool]:
    robot.drive(velocity)
    stalls = []
    for _ in range(steps):
        simulation.step()
        stalls.append(robot.stalled)
    return stalls


@pytest.mark.parametrize("velocity", [0.3, 0.9, 0.05])
def test_a_wall_stops_the_outline_and_the_stall_lasts_while_it_pushes(simulate: Make, velocity: float) -> None:
    simulation = simulate(*square(3.0))
    robot = simulation.add_robot(make_model(), "r", Pose(1.5, 0.0, 0.0))
    stalls = drive(simulation, robot, velocity, 400 if velocity < 0.1 else 100)
    assert 3.0 - FRONT - 0.003 <= robot.pose.x < 3.0 - FRONT
    first = stalls.index(True)
    assert all(stalls[first:])
    robot.drive(0.0)
    simulation.step(2)
    assert not robot.stalled


def test_backing_off_from_a_wall_works_at_once(simulate: Make) -> None:
    simulation = simulate(*square(3.0))
    robot = simulation.add_robot(make_model(), "r", Pose(2.0, 0.0, 0.0))
    drive(simulation, robot, 0.3)
    at_wall = robot.pose.x
    assert not any(drive(simulation, robot, -0.2, 10))
    assert robot.pose.x < at_wall - 0.05


def test_turning_is_free_where_there_is_room_and_stops_where_a_corner_would_go_through(simulate: Make) -> None:
    simulation = simulate((0.22, -2.0, 0.22, 2.0))
    robot = simulation.add_robot(make_model(), "r", Pose(0.0, 0.0, math.pi / 2))
    robot.turn(-0.5)
    for _ in range(100):
        simulation.step()
    assert robot.stalled
    assert robot.pose.heading > 0.1, "its nose, 0.25 m out, cannot pass a wall 0.22 m away"
    assert robot.turn(0.5)
    simulation.step(5)
    assert not robot.stalled


def test_a_robot_that_pushes_at_a_wall_can_still_turn_away(simulate: Make) -> None:
    simulation = simulate(*square(3.0))
    circle = tuple((0.2 * math.cos(k * math.tau / 120), 0.2 * math.sin(k * math.tau / 120)) for k in range(120))
    round_model = make_model(footprint=(circle,))
    robot = simulation.add_robot(round_model, "r", Pose(2.0, 0.0, 0.0))
    drive(simulation, robot, 0.3)
    assert robot.stalled
    robot.turn(0.5)
    simulation.step(40)
    assert robot.pose.heading > 1.0
    assert robot.stalled or robot.pose.y > 0.05


def test_an_outline_put_into_a_wall_may_leave_it_but_not_go_deeper(simulate: Make) -> None:
    simulation = simulate((0.0, -2.0, 0.0, 2.0))
    robot = simulation.add_robot(make_model(), "r", Pose(-0.1, 0.0, 0.0))
    assert any(drive(simulation, robot, 0.3, 5))
    assert robot.pose.x == pytest.approx(-0.1)
    drive(simulation, robot, -0.3, 20)
    assert robot.pose.x < -0.3


@pytest.mark.parametrize("dt", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("speed", [1.0, 3.0, 10.0])
def test_nothing_tunnels_through_a_thin_wall(simulate: Make, dt: float, speed: float) -> None:
    simulation = simulate((2.0, -3.0, 2.0, 3.0), dt=dt)
    fast = make_model(max_speed=AxisTriple(speed, 0.0, 1.0), acceleration=AxisTriple())
    robot = simulation.add_robot(fast, "r")
    robot.drive(speed)
    for _ in range(int(6.0 / dt) + 5):
        simulation.step()
        assert robot.pose.x < 2.0 - FRONT


def test_a_lone_point_is_an_obstacle_even_inside_the_outline(simulate: Make) -> None:
    simulation = simulate(
        (1.0, -0.01, 1.02, -0.01), (1.02, -0.01, 1.02, 0.01), (1.02, 0.01, 1.0, 0.01), (1.0, 0.01, 1.0, -0.01)
    )
    robot = simulation.add_robot(make_model(), "r")
    drive(simulation, robot, 0.3)
    assert robot.pose.x < 1.0 - FRONT
    assert robot.stalled


def test_two_robots_stop_at_each_other(simulate: Make) -> None:
    simulation = simulate()
    left = simulation.add_robot(make_model(), "a", Pose(-1.0, 0.0, 0.0))
    right = simulation.add_robot(make_model(), "b", Pose(1.0, 0.0, math.pi))
    for robot in (left, right):
        robot.drive(0.5)
    for _ in range(80):
        simulation.step()
        assert right.pose.x - left.pose.x >= 2 * FRONT - 1e-9
    assert left.stalled
    assert right.stalled
    left.drive(-0.2)
    simulation.step(10)
    assert not left.stalled


def test_a_convoy_with_small_gaps_does_not_stall(simulate: Make) -> None:
    simulation = simulate()
    robots = [simulation.add_robot(make_model(), f"r{k}", Pose(-0.51 * k, 0.0, 0.0)) for k in range(4)]
    for robot in robots:
        robot.drive(0.5)
    for _ in range(50):
        simulation.step()
        assert not any(robot.stalled for robot in robots)


def test_a_ghost_is_neither_bumped_into_nor_seen(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "a")
    ghost = simulation.add_robot(make_model(), "g", Pose(1.0, 0.0, 0.0))
    robot.lasers[0].on = True
    simulation.step()
    assert robot.lasers[0].ranges[90] == pytest.approx(0.75)
    ghost.ghost = True
    simulation.step()
    assert robot.lasers[0].ranges[90] == 32.767
    assert not any(drive(simulation, robot, 0.5, 40))
    assert robot.pose.x > 1.0


@pytest.mark.parametrize("stops", [Stops.ALL, Stops.ROBOTS, Stops.SONAR, Stops.LASER, Stops.NOTHING])
def test_a_box_is_an_obstacle_for_what_it_says(simulate: Make, stops: Stops) -> None:
    simulation = simulate()
    outline = ((-0.25, -0.25), (0.25, -0.25), (0.25, 0.25), (-0.25, 0.25))
    simulation.add_box(Box("box", Pose(1.5, 0.0, 0.3), outline, stops=stops, reflectance=7))
    robot = simulation.add_robot(make_model(), "r")
    robot.sonar_on = True
    robot.lasers[0].on = True
    simulation.step()
    assert (robot.sonar[0] < 2.0) == bool(stops & Stops.SONAR)
    scan = simulation.scan_of(robot.lasers[0])
    assert (scan.ranges[90] < 2.0) == bool(stops & Stops.LASER)
    assert scan.reflectance[90] == (7 if stops & Stops.LASER else 0)
    assert any(drive(simulation, robot, 0.5, 60)) == bool(stops & Stops.ROBOTS)


def test_a_box_can_be_moved_while_it_runs(simulate: Make) -> None:
    simulation = simulate()
    box = simulation.add_box(Box("box", Pose(1.0, 0.0, 0.0), ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))))
    robot = simulation.add_robot(make_model(), "r")
    robot.sonar_on = True
    assert robot.sonar[0] == pytest.approx(0.8)
    box.place(2.0, 0.0, 0.0)
    assert robot.sonar[0] == pytest.approx(1.8)


def test_a_robot_drives_through_a_door_that_was_opened_and_not_through_one_that_was_closed(simulate: Make) -> None:
    simulation = simulate(*square(3.0))
    robot = simulation.add_robot(make_model(), "r", Pose(0.0, 0.0, 0.0))
    door = Obstacle(shapely.LineString([(1.0, -3.0), (1.0, 3.0)]), "door")
    robot.lasers[0].on = True
    simulation.change_world(simulation.world.with_more(door))
    assert robot.lasers[0].ranges[90] == pytest.approx(1.0)
    drive(simulation, robot, 0.3, 60)
    assert robot.pose.x < 1.0 - FRONT
    simulation.change_world(simulation.world.without("door"))
    assert robot.lasers[0].ranges[90] == pytest.approx(3.0 - robot.pose.x)
    drive(simulation, robot, 0.3, 60)
    assert robot.pose.x > 1.0 + FRONT
    simulation.change_world(simulation.world.with_again("door"))
    drive(simulation, robot, -0.3, 80)
    assert robot.pose.x > 1.0 + FRONT
