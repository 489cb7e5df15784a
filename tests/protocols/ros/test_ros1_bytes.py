"""Bytes of ROS 1: equal to the oracle's for every type, read back whole, and never more memory than was sent."""

from __future__ import annotations

import struct
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.interfaces import MessageType, interfaces
from mobilesim_py.protocols.ros.ros1_bytes import compile_reader, compile_writer
from mobilesim_py.protocols.ros.rows import NUMBERS, TIMES, Definition, Dialect, Field, define, spelled_type
from mobilesim_py.protocols.ros.stamp import Time

ROS1 = interfaces(Dialect.ROS1)
ALL_NAMES = ROS1.message_names


def oracle_value(kind: MessageType, message: dict) -> SimpleNamespace:
    """Return a message as the oracle takes it: attributes, and times with sec and nanosec."""

    def convert(field: Field, value):
        if field.base in TIMES:
            return SimpleNamespace(sec=value[0], nanosec=value[1])
        return of(ROS1.definition(field.base), value) if field.is_message else value

    def of(definition: Definition, values: dict) -> SimpleNamespace:
        made = {}
        for field in definition.fields:
            value = values[field.name]
            many = field.length is not None and field.base not in NUMBERS
            made[field.name] = [convert(field, item) for item in value] if many else convert(field, value)
        return SimpleNamespace(**made)

    return of(kind.definition, message)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_bytes_are_the_oracles_and_read_back_as_the_same_message(name, chance_message, plain):
    kind = ROS1.message(name)
    spelled = spelled_type(kind.name, Dialect.ROS2)
    store = get_typestore(Stores.EMPTY)
    store.register(get_types_from_msg(kind.full_text, spelled))
    for seed in range(5):
        message = chance_message(kind, seed)
        data = kind.serialise(message)
        assert data == bytes(store.serialize_ros1(oracle_value(kind, message), spelled))
        assert plain(kind.deserialise(data)) == plain(message)


def test_a_twist_is_the_48_bytes_that_a_real_client_sent(ros1):
    twist = ros1.message("geometry_msgs/Twist").make()
    twist["linear"]["x"], twist["angular"]["z"] = 0.3, 0.1
    assert ros1.message("geometry_msgs/Twist").serialise(twist).hex() == "333333333333d33f" + "00" * 32 + "9a9999999999b93f"


def test_arrays_are_views_of_the_received_bytes(ros1):
    scan = ros1.message("sensor_msgs/LaserScan")
    data = scan.serialise(scan.make(ranges=np.arange(181, dtype="<f4")))
    ranges = scan.deserialise(data)["ranges"]
    assert ranges.dtype == np.dtype("<f4")
    assert np.shares_memory(ranges, np.frombuffer(data, np.uint8))


@pytest.mark.parametrize(
    "value", [b"\1\2", bytearray(b"\1\2"), memoryview(b"\1\2"), [1, 2], (1, 2), np.array([1, 2]), np.array([1, 2], "u1")]
)
def test_bytes_may_be_given_in_any_form(ros1, value):
    image = ros1.message("sensor_msgs/CompressedImage")
    assert image.serialise(image.make(data=value)).endswith(b"\2\0\0\0\1\2")


def test_numbers_may_be_lists_and_come_from_arrays_of_another_type(ros1):
    scan = ros1.message("sensor_msgs/LaserScan")
    expected = scan.serialise(scan.make(ranges=np.array([1, 2], "<f4")))
    for ranges in ([1, 2.0], np.array([1, 2]), np.array([1, 2], ">f4")):
        assert scan.serialise(scan.make(ranges=ranges)) == expected


def test_text_that_is_no_utf_8_is_read_with_marks_in_it(ros1):
    string = ros1.message("std_msgs/String")
    assert string.deserialise(b"\1\0\0\0\xff") == {"data": "�"}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("std_msgs/String", b"\xff\xff\xff\xff"),
        ("std_msgs/String", b"\2\0\0\0a"),
        ("std_msgs/Bool", b""),
        ("std_msgs/Bool", b"\1\0"),
        ("sensor_msgs/LaserScan", bytes(44) + b"\xff\xff\xff\xff"),
        ("tf2_msgs/TFMessage", b"\xff\xff\xff\xff" + bytes(100)),
        ("rosaria/BumperState", bytes(16) + b"\xff\xff\xff\x7f"),
        ("sensor_msgs/JointState", bytes(16) + b"\1\0\0\0"),
        ("geometry_msgs/PoseWithCovariance", bytes(7)),
    ],
)
def test_lengths_that_lie_are_refused_without_reserving_memory(ros1, name, data):
    with pytest.raises(MessageError, match=name):
        ros1.message(name).deserialise(data)


@settings(deadline=None)
@given(st.sampled_from(ALL_NAMES), st.binary(max_size=300))
def test_any_bytes_are_a_message_or_an_error_of_ours(name, data):
    kind = ROS1.message(name)
    try:
        message = kind.deserialise(data)
    except MessageError:
        return
    assert len(kind.serialise(message)) >= 0


@settings(deadline=None)
@given(st.sampled_from(ALL_NAMES), st.data())
def test_a_message_cut_short_is_an_error_of_ours(name, data):
    kind = ROS1.message(name)
    whole = kind.serialise(kind.make())
    if not whole:
        return
    with pytest.raises(MessageError):
        kind.deserialise(whole[: data.draw(st.integers(0, len(whole) - 1))])


def test_arrays_that_no_message_of_ours_has_work_too():
    """Fixed arrays of messages, arrays of times and durations: ROS allows them, so the compiler of plans must."""
    rows = {"t/Inner": ("",), "t/Empty": ("",)}
    definitions = {
        "t/Inner": define("t/Inner", "uint8 a | string b", Dialect.ROS1, rows),
        "t/Empty": define("t/Empty", "", Dialect.ROS1, rows),
    }
    outer = define(
        "t/Outer",
        "Inner[2] pair | time[] times | duration[2] waits | Empty[] nothing | string[2] words | Inner[2] again",
        Dialect.ROS1,
        rows,
    )
    look_up = definitions.__getitem__
    write = compile_writer(outer, look_up, lambda name: compile_writer(look_up(name), look_up, None))
    read = compile_reader(outer, look_up, lambda name: compile_reader(look_up(name), look_up, None))
    message = {
        "pair": [{"a": 1, "b": "x"}, {"a": 2, "b": ""}],
        "times": [Time(1, 2)],
        "waits": [Time(-1, 5), Time()],
        "nothing": [],
        "words": ["a", "bc"],
        "again": [{"a": 1, "b": "x"}, {"a": 2, "b": ""}],
    }
    data = write(message)
    assert read(data, 0) == (message, len(data))
    with pytest.raises(ValueError, match="2 elements are needed, not 1"):
        write(message | {"words": ["a"]})
    cut = struct.pack("<I", 2**32 - 1)
    with pytest.raises(MessageError):
        read(data[:10] + b"\0" * 4 + data[14:34] + cut, 0)
