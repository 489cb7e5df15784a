"""Which reader an XML file gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.format import load_world
from mobilesim_py.formats.xml_file import is_garden
from mobilesim_py.resources import maps_dir


def test_the_root_element_says_whether_it_is_a_garden(tmp_path: Path) -> None:
    assert is_garden(maps_dir() / "garden.xml")
    lab = tmp_path / "lab.xml"
    lab.write_text('<!-- no <GardenMap> -->\n<Lab Name="x" Height="14" Width="28"/>')
    assert not is_garden(lab)
    assert load_world(lab).bounds.width == 28.0


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="cannot read the file"):
        load_world(tmp_path / "none.xml")
