"""The order of states: the figures of the deliverable as sequences."""

from __future__ import annotations

import pytest

from mobilesim_py.garden.states import IDLE, NEXT, Outcome, State, following

LOOP = ["/Check for Trimming Object", "/Wait", "/Check for Simple Goal", "/Wait", "/Check for Trimming Object"]
TO_OBJECT = ["Find Trimming Position", "Log", "Validate", "Drive to Destination", "Approach Object"]
TO_PLACE = ["Find Simple Goal Position", "Log", "Validate", "Drive to Destination"]


def walk(state: State, *outcomes: Outcome) -> list[str]:
    paths = [state.path]
    for outcome in outcomes:
        state = following(state, outcome)
        paths.append(state.path)
    return paths


def test_the_loop_checks_and_waits_in_turn() -> None:
    none, done = Outcome.UNAVAILABLE, Outcome.DONE
    assert walk(State.INIT, done)[1:] == LOOP[:1]
    assert walk(State.CHECK_OBJECT, none, done, none, done) == LOOP


def test_an_object_is_navigated_to_trimmed_and_left() -> None:
    path = walk(State.CHECK_OBJECT, Outcome.RECEIVED, *[Outcome.DONE] * 7)
    assert path[1:6] == [f"/Navigate to Object/{name}" for name in TO_OBJECT]
    assert path[6:] == ["/Trimming", "/Trimming Successful", LOOP[0]]


def test_a_simple_goal_is_navigated_to() -> None:
    path = walk(State.CHECK_GOAL, Outcome.RECEIVED, *[Outcome.DONE] * 4)
    assert path[1:5] == [f"/Navigate to Simple Goal/{name}" for name in TO_PLACE]
    assert path[5] == LOOP[0]


@pytest.mark.parametrize("state", [state for state in State if state not in IDLE])
@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.CANCELLED])
def test_failure_and_cancelling_lead_back_into_the_loop(state: State, outcome: Outcome) -> None:
    assert following(state, outcome) is State.CHECK_OBJECT


def test_every_state_can_be_reached_and_left() -> None:
    assert {state for state, _ in NEXT} == set(State)
    assert set(NEXT.values()) == set(State) - {State.INIT}
