"""Inertial units: what they feel of true motion, and how they err."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from mobilesim_py.catalogue.outdoor import ImuModel
from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.reality import Reality
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from tests.core.conftest import make_model, make_world

Make = Callable[..., Simulation]


def add(simulation: Simulation, heading: float = 0.0, reality: Reality | None = None) -> Robot:
    """Add a robot with an inertial unit that is on."""
    model = make_model(devices=(ImuModel(),))
    robot = simulation.add_robot(model, "r", Pose(0.0, 0.0, heading), wheels=WheelDrive(0.5, 1.0))
    if reality is not None:
        robot.reality = reality
    robot.units(IMU)[0].on = True
    return robot


def test_a_turn_is_felt_as_rate_and_centripetal_force(simulate: Make) -> None:
    simulation = simulate(dt=0.02)
    robot = add(simulation)
    _ = simulation.readings(IMU)
    robot.roll(0.4, 0.6)
    simulation.step(10)
    _ = simulation.readings(IMU)
    simulation.step()
    felt = simulation.readings(IMU)
    assert felt.rates[0] == pytest.approx([0.0, 0.0, 0.4])
    assert felt.forces[0] == pytest.approx([0.0, 0.5 * 0.4, 9.81])


def test_acceleration_is_the_mean_since_the_last_reading(simulate: Make) -> None:
    simulation = simulate(dt=0.02)
    robot = add(simulation)
    assert simulation.readings(IMU).forces[0, 0] == 0.0
    robot.roll(0.5, 0.5)
    simulation.step(5)
    assert simulation.readings(IMU).forces[0, 0] == pytest.approx(0.5 / 0.1)
    simulation.forget_readings()
    assert simulation.readings(IMU).forces[0, 0] == pytest.approx(0.5 / 0.1), "asked again at the same tick"
    simulation.step()
    assert simulation.readings(IMU).forces[0, 0] == pytest.approx(0.0)


def test_the_magnetic_field_tells_the_heading(simulate: Make) -> None:
    simulation = simulate()
    add(simulation, 2.0)
    assert simulation.readings(IMU).field[0] == pytest.approx([math.cos(2.0), math.sin(2.0)])


def test_noise_has_the_size_of_the_model(engine: Engine) -> None:
    simulation = Simulation(make_world(), engine=engine, dt=0.02, seed=5)
    add(simulation)
    rates = []
    for _ in range(500):
        simulation.step()
        rates.append(simulation.readings(IMU).rates[0].copy())
    assert np.std(rates, axis=0) == pytest.approx([0.005] * 3, rel=0.15)
    assert np.abs(np.mean(rates, axis=0)).max() < 0.002


def test_reality_adds_bias_scale_and_magnetism(simulate: Make) -> None:
    simulation = simulate(dt=0.02, seed=3)
    robot = add(simulation, 0.0, Reality(imu_bias=0.1, imu_scale=0.1, magnetism=0.3))
    simulation.step()
    still = simulation.readings(IMU)
    assert 0.0 < abs(still.rates[0, 2]) <= 0.1
    assert 0.0 < abs(still.forces[0, 0]) <= 1.0
    assert still.field[0, 1] != 0.0
    robot.reality = Reality()
    assert simulation.readings(IMU).rates[0, 2] == 0.0


def test_both_engines_feel_the_same_bits(compiled_engine: Engine) -> None:
    felt = []
    for engine in (compiled_engine, NumpyEngine()):
        simulation = Simulation(make_world(), engine=engine, dt=0.02, seed=9)
        robots = [add(simulation, 0.3 * k, Reality(imu_bias=0.1, imu_scale=0.1, magnetism=0.3)) for k in range(5)]
        for k, robot in enumerate(robots):
            robot.roll(0.1 * k, 0.3)
        simulation.step(3500)
        _ = simulation.readings(IMU)
        simulation.step()
        felt.append(simulation.readings(IMU).felt)
    assert np.array_equal(felt[0], felt[1])
