"""Fields are maps like all others: read by their ending, converted, shipped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.convert import convert
from mobilesim_py.formats.field.world import read_world
from mobilesim_py.formats.format import Settings, load_world
from mobilesim_py.resources import maps_dir

SHIPPED = ("level1.field", "leeks.field", "cabbages.field", "hard.field")


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_fields_load_without_problems(name: str) -> None:
    world = load_world(maps_dir() / name)
    assert world.problems == ()
    assert len(world.plants) > 100
    assert world.fits([((-0.34, -0.21), (0.34, -0.21), (0.34, 0.21), (-0.34, 0.21))], world.homes[0])


def test_a_field_becomes_a_map_with_the_same_lines(tmp_path: Path) -> None:
    target = tmp_path / "leeks.map"
    convert(maps_dir() / "leeks.field", target, Settings())
    field, copy = read_world(maps_dir() / "leeks.field"), load_world(target)
    stopping = field.segments.ends[field.segments.stops > 0]
    assert len(copy.walls) == len(stopping)
    assert np.abs(np.sort(copy.walls.ends[:, 0]) - np.sort(stopping[:, 0])).max() < 0.0006
    assert copy.homes[0] == field.homes[0]


def test_an_obs_file_is_converted_too(tmp_path: Path) -> None:
    (tmp_path / "a.obs").write_text("150 40 10\n")
    armap = convert(tmp_path / "a.obs", tmp_path / "a.svg", Settings())
    assert len(armap.lines) == 4


def test_a_missing_field_is_a_map_error(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="no such file"):
        read_world(tmp_path / "none.field")
