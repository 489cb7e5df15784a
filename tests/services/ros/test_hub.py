"""The table bound to robots: names and frames, and that messages are made only for those who want them."""

from __future__ import annotations

import pytest

from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.ros.hub import graph_name
from mobilesim_py.services.ros.rows import NAME_SETS
from tests.services.ros.carrying import TYPES, stand_with_ros

TWO = ("--nomap", "-r", "p3dx-sh-lms1xx:anna", "-r", "p3dx-sh-lms1xx:berta 2")


def test_one_robot_has_no_namespace_and_several_have_their_names() -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    assert {"/odom", "/cmd_vel", "/sonar", "/tf", "/map", "/clock", "/rosout"} <= set(shelf.hub.topics)
    assert {"/enable_motors", "/static_map", "/get_simulator_features"} <= set(shelf.hub.services)
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx:anna", "-r", "p3dx:b-2")
    assert {"/anna/odom", "/b_2/odom", "/tf"} <= set(shelf.hub.topics)
    assert "/odom" not in shelf.hub.topics


@pytest.mark.parametrize(
    ("name_set", "names"),
    [
        ("default", {"/odom": "nav_msgs/Odometry", "/sonar": "sensor_msgs/PointCloud"}),
        ("stage", {"/odom": "nav_msgs/Odometry", "/base_pose_ground_truth": "nav_msgs/Odometry"}),
        ("rosaria", {"/RosAria/pose": "nav_msgs/Odometry", "/RosAria/battery_voltage": "std_msgs/Float64"}),
        ("p2os", {"/pose": "nav_msgs/Odometry", "/sonar": "p2os_msgs/SonarArray", "/motor_state": "p2os_msgs/MotorState"}),
        ("trimbot", {"/odometry/filtered": "nav_msgs/Odometry", "/cmd_vel": "geometry_msgs/Twist"}),
    ],
)
def test_each_set_has_the_names_of_its_model(name_set: str, names: dict[str, str]) -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", name_set=name_set)
    assert {name: shelf.hub.topics[name].type for name in names} == names


def test_several_robots_of_stage_are_numbered() -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx:x", "-r", "p3dx:y", name_set="stage")
    assert {"/robot_0/odom", "/robot_1/odom"} <= set(shelf.hub.topics)


@pytest.mark.parametrize("name_set", NAME_SETS)
def test_every_topic_of_every_set_makes_messages_of_its_type(name_set: str) -> None:
    stand, shelf, _ = stand_with_ros(*TWO, name_set=name_set)
    shelf.subscribe(*shelf.hub.topics)
    stand.run(1.1)
    out = {name for name, topic in shelf.hub.topics.items() if topic.direction.value == "out"} - {"/rosout"}
    out = {name for name in out if not name.endswith(("/feedback", "/result"))}  # where nobody has a goal
    assert out == {name for name, _ in shelf.got}


def test_every_type_of_the_table_is_known() -> None:
    _, shelf, _ = stand_with_ros(*TWO)
    for topic in shelf.hub.topics.values():
        assert TYPES.message(topic.type).name == topic.type
    for service in shelf.hub.services.values():
        assert TYPES.service(service.type).name == service.type


def test_nothing_is_sensed_or_made_while_nobody_subscribes() -> None:
    stand, shelf, _ = stand_with_ros(*TWO)
    stand.run(1.0)
    assert shelf.got == []
    assert stand.simulation.known_readings(LASER) is None


def test_periods_are_kept_in_simulated_time() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", "--update-sim-time", "20")
    shelf.subscribe("/odom", "/clock", "/battery_state")
    stand.run(2.0)
    counts = [len(shelf.messages(topic)) for topic in ("/odom", "/clock", "/battery_state")]
    assert counts == pytest.approx([20, 100, 2], abs=1)


def test_a_robot_that_comes_later_gets_a_namespace_and_one_that_goes_takes_it_along() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    thing = stand.program.add_running("p3dx", "late")
    stand.step()
    assert {"/odom", "/late/odom"} <= set(shelf.hub.topics)
    assert shelf.changes
    stand.program.remove(thing)
    stand.step()
    assert "/late/odom" not in shelf.hub.topics
    assert "/odom" in shelf.hub.topics


def test_a_latched_topic_is_told_once_and_again_when_it_changes() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    shelf.subscribe("/motors_state", "/map")
    stand.run(1.0)
    shelf.call("/disable_motors")
    stand.run(1.0)
    assert [message["data"] for message in shelf.messages("/motors_state")] == [True, False]
    assert len(shelf.messages("/map")) == 1
    assert shelf.hub.latched("/motors_state") == {"data": False}
    assert shelf.hub.latched("/odom") is None


def test_rosout_tells_the_log_while_somebody_listens() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    stand.log.warning("before")
    shelf.subscribe("/rosout")
    stand.log.warning("look out", "p3dx")
    stand.step()
    stand.step()
    assert [(line["level"], line["msg"]) for line in shelf.messages("/rosout")] == [(4, "p3dx: look out")]


def test_an_unknown_service_is_answered_with_a_reason() -> None:
    _, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    answers = []
    shelf.hub.call("/nope", {}, lambda message, why: answers.append((message, why)))
    assert answers == [(None, "Service /nope does not exist")]


@pytest.mark.parametrize(
    ("name", "clean"), [("p3dx", "p3dx"), ("b-2", "b_2"), ("127.0.0.1", "robot_127_0_0_1"), ("é", "robot")]
)
def test_names_become_names_that_ros_takes(name: str, clean: str) -> None:
    assert graph_name(name) == clean


def test_who_subscribes_to_the_clock_while_time_stands_still_is_told_the_time() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    stand.run(1.0)
    stand.program.clock.pause()
    shelf.subscribe("/clock")
    (told,) = shelf.messages("/clock")
    assert told["clock"].seconds == pytest.approx(1.0)


def test_stamps_of_the_wall_clock_at_another_speed_are_warned_of_once() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", simulated_time=False)
    shelf.subscribe("/odom")
    stand.run(0.3)
    stand.program.clock.set_speed(10.0)
    stand.run(0.3)
    said = [line.text for line in stand.program.log.recent() if "--ros-time sim" in line.text]
    assert len(said) == 1


def test_what_clients_are_denied_is_refused_with_the_reason() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", denied=frozenset({Permission.POSE, Permission.MAPS}))
    before = stand.robots[0].pose
    shelf.send("/initialpose", pose={"pose": {"position": {"x": 9.0}}})
    assert stand.robots[0].pose == before
    answers = []
    for service in ("/reset", "/load_world", "/spawn_entity", "/delete_entity", "/set_entity_state"):
        request = TYPES.service(shelf.hub.services[service].type).request.make()
        shelf.hub.call(service, request, lambda message, why: answers.append((message, why)))
    assert [message for message, _ in answers] == [None] * 5
    assert answers[1][1] == "clients must not load another map (--deny maps)"
    shelf.send("/cmd_vel", linear={"x": 0.3})
    stand.run(0.5)
    assert stand.robots[0].velocity[0] > 0.0
