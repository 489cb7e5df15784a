"""Messages in JSON: what web clients get, and what they may leave out."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.json_form import Filler, compile_plainer
from mobilesim_py.protocols.ros.rows import Dialect, define
from mobilesim_py.protocols.ros.stamp import Time

NOW = Time(100, 5)
ROS1 = interfaces(Dialect.ROS1)
ALL_NAMES = ROS1.message_names


def without_nonfinite(value):
    if isinstance(value, dict):
        return {key: without_nonfinite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_nonfinite(item) for item in value]
    return 0.0 if isinstance(value, float) and not math.isfinite(value) else value


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("name", ALL_NAMES)
def test_every_message_comes_back_but_for_numbers_that_json_has_not(name, dialect, chance_message, plain):
    kind = interfaces(dialect).message(name)
    message = chance_message(kind, 4)
    text = json.dumps(kind.to_json(message), allow_nan=False)
    assert without_nonfinite(plain(kind.fill(json.loads(text), NOW))) == without_nonfinite(plain(message))


def test_times_are_spelled_as_the_dialect_does(ros1, ros2):
    message = {"seq": 1, "stamp": Time(1, 2), "frame_id": "odom"}
    assert ros1.message("std_msgs/Header").to_json(message) == {
        "seq": 1,
        "stamp": {"secs": 1, "nsecs": 2},
        "frame_id": "odom",
    }
    assert ros2.message("std_msgs/Header").to_json(message) == {"stamp": {"sec": 1, "nanosec": 2}, "frame_id": "odom"}


def test_nan_and_infinity_become_null_and_bytes_become_base64(ros1):
    scan = ros1.message("sensor_msgs/LaserScan")
    plain = scan.to_json(scan.make(range_max=math.inf, ranges=[1.5, math.inf, math.nan], angle_min=np.float32(0.5)))
    assert (plain["range_max"], plain["ranges"], plain["angle_min"]) == (None, [1.5, None, None], 0.5)
    image = ros1.message("sensor_msgs/CompressedImage")
    assert image.to_json(image.make(data=b"\1\2\3"))["data"] == "AQID"
    grid = ros1.message("nav_msgs/OccupancyGrid")
    assert grid.to_json(grid.make(data=[-1, 100]))["data"] == [-1, 100]


def test_a_partial_message_is_filled_and_whole_numbers_are_floats(ros1):
    twist = ros1.message("geometry_msgs/Twist").fill({"linear": {"x": 1}}, NOW)
    assert twist == {"linear": {"x": 1.0, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": 0.0}}
    assert isinstance(twist["linear"]["x"], float)


@pytest.mark.parametrize("header", [{}, {"frame_id": "map"}, {"stamp": "now"}, None])
def test_headers_without_a_stamp_get_the_time_of_arrival(ros1, header):
    message = ros1.message("geometry_msgs/PoseStamped").fill({} if header is None else {"header": header}, NOW)
    assert message["header"]["stamp"] == NOW


@pytest.mark.parametrize("stamp", [{"secs": 7, "nsecs": 8}, {"sec": 7, "nanosec": 8}, {"sec": 7.0, "nsecs": 8}])
def test_both_spellings_of_times_are_taken_by_both_dialects(ros1, ros2, stamp):
    for table in (ros1, ros2):
        assert table.message("std_msgs/Header").fill({"stamp": stamp}, NOW)["stamp"] == Time(7, 8)


def test_a_field_that_only_the_other_dialect_has_is_passed_over(ros1, ros2):
    assert "seq" not in ros2.message("std_msgs/Header").fill({"seq": 3}, NOW)
    assert "variance" not in ros1.message("sensor_msgs/Range").fill({"variance": 3}, NOW)


def test_null_is_nan_where_a_float_is_meant(ros1):
    assert math.isnan(ros1.message("std_msgs/Float64").fill({"data": None}, NOW)["data"])
    assert np.isnan(ros1.message("sensor_msgs/LaserScan").fill({"ranges": [None]}, NOW)["ranges"]).all()


@pytest.mark.parametrize("data", ["AQI=", [1, 2], b"\1\2", np.array([1, 2], "u1")])
def test_bytes_are_taken_in_any_form(ros1, data):
    assert ros1.message("sensor_msgs/CompressedImage").fill({"data": data}, NOW)["data"].tobytes() == b"\1\2"


def test_too_large_a_float32_in_a_list_is_infinite(ros1):
    assert np.isinf(ros1.message("sensor_msgs/LaserScan").fill({"ranges": [1e300]}, NOW)["ranges"]).all()


@pytest.mark.parametrize(
    ("name", "plain", "reason"),
    [
        ("geometry_msgs/Twist", [], "geometry_msgs/Twist: geometry_msgs/Twist needs an object, not a list"),
        ("geometry_msgs/Twist", {"linear": {"q": 1}}, r"geometry_msgs/Twist.linear: geometry_msgs/Vector3 has no field 'q'"),
        ("geometry_msgs/Twist", {"linear": {"x": "1"}}, "linear.x: a number is needed, not a text"),
        ("geometry_msgs/Twist", {"linear": {"x": True}}, "a number is needed, not true or false"),
        ("geometry_msgs/Twist", {"linear": {"x": 10**400}}, "too many digits"),
        ("std_msgs/UInt8", {"data": 256}, "256 does not fit into uint8"),
        ("std_msgs/UInt8", {"data": -1}, "-1 does not fit into uint8"),
        ("std_msgs/UInt8", {"data": 1.5}, "a whole number is needed, not a float"),
        ("std_msgs/UInt8", {"data": True}, "a whole number is needed, not true or false"),
        ("std_msgs/UInt8", {"data": None}, "a whole number is needed, not null"),
        ("std_msgs/Bool", {"data": 1}, "a bool is needed, not a number"),
        ("std_msgs/String", {"data": {}}, "a string is needed, not an object"),
        ("std_msgs/Time", {"data": 5}, "a time is needed, not a number"),
        ("std_msgs/Time", {"data": {"x": 5}}, "has secs and nsecs"),
        ("std_msgs/Time", {"data": {"secs": -5}}, "does not fit into uint32"),
        ("std_msgs/Time", {"data": {"nsecs": 10**9}}, "not within a second"),
        ("std_msgs/Time", {"data": {"nsecs": -1}}, "not within a second"),
        ("std_msgs/Duration", {"data": "now"}, "a duration is needed"),
        ("sensor_msgs/LaserScan", {"ranges": 5}, "a list of float32 is needed"),
        ("sensor_msgs/LaserScan", {"ranges": ["x"]}, "a number is needed"),
        ("sensor_msgs/LaserScan", {"ranges": np.array([1.0])}, "a list of float32 is needed, not a ndarray"),
        ("sensor_msgs/CompressedImage", {"data": "!"}, "not base64"),
        ("sensor_msgs/CompressedImage", {"data": [256]}, "does not fit"),
        ("rosaria/BumperState", {"front_bumpers": [1]}, "only true and false"),
        ("tf2_msgs/TFMessage", {"transforms": {}}, "a list is needed, not an object"),
        ("tf2_msgs/TFMessage", {"transforms": [1]}, r"transforms\[0\]: geometry_msgs/TransformStamped needs an object"),
        ("geometry_msgs/PoseWithCovariance", {"covariance": [1.0]}, "36 elements are needed, not 1"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(ros1, name, plain, reason):
    with pytest.raises(MessageError, match=reason):
        ros1.message(name).fill(plain, NOW)


def test_a_negative_duration_is_taken(ros1):
    assert ros1.message("std_msgs/Duration").fill({"data": {"secs": -1, "nsecs": -5}}, NOW)["data"] == Time(-1, -5)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["header", "stamp", "secs", "data", "x", "pose", "linear", "ranges"]), inner)
    ),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.sampled_from(ALL_NAMES), JSON)
def test_any_json_is_a_message_or_an_error_of_ours(name, plain):
    kind = ROS1.message(name)
    try:
        message = kind.fill(plain, NOW)
    except MessageError:
        return
    try:
        kind.serialise(message)
    except MessageError:  # a double that does not fit into float32
        return


def test_arrays_of_times_and_fixed_arrays_of_messages_work_though_no_message_of_ours_has_them():
    inner = define("t/I", "uint8 a", Dialect.ROS1, {"t/I": 0})
    outer = define("t/O", "time[] times | I[2] pair | string[] words", Dialect.ROS1, {"t/I": 0})
    whole = Filler({"t/I": inner}.__getitem__, NOW).message(outer, {"times": [{"secs": 1}, "now"], "words": ["a"]}, "t/O")
    assert whole == {"times": [Time(1, 0), NOW], "pair": [{"a": 0}, {"a": 0}], "words": ["a"]}
    plainer = compile_plainer(
        outer, {"t/I": inner}.__getitem__, lambda name: compile_plainer(inner, None, None, Dialect.ROS1), Dialect.ROS1
    )
    assert plainer(whole)["times"] == [{"secs": 1, "nsecs": 0}, {"secs": 100, "nsecs": 5}]
