"""Walls from pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mobilesim_py.errors import WorldfileError
from mobilesim_py.formats.stage.bitmap import outline_segments, read_dark_pixels


def segments(*rows: str) -> set[tuple[float, ...]]:
    dark = np.array([[mark == "#" for mark in row] for row in reversed(rows)])
    return {tuple(segment) for segment in outline_segments(dark)}


def test_one_pixel_has_four_edges() -> None:
    assert segments("#") == {(0, 0, 0, 1), (1, 0, 1, 1), (0, 0, 1, 0), (0, 1, 1, 1)}


def test_straight_runs_are_one_segment() -> None:
    assert segments("###") == {(0, 0, 0, 1), (3, 0, 3, 1), (0, 0, 3, 0), (0, 1, 3, 1)}


def test_a_hole_has_an_outline_too() -> None:
    assert len(segments("###", "#.#", "###")) == 8


def test_a_light_picture_has_no_walls() -> None:
    assert segments("..", "..") == set()


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=6))
def test_the_segments_are_as_long_as_all_edges_between_dark_and_light(rows: list[list[bool]]) -> None:
    dark = np.array(rows)
    padded = np.pad(dark, 1).astype(int)
    edges = np.abs(np.diff(padded, axis=0)).sum() + np.abs(np.diff(padded, axis=1)).sum()
    ends = outline_segments(dark)
    assert np.abs(ends[:, 2:] - ends[:, :2]).sum() == edges


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "I;16"])
def test_pictures_of_any_mode_are_read_with_the_bottom_row_first(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "walls.png"
    picture = Image.new("L", (2, 2), 255)
    picture.putpixel((1, 0), 0)
    if mode == "I;16":
        Image.fromarray(np.asarray(picture).astype(np.uint16) * 257).save(path)
    else:
        picture.convert(mode).save(path)
    assert read_dark_pixels(path).tolist() == [[False, False], [False, True]]


def test_what_is_not_a_picture_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "walls.png"
    path.write_text("hello")
    with pytest.raises(WorldfileError, match=r"walls\.png: is not a picture"):
        read_dark_pixels(path)


def test_half_a_picture_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "walls.png"
    Image.effect_noise((50, 50), 50).save(path)
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(WorldfileError, match="cannot be read as a picture"):
        read_dark_pixels(path)
