"""Names that tell things apart."""

from __future__ import annotations

import pytest

from mobilesim_py.names import MODEL, unique_name, unique_names


@pytest.mark.parametrize(
    ("taken", "name"), [((), "crate"), (("box",), "crate"), (("crate",), "crate-2"), (("crate", "crate-2"), "crate-3")]
)
def test_a_name_that_is_taken_gets_a_number(taken: tuple[str, ...], name: str) -> None:
    assert unique_name("crate", taken) == name


def test_robots_named_after_their_model_are_numbered_as_in_the_original() -> None:
    assert unique_name("p3dx", ("p3dx", "p3dx_002"), MODEL) == "p3dx_003"


def test_names_that_come_again_get_numbers() -> None:
    assert list(unique_names(["box", "crate", "box", "box-2", "box"])) == ["box", "crate", "box-2", "box-2-2", "box-3"]


def test_many_equal_names_take_no_longer_than_others() -> None:
    names = list(unique_names(["box"] * 50_000))
    assert (len(set(names)), names[-1]) == (50_000, "box-50000")
