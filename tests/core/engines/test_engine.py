"""Both engines give the same numbers, to the last bit, whatever the robots do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mobilesim_py.catalogue.model import LaserModel, SonarModel
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.fields import Body
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import AxisTriple, Pose
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.world import Bounds, World
from tests.core.conftest import FOUR_SONAR, make_model, square


def crowded_world(seed: int) -> World:
    """Walls, specks and a reflector, at random."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(-6, 6, (25, 2))
    b = a + rng.normal(0, 1.5, (25, 2))
    specks = rng.uniform(-6, 6, (60, 2))
    lines = np.concatenate([np.hstack([a, b]), np.hstack([specks, specks + [0.02, 0.0]]), np.array(square(7.0))])
    walls = Segments.build(lines)
    shiny = Segments.build(lines[:3], reflectance=32)
    return World("crowd", Bounds(-7, -7, 7, 7), Segments.join(walls, shiny))


def act(robot: Robot, rng: np.random.Generator) -> None:
    """Tell a robot something."""
    value = float(rng.uniform(-1.5, 1.5))
    choice = int(rng.integers(0, 9))
    if choice == 7:
        robot.limit_speed(0, abs(value))
    elif choice == 8:
        robot.set_ramp(2, acceleration=abs(value), deceleration=0.0)
    else:
        (robot.drive, robot.turn, robot.move, robot.head, robot.turn_by, robot.slide, lambda _: robot.emergency_stop())[
            choice
        ](value)


def run(engine: Engine, seed: int, robots: int, steps: int, dt: float) -> tuple[np.ndarray, list[np.ndarray]]:  # type: ignore[type-arg]
    simulation = Simulation(crowded_world(seed), engine=engine, seed=seed, dt=dt)
    rng = np.random.default_rng(seed)
    wide = LaserModel("wide", field_of_view=math.tau, samples=200, range_max=6.0, reverse=True)
    model = make_model(
        devices=(FOUR_SONAR, LaserModel("laser"), wide), omnidirectional=True, max_speed=AxisTriple(2.0, 1.0, 3.0)
    )
    ring = SonarModel((Pose(0.1, 0.1, 0.5), Pose(-0.2, 0.0, 3.0)), rays=5)
    coned = make_model(devices=(ring, LaserModel("laser")), laser_return=9)
    for k in range(robots):
        pose = Pose(float(rng.uniform(-6, 6)), float(rng.uniform(-6, 6)), float(rng.uniform(-3, 3)))
        robot = simulation.add_robot(model if k % 2 else coned, f"r{k}", pose)
        robot.sonar_on = True
        for laser in robot.lasers:
            laser.on = True
    simulation.add_box(Box("b", Pose(0.5, 0.5, 0.2), ((-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2)), reflectance=2))
    sensed = []
    for step in range(steps):
        if step % 5 == 0:
            for robot in simulation.robots:
                act(robot, rng)
        simulation.step()
        scans = simulation.readings(LASER)
        sensed += [scans.ranges, scans.reflectance, simulation.readings(SONAR).ranges]
    return simulation.bodies[:, : robots + 1], sensed


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31), robots=st.integers(1, 12), dt=st.sampled_from([0.1, 0.02, 0.5]))
@example(seed=14713573, robots=12, dt=0.5)  # A body behind a laser that looks all around, across its first beam.
def test_the_engines_agree_to_the_last_bit(compiled_engine: Engine, seed: int, robots: int, dt: float) -> None:
    bodies, sensed = run(NumpyEngine(), seed, robots, 25, dt)
    same_bodies, same_sensed = run(compiled_engine, seed, robots, 25, dt)
    assert np.array_equal(bodies, same_bodies)
    assert all(np.array_equal(a, b) for a, b in zip(sensed, same_sensed, strict=True))


def mixed(engine: Engine, seed: int, dt: float) -> Simulation:
    """Robots of both drives in two copies of a narrow world, told new things now and then."""
    simulation = Simulation(crowded_world(seed), engine=engine, seed=seed, dt=dt, copies=2)
    rng = np.random.default_rng(seed)
    drives = (None, WheelDrive(0.3, 0.6), WheelDrive(0.5, 1.0, half_life=0.3, noise=0.2))
    for k in range(16):
        pose = Pose(float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)), float(rng.uniform(-3, 3)))
        robot = simulation.add_robot(make_model(), f"r{k}", pose, wheels=drives[k % 3], copy=k % 2)
        robot.sonar_on = robot.lasers[0].on = True
        robot.set_slip(*(float(share) for share in rng.uniform(0, 0.3, 2)))
    for step in range(30):
        if step % 5 == 0:
            for robot in simulation.robots:
                act(robot, rng)
                robot.roll(float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)))
                if rng.random() < 0.1:
                    robot.block_wheels(int(rng.integers(-1, 2)), int(rng.integers(-1, 2)))
        simulation.step()
    return simulation


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31), dt=st.sampled_from([0.1, 0.02, 0.5]))
def test_the_engines_agree_about_wheels_contacts_and_copies(compiled_engine: Engine, seed: int, dt: float) -> None:
    plain, quick = mixed(NumpyEngine(), seed, dt), mixed(compiled_engine, seed, dt)
    for row in Body:
        assert np.array_equal(plain.bodies[row], quick.bodies[row]), row.name
    assert np.array_equal(plain.readings(LASER).ranges, quick.readings(LASER).ranges)
    assert np.array_equal(plain.readings(SONAR).ranges, quick.readings(SONAR).ranges)


def test_many_steps_in_one_call_are_the_same_as_one_by_one(engine: Engine) -> None:
    at_once, singly = (Simulation(crowded_world(3), engine=engine, seed=3) for _ in range(2))
    for simulation in (at_once, singly):
        simulation.add_robot(make_model(), "r").drive(0.3)
    at_once.step(50)
    for _ in range(50):
        singly.step()
    assert np.array_equal(at_once.bodies, singly.bodies)


def test_noise_depends_on_the_seed_and_on_nothing_else(engine: Engine) -> None:
    def ranges(seed: int, others: int) -> np.ndarray:  # type: ignore[type-arg]
        simulation = Simulation(crowded_world(1), engine=engine, seed=seed)
        robot = simulation.add_robot(make_model(), "r")
        robot.lasers[0].on = True
        for k in range(others):
            simulation.add_robot(make_model(), f"o{k}", Pose(100.0 + k, 0.0, 0.0))
        simulation.step(3)
        return robot.lasers[0].ranges

    assert np.array_equal(ranges(1, 0), ranges(1, 5))
    assert not np.array_equal(ranges(1, 0), ranges(2, 0))


def test_laser_noise_is_uniform_and_as_wide_as_the_model_says(engine: Engine) -> None:
    simulation = Simulation(World("w", Bounds(-5, -5, 5, 5), Segments.build(square(5.0))), engine=engine, seed=9)
    robot = simulation.add_robot(make_model(devices=(LaserModel("l", angle_noise=0.0),)), "r")
    robot.lasers[0].on = True
    errors = []
    for _ in range(200):
        simulation.step()
        errors.append(robot.lasers[0].ranges[90] - 5.0)
    assert max(errors) <= 0.005
    assert min(errors) >= -0.005
    assert np.std(errors) == pytest.approx(0.01 / math.sqrt(12), rel=0.15)
    assert abs(np.mean(errors)) < 0.001
