"""A home without user models, and maps."""

from __future__ import annotations

from pathlib import Path

import pytest

from .maps import write_maps


@pytest.fixture(autouse=True)
def _empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOBILESIM", raising=False)


@pytest.fixture(scope="session")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with our own maps, under the names that the recordings use."""
    return write_maps(tmp_path_factory.mktemp("maps"))
