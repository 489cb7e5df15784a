"""The master: registrations, updates, parameters, dead nodes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros1 import master as module
from mobilesim_py.protocols.ros1.master import Master, NodeCall
from mobilesim_py.protocols.ros1.xmlrpc import CallError, build_call, parse_answer, parse_status

URI = "http://127.0.0.1:11311/"
SIM, RVIZ, BAG = "http://h:1/", "http://h:2/", "http://h:3/"


@pytest.fixture
def master() -> Master:
    return Master(URI, 99, {"/use_sim_time": True, "/rosdistro": "noetic\n"})


def ask(master: Master, method: str, *parameters):
    return parse_answer(master.answer(build_call(method, parameters)))


def value(master: Master, method: str, *parameters):
    return parse_status(master.answer(build_call(method, parameters)))


def test_publishers_and_subscribers_find_each_other(master):
    assert value(master, "registerSubscriber", "/rviz", "/odom", "*", RVIZ) == []
    assert ask(master, "registerPublisher", "/sim", "/odom", "nav_msgs/Odometry", SIM) == [
        1,
        "Registered [/sim] as publisher of [/odom]",
        [RVIZ],
    ]
    assert master.calls() == [NodeCall("/rviz", RVIZ, "publisherUpdate", ("/master", "/odom", [SIM]))]
    assert value(master, "registerSubscriber", "/bag", "/odom", "nav_msgs/Odometry", BAG) == [SIM]
    assert master.calls() == []


def test_every_change_of_publishers_is_told_to_each_subscriber(master):
    for node, api in (("/rviz", RVIZ), ("/bag", BAG)):
        value(master, "registerSubscriber", node, "/odom", "*", api)
    value(master, "registerPublisher", "/sim", "/odom", "nav_msgs/Odometry", SIM)
    master.calls()
    assert value(master, "unregisterPublisher", "/sim", "/odom", SIM) == 1
    assert [(call.node, call.parameters[2]) for call in master.calls()] == [("/rviz", []), ("/bag", [])]
    assert value(master, "unregisterPublisher", "/sim", "/odom", SIM) == 0


def test_the_state_of_the_graph_is_told(master):
    value(master, "registerPublisher", "/sim", "odom", "nav_msgs/Odometry", SIM)
    value(master, "registerPublisher", "/sim", "/robot/scan", "*", SIM)
    value(master, "registerPublisher", "/sim", "/robot/scan", "sensor_msgs/LaserScan", SIM)
    value(master, "registerPublisher", "/sim", "/robot/scan", "*", SIM)
    value(master, "registerSubscriber", "/sim", "/cmd_vel", "geometry_msgs/Twist", SIM)
    value(master, "registerService", "/sim", "/static_map", "rosrpc://h:5", SIM)
    assert value(master, "getSystemState", "/x") == [
        [["/odom", ["/sim"]], ["/robot/scan", ["/sim"]]],
        [["/cmd_vel", ["/sim"]]],
        [["/static_map", ["/sim"]]],
    ]
    assert value(master, "getPublishedTopics", "/x", "") == [
        ["/odom", "nav_msgs/Odometry"],
        ["/robot/scan", "sensor_msgs/LaserScan"],
    ]
    assert value(master, "getPublishedTopics", "/x", "/robot") == [["/robot/scan", "sensor_msgs/LaserScan"]]
    assert ["/cmd_vel", "geometry_msgs/Twist"] in value(master, "getTopicTypes", "/x")
    assert value(master, "lookupNode", "/x", "/sim") == SIM
    assert value(master, "lookupService", "/x", "/static_map") == "rosrpc://h:5"
    assert value(master, "getUri", "/x") == URI
    assert value(master, "getPid", "/x") == 99
    for method in ("lookupNode", "lookupService"):
        with pytest.raises(CallError):
            value(master, method, "/x", "/nope")


def test_a_node_that_takes_all_back_is_forgotten(master):
    value(master, "registerPublisher", "/sim", "/odom", "nav_msgs/Odometry", SIM)
    value(master, "registerSubscriber", "/sim", "/cmd_vel", "geometry_msgs/Twist", SIM)
    value(master, "registerService", "/sim", "/static_map", "rosrpc://h:5", SIM)
    assert value(master, "unregisterSubscriber", "/sim", "/cmd_vel", SIM) == 1
    assert value(master, "unregisterSubscriber", "/sim", "/cmd_vel", SIM) == 0
    assert value(master, "unregisterPublisher", "/sim", "/odom", SIM) == 1
    assert value(master, "unregisterService", "/sim", "/static_map", "rosrpc://h:6") == 0
    assert value(master, "lookupNode", "/x", "/sim") == SIM
    assert value(master, "unregisterService", "/sim", "/static_map", "rosrpc://h:5") == 1
    assert ask(master, "lookupNode", "/x", "/sim")[0] == -1
    assert value(master, "getTopicTypes", "/x") == []


def test_a_second_node_of_the_same_name_ends_the_first(master):
    value(master, "registerSubscriber", "/rviz", "/odom", "*", RVIZ)
    value(master, "registerPublisher", "/sim", "/odom", "nav_msgs/Odometry", SIM)
    master.calls()
    value(master, "registerPublisher", "/sim", "/odom", "nav_msgs/Odometry", "http://h:9/")
    shutdown, gone, new = master.calls()
    assert (shutdown.api, shutdown.method) == (SIM, "shutdown")
    assert gone.parameters == ("/master", "/odom", [])
    assert new.parameters == ("/master", "/odom", ["http://h:9/"])
    assert value(master, "unregisterPublisher", "/sim", "/odom", SIM) == 0


def test_a_dead_node_leaves_nothing_behind(master):
    value(master, "registerSubscriber", "/rviz", "/odom", "*", RVIZ)
    for node, api in (("/sim", SIM), ("/bag", BAG)):
        value(master, "registerPublisher", node, "/odom", "nav_msgs/Odometry", api)
    value(master, "registerSubscriber", "/sim", "/cmd_vel", "geometry_msgs/Twist", SIM)
    value(master, "registerService", "/sim", "/static_map", "rosrpc://h:5", SIM)
    value(master, "registerService", "/bag", "/pause", "rosrpc://h:6", BAG)
    value(master, "subscribeParam", "/sim", SIM, "/use_sim_time")
    master.calls()
    master.drop_node("/sim")
    assert master.calls() == [NodeCall("/rviz", RVIZ, "publisherUpdate", ("/master", "/odom", [BAG]))]
    assert value(master, "getSystemState", "/x") == [[["/odom", ["/bag"]]], [["/odom", ["/rviz"]]], [["/pause", ["/bag"]]]]
    assert value(master, "getTopicTypes", "/x") == [["/odom", "nav_msgs/Odometry"]]
    master.drop_node("/never_there")


def test_parameters_are_set_got_searched_and_deleted(master):
    assert value(master, "getParam", "/x", "/use_sim_time") is True
    assert value(master, "setParam", "/ns/node", "~gain", 2.5) == 0
    assert value(master, "setParam", "/ns/node", "shared", [1, 2]) == 0
    assert value(master, "getParam", "/x", "/ns") == {"node": {"gain": 2.5}, "shared": [1, 2]}
    assert value(master, "hasParam", "/x", "/ns/shared") is True
    assert value(master, "searchParam", "/ns/node", "shared") == "/ns/shared"
    assert value(master, "getParamNames", "/x") == ["/ns/node/gain", "/ns/shared", "/rosdistro", "/use_sim_time"]
    assert value(master, "deleteParam", "/x", "/ns") == 0
    assert value(master, "hasParam", "/x", "/ns/shared") is False
    for method in ("getParam", "deleteParam", "searchParam"):
        assert ask(master, method, "/x", "/ns/shared")[0] == -1
    assert ask(master, "setParam", "/x", "/", 5)[0] == -1


def test_who_subscribed_to_a_parameter_hears_of_it_but_not_of_its_own_doing(master):
    assert value(master, "subscribeParam", "/rviz", RVIZ, "/robot") == {}
    assert value(master, "subscribeParam", "/bag", BAG, "/robot/speed") == {}
    assert value(master, "subscribeParam", "/sim", SIM, "/use_sim_time") is True
    value(master, "setParam", "/x", "/robot/speed", 0.5)
    assert [(call.node, call.parameters) for call in master.calls()] == [
        ("/rviz", ("/master", "/robot/speed/", 0.5)),
        ("/bag", ("/master", "/robot/speed/", 0.5)),
    ]
    value(master, "setParam", "/rviz", "/robot", {"speed": 1.0})
    assert [(call.node, call.parameters) for call in master.calls()] == [("/bag", ("/master", "/robot/speed", 1.0))]
    value(master, "deleteParam", "/x", "/robot")
    assert [(call.node, call.parameters) for call in master.calls()] == [
        ("/rviz", ("/master", "/robot/", {})),
        ("/bag", ("/master", "/robot/speed", {})),
    ]
    master.set_parameter("/use_sim_time", False)
    assert master.calls() == [NodeCall("/sim", SIM, "paramUpdate", ("/master", "/use_sim_time/", False))]
    assert value(master, "unsubscribeParam", "/sim", SIM, "/use_sim_time") == 1
    assert value(master, "unsubscribeParam", "/sim", SIM, "/use_sim_time") == 0
    master.set_parameter("/use_sim_time", True)
    assert master.calls() == []


def test_many_calls_may_come_in_one(master):
    calls = [
        {"methodName": "setParam", "params": ["/l", "/a", 1]},
        {"methodName": "getParam", "params": ["/l", "/a"]},
        {"x": 1},
    ]
    assert ask(master, "system.multicall", calls) == [
        [[1, "parameter /a set", 0]],
        [[1, "Parameter [/a]", 1]],
        [[-1, "a call has methodName and params", 0]],
    ]
    assert ask(master, "system.multicall", 5)[0] == -1
    nested = [{"methodName": "system.multicall", "params": [[]]}]
    assert ask(master, "system.multicall", nested)[0][0][0] == -1


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("registerPublisher", ["/a b", "/t", "x/Y", SIM]),
        ("registerPublisher", ["/a", "/t", "", SIM]),
        ("registerPublisher", ["/a", "/t", "x/Y", "ftp://h:1/"]),
        ("registerService", ["/a", "/s", "http://h:1/", SIM]),
        ("registerSubscriber", ["/a", 5, "x/Y", SIM]),
        ("getParam", ["/a"]),
        ("nonsense", []),
    ],
)
def test_wrong_calls_are_errors_and_leave_no_trace(master, method, parameters):
    assert ask(master, method, *parameters)[0] == -1
    assert value(master, "getSystemState", "/x") == [[], [], []]
    assert master.nodes == {}


def test_registrations_are_bounded(master, monkeypatch):
    monkeypatch.setattr(module, "MOST_REGISTRATIONS", 10)
    for number in range(20):
        ask(master, "registerPublisher", "/sim", f"/t{number}", "x/Y", SIM)
    assert len(master.publishers) == 9
    for method, extra in (
        ("registerSubscriber", ["/t", "x/Y", SIM]),
        ("registerService", ["/s", "rosrpc://h:1", SIM]),
        ("subscribeParam", [SIM, "/p"]),
    ):
        assert "keeps 10 registrations" in ask(master, method, "/sim", *extra)[1]


METHODS = list(Master(URI)._methods)
WORDS = st.sampled_from(["/a", "/b", "/", "", "~x", "x/Y", "*", SIM, RVIZ, "rosrpc://h:1", 5, {"a": {"b": 1}}, [], True])


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(METHODS), st.lists(WORDS, max_size=4)), max_size=12))
def test_any_calls_get_an_answer_and_keep_the_tables_sound(calls):
    master = Master(URI)
    for method, parameters in calls:
        answer = ask(master, method, *parameters)
        assert len(answer) == 3
        for call in master.calls():
            build_call(call.method, call.parameters)
    for table in (master.publishers, master.subscribers, master.listeners):
        assert all(node in master.nodes for nodes in table.values() for node in nodes)
        assert all(table.values())
    assert set(master.publishers) <= set(master.types)
