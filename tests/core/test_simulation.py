"""How robots move: ramps, limits, moves and turns, stops. Stepped, on both engines."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mobilesim_py.core.scene import Rays, Wedges
from mobilesim_py.core.simulation import OdometryError, Simulation
from mobilesim_py.geometry import AxisTriple, Pose
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Stops

from .conftest import make_model, make_world, square

Make = Callable[..., Simulation]


def speeds(simulation: Simulation, robot: object, steps: int) -> list[float]:
    found = []
    for _ in range(steps):
        simulation.step()
        found.append(round(robot.velocity[0], 9))  # type: ignore[attr-defined]
    return found


def test_velocity_ramps_up_at_the_acceleration_and_down_at_the_deceleration(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.1)
    assert speeds(simulation, robot, 5) == pytest.approx([0.03, 0.06, 0.09, 0.1, 0.1])
    robot.drive(0.0)
    assert speeds(simulation, robot, 3) == pytest.approx([0.04, 0.0, 0.0])


def test_the_first_step_already_moves_by_its_new_velocity(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.3)
    simulation.step()
    assert robot.pose.x == pytest.approx(0.003)


def test_a_change_of_sign_goes_through_zero_on_the_ramps(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.09)
    simulation.step(5)
    robot.drive(-0.06)
    assert speeds(simulation, robot, 5) == pytest.approx([0.03, 0.0, -0.03, -0.06, -0.06])


@pytest.mark.parametrize("distance", [1.0, -1.0, 5.0, -0.3, 0.02, -0.001])
def test_a_move_ends_where_it_should_without_overshoot(simulate: Make, distance: float) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.move(distance)
    farthest = 0.0
    for _ in range(120):
        simulation.step()
        farthest = max(farthest, robot.pose.x * math.copysign(1.0, distance))
    assert robot.pose.x == pytest.approx(distance, abs=1e-6)
    assert farthest <= abs(distance) + 1e-6
    assert robot.velocity == (0.0, 0.0, 0.0)


def test_a_move_of_a_metre_takes_no_longer_than_the_ramps_need(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.move(1.0)
    steps = 0
    while abs(robot.pose.x - 1.0) > 0.005:
        simulation.step()
        steps += 1
    # 0.3 up, 0.6 down: 0.632 m/s after 2.1 s, standing after 3.2 s; the original crawls for 4.8 s.
    assert steps <= 34


@pytest.mark.parametrize(("start", "target"), [(0, 90), (170, -170), (-170, 170), (0, 180), (10, -90), (0, 359)])
def test_a_heading_is_reached_the_shorter_way_without_overshoot(simulate: Make, start: float, target: float) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.set_odometry(0.0, 0.0, math.radians(start))
    robot.head(math.radians(target))
    error = math.degrees(math.remainder(math.radians(target - start), math.tau))
    turned = 0.0
    for _ in range(80):
        simulation.step()
        turned += math.degrees(robot.velocity[2]) * 0.1
        assert abs(turned) <= abs(error) + 1e-6
    assert math.remainder(robot.odometry.heading - math.radians(target), math.tau) == pytest.approx(0.0, abs=1e-6)


def test_turning_by_more_than_half_a_turn_keeps_its_direction(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.turn_by(math.radians(270))
    simulation.step(10)
    assert robot.velocity[2] > 0
    simulation.step(90)
    assert math.degrees(robot.odometry.heading) == pytest.approx(-90, abs=1e-4)


def test_a_repeated_heading_goes_on_with_the_turn_under_way(simulate: Make) -> None:
    once, often = simulate(), simulate()
    a, b = once.add_robot(make_model(), "r"), often.add_robot(make_model(), "r")
    a.head(2.0)
    for _ in range(30):
        b.head(2.0)
        once.step()
        often.step()
        assert a.pose.heading == pytest.approx(b.pose.heading, abs=1e-9)


def test_speed_limits_hold_for_velocity_and_move(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.limit_speed(0, 0.2)
    robot.drive(0.9)
    simulation.step(30)
    assert robot.velocity[0] == pytest.approx(0.2)
    robot.move(3.0)
    simulation.step(10)
    assert robot.velocity[0] == pytest.approx(0.2)
    robot.limit_speed(0, 7.0)
    robot.drive(5.0)
    simulation.step(60)
    assert robot.velocity[0] == pytest.approx(1.0), "never more than the model can"


def test_zero_acceleration_is_at_once(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(acceleration=AxisTriple(), deceleration=AxisTriple()), "r")
    robot.drive(0.4)
    simulation.step()
    assert robot.velocity[0] == 0.4
    robot.drive(-0.4)
    simulation.step()
    assert robot.velocity[0] == -0.4


def test_an_emergency_stop_stands_after_one_step_and_refuses_commands_until_then(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.8)
    robot.turn(0.5)
    simulation.step(40)
    robot.emergency_stop()
    assert not robot.drive(0.2)
    simulation.step()
    assert robot.velocity == (0.0, 0.0, 0.0)
    assert robot.drive(0.2)
    simulation.step()
    assert robot.velocity[0] > 0


def test_without_motors_the_robot_comes_to_a_stop_and_takes_no_command(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.1)
    simulation.step(10)
    robot.motors = False
    assert not robot.drive(0.1)
    assert not robot.move(1.0)
    assert speeds(simulation, robot, 3) == pytest.approx([0.04, 0.0, 0.0])
    robot.motors = True
    simulation.step(5)
    assert robot.velocity[0] == 0.0, "old wishes are forgotten"


def test_only_omnidirectional_robots_slide(simulate: Make) -> None:
    simulation = simulate()
    lateral = {"max_speed": AxisTriple(1, 1, 1), "acceleration": AxisTriple(1, 1, 1), "deceleration": AxisTriple(1, 1, 1)}
    omni = simulation.add_robot(make_model(omnidirectional=True, **lateral), "o", Pose(0, 0, math.pi / 2))
    other = simulation.add_robot(make_model(**lateral), "d", Pose(5, 0, 0))
    assert omni.slide(0.5)
    assert not other.slide(0.5)
    simulation.step(10)
    assert omni.pose.x < -0.2
    assert omni.pose.y == pytest.approx(0.0, abs=1e-12)
    assert other.pose.y == 0.0


def test_an_arc_follows_forward_and_rotation_together(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(acceleration=AxisTriple()), "r")
    robot.drive(0.4)
    robot.turn(math.radians(20))
    simulation.step(180)
    # A full circle of radius v / w ends where it began.
    assert math.hypot(robot.pose.x, robot.pose.y) < 0.02


def test_putting_a_robot_elsewhere_leaves_its_odometry_alone(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.3)
    simulation.step(10)
    before = robot.odometry
    robot.place(5.0, 5.0, 1.0)
    assert robot.odometry == before
    assert robot.pose == Pose(5.0, 5.0, 1.0)
    assert robot.carried


@pytest.mark.parametrize("mode", list(OdometryError))
def test_odometry_errs_as_its_mode_says(simulate: Make, mode: OdometryError) -> None:
    simulation = simulate(noise=True, odometry_error=mode, seed=5)
    robot = simulation.add_robot(make_model(odometry_error=AxisTriple(0.1, 0.1, 0.1)), "r")
    robot.drive(1.0)
    simulation.step(200)
    share = robot.odometry.x / robot.pose.x - 1.0
    if mode is OdometryError.NONE:
        assert share == 0.0
    elif mode is OdometryError.CONSTANT:
        assert share == pytest.approx(0.1)
    elif mode is OdometryError.RANDOM_INIT:
        assert share == pytest.approx(robot.odometry_error[0])
        assert 0.0001 < abs(share) <= 0.1
    else:
        assert 0.0 < abs(share) < 0.02, "errors of many steps average out"


def test_rotational_odometry_error_is_a_share_of_the_rotation(simulate: Make) -> None:
    simulation = simulate(noise=True, odometry_error=OdometryError.CONSTANT)
    robot = simulation.add_robot(make_model(odometry_error=AxisTriple(0.0, 0.0, 0.05)), "r")
    robot.turn_by(1.05)
    simulation.step(60)
    assert robot.odometry.heading == pytest.approx(1.05)
    assert robot.pose.heading == pytest.approx(1.0)


def test_removing_robots_leaves_the_others_untouched(simulate: Make) -> None:
    simulation = simulate()
    robots = [simulation.add_robot(make_model(), f"r{k}", Pose(3.0 * k, 0.0, 0.0)) for k in range(40)]
    for k, robot in enumerate(robots):
        robot.drive(0.01 * (k + 1))
        robot.lasers[0].on = k % 2 == 0
    simulation.step(10)
    for robot in robots[::3]:
        simulation.remove(robot)
    rest = [robot for k, robot in enumerate(robots) if k % 3]
    assert {robot.name for robot in simulation.robots} == {robot.name for robot in rest}
    places = {robot.name: robot.pose.x for robot in rest}
    simulation.step()
    for robot in rest:
        assert robot.pose.x == pytest.approx(places[robot.name] + robot.velocity[0] * 0.1)
        assert robot.lasers[0].on == (int(robot.name[1:]) % 2 == 0)
        assert len(robot.lasers[0].ranges) == (181 if robot.lasers[0].on else 0)


def test_restoring_a_robot_makes_it_as_new_but_where_it_is(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    robot.limit_speed(0, 0.1)
    robot.set_ramp(0, acceleration=9.0, deceleration=9.0)
    robot.lasers[0].configure(-0.1, 0.1, 0.1)
    robot.drive(0.1)
    simulation.step(5)
    robot.motors = False
    place = robot.pose
    simulation.restore(robot)
    assert robot.pose == place
    assert robot.odometry == Pose()
    assert robot.velocity == (0.0, 0.0, 0.0)
    assert robot.motors
    assert robot.speed_limit(0) == 1.0
    assert robot.ramp(0) == (0.3, 0.6)
    assert robot.lasers[0].count == 181


def test_copies_of_the_world_are_not_there_for_each_other(simulate: Make) -> None:
    simulation = simulate(*square(5.0), copies=3)
    model = make_model()
    driver = simulation.add_robot(model, "driver", copy=1)
    same = simulation.add_robot(model, "same", Pose(3.0, 0.0, 0.0), copy=1)
    simulation.add_robot(model, "elsewhere", Pose(1.0, 0.0, 0.0), copy=2)
    driver.sonar_on = driver.lasers[0].on = True
    simulation.step()
    assert driver.lasers[0].ranges[90] == pytest.approx(2.75)
    assert driver.sonar[0] == pytest.approx(2.75)
    rays = Rays(*(np.array([value]) for value in (0.0, 0.0, 1.0, 0.0, 10.0)), np.array([driver.column]))
    assert simulation.engine.cast(simulation.scene, rays, Stops.LASER).body.tolist() == [same.column]
    wedges = Wedges(*(np.array([value]) for value in (0.0, 0.0, 0.0, 0.1, 10.0)), np.array([driver.column]))
    assert simulation.engine.nearest(simulation.scene, wedges, Stops.LASER) == pytest.approx([2.75])
    driver.drive(0.5)
    simulation.step(100)
    assert driver.stalled
    assert driver.contact is not None
    assert driver.contact.thing is same
    assert (driver.copy, same.copy) == (1, 1)


def test_every_copy_has_the_boxes_of_the_world_and_no_robot_may_join_one_that_is_not_there(simulate: Make) -> None:
    outline = ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))
    world = replace(make_world(), boxes=(Box("b", Pose(2.0, 0.0, 0.0), outline),))
    simulation = Simulation(world, copies=2)
    assert [box.copy for box in simulation.boxes] == [0, 1]
    with pytest.raises(ValueError, match="there is no copy 2 of the world: there are 2"):
        simulation.add_robot(make_model(), "r", copy=2)


def test_a_velocity_that_changes_its_sign_stands_for_one_step(simulate: Make) -> None:
    simulation = simulate()
    ramps = AxisTriple(0.3, 0.0, 1.74)
    robot = simulation.add_robot(make_model(acceleration=ramps, deceleration=AxisTriple(0.6, 0.0, 1.74)), "r")
    for fast in (0.6, 0.47, 0.23, 1.0):
        robot.drive(fast)
        simulation.step(60)
        robot.drive(-0.2)
        speeds = []
        for _ in range(40):
            simulation.step()
            speeds.append(robot.velocity[0])
        assert sum(abs(speed) < 0.0005 for speed in speeds) == 1


def test_time_begins_anew_with_the_noise_of_another_seed(simulate: Make) -> None:
    simulation = simulate(noise=True)
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.3)

    def errors(seed: int) -> tuple[float, ...]:
        simulation.rewind(seed)
        assert simulation.time == 0.0
        simulation.step(3)
        return robot.odometry_error

    first = errors(5)
    assert errors(5) == first != errors(6)
