"""Names that nobody else has."""

from __future__ import annotations

from mobilesim_py.naming import unique_name


def test_a_name_that_nobody_has_is_kept() -> None:
    assert unique_name("crate", ["box"]) == "crate"


def test_a_name_that_is_taken_gets_the_first_free_number() -> None:
    assert unique_name("crate", {"crate", "crate-2", "crate-4"}) == "crate-3"
