"""What no peer can do to a link of any kind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros1.events import (
    Limits,
    Phase,
)
from mobilesim_py.protocols.ros1.header import encode_header
from mobilesim_py.protocols.ros1.link import Link
from mobilesim_py.protocols.ros1.outbound import ServiceCallLink, SubscriberLink

from .conftest import GET_MAP, ROS1, TWIST, greeted, inbound


def links() -> list[Link]:
    return [
        inbound(),
        greeted({"topic": "/odom", "md5sum": "*"}),
        greeted({"service": "/static_map", "md5sum": "*", "persistent": "1"}),
        SubscriberLink("/x", "/odom", ROS1),
        SubscriberLink("/x", "/odom", ROS1, TWIST),
        ServiceCallLink("/x", "/s", GET_MAP),
    ]


@pytest.mark.parametrize("number", range(6))
def test_an_oversized_length_ends_the_link_at_once(number):
    link = links()[number]
    link.receive_data(b"\xff\xff\xff\xff" * 2)
    if number == 1:
        assert link.phase is Phase.OPEN  # what a subscriber says is not even looked at
        return
    assert link.phase is Phase.CLOSED
    assert "at most" in link.events()[-1].reason


@settings(deadline=None)
@given(st.integers(0, 5), st.lists(st.binary(max_size=60), max_size=6))
def test_any_bytes_are_events_or_the_end(number, chunks):
    link = links()[number]
    for chunk in chunks:
        link.receive_data(chunk)
        link.events()
        link.data_to_send()
        assert link.backlog == 0


@settings(deadline=None)
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
