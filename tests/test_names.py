"""Names that tell things apart."""

from __future__ import annotations

import pytest

from mobilesim_py.names import MODEL, unique_name


@pytest.mark.parametrize(
    ("taken", "name"), [((), "crate"), (("box",), "crate"), (("crate",), "crate-2"), (("crate", "crate-2"), "crate-3")]
)
def test_a_name_that_is_taken_gets_a_number(taken: tuple[str, ...], name: str) -> None:
    assert unique_name("crate", taken) == name


def test_robots_named_after_their_model_are_numbered_as_in_the_original() -> None:
    assert unique_name("p3dx", ("p3dx", "p3dx_002"), MODEL) == "p3dx_003"
