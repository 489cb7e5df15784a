"""Words of a map's header as ARIA's parser splits and reads them."""

from __future__ import annotations

import pytest

from mobilesim_py.formats.armap.words import attributes, read_integer, split_arguments, split_keyword, unquote


@pytest.mark.parametrize("line", ["Cairn: Goal 1", '  "Cairn:" Goal 1 ', "Cairn:\tGoal 1\r\n"])
def test_a_keyword_may_be_quoted_or_indented(line: str) -> None:
    assert split_keyword(line) == ("Cairn:", "Goal 1")


def test_a_quoted_string_is_one_argument_with_its_quotes() -> None:
    assert split_arguments('Goal 1 "the big desk" ICON') == ["Goal", "1", '"the big desk"', "ICON"]
    assert unquote('"the big desk"') == "the big desk"


def test_attributes_have_keys_in_lower_case_and_may_be_quoted_as_a_whole() -> None:
    assert attributes(["Name=Crate", '"Desc=a b"', "Sim.Obstacle"]) == {"name": "Crate", "desc": "a b", "sim.obstacle": ""}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-0", 0),
        ("0x1F", 31),
        ("2147483647", 2**31 - 1),
        ("2147483648", None),
        ("9" * 5000, None),
        ("1.5", None),
    ],
)
def test_integers_have_32_bits(text: str, value: int | None) -> None:
    assert read_integer(text) == value
