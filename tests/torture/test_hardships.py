"""One hardship of each kind is survived or told of in a sentence."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.torture.hardships import HARDSHIPS, Hardship

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("hardship", HARDSHIPS, ids=lambda hardship: hardship.name)
def test_it_goes_on_or_ends_with_a_sentence(hardship: Hardship, tmp_path: Path) -> None:
    assert hardship.suffer(tmp_path, random.Random(1)) == ""
