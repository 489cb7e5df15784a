"""Where the caches are: as asked for, at home, or among the temporary files, but never in somebody else's folder."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from mobilesim_py.app import cache_folder as module
from mobilesim_py.app.cache_folder import cache_folder


def test_the_folder_that_was_asked_for_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MOBILESIM_CACHE_DIR", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


def test_else_it_is_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MOBILESIM_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "mobilesim-py"


def without_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MOBILESIM_CACHE_DIR", raising=False)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    module._temporary_folder.cache_clear()


def test_without_a_home_it_is_a_temporary_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_home(monkeypatch, tmp_path)
    found = cache_folder()
    assert found.parent == tmp_path
    assert found.stat().st_mode & 0o777 == 0o700
    assert cache_folder() == found
    module._temporary_folder.cache_clear()


def test_a_temporary_folder_that_another_user_made_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_home(monkeypatch, tmp_path)
    monkeypatch.setattr(module.os, "getuid", lambda: 4711)
    (tmp_path / "mobilesim-py-4711").mkdir()  # made by us, who are not 4711
    found = cache_folder()
    assert found.parent == tmp_path
    assert found.name != "mobilesim-py-4711"
    module._temporary_folder.cache_clear()
