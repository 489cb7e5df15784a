"""Where maps and models are found: those that come with the program, and those of the directory MOBILESIM names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py import resources
from mobilesim_py.testing import Stand


def test_models_are_there() -> None:
    assert (resources.models_dir() / "PioneerRobotModels.world.inc").is_file()


def test_an_installed_package_has_them_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mobilesim_py" / "share" / "models").mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "mobilesim_py")
    assert resources.models_dir() == tmp_path / "mobilesim_py" / "share" / "models"


def test_a_checkout_has_them_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "mobilesim_py")
    assert resources.maps_dir() == tmp_path / "maps"


def test_the_directory_of_the_environment_is_searched_for_maps_before_ours(tmp_path: Path) -> None:
    environ = {"MOBILESIM": str(tmp_path)}
    assert resources.map_directories(environ) == [tmp_path, tmp_path / "maps", resources.maps_dir()]
    assert resources.resource_problem(environ) == ""


@pytest.mark.parametrize("environ", [{}, {"MOBILESIM": ""}])
def test_without_the_variable_only_our_maps_are_searched(environ: dict[str, str]) -> None:
    assert resources.map_directories(environ) == [resources.maps_dir()]
    assert resources.resource_problem(environ) == ""


@pytest.mark.parametrize("kind", ["missing", "a file"])
def test_a_variable_that_names_no_directory_is_told_with_what_is_used_instead(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "place"
    if kind == "a file":
        place.touch()
    environ = {"MOBILESIM": str(place)}
    problem = resources.resource_problem(environ)
    assert str(place) in problem
    assert str(resources.maps_dir().parent) in problem
    assert resources.map_directories(environ) == [resources.maps_dir()]


def test_the_files_of_the_examples_are_shipped_and_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [robot.name for robot in Stand("-W", "simple.world").robots] == ["robot"]
    stand = Stand("-m", "lab", "-r", "custom.p:Mine")
    assert len(stand.program.simulation.world.points) > 1000
    assert [robot.model.name for robot in stand.robots] == ["custom"]
    assert len(Stand("-m", "room.wld", "-r", "p3dx").program.simulation.world.segments) == 8
