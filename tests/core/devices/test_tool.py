"""A tool goes where it is told at its own pace."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.catalogue.outdoor import ToolModel
from mobilesim_py.core.devices.tool import TOOL
from mobilesim_py.core.simulation import Simulation
from tests.core.conftest import make_model

Make = Callable[..., Simulation]


def test_a_tool_takes_its_time_and_can_be_held(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(devices=(ToolModel(stroke=0.1, speed=0.05),)), "r")
    (tool,) = robot.units(TOOL)
    tool.go(0.8)
    simulation.step(10)
    assert tool.depth == pytest.approx(0.5)
    assert simulation.readings(TOOL).depth.tolist() == pytest.approx([0.5])
    tool.hold()
    simulation.step(10)
    assert tool.depth == pytest.approx(0.5)
    tool.go(7.0)
    simulation.step(100)
    assert tool.depth == tool.target == 1.0, "down is down"
    tool.go(0.0)
    simulation.step(5)
    assert tool.depth == pytest.approx(0.75)
    simulation.restore(robot)
    assert tool.depth == 0.0
