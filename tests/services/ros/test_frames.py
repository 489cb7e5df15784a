"""Transforms lead from the map to the robots and their sensors."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.geometry import Pose, compose
from mobilesim_py.services.ros.frames import map_to_odometry
from mobilesim_py.services.ros.sensing import heading_of
from tests.services.ros.carrying import stand_with_ros


def test_transforms_lead_from_the_map_to_the_true_pose() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx:a", "-r", "p3dx:b", "--start", "1000,2000,90")
    shelf.subscribe("/tf")
    for robot in stand.robots:
        robot.drive(0.4)
        robot.turn(0.2)
    stand.run(3.0)
    chain = {
        one["child_frame_id"]: (one["header"]["frame_id"], one["transform"])
        for one in shelf.messages("/tf")[-1]["transforms"]
    }
    for robot in stand.robots:
        (above, to_odom), (odom, to_base) = chain[f"{robot.name}/odom"], chain[f"{robot.name}/base_link"]
        outer, inner = (
            Pose(one["translation"]["x"], one["translation"]["y"], heading_of(one["rotation"]) or 0.0)
            for one in (to_odom, to_base)
        )
        found = compose(outer, inner)
        assert (above, odom) == ("map", f"{robot.name}/odom")
        assert (found.x, found.y) == pytest.approx((robot.pose.x, robot.pose.y))
        assert math.remainder(found.heading - robot.pose.heading, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_odometry_in_the_map_is_the_truth() -> None:
    truth, told = Pose(3.0, -1.0, 2.0), Pose(0.5, 0.7, -1.0)
    found = compose(map_to_odometry(truth, told), told)
    assert (found.x, found.y, found.heading) == pytest.approx((truth.x, truth.y, truth.heading))


def test_sensors_have_frames_of_their_robot() -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx-sh-lms1xx:a", "-r", "oz:b")
    told = shelf.hub.latched("/tf_static")
    assert told is not None
    chain = {one["child_frame_id"]: one["header"]["frame_id"] for one in told["transforms"]}
    assert chain["a/laser"] == chain["a/sonar_15"] == "a/base_link"
    assert chain["b/laser"] == chain["b/left_camera_optical"] == chain["b/imu_link"] == "b/base_link"
