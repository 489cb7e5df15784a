"""The units of one kind: who has a column, when they sense and how old what they tell is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from mobilesim_py.catalogue.model import DeviceModel, LaserModel
from mobilesim_py.core.devices.laser import LASER, Laser
from mobilesim_py.core.devices.sonar import SONAR, Sonar
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import AxisTriple, Pose
from tests.core.conftest import make_model

Make = Callable[..., Simulation]
AT_ONCE = AxisTriple()
WALL = (5.0, -9.0, 5.0, 9.0)
STEP = 0.05
"""How far the robot below drives in a tick [m]."""


def driver(simulation: Simulation, *lasers: LaserModel) -> Robot:
    """A robot that drives towards the wall from the first tick on, with its lasers on."""
    robot = simulation.add_robot(make_model(devices=lasers, acceleration=AT_ONCE), "driver")
    for laser in robot.lasers:
        laser.on = True
    robot.drive(0.5)
    return robot


def straight_ahead(robot: Robot, number: int = 0) -> float | None:
    """Return what the middle beam reads [m]; None when there is no reading yet."""
    ranges = robot.lasers[number].ranges
    return round(float(ranges[90]), 6) if len(ranges) else None


def test_every_device_of_a_robot_has_a_column_that_leaves_with_it(simulate: Make) -> None:
    simulation = simulate()
    first, second, third = (simulation.add_robot(make_model(), name) for name in "abc")
    simulation.remove(first)
    for kind, body in ((LASER, Laser.BODY), (SONAR, Sonar.BODY)):
        table = simulation.table(kind)
        assert [unit.column for unit in table.units] == [0, 1]
        assert [table.matrix[body, unit.column] for robot in (second, third) for unit in robot.units(kind)] == [
            second.column,
            third.column,
        ]


def test_a_model_with_a_device_of_no_known_kind_is_refused(simulate: Make) -> None:
    @dataclass(frozen=True)
    class Nose(DeviceModel):
        pass

    with pytest.raises(ValueError, match="tester carries a Nose"):
        simulate().add_robot(make_model(devices=(Nose(),)), "r")


def test_units_sense_once_in_a_tick_and_only_when_asked(simulate: Make) -> None:
    simulation = simulate(WALL)
    driver(simulation, LaserModel("l"))
    simulation.step()
    assert not simulation.has_sensed
    first = simulation.readings(LASER)
    assert simulation.readings(LASER) is first
    assert simulation.known_readings(LASER) is first
    assert simulation.known_readings(SONAR) is None


def test_a_laser_without_a_period_reads_anew_at_every_tick(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l"))
    read = []
    for _ in range(3):
        simulation.step()
        read.append(straight_ahead(robot))
    assert read == pytest.approx([5.0 - STEP * k for k in (1, 2, 3)])


def test_a_laser_with_a_period_tells_its_last_reading_until_the_next(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("slow", period=0.3), LaserModel("quick"))
    read = []
    for _ in range(7):
        simulation.step()
        read.append(straight_ahead(robot))
    third, sixth = round(5.0 - 3 * STEP, 6), round(5.0 - 6 * STEP, 6)
    assert read == [None, None, third, third, third, sixth, sixth]
    assert straight_ahead(robot, 1) == pytest.approx(5.0 - 7 * STEP)


def test_a_period_that_no_step_divides_is_kept_on_average(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l", period=0.25))
    read = set()
    for _ in range(20):
        simulation.step()
        read.add(straight_ahead(robot))
    assert len(read - {None}) == 8


def test_nobody_need_ask_at_the_tick_of_a_reading(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l", period=0.3))
    simulation.step(8)
    assert straight_ahead(robot) == pytest.approx(5.0 - 6 * STEP)


def test_a_delayed_reading_is_as_old_as_its_delay(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l", delay=0.2))
    read = []
    for _ in range(5):
        simulation.step()
        read.append(straight_ahead(robot))
    assert read[:2] == [None, None]
    assert read[2:] == pytest.approx([5.0 - STEP * k for k in (1, 2, 3)])


def test_period_and_delay_add_up(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l", period=0.3, delay=0.1))
    read = []
    for _ in range(8):
        simulation.step()
        read.append(straight_ahead(robot))
    third, sixth = round(5.0 - 3 * STEP, 6), round(5.0 - 6 * STEP, 6)
    assert read == [None, None, None, third, third, third, sixth, sixth]


def test_a_laser_that_is_set_anew_has_nothing_to_tell_until_its_next_reading(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l", period=0.3))
    simulation.step(3)
    robot.lasers[0].configure(-0.1, 0.1, 0.01)
    assert len(robot.lasers[0].ranges) == 0
    simulation.step(3)
    assert len(robot.lasers[0].ranges) == 21


def test_what_was_read_stays_with_its_unit_when_columns_move(simulate: Make) -> None:
    simulation = simulate(WALL)
    other = simulation.add_robot(make_model(devices=(LaserModel("l", period=0.3),)), "other", Pose(0.0, 5.0, 0.0))
    robot = driver(simulation, LaserModel("l", period=0.3))
    other.lasers[0].on = True
    simulation.step(3)
    simulation.remove(other)
    assert robot.lasers[0].column == 0
    assert straight_ahead(robot) == pytest.approx(5.0 - 3 * STEP)
    assert simulation.readings(LASER).units.tolist() == [0]


def test_old_readings_are_not_hoarded_where_nobody_asks(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l", delay=0.2))
    simulation.step(50)
    (queue,) = simulation.table(LASER)._timed.values()
    assert len(queue) <= 3
    assert len(robot.lasers[0].ranges) == 181


def test_readings_of_unequal_length_are_joined_in_the_order_of_their_units(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l", period=0.2, samples=5), LaserModel("l", samples=181))
    simulation.step(2)
    readings = simulation.readings(LASER)
    assert readings.units.tolist() == [0, 1]
    assert readings.ranges.shape == (2, 181)
    assert [len(laser.ranges) for laser in robot.lasers] == [5, 181]
    assert np.count_nonzero(readings.ranges[0]) == 5


def test_who_senses_is_found_anew_when_a_unit_is_set_added_or_removed(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l"))
    table = simulation.table(LASER)
    seen = [(table.sensing.tolist(), table.widest(table.sensing))]
    simulation.step()
    assert table.sensing is table.sensing
    robot.lasers[0].configure(0.0, 1.0, 0.1)
    seen.append((table.sensing.tolist(), table.widest(table.sensing)))
    other = driver(simulation, LaserModel("l"))
    seen.append((table.sensing.tolist(), table.widest(table.sensing)))
    robot.lasers[0].on = False
    seen.append((table.sensing.tolist(), table.widest(table.sensing)))
    assert table.readings.ranges.shape == (1, 181)
    simulation.remove(other)
    seen.append((table.sensing.tolist(), table.widest(table.sensing)))
    assert table.readings.ranges.size == 0
    assert seen == [([0], 181), ([0], 11), ([0, 1], 181), ([1], 181), ([], 0)]


def test_a_unit_that_is_off_can_be_sensed_apart_as_wide_as_it_is(simulate: Make) -> None:
    simulation = simulate(WALL)
    robot = driver(simulation, LaserModel("l"), LaserModel("l", samples=5))
    robot.lasers[0].on = False
    table = simulation.table(LASER)
    assert table.readings.ranges.shape == (1, 5)
    apart = LASER.sense(simulation.scene, np.array([0]), table, simulation.engine)
    assert apart.ranges.shape == (1, 181)
    assert np.count_nonzero(apart.ranges[0]) == 181
    assert table.readings.ranges.shape == (1, 5)
