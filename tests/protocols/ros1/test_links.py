"""TCPROS from both ends: two links talk to each other without a socket; headers and bodies are the recorded bytes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros1.events import (
    Limits,
    LinkClosed,
    MessageReceived,
    Phase,
    PublisherJoined,
    RequestReceived,
    ResponseReceived,
    ServiceAnswered,
    ServiceJoined,
    SubscriberJoined,
)
from mobilesim_py.protocols.ros1.header import decode_header, encode_header, framed
from mobilesim_py.protocols.ros1.inbound import InboundLink, ServiceOffer, TopicOffer
from mobilesim_py.protocols.ros1.link import Link
from mobilesim_py.protocols.ros1.outbound import ServiceCallLink, SubscriberLink

ROS1 = interfaces(Dialect.ROS1)
TWIST = ROS1.message("geometry_msgs/Twist")
GET_MAP = ROS1.service("nav_msgs/GetMap")
ODOM = TopicOffer("/odom", ROS1.message("nav_msgs/Odometry"))
MAP = TopicOffer("/map", ROS1.message("nav_msgs/OccupancyGrid"), latching=True, last=b"the map")
TF = TopicOffer("/tf", ROS1.message("tf2_msgs/TFMessage"))


class Node:
    """What a node offers, for the tests."""

    def __init__(self, *topics):
        self.topics = {offer.name: offer for offer in topics or (ODOM, MAP, TF)}
        self.services = {"/static_map": ServiceOffer("/static_map", GET_MAP)}

    def topic(self, name):
        return self.topics.get(name)

    def service(self, name):
        return self.services.get(name)


def inbound(limits=None) -> InboundLink:
    return InboundLink("/mobilesim", Node(), limits)


def exchange(one: Link, other: Link) -> None:
    """Carry bytes both ways until nobody has any."""
    while True:
        forth = one.data_to_send()
        other.receive_data(forth)
        back = other.data_to_send()
        one.receive_data(back)
        if not forth and not back:
            return


def greeted(fields: dict[str, str], limits=None) -> InboundLink:
    link = inbound(limits)
    link.receive_data(encode_header(fields))
    return link


def header_of(link: Link) -> dict[str, str]:
    data = link.data_to_send()
    length = int.from_bytes(data[:4], "little")
    return decode_header(data[4 : 4 + length])


# --- topics --------------------------------------------------------------------------------------------------------------


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


def test_the_refused_end_hears_the_reason():
    subscriber, publisher = SubscriberLink("/rviz", "/odom", ROS1, TWIST), inbound()
    exchange(subscriber, publisher)
    (closed,) = subscriber.events()
    assert "cd5e73d190d741a2f92e81eda573aca7" in closed.reason


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


# --- services ------------------------------------------------------------------------------------------------------------


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


def test_a_refused_caller_hears_why():
    caller, server = ServiceCallLink("/x", "/nope", GET_MAP), inbound()
    exchange(caller, server)
    assert "[/nope] is not a service of [/mobilesim]" in caller.events()[0].reason


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


def test_a_response_may_come_byte_by_byte():
    caller = ServiceCallLink("/x", "/s")
    for byte in encode_header({"callerid": "/y"}) + b"\1\2\0\0\0ok":
        caller.receive_data(bytes([byte]))
    assert caller.events()[1] == ResponseReceived(True, b"ok")


# --- hostile peers -------------------------------------------------------------------------------------------------------


def links() -> list[Link]:
    return [
        inbound(), greeted({"topic": "/odom", "md5sum": "*"}), greeted({"service": "/static_map", "md5sum": "*", "persistent": "1"}),
        SubscriberLink("/x", "/odom", ROS1), SubscriberLink("/x", "/odom", ROS1, TWIST), ServiceCallLink("/x", "/s", GET_MAP),
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(6))
def test_an_oversized_length_ends_the_link_at_once(number):
    link = links()[number]
    link.receive_data(b"\xff\xff\xff\xff" * 2)
    if number == 1:
        assert link.phase is Phase.OPEN  # what a subscriber says is not even looked at
        return
    assert link.phase is Phase.CLOSED
    assert "at most" in link.events()[-1].reason


@given(st.integers(0, 5), st.lists(st.binary(max_size=60), max_size=6))
def test_any_bytes_are_events_or_the_end(number, chunks):
    link = links()[number]
    for chunk in chunks:
        link.receive_data(chunk)
        link.events()
        link.data_to_send()
        assert link.backlog == 0


@given(
    st.integers(0, 5),
    st.dictionaries(
        st.sampled_from(["topic", "service", "md5sum", "type", "error", "persistent", "probe", "latching"]),
        st.sampled_from(["*", "1", "/odom", "/static_map", "std_msgs/String", "", "a/b/c"]),
    ),
    st.binary(max_size=40),
)
def test_any_header_is_taken_or_refused(number, fields, rest):
    link = links()[number]
    link.receive_data(encode_header(fields) + rest)
    link.events()


def test_a_link_of_no_kind_cannot_talk():
    link = Link(Limits())
    with pytest.raises(NotImplementedError):
        link.receive_data(encode_header({}))
    with pytest.raises(NotImplementedError):
        link.receive_data(b"")
