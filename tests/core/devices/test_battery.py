"""Batteries: what a robot measures of them, and nothing of what it does not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mobilesim_py.catalogue.model import BatteryModel
from mobilesim_py.core.devices.battery import BATTERY, BatteryUnit
from mobilesim_py.core.simulation import Simulation
from tests.core.conftest import make_model

Make = Callable[..., Simulation]


def battery(simulation: Simulation, model: BatteryModel) -> BatteryUnit:
    """Return the battery of a new robot."""
    found = simulation.add_robot(make_model(devices=(model,)), "r").battery
    assert found is not None
    return found


def test_what_is_not_measured_is_not_known(simulate: Make) -> None:
    simulation = simulate()
    volts, charge = battery(simulation, BatteryModel(12.5)), battery(simulation, BatteryModel(None, 1.0))
    assert (volts.volts, volts.charge) == (12.5, None)
    assert (charge.volts, charge.charge) == (None, 1.0)
    readings = simulation.readings(BATTERY)
    assert np.array_equal(readings.volts, [12.5, np.nan], equal_nan=True)
    assert np.array_equal(readings.charge, [np.nan, 1.0], equal_nan=True)


def test_a_robot_may_have_no_battery(simulate: Make) -> None:
    assert simulate().add_robot(make_model(devices=()), "r").battery is None


def test_a_robot_made_as_new_has_a_full_battery(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(devices=(BatteryModel(12.5),)), "r")
    assert robot.battery is not None
    robot.battery.volts = 9.0
    assert simulation.readings(BATTERY).volts.tolist() == [9.0]
    simulation.restore(robot)
    assert robot.battery.volts == 12.5


def test_a_battery_takes_no_number_of_noise_from_others(simulate: Make) -> None:
    simulation = simulate()
    first = simulation.add_robot(make_model(devices=(BatteryModel(),)), "first")
    assert simulation.add_robot(make_model(devices=()), "second").serial == first.serial + 1
