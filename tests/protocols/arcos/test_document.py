"""docs/commands.md is what the tables say."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from mobilesim_py.protocols.arcos import document
from mobilesim_py.protocols.arcos.commands import TABLE, CommandSpec
from mobilesim_py.protocols.arcos.document import page

PAGE = Path(__file__).parents[3] / "docs" / "commands.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "run: python -m mobilesim_py.protocols.arcos.document > docs/commands.md"
    )


def test_the_page_says_of_every_number_what_becomes_of_it() -> None:
    rows = re.findall(r"^\| (\d+)(?:-(\d+))? \|", page(), re.MULTILINE)
    numbers = [number for first, last in rows for number in range(int(first), int(last or first) + 1)]
    assert numbers == list(range(256))


def test_the_page_names_every_command_also_where_two_share_a_number() -> None:
    text = page()
    specs: list[CommandSpec] = [spec for spec in TABLE.values() if spec.name != "UNNAMED"]
    specs += [spec.otherwise for spec in specs if spec.otherwise and spec.otherwise.name != "UNNAMED"]
    assert [spec.name for spec in specs if spec.name not in text] == []


def test_run_as_a_program_it_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(document.__file__, run_name="__main__")
    assert capsys.readouterr().out == page()
