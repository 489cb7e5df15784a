"""Where the files that come with the program are."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py import resources


def test_models_are_there() -> None:
    assert (resources.models_dir() / "PioneerRobotModels.world.inc").is_file()


def test_an_installed_package_has_them_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mobilesim_py" / "share" / "models").mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "mobilesim_py")
    assert resources.models_dir() == tmp_path / "mobilesim_py" / "share" / "models"


def test_a_checkout_has_them_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "mobilesim_py")
    assert resources.maps_dir() == tmp_path / "maps"
