"""Commands of viewers and panels, and what viewers are told."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ciber import (
    RESTART,
    Command,
    Order,
    PlaceMessage,
    Restart,
    RobotView,
    Scores,
    decode_command,
    decode_view,
    encode_command,
    encode_view,
)

VIEW = RobotView("pClient1", 1, 18, Scores(200, 18, 0, 0, False, "0"), "Running", 10.6999, 2.99936, -0.264668)
TEXT = (
    b'<Robot Name="pClient1" Id="1" Time="18" Score="200" ArrivalTime="18" ReturningTime="0" Collisions="0" '
    b'Collision="False" VisitedMask="0" State="Running">\n\t<Position X="10.6999" Y="2.99936" Dir="-0.264668"/>\n</Robot>\n\0'
)


@pytest.mark.parametrize("order", [order for order in Order if order is not Order.REMOVE])
def test_an_order_arrives(order):
    assert decode_command(encode_command(Command(order))) == Command(order)


def test_orders_have_the_originals_words():
    assert encode_command(Command(Order.LAB)) == b"<LabReq/>\0"
    assert encode_command(Command(Order.REMOVE, 2)) == b'<Robot Id="2" Removed="Yes"/>\0'


def test_a_robot_is_removed_only_with_that_word():
    assert decode_command(b'<Robot Id="2" Removed="Yes"/>') == Command(Order.REMOVE, 2)
    assert decode_command(b'<Robot Id="2" Removed="No"/>') is None


@pytest.mark.parametrize("data", [b"", b"<Dance/>", b"<Start><Stop/></Start>", b"<Start" + b" " * 70 + b"/>"])
def test_what_orders_nothing_or_too_long_is_none(data):
    assert decode_command(data) is None


def test_a_robot_is_shown_as_the_original_shows_it():
    assert encode_view(VIEW) == TEXT
    assert decode_view(TEXT) == VIEW


def test_a_negative_score_is_printed_without_sign():
    view = RobotView("n", 1, 0, Scores(-10), "Running", 0.0, 0.0, 0.0)
    assert b'Score="4294967286"' in encode_view(view)
    assert decode_view(encode_view(view)) == view


def test_names_cannot_break_the_message():
    view = RobotView('a"/><b&', 1, 0, Scores(), "Running", 0.0, 0.0, 0.0)
    assert decode_view(encode_view(view)) == view


def test_viewers_are_told_of_places_and_restarts():
    assert decode_view(RESTART) == Restart()
    assert decode_view(b"<Grid>\n</Grid>\n\0") == PlaceMessage("Grid", b"<Grid>\n</Grid>\n")
    assert decode_view(b"<Lab/>\0") == PlaceMessage("Lab", b"<Lab/>")


@pytest.mark.parametrize("data", [b"", b"<Measures/>"])
def test_what_viewers_are_not_told_is_none(data):
    assert decode_view(data) is None


def test_a_robot_without_a_position_is_at_the_origin():
    assert decode_view(b"<Robot/>") == RobotView("", 0, 0, Scores(), "", 0.0, 0.0, 0.0)
