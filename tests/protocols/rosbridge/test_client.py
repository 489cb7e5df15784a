"""The client's end, talking to our server's end without a socket."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.rosbridge import events
from mobilesim_py.protocols.rosbridge.client import ClientSession
from mobilesim_py.protocols.rosbridge.publication import Publication
from mobilesim_py.protocols.rosbridge.server import ServerSession
from mobilesim_py.protocols.rosbridge.session import Session

ROS1 = interfaces(Dialect.ROS1)
SCAN = ROS1.message("sensor_msgs/LaserScan")
SET_BOOL = ROS1.service("std_srvs/SetBool")
NAVIGATE = ROS1.action("nav2_msgs/NavigateToPose")


@pytest.fixture
def ends() -> tuple[ClientSession, ServerSession]:
    return ClientSession(), ServerSession(ROS1)


def carry(source: Session, target: Session) -> list[events.Event]:
    """Carry all frames over and return what they meant."""
    for frame in source.data_to_send(0.0):
        target.receive_data(frame)
    return target.events()


@pytest.mark.parametrize(
    ("compression", "fragment_size"), [("none", None), ("none", 50), ("png", None), ("png", 40), ("cbor", None)]
)
def test_a_message_arrives_in_every_form(ends, compression, fragment_size):
    client, server = ends
    number = client.subscribe("/scan", "sensor_msgs/LaserScan", compression, fragment_size=fragment_size)
    assert carry(client, server) == [events.Subscribed("/scan", "sensor_msgs/LaserScan", compression, number)]
    message = SCAN.make(ranges=np.array([1.0, 2.0], "f4"))
    server.publish(Publication("/scan", SCAN, message, Time()))
    (published,) = carry(server, client)
    assert published.topic == "/scan"
    assert SCAN.fill(published.message, Time())["ranges"].tolist() == [1.0, 2.0]
    client.unsubscribe("/scan", number)
    assert carry(client, server) == [events.Unsubscribed("/scan", number)]


def test_a_raw_message_is_the_bytes_of_ros(ends):
    client, server = ends
    client.subscribe("/scan", compression="cbor-raw", throttle_ms=100, queue_length=5)
    carry(client, server)
    server.publish(Publication("/scan", SCAN, SCAN.make(), Time(1, 2)))
    (published,) = carry(server, client)
    assert SCAN.deserialise(published.message["bytes"])["range_max"] == 0.0


def test_publishing_from_the_client(ends):
    client, server = ends
    client.advertise("/cmd_vel", "geometry_msgs/Twist")
    client.publish("/cmd_vel", {"linear": {"x": 0.2}})
    client.publish_cbor("/scan", {"ranges": np.array([1.5], "f4")})
    client.unadvertise("/cmd_vel")
    advertised, published, scan, unadvertised = carry(client, server)
    assert advertised == events.Advertised("/cmd_vel", "geometry_msgs/Twist", False, "advertise:/cmd_vel:1")
    assert published.message == {"linear": {"x": 0.2}}
    assert scan.message["ranges"].tolist() == [1.5]
    assert unadvertised == events.Unadvertised("/cmd_vel")


def test_calls_both_ways(ends):
    client, server = ends
    number = client.call("/enable_motors", {"data": True}, compression="png", fragment_size=64)
    (call,) = carry(client, server)
    server.respond(call, SET_BOOL, {"success": True, "message": "on"})
    assert carry(server, client) == [
        events.ServiceResponded("/enable_motors", {"success": True, "message": "on"}, True, number)
    ]
    client.call("/enable_motors")
    assert carry(client, server)[0].arguments == {}
    client.advertise_service("/set_ready", "std_srvs/SetBool")
    carry(client, server)
    number = server.call("/set_ready", SET_BOOL, {"data": False})
    (call,) = carry(server, client)
    assert call.arguments == {"data": False}
    client.respond(call, "not now", ok=False)
    assert carry(client, server) == [events.ServiceResponded("/set_ready", "not now", False, number)]
    client.unadvertise_service("/set_ready")
    assert carry(client, server) == [events.ServiceUnadvertised("/set_ready")]


def test_goals_both_ways(ends):
    client, server = ends
    number = client.send_goal("/navigate_to_pose", "nav2_msgs/action/NavigateToPose", {"pose": {}})
    (goal,) = carry(client, server)
    server.feedback(goal, NAVIGATE, NAVIGATE.feedback.make())
    client.cancel_goal("/navigate_to_pose", number)
    assert carry(client, server) == [events.GoalCancelled("/navigate_to_pose", number)]
    server.finish(goal, NAVIGATE, NAVIGATE.result.make(), 5, ok=False)
    feedback, result = carry(server, client)
    assert isinstance(feedback, events.FeedbackReceived)
    assert (result.status, result.ok, result.id) == (5, False, number)
    client.advertise_action("/dock", "nav2_msgs/NavigateToPose")
    carry(client, server)
    number = server.send_goal("/dock", NAVIGATE, NAVIGATE.goal.make())
    server.cancel_goal(number)
    goal, cancelled = carry(server, client)
    assert (goal.action, cancelled.id) == ("/dock", number)
    client.feedback(goal, {"distance_remaining": 1})
    client.finish(goal, {}, 4)
    assert [type(event) for event in carry(client, server)] == [events.FeedbackReceived, events.ResultReceived]
    client.unadvertise_action("/dock")
    assert carry(client, server) == [events.ActionUnadvertised("/dock")]


def test_status_words_come_after_they_were_asked_for(ends):
    client, server = ends
    client.authenticate(mac="x")
    client.set_level("error")
    carry(client, server)
    server.report("info", "nice to meet you")
    server.report("error", "no such topic", "7")
    assert carry(server, client) == [events.StatusReceived("error", "no such topic", "7")]


def test_the_broken_total_of_the_original_server_is_understood():
    client = ClientSession()
    text = json.dumps({"op": "status", "level": "info", "msg": "x" * 60})
    pieces = [text[start : start + 20] for start in range(0, len(text), 20)]
    for num, piece in enumerate(pieces):
        client.receive_data(json.dumps({"op": "fragment", "id": "1", "data": piece, "num": num, "total": len(text) / 20}))
    assert client.events() == [events.StatusReceived("info", "x" * 60)]


def test_a_png_may_come_in_numbered_pieces():
    client = ClientSession()
    server = ServerSession(ROS1)
    server.receive_data('{"op":"subscribe","topic":"/scan","compression":"png"}')
    server.publish(Publication("/scan", SCAN, SCAN.make(), Time()))
    (frame,) = server.data_to_send(0.0)
    data = json.loads(frame)["data"]
    for num, piece in enumerate((data[:30], data[30:])):
        client.receive_data(json.dumps({"op": "png", "id": "p", "data": piece, "num": num, "total": 2}))
    assert client.events()[0].topic == "/scan"


@settings(deadline=None)
@given(st.text(max_size=50) | st.binary(max_size=50))
def test_any_frames_are_events_or_mistakes(frame):
    client = ClientSession()
    client.receive_data(frame)
    assert all(isinstance(event, events.Mistake) for event in client.events())
