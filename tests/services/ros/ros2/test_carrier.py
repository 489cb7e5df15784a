"""ROS 2 without ROS 2: topics and services of the table as a node has them, in bytes that are CDR."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from mobilesim_py.app.service_table import SERVICES, ServiceRow
from mobilesim_py.errors import EmulationError, ExitCode
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.services.ros.ros2.carrier import LOOK_EVERY, MOST_WAITING, Ros2Carrier
from mobilesim_py.services.ros.ros2.node import Quality
from mobilesim_py.services.ros.service import RosService
from mobilesim_py.testing import Stand
from tests.services.ros.ros2.fake_node import FakeNode

TYPES = interfaces(Dialect.ROS2)


class Graph:
    """A program in a graph of ROS 2."""

    def __init__(self, *words: str, missing: tuple[str, ...] = ()) -> None:
        self.node = FakeNode(missing)

        def make(stage: Any, options: Any) -> RosService:
            return RosService(stage, [Ros2Carrier(stage, lambda: self.node)], simulated_time=True)

        row = ServiceRow("ROS", make, serves=lambda model: False, is_always_there=True)
        self.stand = Stand("--nomap", *words, services=(*SERVICES, row))
        self.stand.step()

    def subscribe(self, topic: str) -> None:
        self.node.publishers[topic].subscribers += 1
        self.stand.wait(LOOK_EVERY)

    def messages(self, topic: str) -> list[Any]:
        publisher = self.node.publishers[topic]
        return [TYPES.message(publisher.kind).deserialise(data) for data in publisher.sent]

    def send(self, topic: str, **fields: Any) -> None:
        there = self.node.subscriptions[topic]
        kind = TYPES.message(there.kind)
        there.take(kind.serialise(kind.fill(fields, Time())))

    def call(self, service: str, **fields: Any) -> Any:
        there = self.node.services[service]
        kind = TYPES.service(there.kind)
        answers: list[bytes] = []
        there.serve(kind.request.serialise(kind.request.fill(fields, Time())), answers.append)
        (answer,) = answers
        return kind.response.deserialise(answer)


@pytest.mark.skipif(importlib.util.find_spec("rclpy") is not None, reason="there is a ROS 2 here")
def test_without_rclpy_a_sentence_says_what_to_do() -> None:
    with pytest.raises(EmulationError, match="source /opt/ros/jazzy") as caught:
        Stand("--nomap", "--ros2")
    assert caught.value.exit_code is ExitCode.EMULATION


def test_only_what_somebody_subscribes_to_is_sent() -> None:
    graph = Graph("-r", "p3dx-sh")
    graph.stand.run(0.5)
    assert not graph.node.publishers["/scan"].sent
    graph.subscribe("/scan")
    graph.subscribe("/odom")
    graph.stand.run(1.0)
    scans = graph.messages("/scan")
    assert len(scans) == 10
    assert len(scans[0]["ranges"]) == 181
    assert graph.messages("/odom")[-1]["child_frame_id"] == "base_link"
    graph.node.publishers["/scan"].subscribers = 0
    graph.stand.wait(LOOK_EVERY)
    graph.stand.run(1.0)
    assert len(graph.node.publishers["/scan"].sent) == 10


def test_qualities_are_such_that_everybody_matches() -> None:
    graph = Graph()
    assert graph.node.publishers["/odom"].quality is Quality.RELIABLE
    assert graph.node.publishers["/map"].quality is Quality.LATCHED
    assert graph.node.publishers["/tf_static"].quality is Quality.LATCHED
    assert graph.node.subscriptions["/cmd_vel"].quality is Quality.BEST_EFFORT
    assert graph.node.subscriptions["/initialpose"].quality is Quality.RELIABLE


def test_latched_topics_are_sent_at_once_and_when_they_change() -> None:
    graph = Graph("-r", "p3dx")
    assert len(graph.messages("/map")) == 1
    assert graph.messages("/motors_state")[-1]["data"] is True
    graph.stand.robots[0].motors = False
    graph.stand.step()
    assert graph.messages("/motors_state")[-1]["data"] is False
    assert len(graph.messages("/map")) == 1


def test_velocities_are_obeyed_also_with_the_padding_of_other_writers() -> None:
    graph = Graph("-r", "p3dx")
    graph.stand.robots[0].motors = True
    graph.send("/cmd_vel", linear={"x": 0.3})
    graph.stand.run(0.5)
    assert graph.stand.robots[0].velocity[0] > 0.1
    response = graph.node.services["/set_motors"]
    answers: list[bytes] = []
    response.serve(b"\x00\x01\x00\x00" + b"\x00" * 4, answers.append)
    assert graph.stand.robots[0].motors is False


@pytest.mark.parametrize("data", [b"", b"\x00", b"\x00\x01\x00\x00", b"\xff" * 48, b"\x00\x01\x00\x00" + b"\xff" * 4000])
def test_bytes_that_make_no_sense_are_logged_and_not_obeyed(data: bytes) -> None:
    graph = Graph("-r", "p3dx")
    for topic in graph.node.subscriptions.values():
        topic.take(data)
    for service in graph.node.services.values():
        service.serve(data, lambda answer: None)
    graph.stand.run(0.5)
    assert graph.stand.robots[0].velocity == (0.0, 0.0, 0.0)
    assert graph.stand.logged("ROS 2: /cmd_vel: ")


def test_messages_that_come_faster_than_steps_are_bounded() -> None:
    graph = Graph("-r", "p3dx")
    waiting: list[Any] = []
    graph.stand.program.clock.call_soon = waiting.append
    for _ in range(2 * MOST_WAITING):
        graph.send("/cmd_vel", linear={"x": 0.3})
    assert len(waiting) == MOST_WAITING
    for call in waiting:
        call()
    graph.send("/cmd_vel", linear={"x": 0.3})
    assert len(waiting) == MOST_WAITING + 1


def test_services_are_served_and_failures_say_why() -> None:
    graph = Graph("-r", "p3dx")
    assert graph.call("/set_motors", data=True) == {"success": True, "message": ""}
    assert graph.call("/step")["success"] is False
    assert graph.call("/delete_entity", entity="nobody")["result"]["error_message"]


def test_robots_that_come_and_go_are_in_the_graph_and_out_of_it() -> None:
    graph = Graph("-r", "p3dx:a", "-r", "p3dx:b")
    assert "/a/odom" in graph.node.publishers
    graph.stand.program.remove(graph.stand.robots[0])
    graph.stand.step()
    assert "/a/odom" not in graph.node.publishers
    assert "/a/cmd_vel" not in graph.node.subscriptions
    graph.stand.program.add_running("p3dx", "c")
    graph.stand.step()
    assert "/c/odom" in graph.node.publishers
    assert "/c/reset" in graph.node.services


def test_types_that_are_not_installed_are_left_out() -> None:
    graph = Graph("-r", "p3dx", missing=("tf2_msgs", "std_srvs", "geometry_msgs"))
    assert "/tf" not in graph.node.publishers
    assert "/odom" in graph.node.publishers
    assert "/set_motors" not in graph.node.services
    graph.stand.run(0.5)


def test_the_log_goes_to_rosout_in_the_words_of_ros_2() -> None:
    graph = Graph()
    graph.subscribe("/rosout")
    graph.stand.log.warning("Look out.")
    graph.stand.step()
    assert graph.node.publishers["/rosout"].kind == "rcl_interfaces/Log"
    assert graph.messages("/rosout")[-1]["msg"].endswith("Look out.")


def test_the_end_closes_the_node() -> None:
    graph = Graph()
    graph.stand.program.close()
    assert graph.node.closed
    graph.stand.wait(LOOK_EVERY)
    graph.send("/cmd_vel", linear={"x": 0.3})
