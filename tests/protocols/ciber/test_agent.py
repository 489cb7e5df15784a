"""The agent's end of the protocol."""

from __future__ import annotations

from mobilesim_py.protocols.ciber import Measures, Reply, RobotRequest, decode_actions, decode_registration, encode_measures
from mobilesim_py.protocols.ciber.agent import AgentEnd


def test_it_begins_with_its_registration():
    end = AgentEnd(RobotRequest("mouse", 3))
    (data,) = end.data_to_send()
    assert decode_registration(data) == RobotRequest("mouse", 3)
    assert end.data_to_send() == []


def test_replies_and_measures_become_events_and_the_rest_nothing():
    end = AgentEnd(RobotRequest("mouse"))
    for data in (b"<Reply Status='Ok'/>", b"junk", b"<Restart/>\0", encode_measures(Measures(5, start=True))):
        end.receive_data(data)
    reply, measures = end.events()
    assert reply == Reply(True, {}) == end.reply
    assert measures is end.measures
    assert end.measures.start
    assert end.events() == []


def test_motors_and_leds_stay_and_requests_and_words_last_one_message():
    end = AgentEnd(RobotRequest("mouse"))
    end.data_to_send()
    end.drive(0.1, 0.05)
    end.set_leds(returning=True)
    end.request("Ground")
    end.say("here")
    end.flush()
    end.flush()
    first, second = (decode_actions(data) for data in end.data_to_send())
    assert (first.requests, first.say) == (("Ground",), "here")
    assert (second.requests, second.say) == ((), None)
    assert (second.left_motor, second.right_motor, second.returning_led, second.end_led) == (0.1, 0.05, True, None)
