"""What robots tell over ROS is what they are and sense."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.geometry import Pose
from mobilesim_py.services.ros.sensing import heading_of, quaternion
from tests.services.ros.carrying import stand_with_ros

LASER_ROBOT = "p3dx-sh-lms1xx"


def pose_of(message: dict[str, dict[str, float]]) -> tuple[float, float, float]:
    heading = heading_of(message["orientation"])
    assert heading is not None
    return message["position"]["x"], message["position"]["y"], heading


def test_odometry_and_ground_truth_are_those_of_the_robot() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", "--start", "1000,2000,90", "--no-noise")
    shelf.subscribe("/odom", "/base_pose_ground_truth")
    (robot,) = stand.robots
    robot.drive(0.4)
    robot.turn(0.2)
    stand.run(2.0)
    told, truth = shelf.messages("/odom")[-1], shelf.messages("/base_pose_ground_truth")[-1]
    odometry = robot.odometry
    assert pose_of(told["pose"]["pose"]) == pytest.approx((odometry.x, odometry.y, odometry.heading))
    assert pose_of(truth["pose"]["pose"]) == pytest.approx((robot.pose.x, robot.pose.y, robot.pose.heading))
    assert (told["twist"]["twist"]["linear"]["x"], told["twist"]["twist"]["angular"]["z"]) == pytest.approx((0.4, 0.2))
    assert (told["header"]["frame_id"], told["child_frame_id"]) == ("odom", "base_link")
    assert told["header"]["stamp"].seconds == pytest.approx(2.0)


def test_a_scan_is_what_the_laser_senses_when_it_is_on() -> None:
    stand, shelf, _ = stand_with_ros("-r", LASER_ROBOT)
    shelf.subscribe("/scan")
    (laser,) = stand.robots[0].lasers
    stand.run(0.5)
    off = shelf.messages("/scan")[-1]
    assert not laser.on
    laser.on = True
    sensed = laser.ranges
    expected = np.where(sensed >= laser.model.range_max, np.inf, sensed).astype(np.float32)
    assert np.array_equal(off["ranges"], expected if laser.increment > 0 else expected[::-1])
    stand.run(0.1)
    assert len(shelf.messages("/scan")[-1]["ranges"]) == laser.count
    assert off["angle_max"] - off["angle_min"] == pytest.approx(laser.model.field_of_view)


def test_a_scan_that_meets_nothing_is_infinite() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", LASER_ROBOT)
    shelf.subscribe("/scan")
    stand.step()
    (message,) = shelf.messages("/scan")
    assert np.isposinf(message["ranges"]).all()
    assert message["range_max"] == stand.robots[0].lasers[0].model.range_max


def test_looking_at_a_scan_does_not_send_it_to_the_aria_client() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", LASER_ROBOT)
    client = stand.open()
    shelf.subscribe("/scan", "/sonar")
    stand.run(0.5)
    assert shelf.messages("/scan")
    assert not [packet for packet in client.packets() if packet.id in (0x60, 0x61)]


def test_sonar_points_lie_at_the_ranges_of_the_transducers() -> None:
    stand, shelf, _ = stand_with_ros("-r", "p3dx", "--no-noise")
    shelf.subscribe("/sonar", "/sonar/ranges", "/sonar_pointcloud2")
    stand.step()
    (robot,) = stand.robots
    robot.sonar_on = True
    ranges = robot.sonar
    (cloud,), (cloud_2,) = shelf.messages("/sonar"), shelf.messages("/sonar_pointcloud2")
    places = robot.model.sonar.transducers
    found = [
        math.hypot(point["x"] - place.x, point["y"] - place.y) for point, place in zip(cloud["points"], places, strict=True)
    ]
    assert found == pytest.approx(ranges.tolist())
    points = np.frombuffer(cloud_2["data"], "<f4").reshape(-1, 3)
    assert points[:, 0] == pytest.approx([point["x"] for point in cloud["points"]], abs=1e-5)
    most = robot.model.sonar.range_max
    told = [message["range"] for message in shelf.messages("/sonar/ranges")]
    assert told == pytest.approx([math.inf if one >= most else one for one in ranges.tolist()])


def test_a_touch_is_told_by_the_bumper_on_its_side() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "peoplebot", "--no-noise")
    stand.program.add_running("box", "", Pose(1.0, 0.0, 0.0))
    shelf.subscribe("/bumper", "/bumper_state")
    stand.robots[0].drive(0.5)
    stand.run(5.0)
    assert [message["data"] for message in shelf.messages("/bumper")][:: len(shelf.messages("/bumper")) - 1] == [False, True]
    last = shelf.messages("/bumper_state")[-1]
    assert last["front_bumpers"] == [False, False, True, False, False]
    assert not any(last["rear_bumpers"])


def test_acceleration_is_the_change_of_speed() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", "--no-noise")
    shelf.subscribe("/imu/data")
    stand.robots[0].drive(0.5)
    stand.run(1.0)
    ramp = stand.robots[0].model.drive.acceleration.forward
    assert shelf.messages("/imu/data")[-1]["linear_acceleration"]["x"] == pytest.approx(ramp, rel=0.01)


def test_wheels_turn_by_the_way_that_they_rolled() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", "--no-noise")
    shelf.subscribe("/joint_states")
    stand.robots[0].drive(0.5)
    stand.run(4.0)
    last = shelf.messages("/joint_states")[-1]
    assert last["position"] == pytest.approx(np.array(stand.robots[0].wheel_ways) / 0.0975)
    assert last["velocity"] == pytest.approx([0.5 / 0.0975] * 2)


def test_a_battery_tells_its_voltage() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    shelf.subscribe("/battery_state")
    battery = stand.robots[0].battery
    assert battery is not None
    battery.volts = 11.5
    stand.run(1.1)
    assert shelf.messages("/battery_state")[-1]["voltage"] == 11.5


@pytest.mark.parametrize("heading", [0.0, 1.0, -2.5, 3.1])
def test_a_heading_survives_its_quaternion(heading: float) -> None:
    assert heading_of(quaternion(heading)) == pytest.approx(heading)


def test_a_quaternion_of_zeros_has_no_heading() -> None:
    assert heading_of({"x": 0.0, "y": 0.0, "z": 0.0, "w": 0.0}) is None
    assert heading_of({"x": 0.0, "y": 0.0, "z": math.nan, "w": 1.0}) is None


def test_an_oz_tells_what_its_own_devices_read() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "oz", "--no-noise")
    shelf.subscribe("/scan", "/imu/data", "/odom", "/joint_states")
    (robot,) = stand.robots
    for _ in range(60):
        shelf.send("/cmd_vel", linear={"x": 0.2}, angular={"z": 0.3})
        stand.step()
    (imu,) = robot.units(IMU)
    assert not imu.on
    felt = shelf.messages("/imu/data")[-1]
    assert felt["angular_velocity"]["z"] == pytest.approx(robot.velocity[2], abs=0.02)
    assert felt["linear_acceleration"]["z"] == pytest.approx(9.81, abs=0.05)
    assert (robot.velocity[0], robot.velocity[2]) == pytest.approx((0.2, 0.3), abs=0.01)
    assert len(shelf.messages("/scan")[-1]["ranges"]) == robot.lasers[0].count > 0
    assert shelf.messages("/odom")[-1]["pose"]["pose"]["position"]["x"] == pytest.approx(robot.odometry.x, abs=0.05)


def test_a_receiver_without_a_fix_says_so() -> None:
    stand, shelf, _ = stand_with_ros("-r", "oz", "-m", "building.map", "--start", "1000,1000,0", "--no-noise")
    shelf.subscribe("/fix")
    stand.robots[0].place(5.0, 5.0, 0.0)  # where the map says that GPS is bad
    stand.run(1.1)
    assert shelf.messages("/fix")[-1]["status"]["status"] == -1
    stand.robots[0].place(-500.0, -500.0, 0.0)
    stand.run(1.1)
    told = shelf.messages("/fix")[-1]
    georeference = stand.simulation.world.georeference
    assert georeference is not None
    assert (told["latitude"], told["longitude"]) == pytest.approx(georeference.at(-500.0, -500.0)[:2], abs=1e-6)
