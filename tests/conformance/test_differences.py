"""The table of differences is whole and has no idle rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .differences import DIFFERENCES, Difference, changed_stretches, changed_values

TESTS = set(re.findall(r"^def (test_\w+)", "".join(p.read_text() for p in Path(__file__).parent.glob("test_*.py")), re.M))
NAMED = [pytest.param(difference, id=difference.name) for difference in DIFFERENCES]


@pytest.mark.parametrize("difference", NAMED)
def test_a_difference_lets_something_off_or_has_a_test(difference: Difference) -> None:
    assert difference.motion or difference.values or difference.fields or difference.tests


@pytest.mark.parametrize("difference", NAMED)
def test_the_tests_of_a_difference_are_there(difference: Difference) -> None:
    assert [name for name in difference.tests if name not in TESTS] == []


def test_differences_have_names_of_their_own_and_let_nothing_off_twice() -> None:
    assert len({difference.name for difference in DIFFERENCES}) == len(DIFFERENCES)
    stretches = {name for difference in DIFFERENCES for name in difference.motion}
    values = {name for difference in DIFFERENCES for name in difference.values}
    for count, names, attribute in (
        (sum(len(changed_stretches(name)) for name in stretches), stretches, "motion"),
        (sum(len(changed_values(name)) for name in values), values, "values"),
    ):
        assert count == sum(len(getattr(d, attribute).get(name, ())) for d in DIFFERENCES for name in names)
