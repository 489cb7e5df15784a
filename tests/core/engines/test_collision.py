"""Robots stop at walls, boxes and each other, say that they are stalled, and get away again."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString
from shapely.geometry import Polygon as ShapelyPolygon

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import AxisTriple, Pose
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Obstacle, Stops
from tests.core.conftest import OCTAGON, make_model, make_world, square

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


def test_a_robot_that_touches_a_wall_turns_and_gives_way_by_what_its_outline_needs(simulate: Make) -> None:
    simulation = simulate((0.22, -2.0, 0.22, 2.0))
    robot = simulation.add_robot(make_model(), "r", Pose(0.0, 0.0, math.pi / 2))
    robot.turn_by(-math.pi / 2)
    for _ in range(60):
        before = robot.pose
        simulation.step()
        assert math.dist((before.x, before.y), (robot.pose.x, robot.pose.y)) < 0.05
        assert not robot.stalled
    assert robot.pose.heading == pytest.approx(0.0, abs=1e-6)
    # Its nose is 0.25 m out, its corners 0.27 m.
    assert 0.22 - 0.30 < robot.pose.x < 0.22 - 0.25
    assert abs(robot.pose.y) < 0.03


def test_a_robot_with_walls_on_all_sides_is_stuck(simulate: Make) -> None:
    walls = [(-0.4, 0.205, 0.4, 0.205), (-0.4, -0.205, 0.4, -0.205), (0.255, -0.3, 0.255, 0.3), (-0.255, -0.3, -0.255, 0.3)]
    simulation = simulate(*walls)
    robot = simulation.add_robot(make_model(), "r")
    robot.turn(0.5)
    for _ in range(40):
        simulation.step()
        assert abs(robot.pose.heading) < 0.2
    assert robot.stalled
    assert robot.contact is not None


def test_a_pioneer_that_has_driven_into_a_wall_turns_away_from_it(simulate: Make) -> None:
    simulation = simulate(*square(3.0))
    robot = simulation.add_robot(Catalogue.load().find("p3dx"), "r", Pose(2.0, 0.3, 0.3))
    drive(simulation, robot, 0.4, 40)
    assert robot.stalled
    robot.stop()
    simulation.step(2)
    robot.turn(math.radians(30))
    for _ in range(40):
        simulation.step()
    # Four seconds less the ramps.
    assert math.degrees(robot.pose.heading) > 100.0
    robot.turn(0.0)
    assert not any(drive(simulation, robot, 0.3, 30))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**31), dt=st.sampled_from([0.02, 0.1, 0.4]))
@example(seed=1149, dt=0.4)  # Two that part from each other and turn their corners into each other.
def test_whatever_robots_do_at_walls_and_at_each_other_they_never_overlap_nor_jump(seed: int, dt: float) -> None:
    rng = np.random.default_rng(seed)
    walls = [(-1.0, -1.0, 1.0, -1.0), (1.0, -1.0, 1.0, 1.0), (1.0, 1.0, -1.0, 1.0), (-1.0, 1.0, -1.0, -1.0)]
    simulation = Simulation(make_world(*walls, (0.0, -0.1, 0.0, 0.1)), seed=seed, dt=dt, noise=False)
    places = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    robots = [
        simulation.add_robot(make_model(), f"r{k}", Pose(x, y, float(rng.uniform(-3, 3)))) for k, (x, y) in enumerate(places)
    ]
    radius = math.hypot(0.25, 0.1)
    lines = [LineString([(xa, ya), (xb, yb)]) for xa, ya, xb, yb in [*walls, (0.0, -0.1, 0.0, 0.1)]]

    def outline(robot: Robot) -> ShapelyPolygon:
        x, y, heading = robot.pose.x, robot.pose.y, robot.pose.heading
        c, s = math.cos(heading), math.sin(heading)
        return ShapelyPolygon([(x + px * c - py * s, y + px * s + py * c) for px, py in OCTAGON])

    for step in range(30):
        for robot in robots:
            if rng.random() < 0.2 or step == 0:
                robot.drive(float(rng.uniform(-0.5, 0.5)))
                robot.turn(float(rng.uniform(-1.5, 1.5)))
        before = [robot.pose for robot in robots]
        simulation.step()
        bodies = [outline(robot) for robot in robots]
        for number, (robot, old) in enumerate(zip(robots, before, strict=True)):
            moved = math.dist((old.x, old.y), (robot.pose.x, robot.pose.y))
            turned = abs(math.remainder(robot.pose.heading - old.heading, math.tau))
            assert moved <= 0.5 * dt + radius * turned + 1e-9
            assert all(bodies[number].intersection(line).length < 1e-6 for line in lines)
            assert all(bodies[number].intersection(other).area < 1e-9 for other in bodies[:number])


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
    scan = robot.lasers[0]
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
