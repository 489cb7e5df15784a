"""`mobilesim warm`: the cache of compiled code, filled before anybody waits for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.__main__ import main
from mobilesim_py.app import compiling
from mobilesim_py.errors import ExitCode


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOBILESIM_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def compiles(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Let compiling be the mark that it leaves in the cache; return a list that grows whenever it is done."""
    done: list[Path] = []

    def compile_into(folder: Path) -> None:
        done.append(folder)
        (folder / "complete").touch()

    monkeypatch.setattr(compiling, "compile_into", compile_into)
    monkeypatch.setattr(compiling, "numba_problem", lambda: "")
    return done


def test_it_compiles_here_and_once(cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    done = compiles(monkeypatch)
    assert main(["warm"]) == ExitCode.OK
    assert "Compiling the engine" in capsys.readouterr().out
    assert main(["warm"]) == ExitCode.OK
    assert f"ready already, in {cache}" in capsys.readouterr().out
    assert done == [compiling.cache_directory()]


def test_it_waits_for_another_process_that_compiles(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = compiles(monkeypatch)
    with compiling._only_one() as alone:
        assert alone
        monkeypatch.setattr(compiling.time, "sleep", lambda seconds: (compiling.cache_directory() / "complete").touch())
        assert main(["warm"]) == ExitCode.OK
    assert not done


def test_without_numba_there_is_nothing_to_do(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiling, "numba_problem", lambda: "Numba is not installed")
    assert main(["warm"]) == ExitCode.OK
    assert "Nothing to compile: Numba is not installed. The NumPy engine serves." in capsys.readouterr().out


def test_a_cache_that_cannot_be_written_is_an_error(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cache.write_text("a file where the folder should be")
    monkeypatch.setattr(compiling, "compile_into", lambda folder: None)
    assert main(["warm"]) == ExitCode.EMULATION
    assert "MOBILESIM_CACHE_DIR names another place" in capsys.readouterr().err
