"""docs/house.md: what its index and its rooms say is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
INDEX = re.findall(r"^\| ([^|`]+(?:`[^`]*`)?[^|`]*) \| `([\w/.]+\.py)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)


def test_the_index_answers_thirty_questions() -> None:
    assert len(INDEX) == 30


@pytest.mark.parametrize(("question", "file", "text"), INDEX, ids=[question for question, _, _ in INDEX])
def test_everything_is_where_the_index_says(question: str, file: str, text: str) -> None:
    assert text in (ROOT / "mobilesim_py" / file).read_text(encoding="utf-8")


def test_every_file_that_the_page_names_is_there() -> None:
    named = set(
        re.findall(r"`((?:app|core|catalogue|formats|net|protocols|services|tests|tools|view|world)/[\w/]+\.py)`", PAGE)
    )
    missing = [
        name
        for name in named
        if "NAME" not in name
        and name != "tests/a/test_b.py"
        and not (ROOT / name).exists()
        and not (ROOT / "mobilesim_py" / name).exists()
    ]
    assert missing == []


def test_every_room_is_on_the_page() -> None:
    rooms = {path.parent.name for path in (ROOT / "mobilesim_py").glob("*/__init__.py")}
    assert {room for room in rooms if f"`{room}/`" not in PAGE} == set()
