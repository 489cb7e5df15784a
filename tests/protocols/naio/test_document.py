"""docs/naio.md is what the table says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from mobilesim_py.protocols.naio import TABLES, Dialect, document
from mobilesim_py.protocols.naio.document import page

MODULE = "mobilesim_py.protocols.naio.document"
PAGE = Path(__file__).parents[3] / "docs" / "naio.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), f"run: python -m {MODULE} > docs/naio.md"


@pytest.mark.parametrize("dialect", Dialect)
def test_the_page_has_every_kind_of_each_dialect_with_all_fields(dialect: Dialect) -> None:
    text = page()
    for row in TABLES[dialect].values():
        assert f"| 0x{row.id:02X} | {row.name} | {row.packet.direction.value} |" in text
        for field in row.layout.fields:
            assert f"| {field.name.replace('_', ' ')} | {field.wire.type_name} | {field.wire.unit} |" in text


def test_the_page_says_what_numbers_mean() -> None:
    assert "0 validate, 1 cancel, 2 left, 3 right, 4 minus, 5 plus" in page()
    assert "(only with 3 or 4 before it)" in page()


def test_run_as_a_program_it_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(document.__file__, run_name="__main__")
    assert capsys.readouterr().out == page()
