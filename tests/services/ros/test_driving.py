"""Driving by cmd_vel: who may, how fast, and until when."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.services.service import driver_of
from tests.services.ros.carrying import stand_with_ros


def test_a_twist_drives_forward_and_turns_left() -> None:
    stand, shelf, service = stand_with_ros("--nomap", "-r", "p3dx", "--no-noise")
    (robot,) = stand.robots
    for _ in range(20):
        shelf.send("/cmd_vel", linear={"x": 0.3}, angular={"z": 0.2})
        stand.step()
    assert robot.velocity[0] == pytest.approx(0.3)
    assert robot.velocity[2] == pytest.approx(0.2)
    assert service.held() == [robot]


def test_a_robot_stops_when_its_driver_falls_silent() -> None:
    stand, shelf, service = stand_with_ros("--nomap", "-r", "p3dx")
    (robot,) = stand.robots
    shelf.send("/cmd_vel", linear={"x": 0.3})
    stand.run(0.5)
    assert robot.velocity[0] > 0.1
    stand.run(2.0)
    assert robot.velocity[0] == 0.0
    assert service.held() == []


def test_a_robot_that_an_aria_client_holds_is_not_taken_away() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    stand.open()
    shelf.send("/cmd_vel", linear={"x": 0.3})
    stand.run(1.0)
    assert stand.robots[0].velocity[0] == 0.0
    assert stand.logged("cmd_vel is not obeyed while a client of another protocol holds the robot")
    assert driver_of(stand.program, stand.robots[0]) is not None


@pytest.mark.parametrize("number", [math.nan, math.inf, None])
def test_a_twist_that_is_no_number_is_not_obeyed(number: float | None) -> None:
    stand, _, service = stand_with_ros("--nomap", "-r", "p3dx")
    nothing = {"x": 0.0, "y": 0.0, "z": 0.0}
    x = math.nan if number is None else number
    service.hub.receive("/cmd_vel", {"linear": nothing | {"x": x}, "angular": nothing}, "test")
    stand.run(0.5)
    assert stand.robots[0].velocity[0] == 0.0


def test_motors_that_are_off_drive_nowhere() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", name_set="p2os")
    shelf.send("/cmd_motor_state", state=0)
    shelf.send("/cmd_vel", linear={"x": 0.3})
    stand.run(0.5)
    assert stand.robots[0].velocity[0] == 0.0
    shelf.send("/cmd_motor_state", state=4)
    shelf.send("/cmd_vel", linear={"x": 0.3})
    stand.run(0.5)
    assert stand.robots[0].velocity[0] > 0.0


def test_a_robot_is_put_where_the_initial_pose_says() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", "--start", "0,0,90")
    (robot,) = stand.robots
    shelf.send("/initialpose", pose={"pose": {"position": {"x": 3.0, "y": -1.0}, "orientation": {"w": 0.0}}})
    assert (robot.pose.x, robot.pose.y, robot.pose.heading) == pytest.approx((3.0, -1.0, math.pi / 2))
    shelf.send("/initialpose", pose={"pose": {"position": {"x": 1e300}, "orientation": {"w": 1.0}}})
    assert robot.pose.x == 3.0


def test_in_lockstep_the_world_waits_for_the_next_twist() -> None:
    stand, shelf, service = stand_with_ros("--nomap", "-r", "p3dx", "--lockstep")
    shelf.subscribe("/odom")
    assert not service.is_busy()
    shelf.send("/cmd_vel", linear={"x": 0.3})
    assert service.is_busy()
    assert not service.awaits()
    stand.step()
    assert service.awaits()
    shelf.send("/cmd_vel", linear={"x": 0.3})
    assert not service.awaits()


def test_a_robot_on_wheels_that_cannot_be_so_fast_stays_on_its_curve() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "oz", "--no-noise")
    (robot,) = stand.robots
    for _ in range(60):
        shelf.send("/cmd_vel", linear={"x": 1.0}, angular={"z": 2.0})
        stand.step()
    assert max(robot.rim_speeds) == pytest.approx(robot.speed_limit(0))
    assert robot.velocity[2] == pytest.approx(2.0 * robot.velocity[0], rel=0.01)
