"""Registrations and their answers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.ciber import (
    DEFAULT_ANGLES,
    REFUSED,
    PanelRequest,
    Reply,
    RobotBeaconRequest,
    RobotRequest,
    ViewRequest,
    decode_registration,
    decode_reply,
    encode_registration,
    encode_reply,
)


def test_a_robot_asks_for_a_place():
    assert decode_registration(b'<Robot Id="1" Name="n"/>') == RobotRequest("n", 1)
    assert decode_registration(b'<Robot Name="n"></Robot>\0') == RobotRequest("n", 0, DEFAULT_ANGLES)
    assert decode_registration(b"<Robot/>") == RobotRequest("", 0)


def test_a_robot_places_its_obstacle_sensors():
    data = b'<Robot Name="n"><IRSensor Id="1" Angle="90.0" /><IRSensor Id="3" Angle="-45" /></Robot>'
    request = decode_registration(data)
    assert request == RobotRequest("n", 0, (0.0, math.pi / 2, -math.pi / 3, -math.pi / 4))


@pytest.mark.parametrize("sensor", ['Id="4" Angle="1"', 'Id="0"', 'Angle="1"'])
def test_a_sensor_that_is_not_there_is_passed_over(sensor):
    assert decode_registration(f"<Robot><IRSensor {sensor}/></Robot>".encode()) == RobotRequest()


def test_others_ask_too():
    assert decode_registration(b"<View/>\n\0") == ViewRequest()
    assert decode_registration(b"<Panel/>") == PanelRequest()
    assert decode_registration(b'<RobotBeacon Name="b" Id="2" Height="3.5"/>') == RobotBeaconRequest("b", 2, 3.5)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<Robot",
        b"<Unknown/>",
        b"<Robot><Say/></Robot>",
        b"<View><Robot/></View>",
        b"<Panel><A/></Panel>",
        b"<RobotBeacon><A/></RobotBeacon>",
    ],
)
def test_what_asks_for_nothing_gets_no_reply(data):
    assert decode_registration(data) is None


def test_long_names_are_cut():
    request = decode_registration(b'<Robot Name="' + b"n" * 500 + b'"/>')
    assert isinstance(request, RobotRequest)
    assert request.name == "n" * 100


NAMES = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=255, exclude_categories=["Cc"]), max_size=30)


@given(NAMES, st.integers(0, 99), st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_what_a_client_asks_for_arrives(name, number, angles):
    request = decode_registration(encode_registration(RobotRequest(name, number, tuple(angles))))
    assert isinstance(request, RobotRequest)
    assert (request.name, request.id) == (name, number)
    assert request.angles == pytest.approx(tuple(angles), abs=1e-8)


@pytest.mark.parametrize(
    "request_", [RobotBeaconRequest("b", 0, 2.5), RobotBeaconRequest("b", 3), ViewRequest(), PanelRequest()]
)
def test_other_requests_arrive(request_):
    assert decode_registration(encode_registration(request_)) == request_


def test_the_refusal_is_what_agents_know():
    assert REFUSED == b'<Reply Status="Refused"></Reply>\n\0'
    assert decode_reply(REFUSED) == Reply(False, {})


def test_a_reply_carries_the_parameters():
    data = encode_reply('<Parameters SimTime="5"/>\n', "")
    assert data == b'<Reply Status="Ok">\n\t<Parameters SimTime="5"/>\n</Reply>\n\0'
    assert decode_reply(data) == Reply(True, {"SimTime": "5"})


def test_a_reply_that_would_be_too_long_is_short():
    data = encode_reply('<Parameters Lab="' + "x" * 1000 + '"/>', "<Parameters/>")
    assert decode_reply(data) == Reply(True, {})
    assert len(data) <= 1024


@pytest.mark.parametrize("data", [b"", b"<Measures/>"])
def test_what_is_no_reply_is_none(data):
    assert decode_reply(data) is None
