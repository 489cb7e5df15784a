"""What is written from the table of options: help, the page, completion."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mobilesim_py import __version__
from mobilesim_py.app.option_docs import help_text, page
from mobilesim_py.app.options import TABLE
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.tools import completion
from mobilesim_py.tools.table import TOOLS

ROOT = Path(__file__).parents[2]


def test_help_begins_with_name_and_version() -> None:
    assert help_text().splitlines()[0].startswith(f"MobileSim {__version__}")


@pytest.mark.parametrize("option", [option for option in TABLE if not option.hidden], ids=lambda o: o.names[0])
def test_help_and_page_have_the_option(option: object) -> None:
    spelling = option.spelling  # type: ignore[attr-defined]
    assert spelling in help_text()
    assert spelling in page()


@pytest.mark.parametrize("code", list(ExitCode))
def test_help_lists_the_exit_code(code: ExitCode) -> None:
    assert f"  {int(code):<4}" in help_text()


def test_help_fits_a_terminal() -> None:
    assert max(len(line) for line in help_text().splitlines()) <= 110


def test_the_page_in_docs_is_up_to_date() -> None:
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == page(), "run: make docs"


@pytest.mark.parametrize("tool", list(TOOLS))
def test_help_names_the_tool(tool: str) -> None:
    assert f"mobilesim {tool}" in help_text()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_option(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert completion.main([shell]) == 0
    script = capsys.readouterr().out
    for option in TABLE:
        if not option.hidden:
            assert option.names[0] in script


def test_completion_wants_a_shell() -> None:
    with pytest.raises(UsageError, match="Which shell"):
        completion.main(["tcsh"])


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [("MobileSim --no-no", "--no-noise"), ("MobileSim --engine nu", "numpy"), ("mobilesim doc", "doctor")],
)
def test_bash_completes(line: str, expected: str) -> None:
    words = line.split()
    script = f"""
{completion.bash()}
COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}
_mobilesim
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert expected in result.stdout.split()
