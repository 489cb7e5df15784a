"""Times of seconds and nanoseconds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.protocols.ros.stamp import NANOSECONDS, Time


@pytest.mark.parametrize(
    ("seconds", "time"),
    [
        (0.0, Time()),
        (1.5, Time(1, 500_000_000)),
        (0.9999999999, Time(1, 0)),
        (-0.25, Time(-1, 750_000_000)),
        (12, Time(12, 0)),
    ],
)
def test_seconds_become_whole_seconds_and_nanoseconds(seconds, time):
    assert Time.of(seconds) == time


@settings(deadline=None)
@given(st.floats(-1e6, 1e6))
def test_there_and_back_is_a_nanosecond_at_most(seconds):
    time = Time.of(seconds)
    assert 0 <= time.nsecs < NANOSECONDS
    assert time.seconds == pytest.approx(seconds, abs=1e-9)
