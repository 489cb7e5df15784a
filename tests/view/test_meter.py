"""Rates over the last seconds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mobilesim_py.view.meter import WINDOW, Meter


def program_at(time: float, sessions: tuple[Any, ...] = ()) -> Any:
    return SimpleNamespace(simulation=SimpleNamespace(time=time), fleet=SimpleNamespace(sessions=sessions), paused=False)


def test_before_anything_is_known_time_is_taken_to_be_real() -> None:
    assert Meter(program_at(0.0)).ratio == 1.0


def test_the_ratio_is_that_of_the_last_seconds() -> None:
    program = program_at(0.0)
    meter = Meter(program)
    for second in range(20):
        program.simulation.time += 2.0 if second < 10 else 0.5
        meter.update(float(second))
    assert meter.ratio == pytest.approx(0.5)
    assert len(meter._samples) <= WINDOW + 2


def test_samples_too_close_together_are_not_taken() -> None:
    meter = Meter(program_at(0.0))
    for tick in range(100):
        meter.update(0.001 * tick)
    assert len(meter._samples) == 1


def test_packets_are_counted_per_client() -> None:
    class Session:
        packets_sent = packets_received = 0

    session = Session()
    program = program_at(0.0, (session,))
    meter = Meter(program)
    assert meter.packets_per_second(session) == (0.0, 0.0)  # type: ignore[arg-type]
    for second in range(3):
        meter.update(float(second))
        session.packets_sent += 10
        session.packets_received += 2
    assert meter.packets_per_second(session) == (10.0, 2.0)  # type: ignore[arg-type]
    assert meter.packets_per_second(None) == (0.0, 0.0)
