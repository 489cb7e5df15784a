"""Steps as an action: counted, told, and taken back."""

from __future__ import annotations

from typing import Any

from mobilesim_py.services.ros.carrier import GoalStatus
from tests.services.ros.carrying import stand_with_ros


class Keeper:
    def __init__(self) -> None:
        self.told: list[Any] = []
        self.end: tuple[GoalStatus, str] | None = None

    def feedback(self, message: Any) -> None:
        self.told.append((message["completed_steps"], message["remaining_steps"]))

    def finished(self, status: GoalStatus, result: Any, text: str = "") -> None:
        assert self.end is None
        self.end = (status, text)


def test_steps_are_taken_while_paused_and_each_is_told() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    clock = stand.program.clock
    clock.pause()
    keeper = Keeper()
    shelf.hub.pursue("/simulate_steps", {"steps": 3}, keeper)
    assert clock.steps_wanted == 3
    stand.step(3)
    assert keeper.told == [(1, 2), (2, 1), (3, 0)]
    assert keeper.end == (GoalStatus.SUCCEEDED, "")
    stand.step()
    assert len(keeper.told) == 3


def test_steps_that_are_not_wanted_any_more_are_not_taken() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    clock = stand.program.clock
    clock.pause()
    keeper = Keeper()
    cancel = shelf.hub.pursue("/simulate_steps", {"steps": 10}, keeper)
    stand.step(4)
    cancel()
    cancel()
    assert clock.steps_wanted == 0
    assert keeper.end == (GoalStatus.CANCELLED, "4 of 10 steps were taken.")


def test_no_steps_are_taken_while_time_passes_or_without_a_number() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx")
    running, none = Keeper(), Keeper()
    shelf.hub.pursue("/simulate_steps", {"steps": 10}, running)
    stand.program.clock.pause()
    shelf.hub.pursue("/simulate_steps", {"steps": 0}, none)
    assert running.end is not None
    assert running.end[0] is GoalStatus.ABORTED
    assert none.end is not None
    assert none.end[0] is GoalStatus.REJECTED
