"""Messages in CBOR: what an independent decoder reads is the message."""

from __future__ import annotations

import cbor2
import numpy as np
import pytest

from mobilesim_py.protocols.ros import cbor
from mobilesim_py.protocols.ros.cbor_form import compile_cbor_writer
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import NUMBERS, OCTETS, TIMES, Dialect, define
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import DTYPES

ALL_NAMES = interfaces(Dialect.ROS1).message_names


def expected(table, definition, message):
    """Return what rosbridge's encoder is given for a message."""
    keys = ("secs", "nsecs") if table.dialect is Dialect.ROS1 else ("sec", "nanosec")

    def element(field, value):
        if field.base in TIMES:
            return dict(zip(keys, value, strict=True))
        return expected(table, table.definition(field.base), value) if field.is_message else value

    made = {}
    for field in definition.fields:
        value = message[field.name]
        if field.length is None:
            made[field.name] = element(field, value)
        elif field.base in OCTETS:
            made[field.name] = value.tobytes()
        elif field.base == "bool" or field.base not in NUMBERS:
            made[field.name] = [element(field, item) for item in (value.tolist() if field.base == "bool" else value)]
        else:
            made[field.name] = cbor2.CBORTag(cbor.TAGS[DTYPES[field.base].str[1:]], value.tobytes())
    return made


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("name", ALL_NAMES)
def test_an_independent_decoder_reads_the_message(name, dialect, chance_message):
    kind = interfaces(dialect).message(name)
    for seed in range(3):
        message = chance_message(kind, seed)
        assert cbor2.loads(kind.to_cbor(message)) == expected(interfaces(dialect), kind.definition, message)


def test_bytes_of_a_scan_are_those_of_an_independent_encoder(ros1):
    scan = ros1.message("sensor_msgs/LaserScan")
    message = scan.make(ranges=np.array([1.5, 2.5], "f4"), angle_min=-1.5)
    assert scan.to_cbor(message) == cbor2.dumps(expected(ros1, scan.definition, message))


def test_what_is_written_can_be_filled_into_the_same_message(ros1, chance_message, plain):
    for name in ("nav_msgs/Odometry", "sensor_msgs/LaserScan", "trimbot_msgs/GardenObjects", "sensor_msgs/Image"):
        kind = ros1.message(name)
        message = chance_message(kind, 3)
        assert plain(kind.fill(cbor.decode(kind.to_cbor(message)), Time())) == plain(message)


def test_infinities_and_nan_are_kept(ros1):
    scan = ros1.message("sensor_msgs/LaserScan")
    ranges = cbor.decode(scan.to_cbor(scan.make(ranges=[np.inf, -np.inf, np.nan])))["ranges"]
    assert np.array_equal(ranges, np.array([np.inf, -np.inf, np.nan], "f4"), equal_nan=True)


def test_arrays_of_times_work_though_no_message_of_ours_has_one():
    write = compile_cbor_writer(define("t/T", "time[] times", Dialect.ROS2, {}), None, None, Dialect.ROS2)
    assert cbor2.loads(write({"times": [Time(1, 2)]})) == {"times": [{"sec": 1, "nanosec": 2}]}
