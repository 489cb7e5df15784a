"""The states of the vehicle and what follows on what: everything that decides the order is in this file.

The loop looks for an object to trim, waits, looks for a place to drive to, waits. Both kinds of goals lead through states of
their own, and whatever fails leads back into the loop.
"""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """The states by the path that is published."""

    INIT = "/Init"
    CHECK_OBJECT = "/Check for Trimming Object"
    WAIT = "/Wait"
    CHECK_GOAL = "/Check for Simple Goal"
    WAIT_AGAIN = "/Wait "
    """The other wait of the loop; published like the first one."""
    FIND_POSITION = "/Navigate to Object/Find Trimming Position"
    LOG_POSITION = "/Navigate to Object/Log"
    VALIDATE_POSITION = "/Navigate to Object/Validate"
    DRIVE_TO_OBJECT = "/Navigate to Object/Drive to Destination"
    APPROACH = "/Navigate to Object/Approach Object"
    TRIMMING = "/Trimming"
    TRIMMED = "/Trimming Successful"
    FIND_PLACE = "/Navigate to Simple Goal/Find Simple Goal Position"
    LOG_PLACE = "/Navigate to Simple Goal/Log"
    VALIDATE_PLACE = "/Navigate to Simple Goal/Validate"
    DRIVE_TO_PLACE = "/Navigate to Simple Goal/Drive to Destination"

    @property
    def path(self) -> str:
        """What is published."""
        return self.value.strip()


class Outcome(Enum):
    """How a state ends."""

    DONE = "done"
    RECEIVED = "received"
    UNAVAILABLE = "unavailable"
    FAILED = "failed"
    CANCELLED = "cancelled"


NEXT: dict[tuple[State, Outcome], State] = {
    (State.INIT, Outcome.DONE): State.CHECK_OBJECT,
    (State.CHECK_OBJECT, Outcome.RECEIVED): State.FIND_POSITION,
    (State.CHECK_OBJECT, Outcome.UNAVAILABLE): State.WAIT,
    (State.WAIT, Outcome.DONE): State.CHECK_GOAL,
    (State.CHECK_GOAL, Outcome.RECEIVED): State.FIND_PLACE,
    (State.CHECK_GOAL, Outcome.UNAVAILABLE): State.WAIT_AGAIN,
    (State.WAIT_AGAIN, Outcome.DONE): State.CHECK_OBJECT,
    (State.FIND_POSITION, Outcome.DONE): State.LOG_POSITION,
    (State.LOG_POSITION, Outcome.DONE): State.VALIDATE_POSITION,
    (State.VALIDATE_POSITION, Outcome.DONE): State.DRIVE_TO_OBJECT,
    (State.DRIVE_TO_OBJECT, Outcome.DONE): State.APPROACH,
    (State.APPROACH, Outcome.DONE): State.TRIMMING,
    (State.TRIMMING, Outcome.DONE): State.TRIMMED,
    (State.TRIMMED, Outcome.DONE): State.CHECK_OBJECT,
    (State.FIND_PLACE, Outcome.DONE): State.LOG_PLACE,
    (State.LOG_PLACE, Outcome.DONE): State.VALIDATE_PLACE,
    (State.VALIDATE_PLACE, Outcome.DONE): State.DRIVE_TO_PLACE,
    (State.DRIVE_TO_PLACE, Outcome.DONE): State.CHECK_OBJECT,
}
"""What follows on what."""
IDLE = (State.INIT, State.CHECK_OBJECT, State.WAIT, State.CHECK_GOAL, State.WAIT_AGAIN)
"""The states without a goal in hand."""


def following(state: State, outcome: Outcome) -> State:
    """Return the state after one that ended so; failures and cancelling lead to the beginning of the loop."""
    if outcome in (Outcome.FAILED, Outcome.CANCELLED) and state not in IDLE:
        return State.CHECK_OBJECT
    return NEXT[state, outcome]
