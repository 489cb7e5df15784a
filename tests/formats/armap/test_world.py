"""The world of a map: segments, bounds, and all that stands in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.reader import parse_map, read_map
from mobilesim_py.formats.armap.world import build_world
from mobilesim_py.formats.format import Settings, load_world
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.obstacles import Made, Stops

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
    square = load_world(map_file, Settings(point_size=0.1)).segments.ends[1:5]
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
    assert world.is_gps_bad(0.2, 0.2)


def test_a_map_without_data_is_as_large_as_its_objects() -> None:
    world = build_world(parse_map('2D-Map\nCairn: Goal -1000 0 0 "" ICON ""\nCairn: Goal 3000 2000 0 "" ICON ""\nLINES\n'))
    assert (world.bounds.width, world.bounds.height) == (4.0, 2.0)


def test_a_binary_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "zeros.map"
    path.write_bytes(bytes(100_000))
    with pytest.raises(MapError, match="binary file"):
        load_world(path)


@pytest.mark.parametrize("path", sorted(maps_dir().glob("*.map")), ids=lambda path: path.stem)
def test_every_shipped_map_is_read_without_a_problem(path: Path) -> None:
    armap = read_map(path)
    assert armap.problems == ()
    assert armap.remainder == ()


def test_it_is_known_what_each_segment_was_made_of(map_file: Path) -> None:
    assert load_world(map_file).segments.made.tolist() == [Made.WALL] + [Made.POINT] * 4 + [Made.REFLECTOR]
    assert load_world(map_file).points.tolist() == [[0.0, 4.0]]


def test_what_the_reader_noted_goes_with_the_world() -> None:
    world = build_world(parse_map("2D-Map\nLINES\n0 0 1 1\nnot a row\n"))
    assert [problem.line for problem in world.problems] == [4]


@pytest.mark.parametrize("far", ["1e300", "-1e15", "9223372036854775807", "3000000"])
def test_what_is_absurdly_far_away_is_left_out_with_a_word(far: str) -> None:
    rows = f'Cairn: Reflector 0 0 0 "" ICON "" 0 0 {far} 500\nCairn: Sim.BoxObstacle 0 0 0 "" ICON "" 0 0 500 {far}'
    world = build_world(parse_map(f"2D-Map\n{rows}\nLINES\n0 0 1000 1000\n"))
    assert len(world.segments) == 1
    assert (world.boxes, world.objects) == ((), ())
    assert [problem.line for problem in world.problems] == [2, 3]
    assert all("2 km away" in problem.text for problem in world.problems)


def test_what_is_far_from_the_origin_but_near_the_map_is_kept() -> None:
    rows = 'Cairn: Reflector 900000000 0 0 "" ICON "" 900000000 0 900000500 500'
    world = build_world(parse_map(f"2D-Map\n{rows}\nLINES\n900000000 0 900001000 1000\n"))
    assert len(world.segments) == 2
