"""Drawings of models."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.drawing import PIXELS, colour_code, draw, save_drawing, to_svg
from mobilesim_py.errors import UsageError


def test_the_svg_has_a_shape_for_each_part(catalogue: Catalogue) -> None:
    root = ET.fromstring(to_svg(catalogue.find("p3dx")))
    # sixteen sonar, the laser's field and its case, the body, and the arrow that points forward
    assert len(root.findall("{*}polygon")) == 16 + 2 + 1 + 1


def test_sonar_that_are_absent_are_not_drawn(catalogue: Catalogue) -> None:
    assert len(draw(catalogue.find("powerbot"))) == 28 + 2 + 1 + 1


def test_a_box_has_no_front(catalogue: Catalogue) -> None:
    assert len(draw(catalogue.find("box"))) == 1


def test_everything_is_inside_the_picture(catalogue: Catalogue) -> None:
    root = ET.fromstring(to_svg(catalogue.find("lynx-360")))
    numbers = [
        tuple(float(number) for number in pair.split(","))
        for polygon in root.findall("{*}polygon")
        for pair in polygon.attrib["points"].split()
    ]
    assert all(0 <= x <= float(root.attrib["width"]) and 0 <= y <= float(root.attrib["height"]) for x, y in numbers)


@pytest.mark.parametrize(
    ("name", "code"),
    [("cornflower blue", "cornflowerblue"), ("LightBlue", "lightblue"), ("gray30", "#4c4c4c"), ('"><x', "#999999")],
)
def test_colours_are_those_of_svg(name: str, code: str) -> None:
    assert colour_code(name) == code


def test_a_png_is_a_picture(catalogue: Catalogue, tmp_path: Path) -> None:
    save_drawing(catalogue.find("p3dx"), tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as picture:
        assert max(picture.size) == PIXELS
        assert len(picture.getcolors(100_000) or ()) > 10


def test_a_colour_that_nobody_knows_is_grey(catalogue: Catalogue, tmp_path: Path) -> None:
    from dataclasses import replace

    box = catalogue.find("box")
    save_drawing(replace(box, body=replace(box.body, colour="nosuchcolour")), tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as picture:
        assert len(set(picture.getpixel((picture.width // 2, picture.height // 2)))) == 1  # type: ignore[arg-type]


def test_other_formats_are_refused(catalogue: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"as \.svg or \.png"):
        save_drawing(catalogue.find("p3dx"), tmp_path / "a.gif")


def test_a_file_that_cannot_be_written_is_named(catalogue: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written to"):
        save_drawing(catalogue.find("p3dx"), tmp_path / "no" / "a.svg")
