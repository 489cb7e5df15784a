"""The cache of compiled code: one folder for each version, and old ones do not pile up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mobilesim_py.app import compiling


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOBILESIM_CACHE_DIR", str(tmp_path))
    return tmp_path


def folder(root: Path, name: str, used: float) -> Path:
    place = root / name
    place.mkdir()
    (place / "kernel.nbc").write_bytes(b"code")
    (place / "complete").touch()
    os.utime(place / "complete", (used, used))
    return place


def test_what_other_versions_compiled_is_removed_when_nobody_has_used_it_for_a_month(root: Path) -> None:
    now = 1e9
    old, recent = folder(root, "old", now - 40 * 86400), folder(root, "recent", now - 86400)
    ours = folder(root, compiling.cache_directory().name, now - 90 * 86400)
    (root / "notes").mkdir()
    compiling.forget_old_caches(now)
    assert [place.exists() for place in (old, recent, ours, root / "notes")] == [False, True, True, True]


def test_the_folder_tells_versions_of_the_sources_apart(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = compiling.cache_directory()
    monkeypatch.setattr(compiling, "_numba_version", lambda: "another")
    assert compiling.cache_directory() != before
    assert not compiling.is_cached()


def test_the_folder_changes_with_the_sources_of_the_kernels(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = compiling.cache_directory()
    monkeypatch.setattr(compiling, "sources_digest", lambda: b"another")
    assert compiling.cache_directory() != before
