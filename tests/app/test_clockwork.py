"""Time in the program, by a clock that the test turns and services that only take notes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.app.clockwork import BACKLOG, BREATH, IDLE_PAUSE, NOBODY_THERE, Clockwork, Pace
from mobilesim_py.app.logs import Log
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.services.service import Service
from mobilesim_py.world.world import empty_world


class Notes:
    """As much of a service as time needs."""

    def __init__(self, period: float = 0.1) -> None:
        self.period = period
        self.told: list[float] = []
        self.busy = False
        self.awaiting = False
        self.waiting_bytes = 0

    def tell(self, now: float) -> None:
        self.told.append(round(now, 9))

    def is_busy(self) -> bool:
        return self.busy

    def awaits(self) -> bool:
        return self.awaiting

    def backlog(self) -> int:
        return self.waiting_bytes


class Bench:
    """A clockwork, and a clock to turn."""

    def __init__(self, *services: Notes, dt: float = 0.1, **pace: Any) -> None:
        self.now = 50.0
        self.log = Log()
        self.simulation = Simulation(empty_world(), dt=dt)
        pace.setdefault("interval", dt)
        notes = cast(Sequence[Service], services)
        self.clock = Clockwork(self.simulation, notes, self.log, Pace(**pace), lambda: self.now)

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.now += self.clock.wait()
            self.clock.step()

    def turn(self, seconds: float) -> None:
        self.now += seconds

    def lines(self) -> list[str]:
        return [line.text for line in self.log.recent()]


# The schedule


@pytest.mark.parametrize(
    ("dt", "told"),
    [
        (0.1, [0.1, 0.2, 0.3, 0.4, 0.5]),
        (0.02, [0.1, 0.2, 0.3, 0.4, 0.5]),
        (0.03, [0.12, 0.21, 0.3, 0.42, 0.51]),
        (0.07, [0.14, 0.21, 0.35, 0.42, 0.56]),
        (0.09, [0.18, 0.27, 0.36, 0.45, 0.54]),
        (0.15, [0.15, 0.3, 0.45, 0.6, 0.75]),
        (0.25, [0.25, 0.5, 0.75, 1.0, 1.25]),
    ],
)
def test_a_service_is_told_at_the_first_step_after_each_of_its_periods(dt: float, told: list[float]) -> None:
    service = Notes(period=0.1)
    bench = Bench(service, dt=dt)
    while len(service.told) < 5:
        bench.clock.step()
    assert service.told == told


@settings(deadline=None, max_examples=30)
@given(st.integers(5, 100), st.integers(20, 250))
def test_on_average_a_service_is_told_once_in_its_period_whatever_the_step(dt_ms: int, period_ms: int) -> None:
    service = Notes(period=period_ms / 1000.0)
    bench = Bench(service, dt=dt_ms / 1000.0)
    bench.simulation.tick = 10**7
    bench.clock.step()
    service.told.clear()
    began = bench.simulation.time
    for _ in range(300):
        bench.clock.step()
    expected = (bench.simulation.time - began) / max(period_ms, dt_ms) * 1000.0
    assert abs(len(service.told) - expected) <= 1.001


def test_every_service_has_a_period_of_its_own() -> None:
    slow, quick = Notes(period=0.1), Notes(period=0.02)
    bench = Bench(slow, quick, dt=0.02)
    bench.step(50)
    assert (len(slow.told), len(quick.told)) == (10, 50)


# Real time


def test_a_step_is_due_when_its_real_time_has_passed() -> None:
    bench = Bench(dt=0.02)
    assert bench.clock.wait() == pytest.approx(0.02)
    bench.clock.set_speed(5.0)
    assert bench.clock.wait() == pytest.approx(0.004)


def test_as_fast_as_possible_keeps_to_real_time_while_nobody_is_there() -> None:
    service = Notes()
    bench = Bench(service, speed=math.inf)
    bench.clock.step()
    assert bench.clock.wait() == pytest.approx(0.1)
    service.busy = True
    assert bench.clock.wait() == 0.0


def test_as_fast_as_possible_waits_for_the_slowest_client_of_any_service() -> None:
    one, other = Notes(), Notes()
    one.busy = True
    bench = Bench(one, other, speed=math.inf)
    other.waiting_bytes = BACKLOG + 1
    assert bench.clock.wait() == BREATH
    other.waiting_bytes = BACKLOG
    assert bench.clock.wait() == 0.0
    bench.clock.outrun = lambda: True
    assert bench.clock.wait() == BREATH


@pytest.mark.parametrize("speed", [0.5, 1.0, 5.0])
def test_the_ratio_is_that_of_simulated_to_real_time(speed: float) -> None:
    bench = Bench(speed=speed)
    assert bench.clock.ratio == speed, "before anything is known, what was asked for"
    bench.step(3)
    assert bench.clock.ratio == pytest.approx(speed)
    bench.step(100)
    assert bench.clock.ratio == pytest.approx(speed)


def test_the_ratio_is_that_of_the_last_seconds_and_falls_while_nothing_moves() -> None:
    bench = Bench(speed=1.0)
    bench.step(100)
    bench.clock.set_speed(2.0)
    bench.step(200)
    assert bench.clock.ratio == pytest.approx(2.0)
    bench.now += 1000.0
    assert bench.clock.ratio < 0.01


def test_a_paused_world_has_no_ratio() -> None:
    bench = Bench()
    bench.step(30)
    bench.clock.pause()
    assert bench.clock.ratio == 0.0
    bench.now += 5.0
    assert bench.clock.ratio == 0.0


# Falling behind


def test_a_slow_step_is_named_as_what_took_the_time() -> None:
    bench = Bench()
    bench.clock.after_step.append(lambda simulation: bench.turn(1.2))
    bench.step()
    (line,) = bench.lines()
    assert "fell 1100 ms behind (the last step took 1200 ms)" in line


def test_a_step_that_could_not_begin_is_not_blamed_for_being_slow() -> None:
    bench = Bench()
    bench.step()
    bench.now += 1.1
    bench.clock.step()
    (line,) = bench.lines()
    assert "behind (the last step began 1100 ms after the one before, because the machine" in line
    assert "took 0 ms" in line


# Pausing


def test_steps_that_were_wanted_are_forgotten_when_time_goes_on() -> None:
    bench = Bench()
    bench.clock.pause()
    bench.clock.single_step(5)
    bench.clock.pause(False)
    bench.clock.pause()
    assert bench.clock.steps_wanted == 0
    assert bench.clock.wait() == IDLE_PAUSE


def test_while_paused_only_wanted_steps_are_taken() -> None:
    bench = Bench()
    bench.clock.pause()
    assert bench.clock.wait() == IDLE_PAUSE
    bench.clock.single_step(2)
    for _ in range(2):
        assert bench.clock.wait() == 0.0
        bench.clock.step()
    assert bench.clock.wait() == IDLE_PAUSE
    assert bench.simulation.tick == 2


def test_whoever_changes_time_wakes_the_loop() -> None:
    bench = Bench()
    woken: list[int] = []
    bench.clock.wake = lambda: woken.append(1)
    bench.clock.pause()
    bench.clock.single_step()
    bench.clock.set_speed(2.0)
    assert len(woken) == 3


# Lockstep


def test_in_lockstep_the_world_waits_while_any_service_awaits_a_word() -> None:
    one, other = Notes(), Notes(period=0.02)
    bench = Bench(one, other, dt=0.02, lockstep=True, lockstep_timeout=0.0)
    assert bench.clock.wait() == NOBODY_THERE
    one.busy = other.busy = True
    assert bench.clock.wait() == 0.0
    other.awaiting = True
    assert bench.clock.wait() == NOBODY_THERE
    other.awaiting, one.awaiting = False, True
    assert bench.clock.wait() == NOBODY_THERE
    one.awaiting = False
    assert bench.clock.wait() == 0.0


def test_in_lockstep_a_service_without_clients_is_not_waited_for() -> None:
    empty, used = Notes(), Notes()
    empty.awaiting = used.busy = True
    bench = Bench(empty, used, lockstep=True, lockstep_timeout=0.0)
    assert bench.clock.wait() == 0.0


def test_in_lockstep_a_silent_client_is_waited_for_only_so_long() -> None:
    service = Notes()
    service.busy = service.awaiting = True
    bench = Bench(service, lockstep=True, lockstep_timeout=0.3)
    assert bench.clock.wait() == pytest.approx(0.3)
    bench.now += 0.2
    assert bench.clock.wait() == pytest.approx(0.1)
    bench.now += 0.2
    assert bench.clock.wait() == 0.0
    bench.clock.step()
    assert bench.clock.wait() == pytest.approx(0.3), "after the next word the patience is new"


def test_in_lockstep_services_see_simulated_time_instead_of_the_real_clock() -> None:
    bench = Bench(lockstep=True)
    bench.clock.step()
    bench.now += 17.0
    bench.clock.step()
    assert bench.clock.real() == pytest.approx(0.2)
    assert bench.clock.last_interval() == bench.clock.real_interval() == pytest.approx(0.1)
