"""Tickers count the way of each wheel in even pieces."""

from __future__ import annotations

from collections.abc import Callable

from mobilesim_py.catalogue.outdoor import TickerModel
from mobilesim_py.core.devices.ticker import TICKER
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.simulation import Simulation
from tests.core.conftest import make_model

Make = Callable[..., Simulation]


def test_wheels_tick_along_their_own_way(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(devices=(TickerModel(0.1),)), "r", wheels=WheelDrive(0.5, 1.0))
    robot.units(TICKER)[0].on = True
    assert simulation.readings(TICKER).counts.tolist() == [[0.0, 0.0, 0.0, 0.0]]
    robot.roll(0.2, 0.5)
    simulation.step(10)
    assert simulation.readings(TICKER).counts.tolist() == [[2.0, 5.0, 2.0, 5.0]]
    simulation.step(3)
    assert simulation.readings(TICKER).counts.tolist() == [[2.0, 6.0, 3.0, 7.0]], "rear wheels are half a tick ahead"
    robot.roll(-0.2, -0.5)
    simulation.step(13)
    assert simulation.readings(TICKER).counts.tolist() == [[0.0, 0.0, 0.0, 0.0]]
