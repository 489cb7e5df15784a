"""One message in all its forms."""

from __future__ import annotations

import json

import cbor2
import numpy as np
import pytest

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.rosbridge.encoding import text_of_png
from mobilesim_py.protocols.rosbridge.publication import Publication

SCAN = interfaces(Dialect.ROS1).message("sensor_msgs/LaserScan")


@pytest.fixture
def publication() -> Publication:
    return Publication("/scan", SCAN, SCAN.make(ranges=np.array([1, np.inf], "f4")), Time(7, 8))


def test_json_has_null_for_infinity(publication):
    plain = json.loads(publication.form("none"))
    assert list(plain) == ["op", "topic", "msg"]
    assert plain["msg"]["ranges"] == [1.0, None]


def test_cbor_begins_as_the_recorded_one_and_keeps_infinity(publication):
    frame = publication.form("cbor")
    assert frame.hex().startswith("a3626f70677075626c69736865746f706963652f7363616e636d7367aa")
    assert np.frombuffer(cbor2.loads(frame)["msg"]["ranges"].value, "<f4").tolist() == [1.0, np.inf]


def test_cbor_raw_holds_the_bytes_of_ros(publication):
    assert cbor2.loads(publication.form("cbor-raw")) == {
        "op": "publish",
        "topic": "/scan",
        "msg": {"secs": 7, "nsecs": 8, "bytes": SCAN.serialise(publication.message)},
    }


def test_cbor_raw_of_ros_2_holds_cdr(publication):
    kind = interfaces(Dialect.ROS2).message("sensor_msgs/msg/LaserScan")
    raw = cbor2.loads(Publication("/scan", kind, publication.message, Time()).form("cbor-raw"))
    assert raw["msg"]["bytes"].startswith(b"\0\1\0\0")


def test_png_holds_the_json(publication):
    plain = json.loads(publication.form("png"))
    assert plain["op"] == "png"
    assert text_of_png(plain["data"], 10**6).rstrip("\n") == publication.json


def test_each_form_is_made_once(publication):
    for compression in ("none", "png", "cbor", "cbor-raw"):
        assert publication.form(compression) is publication.form(compression)
