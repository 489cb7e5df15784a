"""The cache of compiled code: one folder for each version, and old ones do not pile up."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from mobilesim_py.app import compiling

USERS_CACHE = os.environ.get("MOBILESIM_CACHE_DIR")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOBILESIM_CACHE_DIR", str(tmp_path))
    return tmp_path


def folder(root: Path, name: str, used: float) -> Path:
    place = root / name
    place.mkdir()
    (place / "kernels.o").write_bytes(b"code")
    (place / "complete").touch()
    os.utime(place / "complete", (used, used))
    return place


def ready_code() -> Path:
    """Return the folder with the compiled engine, which is compiled if it is nowhere."""
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MOBILESIM_CACHE_DIR")
        if USERS_CACHE is not None:
            patch.setenv("MOBILESIM_CACHE_DIR", USERS_CACHE)
        compiling.load_compiled()
        return compiling.cache_directory()


def test_what_other_versions_compiled_is_removed_when_nobody_has_used_it_for_a_month(root: Path) -> None:
    now = 1e9
    old, recent = folder(root, "old", now - 40 * 86400), folder(root, "recent", now - 86400)
    ours = folder(root, compiling.cache_directory().name, now - 90 * 86400)
    (root / "notes").mkdir()
    compiling.forget_old_caches(now)
    assert [place.exists() for place in (old, recent, ours, root / "notes")] == [False, True, True, True]


def test_the_folder_tells_processors_apart(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = compiling.cache_directory()
    monkeypatch.setattr(compiling, "processor_features", lambda: frozenset({"AVX1024"}))
    assert compiling.cache_directory() != before
    assert not compiling.is_cached()


def test_the_folder_changes_with_the_sources_of_the_kernels(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = compiling.cache_directory()
    monkeypatch.setattr(compiling, "sources_digest", lambda: b"another")
    assert compiling.cache_directory() == before, "nothing was changed since the sources were looked at"
    monkeypatch.setattr(compiling, "package_stamp", lambda: "another")
    assert compiling.cache_directory() != before


def test_shipped_code_serves_until_there_is_code_for_this_processor(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = root / "shipped" / compiling.code_name()
    monkeypatch.setattr(compiling, "shipped_kernels_dir", lambda: root / "shipped")
    assert compiling.load_ready() is None
    shutil.copytree(ready_code(), shipped)
    engine = compiling.load_ready()
    assert engine is not None
    assert not compiling.is_cached()


@pytest.mark.parametrize("damage", ["kernels.json", "kernels.so", "functions", "features"])
def test_code_that_does_not_fit_is_left_alone(root: Path, damage: str) -> None:
    shutil.copytree(ready_code(), compiling.cache_directory())
    manifest = compiling.cache_directory() / "kernels.json"
    if damage == "kernels.so":
        for name in ("kernels.so", "kernels.o"):
            (compiling.cache_directory() / name).write_bytes(b"\x7fELF nonsense")
    elif damage == "kernels.json":
        manifest.write_text("{")
    else:
        content = json.loads(manifest.read_text())
        manifest.write_text(json.dumps({**content, damage: {} if damage == "functions" else ["AVX1024"]}))
    assert compiling.load_ready() is None
