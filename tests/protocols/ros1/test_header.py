"""Connection headers: the bytes that real peers sent, and bytes that no peer should send."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1.header import decode_header, encode_header

# What a subscriber of /cmd_vel sends.
FIELDS = {
    "callerid": "/rviz",
    "md5sum": "9f195f881246fdfa2798d1d3eebca84a",
    "tcp_nodelay": "1",
    "topic": "/cmd_vel",
    "type": "geometry_msgs/Twist",
}
RECORDED = (
    bytes.fromhex("7c000000")
    + bytes.fromhex("0e000000")
    + b"callerid=/rviz"
    + bytes.fromhex("27000000")
    + b"md5sum=9f195f881246fdfa2798d1d3eebca84a"
    + bytes.fromhex("0d000000")
    + b"tcp_nodelay=1"
    + bytes.fromhex("0e000000")
    + b"topic=/cmd_vel"
    + bytes.fromhex("18000000")
    + b"type=geometry_msgs/Twist"
)


def test_a_header_is_the_recorded_bytes():
    assert encode_header(FIELDS) == RECORDED
    assert decode_header(RECORDED[4:]) == FIELDS


def test_a_value_may_hold_equals_signs():
    assert decode_header(encode_header({"a": "b=c"})[4:]) == {"a": "b=c"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\1\0\0", "ends in the length"),
        (b"\5\0\0\0abc", "5 bytes where 3 are left"),
        (b"\3\0\0\0abc", "'abc', which has no value"),
        (b"\xff\xff\xff\xff", "where 0 are left"),
    ],
)
def test_damaged_headers_are_refused(body, reason):
    with pytest.raises(WireError, match=reason):
        decode_header(body)


@settings(deadline=None)
@given(st.binary(max_size=100))
def test_any_bytes_are_a_header_or_an_error_of_ours(body):
    try:
        decode_header(body)
    except WireError:
        return
