"""The first call of each kind fails once: it refuses to start with a sentence, or goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture.faults import every_call_fails_once

pytestmark = pytest.mark.e2e
SAMPLE = 12
"""Cases, a call of each of so many kinds; `make torture` tries all of them."""


def test_a_call_of_the_system_that_fails_once_hurts_no_more_than_it_must(tmp_path: Path) -> None:
    count, problems = every_call_fails_once(tmp_path, sample=SAMPLE, seed=1)
    assert problems == []
    assert count >= SAMPLE
