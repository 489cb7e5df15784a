"""Plans are made one after the other, handed over once, and awaited where every step must repeat."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from mobilesim_py.errors import MobileSimError
from mobilesim_py.navigation.navigator import at_once
from mobilesim_py.services.navigation.desk import Desk


class Later:
    """A `Beside` whose work is done when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], Any], Callable[..., None]]] = []

    def __call__(self, work: Callable[[], Any], done: Callable[..., None]) -> None:
        self.waiting.append((work, done))

    def go_on(self) -> None:
        work, done = self.waiting.pop(0)
        done(work(), None)


def test_one_plan_is_made_at_a_time_in_their_order() -> None:
    later, results = Later(), []
    desk = Desk(later, lambda: results.append("delivered"))
    for name in "abc":
        desk(lambda name=name: name, lambda result, error: results.append(result))
    assert len(later.waiting) == 1
    assert desk.is_busy
    for _ in range(3):
        later.go_on()
    assert results == ["a", "delivered", "b", "delivered", "c", "delivered"]
    assert not desk.is_busy


def test_what_goes_wrong_is_told_to_who_asked() -> None:
    told: list[Any] = []

    def fail() -> None:
        raise MobileSimError("no")

    def starve() -> None:
        raise MemoryError

    desk = Desk(at_once)
    desk(fail, lambda result, error: told.append(str(error)))
    desk(starve, lambda result, error: told.append(str(error)))
    assert told[0] == "no"
    assert "memory" in told[1]


def test_a_mistake_of_ours_is_not_kept_secret() -> None:
    desk = Desk(at_once)
    with pytest.raises(ZeroDivisionError):
        desk(lambda: 1 // 0, lambda result, error: None)
    assert not desk.is_busy


def test_finishing_waits_for_threads_and_nothing_is_handed_over_twice() -> None:
    results: list[int] = []
    late: list[Callable[[], None]] = []
    may_go_on = threading.Event()

    def in_thread(work: Callable[[], Any], done: Callable[..., None]) -> None:
        def run() -> None:
            may_go_on.wait(60.0)
            work()
            late.append(lambda: done(None, None))

        threading.Thread(target=run, daemon=True).start()

    desk = Desk(in_thread)
    for number in range(3):
        desk(lambda number=number: number, lambda result, error: results.append(result))
    may_go_on.set()
    desk.finish()
    assert results == [0, 1, 2]
    for call in late:
        call()
    assert results == [0, 1, 2]
