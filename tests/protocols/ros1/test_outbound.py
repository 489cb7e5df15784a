"""We connect to a peer: subscriptions that take versions as they come, and calls of services."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ros1.events import (
    LinkClosed,
    Phase,
    RequestReceived,
    ResponseReceived,
    ServiceAnswered,
)
from mobilesim_py.protocols.ros1.header import encode_header
from mobilesim_py.protocols.ros1.inbound import InboundLink, TopicOffer
from mobilesim_py.protocols.ros1.outbound import ServiceCallLink, SubscriberLink

from .conftest import GET_MAP, ROS1, TWIST, Node, exchange, inbound


def test_the_refused_end_hears_the_reason():
    subscriber, publisher = SubscriberLink("/rviz", "/odom", ROS1, TWIST), inbound()
    exchange(subscriber, publisher)
    (closed,) = subscriber.events()
    assert "cd5e73d190d741a2f92e81eda573aca7" in closed.reason


GARDEN = "trimbot_msgs/GardenObject"


@pytest.mark.parametrize("version", [GARDEN, f"{GARDEN}@1.0.0"])
def test_a_subscription_to_any_version_decodes_by_the_sum_of_the_publisher(version):
    kind = ROS1.message(version)
    node = Node(TopicOffer("/garden_ui/goal_object", kind))
    publisher = InboundLink("/garden_ui", node)
    subscriber = SubscriberLink("/mobilesim", "/garden_ui/goal_object", ROS1, type_name=GARDEN)
    exchange(subscriber, publisher)
    publisher.send(kind.serialise(kind.make(id=7)))
    exchange(subscriber, publisher)
    message = subscriber.events()[1]
    assert message.type is kind
    assert message.type.deserialise(message.body)["id"] == 7


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"type": "std_msgs/String", "md5sum": "*"}, "comes as"),
        ({"type": GARDEN, "md5sum": "0" * 32}, "md5 sum 000"),
        ({"error": "no such topic"}, "no such topic"),
    ],
)
def test_a_subscription_refuses_what_it_cannot_read(answer, reason):
    subscriber = SubscriberLink("/mobilesim", "/goal", ROS1, type_name=GARDEN)
    subscriber.receive_data(encode_header(answer))
    (closed,) = subscriber.events()
    assert reason in closed.reason


def test_a_publisher_of_another_type_is_refused_by_its_sum():
    subscriber = SubscriberLink("/mobilesim", "/cmd_vel", ROS1, TWIST)
    subscriber.receive_data(encode_header({"type": "std_msgs/String", "md5sum": "0" * 32}))
    assert "comes as [std_msgs/String]" in subscriber.events()[0].reason


def test_our_own_header_is_the_recorded_one():
    header = SubscriberLink("/rviz", "/cmd_vel", ROS1, TWIST).data_to_send()
    assert header.startswith(
        bytes.fromhex("7c0000000e000000") + b"callerid=/rviz" + bytes.fromhex("27000000") + b"md5sum=9f19"
    )


def test_a_service_is_called_once_and_the_link_ends():
    caller, server = ServiceCallLink("/rviz", "/static_map", GET_MAP), inbound()
    caller.send(b"")
    exchange(caller, server)
    joined, request = server.events()
    assert (joined.service, joined.probe) == ("/static_map", False)
    assert request == RequestReceived("/static_map", b"")
    server.respond(True, b"the map")
    assert server.events() == [LinkClosed("")]
    exchange(caller, server)
    answered, response, closed = caller.events()
    assert isinstance(answered, ServiceAnswered)
    assert answered.fields["response_type"] == "nav_msgs/GetMapResponse"
    assert (response, closed) == (ResponseReceived(True, b"the map"), LinkClosed(""))
    caller.send(b"more")
    assert caller.data_to_send() == b""


def test_a_persistent_caller_goes_on_and_hears_failures():
    caller, server = ServiceCallLink("/rviz", "/static_map", persistent=True), inbound()
    for ok, body in ((True, b"1"), (False, b"no map"), (True, b"3")):
        caller.send(b"")
        exchange(caller, server)
        server.respond(ok, body)
        exchange(caller, server)
        assert caller.events()[-1] == ResponseReceived(ok, body)
    assert server.phase is Phase.OPEN


def test_a_refused_caller_hears_why():
    caller, server = ServiceCallLink("/x", "/nope", GET_MAP), inbound()
    exchange(caller, server)
    assert "[/nope] is not a service of [/mobilesim]" in caller.events()[0].reason


def test_a_response_may_come_byte_by_byte():
    caller = ServiceCallLink("/x", "/s")
    for byte in encode_header({"callerid": "/y"}) + b"\1\2\0\0\0ok":
        caller.receive_data(bytes([byte]))
    assert caller.events()[1] == ResponseReceived(True, b"ok")
