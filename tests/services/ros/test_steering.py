"""Services of robots and of the world."""

from __future__ import annotations

from tests.services.ros.carrying import stand_with_ros


def test_motors_are_switched_in_every_way() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    (robot,) = stand.robots
    shelf.call("/disable_motors")
    assert not robot.motors
    shelf.call("/enable_motors")
    assert robot.motors
    assert shelf.call("/set_motors", data=False)["success"]
    assert not robot.motors


def test_robots_are_put_back_one_or_all() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx:a", "-r", "p3dx:b")
    for robot in stand.robots:
        robot.place(5.0, 5.0, 1.0)
    shelf.call("/a/reset")
    assert [robot.pose == robot.start for robot in stand.robots] == [True, False]
    shelf.call("/reset_positions")
    assert [robot.pose == robot.start for robot in stand.robots] == [True, True]


def test_time_stops_steps_and_goes_on() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    clock = stand.program.clock
    assert not shelf.call("/step")["success"]
    shelf.call("/pause")
    assert clock.paused
    assert shelf.call("/step")["success"]
    assert clock.steps_wanted == 1
    shelf.call("/unpause")
    assert not clock.paused


def test_the_map_is_given() -> None:
    _, shelf, _ = stand_with_ros("-r", "p3dx", "office.map")
    answer = shelf.call("/static_map")["map"]
    assert len(answer["data"]) == answer["info"]["width"] * answer["info"]["height"]
    assert set(answer["data"].tolist()) == {0, 100}


def test_the_one_logger_is_named() -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    assert [one["name"] for one in shelf.call("/mobilesim/get_loggers")["loggers"]] == ["mobilesim"]
    shelf.call("/mobilesim/set_logger_level", logger="mobilesim", level="debug")
