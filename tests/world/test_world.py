"""The world of a map: segments, bounds, and how its file is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.reader import parse_map
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.obstacles import Stops
from mobilesim_py.world.world import build_world, default_map, empty_world, find_map, fingerprint, load_world

MAP = """\
2D-Map
OriginLatLongAlt: 48.2 16.37 171
MapInfo: SectorType Name=Crate Sim.Obstacle=yes
Cairn: Reflector 0 0 0 "" ICON "" 1000 0 1000 500
Cairn: Crate 0 0 0 "" ICON "" 0 0 500 500
Cairn: BadGPSSector 0 0 0 "" ICON "" 0 0 500 500
LINES
-2000 -1000 3000 -1000
5 5 5 5
DATA
0 4000
"""


@pytest.fixture
def map_file(tmp_path: Path) -> Path:
    path = tmp_path / "Halls" / "My.map"
    path.parent.mkdir()
    path.write_text(MAP)
    return path


def test_lines_points_and_reflectors_are_segments_in_metres(map_file: Path) -> None:
    segments = load_world(map_file).segments
    assert segments.ends[0].tolist() == [-2.0, -1.0, 3.0, -1.0]
    assert len(segments) == 1 + 4 + 1
    assert segments.reflectance.tolist() == [1, 1, 1, 1, 1, 32]
    assert set(segments.stops.tolist()) == {int(Stops.ALL)}


def test_the_resolution_is_the_side_of_a_point(map_file: Path) -> None:
    square = load_world(map_file, 0.1).segments.ends[1:5]
    assert np.ptp(square[:, [0, 2]]) == pytest.approx(0.1)


def test_bounds_are_those_of_lines_and_points(map_file: Path) -> None:
    bounds = load_world(map_file).bounds
    assert (bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y) == (-2.0, -1.0, 3.0, 4.0)
    assert (bounds.width, bounds.height, bounds.centre) == (5.0, 5.0, (0.5, 1.5))


def test_everything_else_of_the_map_is_there(map_file: Path) -> None:
    world = load_world(map_file)
    assert (world.name, world.path, world.has_map) == ("My.map", str(map_file), True)
    assert [box.name for box in world.boxes] == ["Crate"]
    assert [thing.kind for thing in world.objects] == ["Reflector", "Crate", "BadGPSSector"]
    assert world.georeference is not None
    assert world.georeference.altitude == 171.0
    assert world.sectors.is_gps_bad(0.2, 0.2)


def test_a_map_without_data_is_as_large_as_its_objects() -> None:
    world = build_world(parse_map('2D-Map\nCairn: Goal -1000 0 0 "" ICON ""\nCairn: Goal 3000 2000 0 "" ICON ""\nLINES\n'))
    assert (world.bounds.width, world.bounds.height) == (4.0, 2.0)


def test_the_empty_world_is_200_metres_wide_about_the_origin() -> None:
    world = empty_world()
    assert (world.bounds.width, world.bounds.centre, len(world.segments), world.has_map) == (
        200.0,
        (0.0, 0.0),
        0,
        False,
    )


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


@pytest.mark.parametrize("folder", [".", "maps"])
def test_maps_of_the_resource_directory_go_before_the_shipped_ones(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "resources" / folder
    place.mkdir(parents=True)
    (place / "office.map").write_text("2D-Map\n")
    monkeypatch.setenv("MOBILESIM", str(tmp_path / "resources"))
    assert find_map("office", [tmp_path]) == place / "office.map"


@pytest.mark.parametrize("name", ["nosuch.map", "", "x" * 5000, "a\0b.map", "~nobody-of-this-name/x.map"])
def test_a_map_that_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(MapError, match="no such map file"):
        find_map(name, [tmp_path])


@pytest.mark.parametrize("name", [".", "../" * 50])
def test_a_directory_is_no_map_and_is_called_one(tmp_path: Path, name: str) -> None:
    with pytest.raises(MapError, match="directory, not a map"):
        find_map(name, [tmp_path])


def test_a_binary_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "zeros.map"
    path.write_bytes(bytes(100_000))
    with pytest.raises(MapError, match="binary file"):
        load_world(path)


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


@pytest.mark.parametrize("path", sorted(maps_dir().glob("*.map")), ids=lambda path: path.stem)
def test_every_shipped_map_is_read_without_a_problem(path: Path) -> None:
    world = load_world(path)
    assert world.map is not None
    assert world.map.problems == ()
    assert world.map.remainder == ()
