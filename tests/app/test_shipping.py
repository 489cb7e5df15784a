"""Code for a wheel is compiled for any processor, into a folder that a program which is installed finds."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from mobilesim_py.app import compiling, shipping


def test_it_is_compiled_for_a_baseline_into_the_folder_that_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, str, tuple[str, ...]]] = []

    def compile_into(folder: Path, features: tuple[str, ...] = ()) -> None:
        folder.mkdir(parents=True)
        (folder / compiling.COMPLETE).touch()
        asked.append((os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"], features))

    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(compiling, "compile_into", compile_into)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    (tmp_path / "kernels" / "of yore").mkdir(parents=True)
    assert shipping.main([str(tmp_path / "kernels")]) == 0
    assert asked == [("x86-64-v3", "-fma", ("AVX2", "FMA3"))]
    assert [place.name for place in (tmp_path / "kernels").iterdir()] == [compiling.code_name()]
    assert not list((tmp_path / "kernels").rglob(compiling.COMPLETE)), "the mark belongs to the cache"
    assert "x86-64-v3" in capsys.readouterr().out


def test_a_folder_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert shipping.main([]) == 2
    assert "FOLDER" in capsys.readouterr().err
