"""Batteries as time passes: what they lose, and get back at docks."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.catalogue.model import BatteryModel
from mobilesim_py.core.power import Stage
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.objects import MapObject
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.world import Bounds, World
from tests.core.conftest import make_model

DOCK = MapObject("DockLynx", "dock", Pose(1.0, 1.0, 0.5))


def at_dock(battery: BatteryModel, pose: Pose = DOCK.pose) -> tuple[Simulation, Robot]:
    world = World("docks", Bounds(-5, -5, 5, 5), Segments.empty(), objects=(DOCK,))
    simulation = Simulation(world, noise=False)
    robot = simulation.add_robot(make_model(devices=(battery,)), "charging", pose)
    robot.wants_charge = True
    return simulation, robot


def stage(robot: Robot) -> Stage:
    assert robot.battery is not None
    return robot.battery.charging


def test_one_percent_takes_36_seconds() -> None:
    simulation, robot = at_dock(BatteryModel(None, 1.0))
    assert robot.battery is not None
    robot.battery.charge = 0.5
    simulation.step(3600)
    assert (robot.battery.charge, stage(robot)) == (pytest.approx(0.6), Stage.BULK)
    simulation.step(9000)
    assert stage(robot) is Stage.OVERCHARGE
    simulation.step(9000)
    assert (stage(robot), robot.battery.charge) == (Stage.FLOAT, 1.0)


@pytest.mark.parametrize(
    "pose", [Pose(1.2, 1.0, 0.5), Pose(1.0, 1.0, 0.5 + math.radians(11.0)), Pose(1.0, 1.0, 0.5 + math.pi)]
)
def test_who_is_not_at_the_dock_or_does_not_want_to_does_not_charge(pose: Pose) -> None:
    simulation, robot = at_dock(BatteryModel(None, 1.0), pose)
    simulation.step(20)
    assert stage(robot) is Stage.NONE
    simulation, robot = at_dock(BatteryModel(None, 1.0))
    robot.wants_charge = False
    simulation.step(20)
    assert stage(robot) is Stage.NONE


def test_driving_away_ends_it() -> None:
    simulation, robot = at_dock(BatteryModel(None, 1.0))
    simulation.step(10)
    assert stage(robot) is Stage.FLOAT
    robot.drive(0.3)
    simulation.step(10)
    assert stage(robot) is Stage.NONE


def test_a_voltage_that_is_set_is_what_is_stored() -> None:
    _, robot = at_dock(BatteryModel(13.0))
    assert robot.battery is not None
    robot.battery.volts = 12.0
    assert robot.battery.stored == pytest.approx(0.5)


def test_robots_without_a_battery_do_not_mind() -> None:
    simulation, robot = at_dock(BatteryModel())
    other = simulation.add_robot(make_model(devices=()), "without")
    simulation.power.drain_hours = 1.0
    robot.wants_charge = False
    simulation.step(36000 // 2)
    assert robot.battery is not None
    assert robot.battery.volts == pytest.approx(12.0, abs=0.01)
    assert other.battery is None


def test_nothing_drains_where_nobody_asked_for_it() -> None:
    simulation = Simulation(World("plain", Bounds(-5, -5, 5, 5), Segments.empty()), noise=False)
    robot = simulation.add_robot(make_model(devices=(BatteryModel(),)), "plain")
    simulation.step(1000)
    assert robot.battery is not None
    assert (robot.battery.volts, robot.battery.charging) == (13.0, Stage.NONE)
