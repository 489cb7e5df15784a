"""`.obs` files: obstacles and plants with their sizes in centimetres."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.errors import MapError
from mobilesim_py.formats.field.obs_file import parse_obs, read_obs
from mobilesim_py.geometry import Pose
from mobilesim_py.world.plants import PlantKind

TEXT = """# a short row
field -100 -300 1200 300
start 10 20 90
ground sand
150 40 10      # a block
180 40 4 leek
400 0 60 block 25
"""


def test_obstacles_plants_ground_and_start_are_read() -> None:
    world = parse_obs(TEXT, "rows.obs")
    assert world.name == "rows"
    assert world.homes == (Pose(0.1, 0.2, math.pi / 2),)
    assert (world.bounds.min_x, world.bounds.max_y) == (-1.0, 3.0)
    assert world.soil == "sand"
    assert [(o.name, o.height) for o in world.obstacles] == [("block 1", 0.1), ("block 2", 0.25)]
    assert world.obstacles[1].geometry.bounds == pytest.approx((3.7, -0.3, 4.3, 0.3))
    assert (world.plants.x[0], world.plants.radius[0], world.plants.kind[0]) == (1.8, 0.02, PlantKind.LEEK)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("1 2", "X Y SIZE"),
        ("1 2 0", "1 to 128 cm, not 0"),
        ("1 2 129", "1 to 128"),
        ("1 2 nan", "at most"),
        ("1 2 10 tulip", "no kind 'tulip'"),
        ("1 2 10 leek -3", "the height"),
        ("1 2 10 leek 3 4", "X Y SIZE"),
        ("field 1 2 3", "four edges"),
        ("field 5 0 1 9", "left edge"),
        ("ground lava", "one of"),
        ("start 1", "HEADING"),
    ],
)
def test_a_wrong_row_is_passed_over_and_told_with_its_line(row: str, words: str) -> None:
    (problem,) = parse_obs(f"10 10 10\n{row}\n").problems
    assert problem.line == 2
    assert words in problem.text


def test_a_file_without_obstacles_is_no_map() -> None:
    with pytest.raises(MapError, match=r"nothing.obs: there is no obstacle in it: rows such as"):
        parse_obs("start 0 0 0\nfoo", "nothing.obs")


@given(st.text())
def test_any_text_is_a_world_or_a_map_error(text: str) -> None:
    with contextlib.suppress(MapError):
        parse_obs(text)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="cannot read"):
        read_obs(tmp_path / "none.obs")


def test_patches_of_bad_ground_are_read() -> None:
    world = parse_obs("100 0 10\npatch 500 -100 700 100 slip=0.4 mud=0.1\npatch 1 2 3 4 swamp=1\npatch 1 2 3 slip=1\n")
    assert (world.value_at("slip", 6.0, 0.0), world.value_at("mud", 6.0, 0.5), world.value_at("slip", 8.0, 0.0)) == (
        0.4,
        0.1,
        0,
    )
    assert [problem.line for problem in world.problems] == [3, 4]
