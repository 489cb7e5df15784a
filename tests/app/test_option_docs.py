"""What is written from the table of options: help and the page."""

from __future__ import annotations

import pytest

from mobilesim_py import __version__
from mobilesim_py.app.option_docs import help_text, page
from mobilesim_py.app.option_table import TABLE
from mobilesim_py.app.words import Option
from mobilesim_py.errors import ExitCode


def test_help_begins_with_name_and_version() -> None:
    assert help_text().splitlines()[0].startswith(f"MobileSim {__version__}")


@pytest.mark.parametrize("option", [option for option in TABLE if not option.hidden], ids=lambda o: o.names[0])
def test_help_and_page_have_the_option(option: Option) -> None:
    assert option.spelling in help_text()
    assert option.spelling in page()


@pytest.mark.parametrize("code", list(ExitCode))
def test_help_lists_the_exit_code(code: ExitCode) -> None:
    assert f"  {int(code):<4}" in help_text()


def test_help_fits_a_terminal() -> None:
    assert max(len(line) for line in help_text().splitlines()) <= 110
