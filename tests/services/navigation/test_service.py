"""Navigation in a whole program on the stand: goals by orders, clients that take over, other maps, lockstep, no blocked tick."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from mobilesim_py.core.robot import Robot
from mobilesim_py.navigation.navigator import Outcome, Phase
from mobilesim_py.navigation.planning import Goal
from mobilesim_py.navigation.search import searcher
from mobilesim_py.services.navigation.service import NavigationService, navigation_of
from mobilesim_py.services.panelled import OrderError
from mobilesim_py.testing import Stand


def navigating(*words: str) -> tuple[Stand, NavigationService]:
    stand = Stand("--navigate", *words)
    navigation = navigation_of(stand.program)
    assert navigation is not None
    return stand, navigation


def away(robot: Robot, x: float, y: float) -> float:
    return math.hypot(robot.pose.x - x, robot.pose.y - y)


def test_without_the_option_there_is_no_navigation() -> None:
    assert navigation_of(Stand("--nomap").program) is None


def test_an_order_sends_a_robot_to_a_goal_and_the_facts_tell_of_it() -> None:
    stand, navigation = navigating("--nomap", "-r", "p3dx")
    robot = stand.robots[0]
    navigation.order("go", {"robot": robot.serial, "x": 2.0, "y": 1.0, "heading": 1.0})
    stand.run(1.0)
    (facts,) = navigation.facts()["robots"]
    assert facts["id"] == robot.serial
    assert facts["phase"] == "driving"
    assert facts["goal"] == {"x": 2.0, "y": 1.0, "heading": 1.0}
    assert facts["path"][-1] == [2.0, 1.0]
    assert facts["remaining"] > 0.5
    assert navigation.is_busy()
    stand.run(20.0)
    assert away(robot, 2.0, 1.0) < 0.1
    (facts,) = navigation.facts()["robots"]
    assert (facts["goal"], facts["path"], facts["phase"]) == (None, [], "idle")
    assert facts["last"]["outcome"] == "reached"
    assert not navigation.is_busy()


@pytest.mark.parametrize("model", ["p3dx", "p3at", "oz", "seekur"])
def test_any_drive_gets_there(model: str) -> None:
    stand, navigation = navigating("--nomap", "-r", model)
    robot = stand.robots[0]
    outcomes: list[Outcome] = []
    navigation.go(robot, navigation.goal(-1.0, 2.0, math.pi / 2), lambda goal, outcome, why: outcomes.append(outcome))
    while not outcomes:
        assert stand.time < 60.0
        stand.run(1.0)
    assert outcomes == [Outcome.REACHED]
    assert away(robot, -1.0, 2.0) < 0.12
    assert math.remainder(robot.pose.heading - math.pi / 2, math.tau) == pytest.approx(0.0, abs=math.radians(6))


def test_an_order_that_makes_no_sense_is_refused_with_a_reason() -> None:
    stand, navigation = navigating("--nomap", "-r", "p3dx")
    serial = stand.robots[0].serial
    for name, wish, why in [
        ("go", {"robot": serial, "x": "1", "y": 0}, "x must be a number"),
        ("go", {"robot": serial, "x": math.nan, "y": 0}, "x must be a number"),
        ("go", {"robot": serial, "x": 1e9, "y": 0}, "x must be a number"),
        ("go", {"robot": serial, "x": 1, "y": True}, "y must be a number"),
        ("go", {"robot": serial, "x": 1, "y": 1, "heading": []}, "heading must be a number"),
        ("go", {"robot": 999, "x": 1, "y": 1}, "There is no robot 999"),
        ("go", {"x": 1, "y": 1}, "robot must be a whole number"),
        ("fly", {"robot": serial}, "no order 'fly'"),
    ]:
        with pytest.raises(OrderError, match=why):
            navigation.order(name, wish)
    assert not navigation.is_busy()


def test_a_robot_that_a_client_holds_is_not_sent_and_one_that_a_client_takes_stops_for_it() -> None:
    stand, navigation = navigating("--nomap", "-r", "p3dx")
    robot = stand.robots[0]
    ended: list[str] = []
    navigation.go(robot, Goal(9.0, 0.0), lambda goal, outcome, why: ended.append(f"{outcome.value}: {why}"))
    stand.run(2.0)
    stand.open()
    stand.run(1.0)
    assert ended == ["cancelled: a client drives the robot"]
    with pytest.raises(OrderError, match="Its client drives it"):
        navigation.go(robot, Goal(9.0, 0.0))
    stand.run(3.0)
    assert robot.velocity[0] == pytest.approx(0.0, abs=1e-3)


def test_cancelling_by_order() -> None:
    stand, navigation = navigating("--nomap", "-r", "p3dx")
    serial = stand.robots[0].serial
    navigation.order("go", {"robot": serial, "x": 9.0, "y": 0.0})
    stand.run(1.0)
    navigation.order("cancel", {"robot": serial})
    assert navigation.facts()["robots"][0]["last"]["outcome"] == "cancelled"
    navigation.order("cancel", {"robot": serial})


def test_another_map_makes_other_plans() -> None:
    stand, navigation = navigating("-m", "triangle.map", "--start", "0,0,0", "-r", "p3dx")
    robot = stand.robots[0]
    outcomes: list[Outcome] = []
    navigation.go(robot, Goal(500.0, 0.0), lambda goal, outcome, why: outcomes.append(outcome))
    assert outcomes == [Outcome.REJECTED]
    stand.program.worlds.leave(by_user=True)
    navigation.go(robot, Goal(30.0, 0.0), lambda goal, outcome, why: outcomes.append(outcome))
    stand.run(1.0)
    stand.program.worlds.load("triangle.map", by_user=True)
    assert outcomes[1:] == [Outcome.FAILED]


def test_a_robot_that_is_removed_forgets_its_goal() -> None:
    stand, navigation = navigating("--nomap", "-r", "p3dx", "-r", "p3dx")
    outcomes: list[Outcome] = []
    navigation.go(stand.robots[0], Goal(9.0, 5.0), lambda goal, outcome, why: outcomes.append(outcome))
    stand.run(1.0)
    stand.program.remove(stand.robots[0])
    stand.run(0.5)
    assert outcomes == [Outcome.CANCELLED]
    assert navigation.facts() == {"robots": []}


class Thread:
    """Runs work in a thread when it is let go on, as the running program does at once."""

    def __init__(self, stand: Stand) -> None:
        self.may_go_on = threading.Event()
        self.done: list[Callable[[], None]] = []
        stand.program.worlds.run_beside = self

    def __call__(self, work: Callable[[], Any], done: Callable[[Any, Any], None]) -> None:
        def run() -> None:
            self.may_go_on.wait(60.0)
            work()
            self.done.append(lambda: done(None, None))

        threading.Thread(target=run, daemon=True).start()


def test_steps_go_on_while_a_plan_is_made() -> None:
    stand, navigation = navigating("--nomap", "-r", "p3dx")
    thread, robot = Thread(stand), stand.robots[0]
    navigation.go(robot, Goal(3.0, 0.0))
    stand.run(5.0)
    pilot = navigation.pilots.find(robot)
    assert pilot is not None
    assert pilot.navigator.phase is Phase.PLANNING
    assert away(robot, 0.0, 0.0) < 0.01
    thread.may_go_on.set()
    navigation.desk.finish()
    stand.run(1.0)
    assert pilot.navigator.phase is Phase.DRIVING


def test_in_lockstep_the_next_step_waits_for_the_plan_and_everything_repeats() -> None:
    ways = []
    for _ in range(2):
        stand, navigation = navigating("--lockstep", "--nomap", "-r", "p3dx", "-r", "p3dx")
        thread = Thread(stand)
        for number, robot in enumerate(stand.robots):
            navigation.go(robot, Goal(4.0, 3.0 * number - 1.0))
        assert navigation.awaits()
        thread.may_go_on.set()
        stand.run(6.0)
        assert not navigation.awaits()
        ways.append([robot.pose for robot in stand.robots])
    assert ways[0] == ways[1]
    assert ways[0][0].x > 0.5


def test_twenty_robots_at_once_in_the_office_touch_neither_walls_nor_each_other() -> None:
    words = [word for _ in range(20) for word in ("-r", "p3dx")]
    stand, navigation = navigating("-m", "office.map", "--start", "random", *words)
    navigation._searches = searcher()
    draw, bounds = random.Random(4), stand.simulation.world.bounds
    outcomes: list[Outcome] = []

    def send(robot: Robot) -> None:
        x, y = draw.uniform(bounds.min_x, bounds.max_x), draw.uniform(bounds.min_y, bounds.max_y)
        navigation.go(robot, Goal(x, y), lambda goal, outcome, why: outcomes.append(outcome))

    for robot in stand.robots:
        send(robot)
    for _ in range(400):
        stand.step()
        assert not [robot.name for robot in stand.robots if robot.contact is not None]
    assert outcomes.count(Outcome.REACHED) >= 3
    driven = sum(math.hypot(robot.pose.x - robot.start.x, robot.pose.y - robot.start.y) > 0.5 for robot in stand.robots)
    assert driven >= 15


def test_nothing_is_done_for_robots_without_a_goal() -> None:
    stand, navigation = navigating("--nomap", "-r", "p3dx")
    navigation.pilots.after_step = None  # type: ignore[method-assign, assignment]
    stand.run(1.0)
    assert navigation.facts() == {"robots": []}
    assert navigation.clients() == navigation.held() == navigation.factories() == ()
    assert navigation.backlog() == 0
