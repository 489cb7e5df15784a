"""Frames out of a stream, and an outbox that a slow reader cannot fill."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros1.header import framed
from mobilesim_py.protocols.ros1.stream import FrameReader, Outbox


@settings(deadline=None)
@given(st.lists(st.binary(max_size=20), max_size=10), st.integers(1, 9))
def test_frames_are_found_however_the_stream_is_cut(bodies, size):
    data = b"".join(map(framed, bodies))
    reader, found = FrameReader(), []
    for start in range(0, len(data), size):
        reader.receive_data(data[start : start + size])
        while (frame := reader.take_frame(100)) is not None:
            found.append(frame)
    assert found == bodies


def test_a_length_beyond_the_limit_is_refused_at_once():
    reader = FrameReader()
    reader.receive_data(b"\xff\xff\xff\x7f")
    with pytest.raises(WireError, match="2147483647 bytes, where at most 1000"):
        reader.take_frame(1000)


def test_a_slow_reader_loses_the_oldest_messages():
    outbox = Outbox(messages=2, octets=1000)
    for body in (b"a", b"b", b"c"):
        outbox.put(body)
    outbox.put_now(b"header")
    assert outbox.dropped == 1
    assert outbox.backlog == 16
    assert outbox.take() == b"header" + framed(b"b") + framed(b"c")
    assert outbox.take() == b""
    assert outbox.backlog == 0


def test_one_message_is_kept_however_large_it_is():
    outbox = Outbox(messages=5, octets=10)
    outbox.put(bytes(100))
    outbox.put(bytes(200))
    assert outbox.take() == framed(bytes(200))
