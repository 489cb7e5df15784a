"""What the README shows first does what it says, and is as short as it promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAMS = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
MORE = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.MULTILINE | re.DOTALL)
WANDER = f"""#!{sys.executable}
import sys
import mobilesim_py as ms

words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with ms.Pioneer(words["-rh"] + ":" + words["-rrtp"]) as robot:
    print("Connected to robot.")
    robot.motors()
    robot.move(1.5)
    robot.wait_until_still()
    if sys.argv[0].endswith("myclient"):
        robot.command("SIM_EXIT", 5)
"""
"""Stands in for a program of ARIA."""


def program(text: str) -> str:
    return next(program for program in PROGRAMS if text in program)


@pytest.mark.e2e
def test_a_stranger_drives_a_metre_reads_a_scan_and_saves_a_picture(tmp_path: Path) -> None:
    text = program("ms.start(")
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    x = float(re.search(r"x=([\d.]+)", done.stdout)[1])  # type: ignore[index]
    assert x == pytest.approx(1.0, abs=0.05)
    assert (tmp_path / "office.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.e2e
@pytest.mark.parametrize("text", [program("import pytest"), next(text for text in MORE if "import pytest" in text)])
def test_a_stranger_tests_a_program_of_aria(text: str, tmp_path: Path) -> None:
    (tmp_path / "test_of_a_stranger.py").write_text(text)
    for name in ("wander", "myclient"):
        (tmp_path / name).write_text(WANDER)
        (tmp_path / name).chmod(0o755)
    plugin = ["-p", "no:mobilesim", "-p", "mobilesim_py.pytest_plugin", "-p", "no:cacheprovider"]
    words = [sys.executable, "-m", "pytest", "-q", *plugin, f"--basetemp={tmp_path / 'temp'}"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120, env=env, check=False)
    assert done.returncode == 0, done.stdout


def test_what_is_shown_first_is_short() -> None:
    assert len(program("import pytest").splitlines()) <= 12
    assert len(program("ms.start(").splitlines()) <= 12
