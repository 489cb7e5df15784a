"""What was read comes back the same when written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.errors import UsageError
from mobilesim_py.formats.armap.armap import ArMap, Cairn, Info, Scan
from mobilesim_py.formats.armap.reader import parse_map, read_map
from mobilesim_py.formats.armap.writer import save_map, write_map
from mobilesim_py.resources import maps_dir

FULL = """\
2D-Map-Ex2
Sources: SickLaser Sonar
Display: "Laser"
MinPos: 5 6
MaxPos: 7 8
NumPoints: 2
PointsAreSorted: true
Resolution: 20
LineMinPos: 0 0
LineMaxPos: 10 10
NumLines: 1
LinesAreSorted: false
SonarMinPos: 1 1
SonarMaxPos: 1 1
SonarNumPoints: 1
SonarPointsAreSorted: false
OriginLatLongAlt: 42.807191 -71.578661 72.000000
MapInfo: SectorType Name=Box "Label=My box" Sim.Obstacle=yes
RouteInfo: Route  "Name=round trip"
Cairn: Goal 100 200 0.000000 "" ICON "First one"
Cairn: ForbiddenArea 0 0 12.345600 "why" ICON "" -10 -20 30 40
_MapInfo: GoalType Name=Old
_Cairn: Goal 1 2 3.000000 "" ICON "off"
ChildCairn: Goal 1 2 3.000000 "" ICON "child"
Something: else "that is kept"
LINES
0 0 10 10
DATA
5 6
7 8
Sonar_DATA
1 1
"""


def is_same(first: ArMap, second: ArMap) -> bool:
    facts = [
        (m.category, m.sources, m.origin, m.cairns, m.infos, m.remainder, m.preamble, [s.resolution for s in m.scans])
        for m in (first, second)
    ]
    scans = zip(first.scans, second.scans, strict=True)
    return facts[0] == facts[1] and all(
        np.array_equal(a.lines, b.lines) and np.array_equal(a.points, b.points) for a, b in scans
    )


def test_a_map_written_as_aria_writes_it_comes_back_letter_by_letter() -> None:
    assert write_map(parse_map(FULL)) == FULL


@pytest.mark.parametrize("path", sorted(maps_dir().glob("*.map")), ids=lambda path: path.stem)
def test_shipped_maps_come_back_letter_by_letter(path: Path) -> None:
    assert write_map(read_map(path)) == path.read_text(encoding="utf-8")


def test_numbers_keep_their_decimals() -> None:
    armap = ArMap(cairns=(Cairn("Goal", 0.125, -3.5, 1 / 3),))
    assert parse_map(write_map(armap)).cairns == armap.cairns


def test_bytes_that_are_no_utf8_come_back(tmp_path: Path) -> None:
    data = b'2D-Map\nCairn: Goal 0 0 0.000000 "" ICON "Caf\xe9"\nLINES\n'
    save_map(parse_map(data), tmp_path / "latin.map")
    assert (tmp_path / "latin.map").read_bytes() == data


def test_a_map_without_any_data_can_be_read_again() -> None:
    assert len(parse_map(write_map(ArMap())).lines) == 0


def test_a_map_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none/x\.map: cannot write"):
        save_map(ArMap(), tmp_path / "none" / "x.map")


NUMBER = st.integers(-900_000, 900_000)
WORD = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters='"'), min_size=1, max_size=8)
TEXT = st.lists(WORD, max_size=3).map(" ".join)
CAIRN = st.builds(
    Cairn,
    kind=WORD,
    x=st.floats(-1e6, 1e6),
    y=NUMBER.map(float),
    heading=st.floats(-360, 360),
    name=TEXT,
    description=TEXT,
    corners=st.none() | st.tuples(*[st.floats(-1e6, 1e6)] * 4),
    keyword=st.sampled_from(["Cairn:", "_Cairn:", "ChildCairn:"]),
)
SCAN = st.builds(
    Scan,
    resolution=st.none() | st.integers(1, 1000),
    lines=st.lists(st.tuples(NUMBER, NUMBER, NUMBER, NUMBER), max_size=5).map(
        lambda x: np.array(x, np.int64).reshape(-1, 4)
    ),
    points=st.lists(st.tuples(NUMBER, NUMBER), max_size=5).map(lambda x: np.array(x, np.int64).reshape(-1, 2)),
)


@given(st.lists(CAIRN, max_size=4), SCAN, st.lists(TEXT, max_size=3))
@settings(max_examples=150, deadline=None)
def test_any_map_comes_back_the_same(cairns: list[Cairn], scan: Scan, infos: list[str]) -> None:
    ordered = sorted(cairns, key=lambda cairn: ["Cairn:", "_Cairn:", "ChildCairn:"].index(cairn.keyword))
    armap = ArMap(
        scans=(scan,), cairns=tuple(ordered), infos=tuple(Info("MapInfo:", text, tuple(text.split())) for text in infos)
    )
    again = parse_map(write_map(armap))
    assert is_same(armap, again)
    assert write_map(again) == write_map(armap)
