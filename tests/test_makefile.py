"""The Makefile and the scripts in bin/: what a fresh checkout sets up, and how it is started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


def planned(tmp_path: Path, target: str) -> str:
    """Return what make would do for a target in a fresh checkout."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    command = ["make", "-n", f"PYTHON={sys.executable}", target]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("target", ["run", "runtime"])
def test_running_installs_only_what_running_needs(tmp_path: Path, target: str) -> None:
    plan = planned(tmp_path, target)
    assert "pip install --disable-pip-version-check -e ." in plan
    assert "[dev]" not in plan


@pytest.mark.parametrize("target", ["test", "install", "lint"])
def test_testing_installs_the_rest(tmp_path: Path, target: str) -> None:
    assert "-e '.[dev]'" in planned(tmp_path, target)


def test_pip_is_not_silenced(tmp_path: Path) -> None:
    assert not [line for line in planned(tmp_path, "run").splitlines() if "pip install" in line and " -q" in line]


def test_nothing_is_installed_twice(tmp_path: Path) -> None:
    planned(tmp_path, "run")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / ".ready-to-run").touch()
    assert "pip install" not in planned_again(tmp_path, "run")
    assert planned_again(tmp_path, "install").count("pip install") == 1


def planned_again(tmp_path: Path, target: str) -> str:
    os.utime(tmp_path / "pyproject.toml", (1, 1))
    return subprocess.run(["make", "-n", target], cwd=tmp_path, capture_output=True, text=True, check=True).stdout


def test_both_scripts_are_the_same_text() -> None:
    assert (ROOT / "bin" / "mobilesim").read_bytes() == (ROOT / "bin" / "MobileSim").read_bytes()
    assert os.access(ROOT / "bin" / "mobilesim", os.X_OK)


def test_a_checkout_without_an_environment_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "bin" / "mobilesim", tmp_path / "bin")
    run = subprocess.run([tmp_path / "bin" / "mobilesim"], capture_output=True, text=True)
    assert run.returncode == 1
    assert f"make -C {tmp_path.resolve()} runtime" in run.stderr
