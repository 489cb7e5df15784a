"""When steps are due, by a clock that the test turns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.app.pacing import LATE, Account, Pacer

INTERVAL = 0.1


class Clock:
    """A clock, and a pacer that is asked as the runner asks it."""

    def __init__(self, interval: float = INTERVAL, dt: float = INTERVAL, now: float = 100.0) -> None:
        self.now = now
        self.pacer = Pacer(interval, dt, now)

    def step(self, takes: float = 0.0, oversleeps: float = 0.0) -> float:
        """Wait until a step is due (and a little longer), and let it take some time; when it began."""
        self.now += self.pacer.wait(self.now) + oversleeps
        began = self.now
        self.now += takes
        self.pacer.stepped(began, self.now)
        return began


def test_the_first_step_is_one_interval_away() -> None:
    clock = Clock()
    assert clock.pacer.wait(clock.now) == pytest.approx(INTERVAL)


def test_waking_up_late_every_time_does_not_make_the_rate_drift() -> None:
    clock = Clock()
    begins = [clock.step(takes=0.03, oversleeps=0.004) for _ in range(1000)]
    assert begins[-1] - begins[0] == pytest.approx(999 * INTERVAL)


def test_the_time_that_a_step_takes_is_part_of_its_interval() -> None:
    clock = Clock()
    clock.step(takes=0.06)
    assert clock.pacer.wait(clock.now) == pytest.approx(0.04)


def test_a_step_that_is_due_already_need_not_wait() -> None:
    clock = Clock()
    clock.step(takes=0.25)
    assert clock.pacer.wait(clock.now) == 0.0


def test_a_short_delay_is_caught_up_with() -> None:
    clock = Clock()
    first = clock.step(takes=LATE * INTERVAL)
    begins = [clock.step() for _ in range(20)]
    assert begins[-1] - first == pytest.approx(20 * INTERVAL)
    assert clock.pacer.total.skipped == 0.0


def test_after_a_long_delay_simulated_time_slows_instead_of_hurrying() -> None:
    clock = Clock()
    clock.step(takes=3.05)
    begins = [clock.step() for _ in range(5)]
    assert begins[-1] - begins[0] >= 3 * INTERVAL
    assert clock.pacer.total.skipped == pytest.approx(2.9)


def test_a_machine_that_is_too_slow_steps_without_pause_and_says_by_how_much_time_slows() -> None:
    clock = Clock()
    for _ in range(100):
        clock.step(takes=0.2)
    assert clock.pacer.total.ratio(clock.now) == pytest.approx(0.5, abs=0.01)
    assert clock.pacer.total.skipped == pytest.approx(10.0, abs=LATE * INTERVAL + 0.3)


@given(st.lists(st.floats(0.0, 2.0), min_size=1, max_size=60))
def test_time_is_either_simulated_or_skipped_but_never_lost(takes: list[float]) -> None:
    clock = Clock()
    began = clock.now
    for seconds in takes:
        clock.step(takes=seconds)
    account = clock.pacer.total
    behind = clock.now - began - account.simulated - account.skipped
    assert -1e-6 <= behind <= (LATE + 1) * INTERVAL + max(takes)


@given(st.lists(st.floats(0.0, 2.0), min_size=1, max_size=60))
def test_steps_never_run_ahead_of_the_clock(takes: list[float]) -> None:
    clock = Clock()
    began = clock.now
    for number, seconds in enumerate(takes, start=1):
        assert clock.step(takes=seconds) >= began + number * INTERVAL - 1e-6


def test_the_last_interval_is_from_one_beginning_to_the_next() -> None:
    clock = Clock()
    clock.step()
    clock.step(oversleeps=0.02)
    assert clock.pacer.last_interval == pytest.approx(0.12)


def test_as_fast_as_possible_never_waits_and_never_falls_behind() -> None:
    clock = Clock(interval=0.0)
    for _ in range(10):
        assert clock.pacer.wait(clock.now) == 0.0
        clock.step(takes=5.0)
    assert clock.pacer.total.skipped == 0.0


def test_another_speed_counts_from_now_on() -> None:
    clock = Clock()
    clock.step()
    clock.pacer.set_interval(INTERVAL / 5, clock.now)
    begins = [clock.step() for _ in range(11)]
    assert begins[-1] - begins[0] == pytest.approx(10 * INTERVAL / 5)


def test_a_pause_is_not_made_up_for() -> None:
    clock = Clock()
    clock.step()
    clock.now += 60.0
    clock.pacer.resume(clock.now)
    assert clock.step() == pytest.approx(100.0 + INTERVAL + 60.0 + INTERVAL)
    assert clock.pacer.total.skipped == 0.0
    assert clock.pacer.last_interval == pytest.approx(INTERVAL)


def test_simulated_time_is_counted_by_the_step_and_not_by_the_interval() -> None:
    clock = Clock(interval=0.05, dt=0.1)
    for _ in range(20):
        clock.step()
    assert clock.pacer.total.ratio(clock.now) == pytest.approx(2.0)


def test_the_account_knows_the_longest_step_and_how_busy_it_was() -> None:
    clock = Clock()
    for seconds in (0.01, 0.04, 0.02):
        clock.step(takes=seconds)
    account = clock.pacer.total
    assert (account.steps, account.longest) == (3, pytest.approx(0.04))
    assert account.busy == pytest.approx(0.07)


def test_a_report_closes_the_recent_account_and_leaves_the_total() -> None:
    clock = Clock()
    clock.step()
    closed = clock.pacer.start_account(clock.now)
    clock.step()
    assert (closed.steps, clock.pacer.recent.steps, clock.pacer.total.steps) == (1, 1, 2)
    assert clock.pacer.recent.began == pytest.approx(100.1)


def test_an_account_of_no_time_has_no_ratio() -> None:
    assert Account(began=5.0).ratio(5.0) == 0.0
