"""What agents order, ask and say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.ciber import Actions, decode_actions, encode_actions


def test_an_agent_drives():
    assert decode_actions(b'<Actions LeftMotor="0.1" RightMotor="-0.15"/>') == Actions(0.1, -0.15)


def test_what_is_not_said_stays():
    assert decode_actions(b"<Actions/>\0") == Actions()


def test_leds_are_on_only_with_that_word():
    data = b'<Actions EndLed="On" ReturningLed="Off" VisitingLed="yes"/>'
    assert decode_actions(data) == Actions(end_led=True, returning_led=False, visiting_led=False)


def test_requests_are_kept_in_order():
    data = b'<Actions><SensorRequests Compass="Yes" Ground="No" IRSensor1="Yes" Foo="Yes"/></Actions>'
    assert decode_actions(data) == Actions(requests=("Compass", "IRSensor1", "Foo"))


def test_words_are_heard_with_and_without_cdata():
    assert decode_actions(b"<Actions><Say><![CDATA[a<b]]></Say></Actions>") == Actions(say="a<b")
    assert decode_actions(b"<Actions><Say>one</Say><Say>two</Say></Actions>") == Actions(say="onetwo")
    assert decode_actions(b"<Actions><Say></Say></Actions>") == Actions()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b'<Actions LeftMotor="0.1"',
        b"<Measures/>",
        b"<Actions><Dance/></Actions>",
        b"<Actions><Say><Say/></Say></Actions>",
    ],
)
def test_bad_messages_are_not_obeyed(data):
    assert decode_actions(data) is None


def test_a_power_that_is_no_number_is_0():
    assert decode_actions(b'<Actions LeftMotor="nan" RightMotor="fast"/>') == Actions(0.0, 0.0)


POWERS = st.none() | st.floats(-0.15, 0.15).map(lambda power: round(power, 6))
LEDS = st.none() | st.booleans()
REQUESTS = st.lists(st.sampled_from(["Compass", "Ground", "IRSensor0", "Beacon1"]), unique=True).map(tuple)
SAYINGS = st.none() | st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=100)


@given(POWERS, POWERS, LEDS, LEDS, LEDS, REQUESTS, SAYINGS)
def test_what_an_agent_sends_arrives(left, right, end, returning, visiting, requests, say):
    actions = Actions(left, right, end, returning, visiting, requests, say)
    assert decode_actions(encode_actions(actions)) == actions
