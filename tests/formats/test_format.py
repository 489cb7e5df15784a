"""One table says which module reads which files; every one of them gives a world."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.formats.convert import convert
from mobilesim_py.formats.format import FORMATS, Settings, format_of, load_world
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.world import World

OFFICE = maps_dir() / "office.map"


@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_a_format_knows_the_endings_that_the_table_gives_it(ending: str) -> None:
    assert ending in format_of(f"some{ending.upper()}").endings


def test_a_file_with_another_ending_is_taken_for_a_map(tmp_path: Path) -> None:
    shutil.copy(OFFICE, tmp_path / "office.txt")
    assert len(load_world(tmp_path / "office.txt").segments) == len(load_world(OFFICE).segments)


@pytest.mark.parametrize("ending", [".map", ".svg", ".yaml", ".world"])
def test_worlds_of_all_formats_have_walls_where_the_map_has_them(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"office{ending}"
    convert(OFFICE, path, Settings(scale=0.05 if ending != ".svg" else None))
    world = load_world(path)
    x, y = read_map(OFFICE).lines[0, :2] / 1000.0
    feature, distance = world.nearest(float(x), float(y)) or (None, 9.0)
    assert isinstance(world, World)
    assert world.has_map
    assert feature is not None
    assert distance < 0.15
    assert world.name.startswith("office")
    assert world.path == str(path)


def test_a_picture_is_a_world_with_pixels_of_five_centimetres_unless_its_scale_is_known(tmp_path: Path) -> None:
    grey = np.full((40, 60), 254, np.uint8)
    grey[10:20, 5:30] = 0
    Image.fromarray(grey).save(tmp_path / "p.png")
    world = load_world(tmp_path / "p.png")
    assert world.bounds.width == pytest.approx(1.25)
    assert "a pixel is 0.05 m" in world.problems[0].text
    assert "mobilesim map convert p.png p.map --resolution" in world.problems[0].text
    assert load_world(tmp_path / "p.png", Settings(scale=0.1)).bounds.width == pytest.approx(2.5)


@pytest.mark.parametrize("ending", [".map", ".svg", ".yaml"])
def test_a_file_that_is_not_there_is_a_map_error(tmp_path: Path, ending: str) -> None:
    with pytest.raises(MapError):
        load_world(tmp_path / f"none{ending}")
