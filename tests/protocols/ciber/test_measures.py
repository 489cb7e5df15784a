"""What agents are told in every cycle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.ciber import Measures, Scores, decode_measures, encode_measures
from mobilesim_py.protocols.ciber.measures import logged_measures

FULL = Measures(
    12,
    collision=False,
    compass=0,
    ground=-1,
    obstacles=((0, 0.6), (1, 2.0)),
    beacons=((0, None), (1, -30)),
    gps=(849.8, 397.0),
    line="0010000",
    messages=((1, "hello"),),
    scores=Scores(200, 7, 0, 2, True, "01"),
    end_led=True,
    start=True,
)
TEXT = (
    b'<Measures Time="12">\n\t<Sensors Collision="No" Compass="0" Ground="-1">\n'
    b'\t\t<IRSensor Id="0" Value="0.6"/>\n\t\t<IRSensor Id="1" Value="2"/>\n'
    b'\t\t<BeaconSensor Id="0" Value="NotVisible"/>\n\t\t<BeaconSensor Id="1" Value="-30"/>\n'
    b'\t\t<GPS X="849.8" Y="397" />\n\t\t<LineSensor Value="0010000" />\n'
    b'\t\t<Message From="1"><![CDATA[hello]]></Message>\n'
    b'\t\t<Score Score="200" ArrivalTime="7" ReturningTime="0" Collisions="2" Collision="True" VisitedMask="01" />\n'
    b'\t</Sensors>\n\t<Leds EndLed="On" ReturningLed="Off" VisitingLed="Off"/>\n'
    b'\t<Buttons Start="On" Stop="Off"/>\n</Measures>\n\0'
)


def test_measures_are_written_as_the_contests_agents_read_them():
    assert encode_measures(FULL) == TEXT


def test_measures_are_read_back():
    assert decode_measures(TEXT) == FULL


def test_what_was_not_asked_for_is_not_there():
    data = encode_measures(Measures(3, collision=True))
    assert data.startswith(b'<Measures Time="3">\n\t<Sensors Collision="Yes">\n\t</Sensors>\n')
    assert decode_measures(data) == Measures(3, collision=True)
    assert b"<Sensors>" in encode_measures(Measures(3))


def test_measures_never_grow_beyond_what_agents_read():
    crowd = Measures(3, messages=[(i, "x" * 100) for i in range(1, 60)])
    data = encode_measures(crowd)
    assert 3900 < len(data) <= 4096
    heard = decode_measures(data)
    assert heard is not None
    assert [sender for sender, _ in heard.messages] == list(range(1, len(heard.messages) + 1))


def test_a_message_cannot_end_its_own_section():
    data = encode_measures(Measures(1, messages=[(1, "]]></Message><Score/>")]))
    heard = decode_measures(data)
    assert heard is not None
    assert heard.messages == ((1, "]]></Message><Score/>"),)
    assert heard.scores is None


def test_a_log_keeps_all_sensors_with_the_compass_first():
    text = logged_measures(FULL)
    assert '<Sensors Compass="0" Collision="No" Ground="-1">' in text
    assert "Message" not in text
    assert "Score" not in text
    assert 'Collision="Yes"' in logged_measures(Measures(1, collision=True, compass=1, ground=0))


@pytest.mark.parametrize("data", [b"", b"<Reply/>"])
def test_what_holds_no_measures_is_none(data):
    assert decode_measures(data) is None


def test_an_empty_document_of_measures_can_be_read():
    assert decode_measures(b"<Measures/>") == Measures(0)


def test_a_score_without_sign_gets_it_back():
    heard = decode_measures(b'<Measures><Sensors><Score Score="4294967286"/></Sensors></Measures>')
    assert heard is not None
    assert heard.scores == Scores(-10)


@given(st.integers(0, 10**6), st.none() | st.integers(-180, 180), st.lists(st.integers(-20, 1000), max_size=4))
def test_numbers_arrive(time, compass, tenths):
    measures = Measures(time, compass=compass, obstacles=tuple((i, value / 10) for i, value in enumerate(tenths)))
    assert decode_measures(encode_measures(measures)) == measures
