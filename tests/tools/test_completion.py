"""`mobilesim completion`: every word is known, and bash completes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mobilesim_py.app.option_table import TABLE
from mobilesim_py.errors import UsageError
from mobilesim_py.tools import completion
from mobilesim_py.tools.table import SHELLS, TOOLS


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_every_word(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert completion.main([shell]) == 0
    script = capsys.readouterr().out
    verbs = [verb for tool in TOOLS.values() for verb in tool.verbs]
    options = [*TABLE, *(option for verb in verbs for option in verb.options)]
    for word in (*TOOLS, *(verb.name for verb in verbs), *(o.names[0] for o in options if not o.hidden)):
        assert word in script


def test_completion_wants_a_shell() -> None:
    with pytest.raises(UsageError, match="one of bash, zsh, fish"):
        completion.main(["tcsh"])


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MobileSim --no-no", ["--no-noise"]),
        ("MobileSim --engine nu", ["numpy"]),
        ("mobilesim doc", ["doctor"]),
        ("mobilesim map con", ["convert"]),
        ("mobilesim map convert --t", ["--threshold"]),
        ("mobilesim map --t", []),
        ("mobilesim models s", ["show"]),
        ("mobilesim models --d", ["--docs"]),
        ("mobilesim completion z", ["zsh"]),
        ("mobilesim wait --ti", ["--timeout"]),
        ("mobilesim snapshot a.png --se", ["--seed", "--serial"]),
        ("mobilesim snapshot a.png --engine co", ["compiled"]),
    ],
)
def test_bash_completes(line: str, expected: list[str], tmp_path: Path) -> None:
    words = line.split()
    script = f"""
{completion.bash()}
COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}
_mobilesim
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert sorted(result.stdout.split()) == expected
