"""rosapi: the answers that the original server gave to the same questions."""

from __future__ import annotations

import json

import pytest

from mobilesim_py.protocols.ros.errors import RosError, UnknownTypeError, WireError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros1.parameters import Parameters
from mobilesim_py.protocols.rosbridge.rosapi import ROSAPI, Graph, ServiceFacts, TopicFacts, answer

ROS1 = interfaces(Dialect.ROS1)


def made(dialect: Dialect) -> Graph:
    parameters = Parameters()
    parameters.set("/rosdistro", "noetic\n")
    parameters.set("/robot/speed", 0.5)
    return Graph(
        interfaces(dialect),
        parameters,
        {
            "/odom": TopicFacts("nav_msgs/Odometry", ["/mobilesim"], ["/rviz"]),
            "/cmd_vel": TopicFacts("geometry_msgs/Twist", [], ["/mobilesim"]),
            "/odd": TopicFacts("other_msgs/Odd", ["/other"]),
        },
        {"/static_map": ServiceFacts("nav_msgs/GetMap", "/mobilesim", "robot.local")},
        ["/move_base"],
        Time(1795008521, 34182548),
    )


@pytest.fixture
def graph() -> Graph:
    return made(Dialect.ROS1)


def ask(graph: Graph, service: str, /, **fields):
    """Return the values of an answer as a client gets them."""
    kind = graph.table.service(ROSAPI[f"/rosapi/{service}"].type)
    request = kind.request.fill(fields, Time())
    return kind.response.to_json(answer(f"/rosapi/{service}", graph, request))


def test_the_recorded_answers(graph):
    assert ask(graph, "topic_type", topic="/odom") == {"type": "nav_msgs/Odometry"}
    assert ask(graph, "topic_type", topic="/nope") == {"type": ""}
    assert ask(graph, "get_time") == {"time": {"secs": 1795008521, "nsecs": 34182548}}
    assert ask(graph, "get_param", name="/rosdistro") == {"value": '"noetic\\n"'}
    assert ask(graph, "node_details", node="/mobilesim") == {
        "subscribing": ["/cmd_vel"],
        "publishing": ["/odom"],
        "services": ["/static_map"],
    }
    assert ask(graph, "nodes") == {"nodes": ["/mobilesim", "/other", "/rviz"]}
    assert ask(graph, "topics") == {
        "topics": ["/odom", "/cmd_vel", "/odd"],
        "types": ["nav_msgs/Odometry", "geometry_msgs/Twist", "other_msgs/Odd"],
    }
    twist, vector = ask(graph, "message_details", type="geometry_msgs/Twist")["typedefs"]
    assert twist == {
        "type": "geometry_msgs/Twist",
        "fieldnames": ["linear", "angular"],
        "fieldtypes": ["geometry_msgs/Vector3"] * 2,
        "fieldarraylen": [-1, -1],
        "examples": ["{}", "{}"],
        "constnames": [],
        "constvalues": [],
    }
    assert vector["examples"] == ["0.0"] * 3


def test_types_are_spelled_as_the_dialect_does():
    graph = made(Dialect.ROS2)
    assert ask(graph, "topic_type", topic="/odom") == {"type": "nav_msgs/msg/Odometry"}
    assert ask(graph, "service_type", service="/static_map") == {"type": "nav_msgs/srv/GetMap"}
    assert ask(graph, "get_ros_version") == {"version": 2, "distro": "noetic"}
    assert ask(graph, "get_time")["time"].keys() == {"sec", "nanosec"}
    assert ask(graph, "get_param", name="/nope", default_value="7") == {"value": "7"}
    header = ask(graph, "message_details", type="std_msgs/msg/Header")["typedefs"]
    assert header[1]["type"] == "builtin_interfaces/Time"
    assert header[1]["fieldnames"] == ["sec", "nanosec"]


def test_topics_come_with_the_text_of_their_types(graph):
    texts = ask(graph, "topics_and_raw_types")["typedefs_full_text"]
    assert texts == [ROS1.message("nav_msgs/Odometry").full_text, ROS1.message("geometry_msgs/Twist").full_text, ""]


def test_questions_about_types_take_both_spellings(graph):
    for name in ("nav_msgs/Odometry", "nav_msgs/msg/Odometry"):
        assert ask(graph, "topics_for_type", type=name) == {"topics": ["/odom"]}
    assert ask(graph, "topics_for_type", type="nonsense") == {"topics": []}
    assert ask(graph, "services_for_type", type="nav_msgs/GetMap") == {"services": ["/static_map"]}


def test_questions_about_services_and_topics(graph):
    assert ask(graph, "services") == {"services": ["/static_map"]}
    assert ask(graph, "service_type", service="/static_map") == {"type": "nav_msgs/GetMap"}
    assert ask(graph, "service_type", service="/nope") == {"type": ""}
    assert ask(graph, "service_node", service="static_map") == {"node": "/mobilesim"}
    assert ask(graph, "service_node", service="/nope") == {"node": ""}
    assert ask(graph, "service_host", service="/static_map") == {"host": "robot.local"}
    assert ask(graph, "service_host", service="/nope") == {"host": ""}
    assert ask(graph, "service_providers", service="/static_map") == {"providers": ["/mobilesim"]}
    assert ask(graph, "service_providers", service="nav_msgs/GetMap") == {"providers": ["/mobilesim"]}
    assert ask(graph, "publishers", topic="/odom") == {"publishers": ["/mobilesim"]}
    assert ask(graph, "publishers", topic="/nope") == {"publishers": []}
    assert ask(graph, "subscribers", topic="/odom") == {"subscribers": ["/rviz"]}
    assert ask(graph, "subscribers", topic="/nope") == {"subscribers": []}
    assert ask(graph, "action_servers") == {"action_servers": ["/move_base"]}
    assert ask(graph, "get_ros_version") == {"version": 1, "distro": "noetic"}


def test_parameters_travel_as_json_in_texts(graph):
    assert ask(graph, "set_param", name="/gain", value="[1, 2.5]") == {}
    assert graph.parameters.get("/gain") == [1, 2.5]
    assert ask(graph, "get_param", name="gain") == {"value": "[1, 2.5]"}
    assert ask(graph, "get_param", name="/robot") == {"value": '{"speed": 0.5}'}
    assert ask(graph, "get_param", name="/nope") == {"value": "null"}
    assert ask(graph, "get_param", name="/nope", default="5") == {"value": "5"}
    assert ask(graph, "get_param", name="/nope", default="plain words") == {"value": '"plain words"'}
    assert ask(graph, "has_param", name="/gain") == {"exists": True}
    assert ask(graph, "get_param_names") == {"names": ["/gain", "/robot/speed", "/rosdistro"]}
    assert ask(graph, "search_param", name="gain") == {"global_name": "/gain"}
    assert ask(graph, "search_param", name="nope") == {"global_name": ""}
    assert ask(graph, "delete_param", name="/gain") == {}
    assert ask(graph, "delete_param", name="/gain") == {}
    assert ask(graph, "has_param", name="/gain") == {"exists": False}
    with pytest.raises(WireError, match="JSON in a text"):
        ask(graph, "set_param", name="/gain", value="{")


def test_details_of_both_halves_of_a_service(graph):
    (request,) = ask(graph, "service_request_details", type="std_srvs/SetBool")["typedefs"]
    (response,) = ask(graph, "service_response_details", type="std_srvs/srv/SetBool")["typedefs"]
    assert (request["type"], request["fieldnames"]) == ("std_srvs/SetBoolRequest", ["data"])
    assert (response["type"], response["fieldnames"]) == ("std_srvs/SetBoolResponse", ["success", "message"])


def test_what_does_not_exist_is_an_error_with_the_words_of_the_original(graph):
    with pytest.raises(RosError, match="Service /nope does not exist"):
        answer("/nope", graph, {})
    for service in ("message_details", "service_request_details", "service_response_details"):
        with pytest.raises(UnknownTypeError):
            ask(graph, service, type="no/Such")


@pytest.mark.parametrize("dialect", Dialect)
def test_every_service_answers_an_empty_question_with_its_own_type_or_an_error_of_ours(dialect):
    graph = made(dialect)
    for name in ROSAPI:
        try:
            json.dumps(ask(graph, name.removeprefix("/rosapi/")))
        except RosError:
            continue
