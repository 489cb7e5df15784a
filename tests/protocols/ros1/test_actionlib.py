"""Goals of an action: states, cancels, results, and how long they are remembered."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros1 import actionlib
from mobilesim_py.protocols.ros1.actionlib import ENDED, ActionServer, CancelAsked, GoalArrived, GoalState, Signal

ROS1 = interfaces(Dialect.ROS1)
GOAL = ROS1.message("move_base_msgs/MoveBaseActionGoal")
T10 = Time(10, 0)
ZERO = Time()


@pytest.fixture
def server() -> ActionServer:
    return ActionServer("/mobilesim")


def goal(goal_id: str = "g", stamp: Time = T10):
    return GOAL.make(goal_id={"id": goal_id, "stamp": stamp})


def cancel(goal_id: str = "", stamp: Time = ZERO):
    return {"id": goal_id, "stamp": stamp}


def ends(server: ActionServer) -> list[tuple[str, int]]:
    return [(message["status"]["goal_id"]["id"], message["status"]["status"]) for message in server.results()]


def test_a_goal_is_accepted_and_reached(server):
    server.receive_goal(goal(), T10)
    (arrived,) = server.events()
    assert arrived == GoalArrived("g", goal()["goal"])
    assert server.state("g") is GoalState.PENDING
    assert server.obey("g", Signal.ACCEPT, T10)
    assert server.feedback("g", {"base_position": 1}, T10)["status"]["status"] == 1
    assert server.obey("g", Signal.SUCCEED, T10, "there")
    assert server.state("g") is GoalState.SUCCEEDED
    (result,) = server.results()
    assert (result["status"]["status"], result["status"]["text"]) == (3, "there")
    assert server.results() == []
    assert not server.obey("g", Signal.ABORT, T10)


def test_messages_fit_their_types(server):
    server.receive_goal(goal(), T10)
    server.obey("g", Signal.ACCEPT, T10)
    ROS1.message("actionlib_msgs/GoalStatusArray").serialise(server.status(T10))
    feedback = server.feedback("g", ROS1.message("move_base_msgs/MoveBaseFeedback").make(), T10)
    ROS1.message("move_base_msgs/MoveBaseActionFeedback").serialise(feedback)
    server.obey("g", Signal.ABORT, T10)
    ROS1.message("move_base_msgs/MoveBaseActionResult").serialise(server.results()[0])


def test_the_numbers_of_states_are_those_of_the_message():
    constants = ROS1.message("actionlib_msgs/GoalStatus").constants
    assert {state.name: state.value for state in GoalState}.items() <= constants.items()


def test_a_cancel_is_asked_for_and_then_obeyed(server):
    server.receive_goal(goal(), T10)
    server.obey("g", Signal.ACCEPT, T10)
    server.events()
    server.receive_cancel(cancel("g"), T10)
    server.receive_cancel(cancel("g"), T10)
    assert server.events() == [CancelAsked("g")]
    assert server.state("g") is GoalState.PREEMPTING
    server.obey("g", Signal.CANCEL, T10)
    assert ends(server) == [("g", 2)]


def test_a_goal_that_is_pending_is_recalled_or_rejected(server):
    for name in "ab":
        server.receive_goal(goal(name), T10)
        server.receive_cancel(cancel(name), T10)
    server.obey("a", Signal.CANCEL, T10)
    server.obey("b", Signal.REJECT, T10, "no way")
    assert ends(server) == [("a", 8), ("b", 5)]


def test_an_empty_cancel_means_all_goals_and_a_stamp_means_all_up_to_it(server):
    for name, seconds in (("a", 1), ("b", 2), ("c", 3), ("d", 0)):
        server.receive_goal(goal(name, Time(seconds, 0)), T10)
    server.events()
    server.receive_cancel(cancel(stamp=Time(2, 0)), T10)
    assert server.events() == [CancelAsked("a"), CancelAsked("b")]
    server.receive_cancel(cancel(), T10)
    assert server.events() == [CancelAsked("c"), CancelAsked("d")]


def test_a_cancel_may_come_before_its_goal(server):
    server.receive_cancel(cancel("g"), T10)
    assert not server.obey("g", Signal.ACCEPT, T10)
    server.receive_goal(goal("g"), T10)
    assert server.events() == []
    assert ends(server) == [("g", 8)]
    server.receive_cancel(cancel(stamp=Time(20, 0)), T10)
    server.receive_goal(goal("older", Time(19, 0)), T10)
    server.receive_goal(goal("newer", Time(21, 0)), T10)
    assert ends(server) == [("older", 8)]
    assert [event.id for event in server.events()] == ["newer"]


def test_a_goal_without_an_id_gets_one_and_one_that_comes_twice_counts_once(server):
    server.receive_goal(goal(""), T10)
    server.receive_goal(goal(""), T10)
    server.receive_goal(goal("g"), T10)
    server.receive_goal(goal("g"), T10)
    assert [event.id for event in server.events()] == ["/mobilesim-1-10.000", "/mobilesim-2-10.000", "g"]


def test_an_ended_goal_stays_in_the_status_for_five_seconds(server):
    server.receive_goal(goal(), T10)
    server.obey("g", Signal.REJECT, T10)
    assert len(server.status(Time(15, 0))["status_list"]) == 1
    assert server.status(Time(15, 1))["status_list"] == []
    assert server.state("g") is None
    assert server.feedback("g", {}, T10) is None


def test_a_clock_that_is_set_back_does_not_keep_goals_for_ever(server):
    server.receive_goal(goal(), T10)
    server.obey("g", Signal.REJECT, T10)
    assert server.status(Time(1, 0))["status_list"] == []


def test_goals_and_cancels_without_end_are_bounded(server, monkeypatch):
    monkeypatch.setattr(actionlib, "MOST_GOALS", 5)
    for number in range(10):
        server.receive_goal(goal(str(number)), T10)
    assert len(server.events()) == 5
    assert [state for _, state in ends(server)] == [5] * 5
    for number in range(50):
        server.receive_cancel(cancel(f"c{number}"), T10)
    assert len(server.status(T10)["status_list"]) == 5
    server.receive_goal(goal("x" * 1000), T10)
    assert len(server.results()[0]["status"]["goal_id"]["id"]) == 256
    server.receive_cancel(cancel("x" * 1000), T10)


NAMES = st.sampled_from(["", "a", "b", "c"])
TIMES = st.builds(Time, st.integers(0, 20), st.just(0))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["goal", "cancel", *Signal]), NAMES, TIMES), max_size=25))
def test_every_goal_ends_once(steps):
    server = ActionServer("/n")
    ended: list[str] = []
    for what, name, time in steps:
        if what == "goal":
            server.receive_goal(goal(name, time), T10)
        elif what == "cancel":
            server.receive_cancel(cancel(name, time), T10)
        else:
            server.obey(name, what, T10)
        for message in server.results():
            assert GoalState(message["status"]["status"]) in ENDED
            ended.append(message["status"]["goal_id"]["id"])
    assert len(ended) == len(set(ended))
