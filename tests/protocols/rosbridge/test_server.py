"""The server's end, told what real clients say, byte by byte."""

from __future__ import annotations

import json
import math

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.errors import MessageError, WireError
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.rosbridge import events
from mobilesim_py.protocols.rosbridge.operations import ROWS
from mobilesim_py.protocols.rosbridge.publication import Publication
from mobilesim_py.protocols.rosbridge.server import ServerSession, fill_arguments
from mobilesim_py.protocols.rosbridge.session import Limits

ROS1 = interfaces(Dialect.ROS1)
ODOM = ROS1.message("nav_msgs/Odometry")
SET_BOOL = ROS1.service("std_srvs/SetBool")
NAVIGATE = ROS1.action("nav2_msgs/NavigateToPose")


@pytest.fixture
def session() -> ServerSession:
    return ServerSession(ROS1)


def odom(x: float = 0.0, topic: str = "/odom") -> Publication:
    message = ODOM.make()
    message["pose"]["pose"]["position"]["x"] = x
    return Publication(topic, ODOM, message, Time(1, 2))


def told(session: ServerSession, text: str | bytes) -> list[events.Event]:
    session.receive_data(text)
    return session.events()


def sent(session: ServerSession, now: float = 0.0) -> list[dict]:
    return [json.loads(frame) if isinstance(frame, str) else cbor2.loads(frame) for frame in session.data_to_send(now)]


# --- topics --------------------------------------------------------------------------------------------------------------


def test_roslibpy_subscribes_and_unsubscribes(session):
    text = '{"op": "subscribe", "id": "subscribe:/odom:8", "type": "nav_msgs/Odometry", "topic": "/odom", "compression": "none", "throttle_rate": 200, "queue_length": 1}'
    assert told(session, text) == [events.Subscribed("/odom", "nav_msgs/Odometry", "none", "subscribe:/odom:8")]
    assert session.wants("/odom")
    for tick in range(5):
        session.publish(odom(float(tick)))
        session.publish(odom(99.0, "/other"))
    assert [plain["msg"]["pose"]["pose"]["position"]["x"] for plain in sent(session, 0.0)] == [4.0]
    session.publish(odom(5.0))
    assert sent(session, 0.1) == []
    assert session.next_due() == pytest.approx(0.2)
    assert sent(session, 0.2)[0]["topic"] == "/odom"
    assert session.next_due() == math.inf
    assert told(session, '{"op": "unsubscribe", "id": "subscribe:/odom:8", "topic": "/odom"}') == [
        events.Unsubscribed("/odom", "subscribe:/odom:8")
    ]
    session.publish(odom())
    assert sent(session) == []


def test_a_topic_is_kept_until_its_last_subscription_goes(session):
    for number in ("a", "b"):
        told(session, json.dumps({"op": "subscribe", "topic": "odom", "id": number, "compression": "cbor"}))
    assert told(session, '{"op":"unsubscribe","topic":"/odom","id":"a"}') == []
    assert told(session, '{"op":"unsubscribe","topic":"/odom"}') == [events.Unsubscribed("/odom")]


def test_roslibpy_advertises_and_drives(session):
    text = '{"op": "advertise", "id": "advertise:/cmd_vel:10", "type": "geometry_msgs/Twist", "topic": "/cmd_vel", "latch": false, "queue_size": 100}'
    assert told(session, text) == [events.Advertised("/cmd_vel", "geometry_msgs/Twist", False, "advertise:/cmd_vel:10")]
    text = '{"op": "publish", "id": "publish:/cmd_vel:11", "topic": "/cmd_vel", "msg": {"linear": {"x": 0.2, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0.1}}, "latch": false}'
    (published,) = told(session, text)
    assert (published.topic, published.type) == ("/cmd_vel", "geometry_msgs/Twist")
    assert ROS1.message(published.type).fill(published.message, Time())["linear"]["x"] == 0.2
    assert told(session, '{"op":"unadvertise","topic":"/cmd_vel"}') == [events.Unadvertised("/cmd_vel")]
    (published,) = told(session, '{"op":"publish","topic":"/cmd_vel"}')
    assert (published.type, published.message) == ("", {})


def test_both_spellings_of_a_type_may_be_advertised(session):
    told(session, '{"op":"advertise","topic":"/cmd_vel","type":"geometry_msgs/msg/Twist"}')
    assert session.advertised == {"/cmd_vel": "geometry_msgs/Twist"}


def test_a_message_may_come_in_cbor(session):
    (published,) = told(session, cbor2.dumps({"op": "publish", "topic": "/x", "msg": {"data": 5}}))
    assert published.message == {"data": 5}


@pytest.mark.parametrize("compression", ["cbor", "cbor-raw", "png", "none"])
def test_a_topic_comes_in_the_form_that_was_asked_for(session, compression):
    told(session, json.dumps({"op": "subscribe", "topic": "/odom", "compression": compression}))
    publication = odom()
    session.publish(publication)
    assert session.data_to_send(0.0) == [publication.form(compression)]


def test_fragments_come_only_where_they_were_asked_for_and_never_of_binary_frames(session):
    told(session, '{"op":"subscribe","topic":"/odom","fragment_size":100}')
    session.publish(odom())
    pieces = sent(session)
    assert {piece["op"] for piece in pieces} == {"fragment"}
    assert "".join(piece["data"] for piece in pieces) == odom().json
    told(session, '{"op":"subscribe","topic":"/odom","fragment_size":100,"compression":"cbor"}')
    session.publish(odom())
    assert len(session.data_to_send(0.0)) == 1


def test_the_first_due_of_many_topics_is_told(session):
    for topic, rate in (("/a", 500), ("/b", 200), ("/c", 100)):
        told(session, json.dumps({"op": "subscribe", "topic": topic, "throttle_rate": rate}))
    assert session.next_due() == math.inf
    for _ in range(2):
        session.publish(odom(topic="/a"))
        session.publish(odom(topic="/b"))
        session.data_to_send(5.0)
    assert session.next_due() == pytest.approx(5.2)
    assert len(session.data_to_send(5.2)) == 1
    assert session.next_due() == pytest.approx(5.5)


def test_a_topic_that_cannot_be_served_is_dropped(session):
    told(session, '{"op":"subscribe","topic":"/odom"}')
    session.drop_topic("/odom")
    session.drop_topic("/odom")
    assert not session.wants("/odom")


# --- services ------------------------------------------------------------------------------------------------------------


def test_a_call_of_roslib_is_answered_with_its_own_name_and_id(session):
    (call,) = told(
        session, '{"op":"call_service","id":"call_service:rosapi/topics:21d3","service":"rosapi/topics","args":{}}'
    )
    assert (call.service, call.arguments) == ("/rosapi/topics", {})
    session.respond(call, ROS1.service("rosapi/Topics"), {"topics": ["/odom"], "types": ["nav_msgs/Odometry"]})
    assert session.backlog > 0
    assert session.data_to_send(0.0) == [
        '{"op":"service_response","service":"rosapi/topics","values":{"topics":["/odom"],"types":["nav_msgs/Odometry"]},"result":true,"id":"call_service:rosapi/topics:21d3"}'
    ]
    assert session.backlog == 0


def test_a_call_that_cannot_be_served_hears_why_and_without_an_id_gets_none(session):
    (call,) = told(session, '{"op":"call_service","service":"/nope"}')
    session.refuse(call, "Service /nope does not exist")
    assert session.data_to_send(0.0) == [
        '{"op":"service_response","service":"/nope","values":"Service /nope does not exist","result":false}'
    ]


def test_an_answer_may_be_a_png(session):
    (call,) = told(session, '{"op":"call_service","service":"/static_map","compression":"png"}')
    session.refuse(call, "no")
    assert sent(session)[0]["op"] == "png"


def test_a_client_may_answer_a_service(session):
    assert told(session, '{"op": "advertise_service", "type": "std_srvs/SetBool", "service": "/set_ready"}') == [
        events.ServiceAdvertised("/set_ready", "std_srvs/SetBool")
    ]
    number = session.call("/set_ready", SET_BOOL, {"data": True})
    assert number == "service_request:/set_ready:1"
    assert sent(session) == [{"op": "call_service", "id": number, "service": "/set_ready", "args": {"data": True}}]
    text = '{"op": "service_response", "service": "/set_ready", "values": {"success": true, "message": "ok"}, "result": true, "id": "service_request:/set_ready:1"}'
    assert told(session, text) == [events.ServiceResponded("/set_ready", {"success": True, "message": "ok"}, True, number)]
    assert isinstance(told(session, text)[0], events.Mistake)
    assert told(session, '{"op":"unadvertise_service","service":"/set_ready"}') == [events.ServiceUnadvertised("/set_ready")]


@pytest.mark.parametrize(
    ("arguments", "data"), [({}, False), (None, False), ([], False), ([True], True), ({"data": True}, True)]
)
def test_arguments_may_be_an_object_a_list_or_nothing(arguments, data):
    assert fill_arguments(SET_BOOL.request, arguments, Time()) == {"data": data}


@pytest.mark.parametrize("arguments", [[True, False], 5, "x"])
def test_arguments_that_do_not_fit_are_refused(arguments):
    with pytest.raises(MessageError):
        fill_arguments(SET_BOOL.request, arguments, Time())


def test_calls_without_end_are_refused_and_answers_make_room(session):
    session = ServerSession(ROS1, Limits(pending=2))
    calls = [told(session, '{"op":"call_service","service":"/s"}') for _ in range(3)]
    assert [len(found) for found in calls] == [1, 1, 0]
    assert "2 calls wait" in sent(session)[0]["values"]
    session.refuse(calls[0][0], "x")
    assert len(told(session, '{"op":"call_service","service":"/s"}')) == 1


# --- actions -------------------------------------------------------------------------------------------------------------

GOAL = '{"op": "send_action_goal", "id": "send_action_goal:/navigate_to_pose:8", "action": "/navigate_to_pose", "action_type": "nav2_msgs/action/NavigateToPose", "args": {"pose": {}}, "feedback": true}'


def test_a_goal_is_pursued_with_feedback_and_a_result(session):
    (goal,) = told(session, GOAL)
    assert (goal.action, goal.feedback) == ("/navigate_to_pose", True)
    session.feedback(goal, NAVIGATE, NAVIGATE.feedback.make(distance_remaining=1.5))
    session.finish(goal, NAVIGATE, NAVIGATE.result.make(), 4)
    feedback, result = sent(session)
    assert (feedback["op"], feedback["id"], feedback["values"]["distance_remaining"]) == ("action_feedback", goal.id, 1.5)
    assert (result["op"], result["status"], result["result"], result["action"]) == (
        "action_result",
        4,
        True,
        "/navigate_to_pose",
    )


def test_feedback_comes_only_where_it_is_wanted_and_a_refused_goal_hears_why(session):
    (goal,) = told(session, '{"op":"send_action_goal","action":"navigate_to_pose","id":"g"}')
    session.feedback(goal, NAVIGATE, NAVIGATE.feedback.make())
    session.refuse_goal(goal, "there is no way")
    assert sent(session) == [
        {
            "op": "action_result",
            "id": "g",
            "action": "navigate_to_pose",
            "values": "there is no way",
            "status": 6,
            "result": False,
        }
    ]


def test_a_goal_is_cancelled_by_its_id(session):
    text = '{"op": "cancel_action_goal", "id": "send_action_goal:/navigate_to_pose:8", "action": "/navigate_to_pose"}'
    assert told(session, text) == [events.GoalCancelled("/navigate_to_pose", "send_action_goal:/navigate_to_pose:8")]


def test_a_client_may_pursue_goals(session):
    assert told(session, '{"op":"advertise_action","action":"/dock","type":"nav2_msgs/NavigateToPose"}') == [
        events.ActionAdvertised("/dock", "nav2_msgs/NavigateToPose")
    ]
    number = session.send_goal("/dock", NAVIGATE, NAVIGATE.goal.make())
    session.cancel_goal(number)
    session.cancel_goal("unknown")
    goal, cancel = sent(session)
    assert (goal["op"], goal["action_type"], cancel) == (
        "send_action_goal",
        "nav2_msgs/NavigateToPose",
        {"op": "cancel_action_goal", "id": number, "action": "/dock"},
    )
    assert told(session, json.dumps({"op": "action_feedback", "action": "/dock", "values": 1, "id": number})) == [
        events.FeedbackReceived("/dock", 1, number)
    ]
    result = json.dumps({"op": "action_result", "action": "/dock", "values": {}, "status": 5, "result": True, "id": number})
    assert told(session, result) == [events.ResultReceived("/dock", {}, 5, True, number)]
    assert isinstance(told(session, result)[0], events.Mistake)
    assert isinstance(told(session, result.replace("action_result", "action_feedback"))[0], events.Mistake)
    assert told(session, '{"op":"unadvertise_action","action":"/dock"}') == [events.ActionUnadvertised("/dock")]


# --- mistakes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        '{"op":"dance"}',
        '{"op":"status","level":"info"}',
        '{"op":"advertise","topic":"/x","type":"no/Such"}',
        '{"op":"subscribe","topic":"/x","compression":"zip"}',
        '{"op":"subscribe"}',
        '{"op":"png","data":"AAAA"}',
    ],
)
def test_a_mistake_is_for_our_log_and_silent_until_the_client_asks(session, text):
    (mistake,) = told(session, text)
    assert isinstance(mistake, events.Mistake)
    assert session.data_to_send(0.0) == []
    told(session, '{"op":"set_level","level":"error"}')
    told(session, text)
    assert sent(session)[0] == {"op": "status", "level": "error", "msg": mistake.text}


def test_the_status_of_a_mistake_names_the_operation(session):
    told(session, '{"op":"set_level","level":"info"}')
    told(session, '{"op":"dance","id":"7"}')
    assert sent(session)[0]["id"] == "7"


@pytest.mark.parametrize("what", ["unadvertise", "unsubscribe", "unadvertise_service", "unadvertise_action"])
def test_taking_back_what_was_not_given_is_worth_a_warning(session, what):
    field = {"unadvertise_service": "service", "unadvertise_action": "action"}.get(what, "topic")
    text = json.dumps({"op": what, field: "/x"})
    assert told(session, text) == []
    assert sent(session) == []
    told(session, '{"op":"set_level","level":"warning"}')
    told(session, text)
    assert sent(session)[0]["level"] == "warning"


def test_credentials_are_passed_on_and_not_answered(session):
    (offered,) = told(session, '{"op":"auth","mac":"secret","client":"me"}')
    assert offered.fields["mac"] == "secret"
    assert sent(session) == []


def test_fragments_and_pngs_of_a_client_are_unwrapped(session):
    text = '{"op":"advertise_service","service":"/s","type":"std_srvs/Empty"}'
    assert told(session, json.dumps({"op": "fragment", "id": "1", "data": text[:20], "num": 0, "total": 2})) == []
    assert told(session, json.dumps({"op": "fragment", "id": "1", "data": text[20:], "num": 1, "total": 2})) == [
        events.ServiceAdvertised("/s", "std_srvs/Empty")
    ]


def test_wrapping_has_an_end(session):
    text = '{"op":"set_level","level":"info"}'
    for number in range(6):
        text = json.dumps({"op": "fragment", "id": str(number), "data": text, "num": 0, "total": 1})
    assert "without end" in told(session, text)[0].text
    assert session.level == "none"


def test_a_client_that_never_reads_is_told_of_once(session):
    session = ServerSession(ROS1, Limits(waiting=300))
    (call,) = told(session, '{"op":"call_service","service":"/s"}')
    for _ in range(5):
        session.refuse(call, "x" * 100)
    assert [type(event) for event in session.events()] == [events.Overrun]


def test_names_of_a_client_are_bounded():
    session = ServerSession(ROS1, Limits(names=3))
    for op, field in (
        ("subscribe", "topic"),
        ("advertise", "topic"),
        ("advertise_service", "service"),
        ("advertise_action", "action"),
    ):
        found = [
            told(session, json.dumps({"op": op, field: f"/n{number}", "type": "std_msgs/String"})) for number in range(5)
        ]
        assert [isinstance(event, events.Mistake) for (event,) in found] == [False] * 3 + [True] * 2
    assert len(told(session, '{"op":"subscribe","topic":"/n0","id":"again"}')) == 1
    session = ServerSession(ROS1, Limits(pending=1))
    session.call("/s", SET_BOOL, {"data": True})
    with pytest.raises(WireError):
        session.call("/s", SET_BOOL, {"data": True})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["/odom", "a", "", "info", "cbor", "std_msgs/String"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["data", "x"]), inner, max_size=3),
    max_leaves=5,
)
NAMES = sorted({item.partition(":")[0] for row in ROWS.values() for item in row.split()})


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([*ROWS, "dance"]), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=6)), max_size=6
    )
)
def test_any_operations_are_events_or_mistakes(operations):
    session = ServerSession(ROS1)
    for op, fields in operations:
        session.receive_data(json.dumps({"op": op, **fields}))
        session.events()
        session.publish(odom())
        session.data_to_send(0.0)
        session.next_due()


@settings(deadline=None)
@given(st.text(max_size=50) | st.binary(max_size=50))
def test_any_frames_are_events_or_mistakes(frame):
    session = ServerSession(ROS1)
    session.receive_data(frame)
    assert all(isinstance(event, events.Mistake) for event in session.events())
