"""A body that touches knows what, where and with which side; so does the one that was run into."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose
from mobilesim_py.world.boxes import Box
from tests.core.conftest import make_model, square

Make = Callable[..., Simulation]


@pytest.mark.parametrize(("velocity", "side", "x"), [(0.3, "front", 0.25), (-0.3, "back", -0.25)])
def test_a_wall_is_touched_with_the_end_that_drove_into_it(simulate: Make, velocity: float, side: str, x: float) -> None:
    simulation = simulate(*square(1.0))
    robot = simulation.add_robot(make_model(), "r")
    assert robot.contact is None
    robot.drive(velocity)
    simulation.step(60)
    contact = robot.contact
    assert contact is not None
    assert contact.wall
    assert contact.thing is None
    assert contact.side == side
    assert contact.x == pytest.approx(x, abs=0.01)
    assert contact.y == pytest.approx(0.0, abs=1e-9)


def test_a_corner_that_hits_is_where_it_touches(simulate: Make) -> None:
    simulation = simulate((1.0, 0.05, 1.0, 3.0))
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.3)
    simulation.step(60)
    contact = robot.contact
    assert contact is not None
    assert contact.side == "front"
    assert 0.05 <= contact.y <= 0.15
    assert contact.bearing == pytest.approx(math.atan2(contact.y, contact.x))


def test_two_bodies_that_touch_know_each_other(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    other = simulation.add_robot(make_model(), "other", Pose(1.0, 0.0, math.pi / 2))
    robot.drive(0.3)
    simulation.step(40)
    ours, theirs = robot.contact, other.contact
    assert ours is not None
    assert theirs is not None
    assert (ours.thing, ours.wall, ours.side) == (other, False, "front")
    assert (theirs.thing, theirs.wall, theirs.side) == (robot, False, "left")
    assert theirs.y == pytest.approx(0.2, abs=0.01)


def test_a_contact_ends_when_the_robot_no_longer_pushes(simulate: Make) -> None:
    simulation = simulate(*square(1.0))
    robot = simulation.add_robot(make_model(), "r")
    robot.drive(0.3)
    simulation.step(60)
    robot.drive(-0.3)
    simulation.step(3)
    assert robot.contact is None


def test_a_contact_with_something_that_has_left_names_nobody(simulate: Make) -> None:
    simulation = simulate()
    robot = simulation.add_robot(make_model(), "r")
    box = simulation.add_box(Box("b", Pose(0.6, 0.0, 0.0), ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1))))
    robot.drive(0.3)
    simulation.step(40)
    assert robot.contact is not None
    assert robot.contact.thing is box
    simulation.remove(box)
    assert robot.contact is not None
    assert robot.contact.thing is None
