"""What is written from the table of tools: help, and the page in docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.app.option_docs import help_text, page
from mobilesim_py.tools.table import TOOLS, Tool
from mobilesim_py.tools.tool_docs import page_section, tool_help, tool_lines

ROOT = Path(__file__).parents[2]


def test_the_page_in_docs_is_up_to_date() -> None:
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == page(page_section()), "run: make docs"


def test_help_with_the_tools_fits_a_terminal() -> None:
    assert max(len(line) for line in help_text(tool_lines()).splitlines()) <= 110


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_help_and_page_have_every_word_of_a_tool(tool: Tool) -> None:
    assert f"mobilesim {tool.name}" in help_text(tool_lines())
    for verb in tool.verbs:
        for text in (tool_help(tool, tool.verbs), tool_help(tool, [verb]), page_section()):
            assert f"mobilesim {tool.name}" in text
            assert verb.about in text
            assert all(option.spelling in text for option in verb.options)
            assert all(argument.name in text for argument in verb.arguments)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_help_of_a_tool_fits_a_terminal(tool: Tool) -> None:
    assert max(len(line) for line in tool_help(tool, tool.verbs).splitlines()) <= 110
