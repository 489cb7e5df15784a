"""The API of our node, asked as other nodes ask it."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1.slave import (
    BusLink,
    ParameterChanged,
    PublishersChanged,
    ShutdownRequested,
    Slave,
    parse_topic_address,
)
from mobilesim_py.protocols.ros1.xmlrpc import CallError, build_answer, build_call, parse_answer, parse_status

MASTER = "http://10.0.0.1:11311/"


@pytest.fixture
def slave() -> Slave:
    return Slave(
        "/mobilesim",
        MASTER,
        4242,
        pid=17,
        publications={"/odom": "nav_msgs/Odometry"},
        subscriptions={"/cmd_vel": "geometry_msgs/Twist"},
    )


def ask(slave: Slave, method: str, *parameters):
    return parse_answer(slave.answer(build_call(method, parameters), "192.168.1.5"))


def test_a_topic_is_at_the_host_under_which_the_peer_reached_us(slave):
    assert ask(slave, "requestTopic", "/rviz", "/odom", [["TCPROS"]]) == [1, "ready on", ["TCPROS", "192.168.1.5", 4242]]
    body = slave.answer(build_call("requestTopic", ["/rviz", "/odom", [["UDPROS", 1], ["TCPROS"]]]), "192.168.1.5")
    assert parse_topic_address(body) == ("192.168.1.5", 4242)


@pytest.mark.parametrize(
    ("topic", "protocols"), [("/nope", [["TCPROS"]]), ("/odom", [["UDPROS"]]), ("/odom", []), ("/odom", ["TCPROS", [], 7])]
)
def test_a_topic_that_cannot_be_had_is_a_failure(slave, topic, protocols):
    assert ask(slave, "requestTopic", "/rviz", topic, protocols)[0] == 0
    with pytest.raises(CallError):
        parse_topic_address(slave.answer(build_call("requestTopic", ["/rviz", topic, protocols]), "h"))


@pytest.mark.parametrize("value", [["UDPROS", "h", 1], ["TCPROS", "h", 0], ["TCPROS", "h", 70000], ["TCPROS"], 7])
def test_an_address_that_is_none_is_refused(value):
    with pytest.raises(WireError):
        parse_topic_address(build_answer([1, "", value]))


def test_the_node_tells_about_itself(slave):
    assert ask(slave, "getPid", "/x") == [1, "", 17]
    assert ask(slave, "getMasterUri", "/x") == [1, "", MASTER]
    assert ask(slave, "getPublications", "/x")[2] == [["/odom", "nav_msgs/Odometry"]]
    assert ask(slave, "getSubscriptions", "/x")[2] == [["/cmd_vel", "geometry_msgs/Twist"]]


def test_the_links_are_listed(slave):
    slave.links = [
        BusLink(1, "/rviz", True, "/odom", 100, 2),
        BusLink(2, "/bag", True, "/odom", 50, 1),
        BusLink(3, "/teleop", False, "/cmd_vel", 48, 1),
    ]
    assert ask(slave, "getBusInfo", "/x")[2][2] == [3, "/teleop", "i", "TCPROS", "/cmd_vel", True, "TCPROS with /teleop"]
    sent, heard, services = ask(slave, "getBusStats", "/x")[2]
    assert sent == [["/odom", 150, [[1, 100, 2, True], [2, 50, 1, True]]]]
    assert heard == [["/cmd_vel", [[3, 48, 1, True]]]]
    assert services == [0, 0, 0]


def test_what_the_master_tells_becomes_events(slave):
    assert ask(slave, "publisherUpdate", "/master", "/cmd_vel", ["http://h:1/", "nonsense", 5]) == [1, "", 0]
    ask(slave, "publisherUpdate", "/master", "/not_ours", ["http://h:1/"])
    ask(slave, "paramUpdate", "/master", "/use_sim_time/", True)
    ask(slave, "shutdown", "/rosnode", "user request")
    ask(slave, "shutdown", "/old")
    assert slave.events() == [
        PublishersChanged("/cmd_vel", ("http://h:1/",)),
        ParameterChanged("/use_sim_time", True),
        ShutdownRequested("/rosnode", "user request"),
        ShutdownRequested("/old", ""),
    ]
    assert slave.events() == []


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("nope", []),
        ("getPid", []),
        ("getPid", [1]),
        ("requestTopic", ["/x", "/odom", 5]),
        ("publisherUpdate", ["/x", "/a b", []]),
    ],
)
def test_wrong_calls_are_errors_and_change_nothing(slave, method, parameters):
    assert ask(slave, method, *parameters)[0] == -1
    assert slave.events() == []


def test_a_body_that_is_no_call_gets_a_fault(slave):
    with pytest.raises(CallError):
        parse_status(slave.answer(b"rubbish", "h"))
