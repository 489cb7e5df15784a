"""Which file a map's name means, and whether it changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.app.map_files import default_map, find_map, fingerprint
from mobilesim_py.errors import MapError
from mobilesim_py.resources import maps_dir

MAP = "2D-Map\nLINES\n-2000 -1000 3000 -1000\nDATA\n0 4000\n"


@pytest.fixture
def map_file(tmp_path: Path) -> Path:
    path = tmp_path / "Halls" / "My.map"
    path.parent.mkdir()
    path.write_text(MAP)
    return path


def test_a_map_is_found_in_the_first_directory_that_has_it(map_file: Path, tmp_path: Path) -> None:
    assert find_map("My.map", [tmp_path, map_file.parent]) == map_file
    assert find_map("Halls/My.map", [tmp_path]) == map_file
    assert find_map(str(map_file)) == map_file


@pytest.mark.parametrize("name", ["my.MAP", "MY.map", "my"])
def test_case_and_ending_do_not_matter(map_file: Path, name: str) -> None:
    assert find_map(name, [map_file.parent]) == map_file


def test_case_does_not_matter_in_directories_either(map_file: Path, tmp_path: Path) -> None:
    assert find_map("hALLS/mY.map", [tmp_path]) == map_file


def test_a_name_in_the_right_case_comes_first(map_file: Path) -> None:
    exact = map_file.with_name("my.map")
    exact.write_text(MAP)
    assert find_map("my.map", [map_file.parent]) == exact


def test_shipped_maps_are_found_from_anywhere(tmp_path: Path) -> None:
    assert find_map("office.map", [tmp_path]) == maps_dir() / "office.map"


@pytest.mark.parametrize("name", ["nosuch.map", "", "x" * 5000, "a\0b.map", "~nobody-of-this-name/x.map"])
def test_a_map_that_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(MapError, match="no such map file"):
        find_map(name, [tmp_path])


@pytest.mark.parametrize("name", [".", "../" * 50])
def test_a_directory_is_no_map_and_is_called_one(tmp_path: Path, name: str) -> None:
    with pytest.raises(MapError, match="directory, not a map"):
        find_map(name, [tmp_path])


def test_the_users_own_map_is_the_default(tmp_path: Path) -> None:
    assert default_map(tmp_path) == maps_dir() / "office.map"
    own = tmp_path / ".MobileSim" / "init.map"
    own.parent.mkdir()
    own.write_text(MAP)
    assert default_map(tmp_path) == own


def test_the_fingerprint_changes_with_the_content_only(map_file: Path) -> None:
    before = fingerprint(map_file)
    map_file.touch()
    assert fingerprint(map_file) == before
    map_file.write_text(MAP + "1 1\n")
    assert fingerprint(map_file) != before


def test_there_is_no_fingerprint_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="cannot read"):
        fingerprint(tmp_path / "none.map")


@pytest.mark.parametrize("folder", [".", "maps"])
def test_maps_of_the_resource_directory_go_before_the_shipped_ones(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "resources" / folder
    place.mkdir(parents=True)
    (place / "office.map").write_text("2D-Map\n")
    monkeypatch.setenv("MOBILESIM", str(tmp_path / "resources"))
    assert find_map("office", [tmp_path]) == place / "office.map"
