"""Grippers: paddles and lift as time passes, beams, and boxes that are gripped, carried, seen, stopped by walls, put down."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.catalogue.accessories import GripperModel
from mobilesim_py.core.devices.gripper import GRIPPER, GripperUnit
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.robot import BoxBody, Robot
from mobilesim_py.core.scene import Rays
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose, rectangle, relative
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Stops
from tests.core.conftest import make_model, make_world

FRONT = 0.25
CAN = rectangle(0.065, 0.065)


def make(
    *walls: tuple[float, float, float, float], engine: Engine | None = None, dt: float = 0.1
) -> tuple[Simulation, Robot, GripperUnit]:
    simulation = Simulation(make_world(*walls), dt=dt, noise=False, engine=engine)
    robot = simulation.add_robot(make_model(devices=(GripperModel(base=FRONT),)), "gripping")
    return simulation, robot, robot.units(GRIPPER)[0]


def put(simulation: Simulation, x: float, y: float = 0.0, outline: tuple[tuple[float, float], ...] = CAN) -> BoxBody:
    return simulation.add_box(Box("can", Pose(x, y, 0.3), outline))


def run(simulation: Simulation, seconds: float) -> None:
    simulation.step(round(seconds / simulation.dt))


def test_a_new_gripper_is_open_down_and_empty() -> None:
    simulation, _, gripper = make()
    assert (gripper.is_open, gripper.is_closed, gripper.is_down, gripper.is_up) == (True, False, True, False)
    assert (gripper.beams, gripper.held, simulation.grippers.busy) == ((False, False), None, [])


def test_paddles_close_in_five_seconds_press_and_stand_still() -> None:
    simulation, _, gripper = make()
    gripper.close()
    run(simulation, 5.0)
    assert (gripper.paddles, gripper.is_closed, gripper.gap) == (-1, False, pytest.approx(0.005))
    run(simulation, 0.5)
    assert (gripper.paddles, gripper.is_closed, gripper.gap) == (0, True, 0.0)
    assert simulation.grippers.busy == []
    gripper.open()
    run(simulation, 6.0)
    assert (gripper.is_open, gripper.paddles) == (True, 0)


def test_paddles_can_be_stopped_half_way() -> None:
    simulation, _, gripper = make()
    gripper.close()
    run(simulation, 2.0)
    gripper.halt()
    run(simulation, 2.0)
    assert (gripper.gap, gripper.is_open, gripper.is_closed) == (pytest.approx(0.205 - 0.08), False, False)


def test_the_lift_goes_to_its_ends_or_for_a_time() -> None:
    simulation, _, gripper = make()
    gripper.lift(1)
    run(simulation, 3.4)
    assert (gripper.is_up, gripper.is_down, gripper.lifting) == (False, False, 1)
    run(simulation, 0.2)
    assert (gripper.is_up, gripper.lifting) == (True, 0)
    gripper.lift(-1, 0.5)
    run(simulation, 2.0)
    assert (gripper.height, gripper.lifting) == (pytest.approx(0.06), 0)
    gripper.lift(-1)
    run(simulation, 4.0)
    assert gripper.is_down


@pytest.mark.parametrize(("x", "beams"), [(0.6, (False, False)), (0.33, (True, False)), (0.30, (True, True))])
def test_beams_are_broken_by_what_stands_between_the_paddles(x: float, beams: tuple[bool, bool]) -> None:
    simulation, _, gripper = make()
    put(simulation, x)
    assert gripper.beams == beams


def test_a_lifted_gripper_sees_only_what_it_holds() -> None:
    simulation, _, gripper = make()
    put(simulation, 0.30)
    gripper.lift(1)
    run(simulation, 4.0)
    assert gripper.beams == (False, False)
    gripper.close()
    run(simulation, 6.0)
    assert gripper.held is None


def gripped(
    *walls: tuple[float, float, float, float], engine: Engine | None = None
) -> tuple[Simulation, Robot, GripperUnit, BoxBody]:
    simulation, robot, gripper = make(*walls, engine=engine)
    can = put(simulation, 0.30, 0.01)
    gripper.close()
    run(simulation, 5.0)
    assert gripper.held is not None
    return simulation, robot, gripper, can


def test_closing_paddles_stop_at_what_is_between_them_and_hold_it() -> None:
    _, _, gripper, can = gripped()
    assert gripper.held is not None
    assert gripper.held.box is can
    width = 0.065 * (math.cos(0.3) + math.sin(0.3))
    assert (gripper.is_closed, gripper.gap) == (True, pytest.approx(width))
    assert gripper.beams == (True, True)


@pytest.mark.parametrize("outline", [rectangle(0.3, 0.3)])
def test_what_is_too_wide_is_not_held(outline: tuple[tuple[float, float], ...]) -> None:
    simulation, _, gripper = make()
    put(simulation, 0.30, outline=outline)
    gripper.close()
    run(simulation, 6.0)
    assert gripper.held is None


def test_what_is_held_goes_where_the_robot_goes_and_stays_where_it_is_let_go() -> None:
    simulation, robot, gripper, can = gripped()
    before = relative(can.pose, robot.pose)
    gripper.lift(1)
    robot.drive(0.5)
    robot.turn(0.4)
    run(simulation, 3.0)
    after = relative(can.pose, robot.pose)
    assert robot.pose.x > 0.5
    assert (after.x, after.y) == (pytest.approx(before.x, abs=1e-9), pytest.approx(before.y, abs=1e-9))
    gripper.open()
    there = can.pose
    robot.drive(-0.5)
    run(simulation, 3.0)
    assert can.pose == there
    assert not can.ghost


def test_others_see_what_is_held_where_it_is_and_its_carrier_does_not() -> None:
    simulation, robot, _, can = gripped()
    one = np.ones(1)
    ahead = Rays(2.0 * one, can.pose.y * one, -one, 0.0 * one, 5.0 * one, np.array([-1]))
    hit = simulation.engine.cast(simulation.scene, ahead, int(Stops.LASER))
    assert hit.distance[0] == pytest.approx(2.0 - 0.30, abs=0.05)
    assert hit.body[0] == robot.column
    own = simulation.engine.cast(
        simulation.scene, Rays(0.0 * one, can.pose.y * one, one, 0.0 * one, 5.0 * one, np.array([robot.column])), 4
    )
    assert own.distance[0] == 5.0


def test_a_robot_with_a_can_before_it_stops_where_the_can_meets_the_wall(engine: Engine) -> None:
    simulation, robot, _, can = gripped((2.0, -2.0, 2.0, 2.0), engine=engine)
    robot.drive(0.5)
    run(simulation, 8.0)
    reach = max(x for x, _ in can.box.moved(can.pose).corners)
    assert robot.stalled
    assert reach == pytest.approx(2.0, abs=0.06)
    assert reach <= 2.0


def test_both_engines_carry_with_the_same_bits(compiled_engine: Engine) -> None:
    ways = []
    for engine in (NumpyEngine(), compiled_engine):
        simulation, robot, _, can = gripped((1.0, -2.0, 1.2, 2.0), engine=engine)
        robot.drive(0.4)
        robot.turn(0.2)
        run(simulation, 6.0)
        ways.append((robot.pose, can.pose, robot.stalled, robot.contact))
    assert ways[0] == ways[1]


def test_a_hand_that_moves_the_robot_moves_its_load_and_one_that_takes_the_load_gets_it() -> None:
    _, robot, gripper, can = gripped()
    robot.place(3.0, 1.0, math.pi / 2.0)
    assert (can.pose.x, can.pose.y) == (pytest.approx(2.99, abs=0.002), pytest.approx(1.30, abs=0.002))
    can.place(5.0, 5.0, 0.0)
    assert gripper.held is None
    assert (can.pose, can.ghost) == (Pose(5.0, 5.0, 0.0), False)


def test_a_load_that_is_removed_or_whose_robot_is_removed_leaves_nothing_behind() -> None:
    simulation, robot, gripper, can = gripped()
    shape = robot.footprint
    simulation.remove(can)
    assert (gripper.held, len(robot.footprint)) == (None, len(shape) - 1)
    simulation, robot, _, can = gripped()
    simulation.remove(robot)
    assert (can.ghost, simulation.grippers.busy) == (False, [])
    run(simulation, 1.0)


def test_a_new_session_finds_the_gripper_open_and_its_load_on_the_ground() -> None:
    simulation, robot, gripper, can = gripped()
    simulation.restore(robot)
    assert (gripper.held, gripper.is_open, can.ghost) == (None, True, False)


def test_the_load_goes_with_the_robot_into_another_world_until_it_is_taken_away() -> None:
    simulation, robot, gripper, _ = gripped()
    simulation.replace_world(make_world((9.0, 0.0, 9.0, 1.0)))
    assert gripper.held is not None
    assert simulation.boxes == [gripper.held.box]
    simulation.remove(gripper.held.box)
    assert (gripper.held, simulation.boxes) == (None, [])
    run(simulation, 0.5)
    assert len(robot.footprint) == len(robot.model.body.footprint)
