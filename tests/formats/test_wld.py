"""Saphira's `.wld` worlds."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.reader import parse_map, read_map
from mobilesim_py.formats.convert import convert
from mobilesim_py.formats.format import Settings, load_world
from mobilesim_py.formats.wld import parse_wld

ROOM = """\
; a room of 4 x 3 m
width 4000
height 3000
0 0 4000 0      ; the southern wall
4000 0 4000 3000

push 1000 1000 0
4000 3000 0 3000
0 3000 0 0
Position 500 600 90
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    path = tmp_path / "room.wld"
    path.write_text(ROOM)
    return path


def test_rows_of_four_whole_numbers_are_lines() -> None:
    found = parse_wld(ROOM)
    assert found.lines.tolist() == [[0, 0, 4000, 0], [4000, 0, 4000, 3000], [4000, 3000, 0, 3000], [0, 3000, 0, 0]]
    assert found.problems == ()


def test_position_is_the_home(room: Path) -> None:
    (home,) = load_world(room).homes
    assert (home.x, home.y, home.heading) == pytest.approx((0.5, 0.6, 1.5707963))


@pytest.mark.parametrize(
    "row", ["1 2 3", "1 2 3 4 5", "0.5 0 1 1", "1 2 3 four", "1 2 3 99999999999", "position 1 2", "position a b c"]
)
def test_a_row_that_cannot_be_meant_is_passed_over_with_a_word(row: str) -> None:
    found = parse_wld(f"0 0 1 1\n{row}\n")
    assert len(found.lines) == 1
    assert [problem.line for problem in found.problems] == [2]


def test_a_world_without_lines_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.wld").write_text("width 100\n")
    with pytest.raises(MapError, match=r"empty\.wld: there is no line in it"):
        load_world(tmp_path / "empty.wld")


def test_a_world_becomes_a_map(room: Path, tmp_path: Path) -> None:
    convert(room, tmp_path / "room.map", Settings())
    assert read_map(tmp_path / "room.map").data_bounds == (0, 0, 4000, 3000)
    assert load_world(tmp_path / "room.map").homes == load_world(room).homes


def test_its_lines_can_be_added_to_a_map_that_keeps_what_it_has(room: Path, tmp_path: Path) -> None:
    text = '2D-Map\nCairn: RobotHome 1 2 0 "" ICON ""\nCairn: Goal 5 5 0 "" ICON "g"\nLINES\n0 0 9000 0\nDATA\n7 7\n'
    convert(room, tmp_path / "both.map", Settings(), parse_map(text))
    both = read_map(tmp_path / "both.map")
    assert (len(both.lines), len(both.points)) == (5, 1)
    assert [cairn.kind for cairn in both.cairns] == ["RobotHome", "Goal"]
    assert (both.cairns[0].x, both.cairns[0].y) == (1, 2)


def test_its_home_is_taken_where_the_map_has_none(room: Path, tmp_path: Path) -> None:
    convert(room, tmp_path / "both.map", Settings(), parse_map("2D-Map\nLINES\n0 0 9000 0\n"))
    assert [(cairn.kind, cairn.x) for cairn in read_map(tmp_path / "both.map").cairns] == [("RobotHome", 500)]
