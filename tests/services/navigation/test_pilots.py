"""Robots on their way to goals in a simulated world: they arrive, touch nothing, avoid each other, and come to rest."""

from __future__ import annotations

import math
import random

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.core.drives.wheels import WheelDrive
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.formats.format import load_world
from mobilesim_py.geometry import Pose
from mobilesim_py.navigation.navigator import Outcome
from mobilesim_py.navigation.planning import Goal
from mobilesim_py.resources import maps_dir
from mobilesim_py.services.navigation.pilots import Pilots
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.start import home_of
from mobilesim_py.world.world import empty_world


class Lines:
    """A log that is only kept."""

    def __init__(self) -> None:
        self.lines: list[tuple[str | None, str]] = []

    def info(self, text: str, robot: str | None = None) -> None:
        self.lines.append((robot, text))


class Trip:
    def __init__(self, map_name: str = "") -> None:
        world = load_world(maps_dir() / map_name) if map_name else empty_world()
        self.simulation = Simulation(world, seed=1)
        self.log = Lines()
        self.pilots = Pilots(self.simulation, self.log)  # type: ignore[arg-type]
        self.home = home_of(world) or Pose()
        self.touched: set[str] = set()

    def add(self, name: str, pose: Pose | None = None, model: str = "p3dx", wheels: WheelDrive | None = None) -> Robot:
        found = Catalogue.load().find(model)
        return self.simulation.add_robot(found, name, pose or self.home, wheels=wheels)

    def go(self, robot: Robot, *goal: float | None) -> list[Outcome]:
        outcomes: list[Outcome] = []
        self.pilots.go(robot, Goal(*goal), lambda goal, outcome, why: outcomes.append(outcome))  # type: ignore[arg-type]
        return outcomes

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / self.simulation.dt)):
            self.simulation.step()
            self.pilots.after_step(self.simulation)
            self.touched |= {thing.name for thing in self.simulation.robots if thing.contact is not None}


def test_random_goals_in_the_office_are_reached_without_touching_anything() -> None:
    trip = Trip("office.map")
    robot = trip.add("a")
    draw, bounds = random.Random(5), trip.simulation.world.bounds
    for _ in range(6):
        x, y = draw.uniform(bounds.min_x, bounds.max_x), draw.uniform(bounds.min_y, bounds.max_y)
        ended = trip.go(robot, x, y)
        while not ended:
            trip.run(1.0)
        assert ended[0] in (Outcome.REACHED, Outcome.REJECTED)
        if ended[0] is Outcome.REACHED:
            assert math.hypot(robot.pose.x - x, robot.pose.y - y) < 1.1
    assert not trip.touched


def test_a_goal_is_met_in_place_and_heading_and_the_robot_rests_there() -> None:
    trip = Trip()
    robot = trip.add("a")
    ended = trip.go(robot, 2.0, 1.0, math.radians(90))
    trip.run(20.0)
    assert ended == [Outcome.REACHED]
    assert math.hypot(robot.pose.x - 2.0, robot.pose.y - 1.0) < 0.1
    assert robot.pose.heading == pytest.approx(math.radians(90), abs=math.radians(5))
    assert robot.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
    assert trip.log.lines == [
        ("a", "Going to (2.000, 1.000) m facing 90 degrees."),
        ("a", "Goal (2.000, 1.000) m reached."),
    ]


def test_cancelling_brings_the_robot_to_rest() -> None:
    trip = Trip()
    robot = trip.add("a")
    ended = trip.go(robot, 20.0, 0.0)
    trip.run(5.0)
    assert robot.velocity[0] > 0.3
    assert trip.pilots.cancel(robot)
    trip.run(3.0)
    assert robot.velocity[0] == pytest.approx(0.0, abs=1e-3)
    assert ended == [Outcome.CANCELLED]
    assert not trip.pilots.cancel(robot)


def test_two_robots_that_change_places_go_around_each_other() -> None:
    trip = Trip()
    one, other = trip.add("a", Pose(0, 0)), trip.add("b", Pose(6, 0, math.pi))
    ended = trip.go(one, 6.0, 0.0), trip.go(other, 0.0, 0.0)
    trip.run(120.0)
    assert ended == ([Outcome.REACHED], [Outcome.REACHED])
    assert not trip.touched


def test_a_box_in_the_way_is_driven_around() -> None:
    trip = Trip()
    robot = trip.add("a")
    square = ((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3))
    trip.simulation.add_box(Box("crate", Pose(2, 0), square))
    ended = trip.go(robot, 4.0, 0.0)
    trip.run(40.0)
    assert ended == [Outcome.REACHED]
    assert not trip.touched


def test_a_robot_on_wheels_is_driven_by_its_wheels() -> None:
    trip = Trip()
    robot = trip.add("a", wheels=WheelDrive(track=0.4, top_speed=1.0))
    ended = trip.go(robot, 2.0, -1.0)
    trip.run(30.0)
    assert ended == [Outcome.REACHED]
    assert math.hypot(robot.pose.x - 2.0, robot.pose.y + 1.0) < 0.1


def test_a_robot_that_leaves_the_world_gives_its_goal_up() -> None:
    trip = Trip()
    robot = trip.add("a")
    ended = trip.go(robot, 20.0, 0.0)
    trip.run(1.0)
    trip.simulation.remove(robot)
    trip.run(0.2)
    assert ended == [Outcome.CANCELLED]
    assert trip.pilots.find(robot) is None
