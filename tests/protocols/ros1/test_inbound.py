"""A peer connects to us: headers and bodies are the recorded bytes, what does not fit is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mobilesim_py.protocols.ros1.events import (
    Limits,
    LinkClosed,
    MessageReceived,
    Phase,
    PublisherJoined,
    ServiceJoined,
    SubscriberJoined,
)
from mobilesim_py.protocols.ros1.header import encode_header, framed
from mobilesim_py.protocols.ros1.inbound import InboundLink
from mobilesim_py.protocols.ros1.outbound import ServiceCallLink, SubscriberLink

from .conftest import MAP, ODOM, ROS1, TF, Node, exchange, greeted, header_of, inbound


def test_a_subscriber_gets_the_header_and_then_each_message():
    subscriber, publisher = SubscriberLink("/rviz", "/odom", ROS1, ODOM.type), inbound()
    exchange(subscriber, publisher)
    (joined,) = publisher.events()
    assert joined == SubscriberJoined(
        "/odom",
        {"callerid": "/rviz", "md5sum": ODOM.type.md5, "tcp_nodelay": "1", "topic": "/odom", "type": "nav_msgs/Odometry"},
    )
    (answered,) = subscriber.events()
    assert isinstance(answered, PublisherJoined)
    assert (answered.type, answered.latching) == (ODOM.type, False)
    assert list(answered.fields) == ["callerid", "latching", "md5sum", "message_definition", "topic", "type"]
    assert answered.fields["message_definition"] == ODOM.type.full_text
    body = ODOM.type.serialise(ODOM.type.make())
    publisher.send(body)
    exchange(subscriber, publisher)
    assert subscriber.events() == [MessageReceived(ODOM.type, body)]


def test_a_message_on_the_wire_is_the_recorded_bytes():
    link = greeted({"topic": "/odom", "md5sum": "*"})
    link.data_to_send()
    link.send(bytes.fromhex("333333333333d33f" + "00" * 32 + "9a9999999999b93f"))
    assert link.data_to_send().hex() == "30000000" + "333333333333d33f" + "00" * 32 + "9a9999999999b93f"


def test_a_latched_topic_gives_its_last_message_to_whoever_comes():
    subscriber, publisher = SubscriberLink("/rviz", "/map", ROS1), inbound()
    exchange(subscriber, publisher)
    joined, message = subscriber.events()
    assert joined.latching
    assert message == MessageReceived(MAP.type, b"the map")


def test_a_latched_topic_without_a_message_gives_none():
    node = Node(replace(MAP, last=None))
    link = InboundLink("/mobilesim", node)
    link.receive_data(encode_header({"topic": "/map", "md5sum": "*"}))
    assert link.data_to_send().endswith(b"type=nav_msgs/OccupancyGrid")


@pytest.mark.parametrize(
    "asked",
    [
        {"md5sum": "*"},
        {"md5sum": "*", "type": "*"},
        {"md5sum": "*", "type": "tf2_msgs/TFMessage"},
        {"md5sum": TF.type.md5, "type": "tf/tfMessage"},
    ],
)
def test_an_asterisk_takes_every_type_and_an_equal_sum_takes_another_name(asked):
    link = greeted({"topic": "/tf", **asked})
    assert isinstance(link.events()[0], SubscriberJoined)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"topic": "/odom", "md5sum": "0" * 32}, "not.*000"),
        ({"topic": "/odom", "md5sum": "*", "type": "std_msgs/String"}, "has the type .nav_msgs/Odometry."),
        ({"topic": "/odom"}, "without the field 'md5sum'"),
        ({"topic": "/nope", "md5sum": "*"}, "is not a topic of"),
        ({"service": "/nope", "md5sum": "*"}, "is not a service of"),
        ({"service": "/static_map", "md5sum": "0" * 32}, "md5 sum"),
        ({"service": "/static_map"}, "without the field 'md5sum'"),
        ({"callerid": "/x"}, "neither a topic nor a service"),
    ],
)
def test_a_header_that_does_not_fit_gets_an_error_and_the_end(fields, reason):
    link = greeted(fields)
    (closed,) = link.events()
    assert isinstance(closed, LinkClosed)
    assert header_of(link) == {"error": closed.reason}
    assert link.phase is Phase.CLOSED
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(closed.reason)


def test_a_slow_subscriber_loses_old_messages_and_no_memory():
    link = greeted({"topic": "/odom", "md5sum": "*"}, Limits(queued_messages=3))
    link.data_to_send()
    for number in range(100):
        link.send(bytes([number]))
    assert link.dropped == 97
    assert link.backlog == 15
    assert link.data_to_send() == b"".join(framed(bytes([number])) for number in (97, 98, 99))


def test_what_a_subscriber_says_after_its_header_is_passed_over():
    link = greeted({"topic": "/odom", "md5sum": "*"})
    link.receive_data(bytes(1000))
    assert link.phase is Phase.OPEN
    assert len(link.events()) == 1


def test_nothing_is_published_before_the_header_or_after_the_end():
    link = inbound()
    link.send(b"early")
    assert link.data_to_send() == b""
    link.close("the line broke")
    link.close("again")
    link.send(b"late")
    link.receive_data(encode_header({"topic": "/odom", "md5sum": "*"}))
    assert link.data_to_send() == b""
    assert link.events() == [LinkClosed("the line broke")]


def test_a_probe_gets_the_header_and_the_end():
    caller, server = ServiceCallLink("/rosservice", "/static_map", probe=True), inbound()
    exchange(caller, server)
    joined, closed = server.events()
    assert isinstance(joined, ServiceJoined)
    assert (joined.probe, closed) == (True, LinkClosed(""))
    answered, closed = caller.events()
    assert answered.fields["type"] == "nav_msgs/GetMap"
    assert closed == LinkClosed("")


def test_a_response_on_the_wire_is_a_byte_a_length_and_the_body():
    link = greeted({"service": "/static_map", "md5sum": "*"})
    link.data_to_send()
    link.respond(True, b"unasked")
    assert link.data_to_send() == b""
    link.receive_data(framed(b""))
    link.respond(False, b"why")
    assert link.data_to_send() == b"\0\3\0\0\0why"


def test_requests_without_end_close_the_link():
    link = greeted({"service": "/static_map", "md5sum": "*", "persistent": "1"}, Limits(pending_requests=5))
    link.receive_data(framed(b"") * 10)
    events = link.events()
    assert len(events) == 7
    assert "5 requests wait" in events[-1].reason
    assert not link.data_to_send().endswith(b"wait")


def test_a_caller_that_never_reads_is_let_go():
    link = greeted({"service": "/static_map", "md5sum": "*", "persistent": "1"}, Limits(body=1000))
    for _ in range(20):
        link.receive_data(framed(b""))
        link.respond(True, bytes(100))
    assert link.events()[-1] == LinkClosed("the peer does not read its responses")
    assert link.backlog < 2000
