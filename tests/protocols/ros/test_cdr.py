"""Bytes of ROS 2: the oracle reads what we write and writes what we read."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from mobilesim_py.protocols.ros.cdr import CdrCodec
from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import NUMBERS, TIMES, Dialect, define, spelled_type

ROS2 = interfaces(Dialect.ROS2)
ALL_NAMES = ROS2.message_names


def oracle_value(definition, values):
    def convert(field, value):
        if field.base in TIMES:
            return SimpleNamespace(sec=value[0], nanosec=value[1])
        return oracle_value(ROS2.definition(field.base), value) if field.is_message else value

    made = {"structure_needs_at_least_one_member": 0} if not definition.fields else {}
    for field in definition.fields:
        value = values[field.name]
        many = field.length is not None and field.base not in NUMBERS
        made[field.name] = [convert(field, item) for item in value] if many else convert(field, value)
    return SimpleNamespace(**made)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_bytes_are_the_oracles_and_read_back_as_the_same_message(name, chance_message, plain):
    kind = ROS2.message(name)
    spelled = spelled_type(kind.name, Dialect.ROS2)
    store = get_typestore(Stores.ROS2_JAZZY)
    store.register(
        {key: value for key, value in get_types_from_msg(kind.full_text, spelled).items() if key not in store.fielddefs}
    )
    for seed in range(5):
        message = chance_message(kind, seed)
        data = kind.serialise(message)
        assert plain(kind.deserialise(data)) == plain(message)
        expected = bytes(store.serialize_cdr(oracle_value(kind.definition, message), spelled))
        assert data == expected


def test_an_empty_message_is_a_byte(ros2):
    empty = ros2.message("std_msgs/Empty")
    assert empty.serialise({}) == b"\0\1\0\0\0"
    assert empty.deserialise(b"\0\1\0\0\0") == {}


@pytest.mark.parametrize("data", [b"", b"\0\0\0\0\0", b"\0\1\0\0", b"\0\1\0\0\xff\xff\xff\xff"])
def test_damaged_bytes_are_refused(ros2, data):
    for name in ("std_msgs/String", "tf2_msgs/TFMessage", "std_msgs/Empty", "rosaria/BumperState"):
        if name == "std_msgs/Empty" and len(data) == 8:
            continue
        with pytest.raises(MessageError, match=name):
            ros2.message(name).deserialise(data)


@settings(deadline=None)
@given(st.sampled_from(ALL_NAMES), st.binary(max_size=300))
def test_any_bytes_are_a_message_or_an_error_of_ours(name, data):
    kind = ROS2.message(name)
    try:
        kind.deserialise(b"\0\1\0\0" + data)
    except MessageError:
        return


def test_fixed_arrays_of_texts_have_their_length_checked():
    codec = CdrCodec(define("t/Pair", "string[2] words", Dialect.ROS2, {}), lambda name: None)
    data = codec.write({"words": ["a", "b"]})
    assert codec.read(data) == ({"words": ["a", "b"]}, len(data))
    with pytest.raises(ValueError, match="2 elements are needed, not 1"):
        codec.write({"words": ["a"]})


def test_truths_are_truths(ros2):
    bumper = ros2.message("rosaria/BumperState")
    message = bumper.deserialise(bumper.serialise(bumper.make(front_bumpers=[True, False])))
    assert message["front_bumpers"].dtype == np.bool_


def test_other_writers_fill_up_to_the_next_multiple_of_four():
    kind = ROS2.service("std_srvs/SetBool").request
    data = kind.serialise({"data": True})
    assert kind.deserialise(data + b"\x00" * 3) == {"data": True}
    with pytest.raises(MessageError, match="4 bytes too many"):
        kind.deserialise(data + b"\x00" * 4)
