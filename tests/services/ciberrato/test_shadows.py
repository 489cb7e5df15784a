"""Robots of a game as bodies of the simulated world."""

from __future__ import annotations

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.app.options import Options
from mobilesim_py.app.program import Program
from mobilesim_py.services.ciberrato.desk import Spot
from mobilesim_py.services.ciberrato.shadows import Shadows


def test_a_body_stands_where_its_robot_is_whatever_time_passes():
    program = Program(Options(nomap=True, robots=()), Log())
    shadows = Shadows(program)
    shadows.follow([Spot(2, "a", 1.0, 2.0, 0.5)])
    (body,) = program.simulation.robots
    shadows.follow([Spot(2, "a", 3.0, 4.0, 1.0)])
    program.simulation.step(10)
    assert (body.pose.x, body.pose.y, body.pose.heading) == pytest.approx((3.0, 4.0, 1.0))
    assert (shadows.body(2), shadows.number_of(body), shadows.bodies) == (body, 2, [body])


def test_two_robots_of_one_name_get_names_of_their_own():
    program = Program(Options(nomap=True, robots=()), Log())
    Shadows(program).follow([Spot(1, "a", 1.0, 1.0, 0.0), Spot(2, "a", 1.2, 1.0, 0.0), Spot(3, "", 1.0, 1.0, 0.0)])
    assert len({robot.name for robot in program.simulation.robots}) == 3


def test_who_is_gone_loses_the_body():
    program = Program(Options(nomap=True, robots=()), Log())
    shadows = Shadows(program)
    shadows.follow([Spot(1, "a", 1.0, 2.0, 0.5), Spot(2, "b", 3.0, 2.0, 0.5)])
    shadows.follow([Spot(2, "b", 3.0, 2.0, 0.5)])
    assert [robot.name for robot in program.simulation.robots] == ["b"]
    assert shadows.body(1) is None
