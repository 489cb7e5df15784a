"""Waiting for the thread that writes."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], None]:
    """Wait until something holds."""

    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60.0
        while not condition():
            assert time.monotonic() < deadline, "it never happened"
            time.sleep(0.01)

    return wait
