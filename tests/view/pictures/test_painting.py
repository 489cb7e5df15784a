"""Pictures of maps."""

from __future__ import annotations

import pytest
from PIL import ImageDraw

from mobilesim_py.formats.armap.reader import parse_map
from mobilesim_py.formats.armap.world import build_world
from mobilesim_py.view.pictures.painting import MOST_PAINT, draw_picture
from mobilesim_py.view.pictures.scene import scene_of


def test_thousands_of_areas_as_large_as_the_map_are_not_all_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    header = "2D-Map\nMapInfo: SectorType Name=Crate Sim.Obstacle=yes\n"
    crates = 'Cairn: Crate 0 0 0 "" ICON "" -1900000 -1900000 1900000 1900000\n' * 2000
    scene = scene_of(build_world(parse_map(f"{header}{crates}LINES\n0 0 1000 0\nDATA\n")))
    filled = []
    polygon = ImageDraw.ImageDraw.polygon
    monkeypatch.setattr(ImageDraw.ImageDraw, "polygon", lambda *words, **more: filled.append(1) or polygon(*words, **more))
    assert draw_picture(scene, 100).size == (100, 100)
    assert MOST_PAINT / 2 < len(filled) < 2 * MOST_PAINT
