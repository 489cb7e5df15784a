"""The sketch map as XML: read with its traps, written so that it comes back the same, damaged ones told."""

from __future__ import annotations

import contextlib
import math
import random

import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.garden.xml_file import parse_xml, xml_text
from mobilesim_py.world.sketch import SketchShape

GARDEN = """<?xml version="1.0" encoding="utf-8"?>
<GardenMap>
 <Version>2</Version>
 <Range>[0 8;0 6;0 2]</Range>
 <Labels><item>Ground</item><item>Grass</item><item>Dirt</item><item>Topiary</item></Labels>
 <Terrain>
  <Vertices>[0 0 0;8 0 0;8 6 0;0 6 0;9 9 0]</Vertices>
  <Faces>[1 2 3 4;NaN NaN NaN NaN;2 5 3 NaN]</Faces>
  <FaceLabels>[2;1;3]</FaceLabels>
 </Terrain>
 <Objects>
  <item><pos>[4 3 0.1]</pos><diam>[1 2 1.5]</diam><orient>[45 0 0]</orient><label>4</label><id>7</id><shape>2</shape></item>
 </Objects>
 <Model><Path>scan.ply</Path><Transform>[1 0 0 0;0 1 0 0;0 0 1 0;0 0 0 1]</Transform></Model>
</GardenMap>
"""


def test_faces_and_labels_are_numbered_from_one_in_the_files_own_list() -> None:
    sketch, problems = parse_xml(GARDEN.encode(), "garden.xml", "garden")
    assert problems == ()
    assert [(face.label, face.corners) for face in sketch.faces] == [("Grass", (0, 1, 2, 3)), ("Dirt", (1, 4, 2))]
    (thing,) = sketch.objects
    assert (thing.id, thing.label, thing.shape, thing.size) == (7, "Topiary", SketchShape.ELLIPSOID, (1.0, 2.0, 1.5))
    assert thing.turn == pytest.approx(math.pi / 4.0)
    assert (sketch.model, len(sketch.transform)) == ("scan.ply", 16)


def test_what_is_written_is_read_the_same() -> None:
    sketch, _ = parse_xml(GARDEN.encode(), "garden.xml", "garden")
    again, _ = parse_xml(xml_text(sketch).encode(), "again.xml", "garden")
    assert again == sketch


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<item>Grass</item>", "<item>Grass", "well-formed"),
        ("[0 0 0;8 0 0;", "[0 0 0;8 0 x;", r"garden\.xml:7: .*<Vertices>.*'x' is not a number"),
        ("[1 2 3 4;NaN", "[1 2 3 44;NaN", "face 1 names a vertex that there is not"),
        ("[1 2 3 4;NaN", "[1 2.5 3 4;NaN", "face 1 names a vertex"),
        ("[2;1;3]", "[2;1]", "3 faces and only 2 labels"),
        ("<pos>[4 3 0.1]</pos>", "", "object 1 has no <pos>"),
        ("[4 3 0.1]", "[4 NaN 0.1]", "<pos> of object 1"),
        ("[1 2 1.5]", "[1 -2 1.5]", "object 1 has the size"),
        ("<id>7</id>", "<id>7.5</id>", "object 1 has the number 7.5"),
        ("<GardenMap>", "<!DOCTYPE x [<!ENTITY a 'b'>]><GardenMap>", "document types"),
        ("8 6 0", "8 6000 0", "and 2000 m is the most"),
        ("<Labels>", "<Names>", "well-formed"),
        ('encoding="utf-8"', 'encoding="utfN7"', "encoding that is not known"),
        ("[1 0 0 0;0 1", "[1 0 0;0 1", "4 rows of 4 numbers"),
    ],
)
def test_a_damaged_file_is_told_with_its_line(old: str, new: str, words: str) -> None:
    with pytest.raises(MapError, match=words):
        parse_xml(GARDEN.replace(old, new).encode(), "garden.xml", "garden")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<label>4</label>", "<label>9</label>", "object 1 has label 9"),
        ("[2;1;3]", "[2;1;8]", "face 3 has label 8"),
        ("<shape>2</shape>", "<shape>9</shape>", "taken as a cuboid"),
        ("[1 2 3 4;", "[1 2 NaN NaN;", "fewer than three corners"),
    ],
)
def test_what_is_strange_is_noted_and_the_rest_is_used(old: str, new: str, words: str) -> None:
    _, problems = parse_xml(GARDEN.replace(old, new).encode(), "garden.xml", "garden")
    assert any(words in problem.text for problem in problems)


def test_no_damage_gives_anything_but_a_sketch_or_a_sentence() -> None:
    dice = random.Random(1)
    for _ in range(400):
        data = bytearray(GARDEN.encode())
        for _ in range(dice.randint(1, 6)):
            place = dice.randrange(len(data))
            data[place : place + dice.randint(0, 4)] = bytes(
                dice.choices(b"0123456789.;[]<>NaE- \xff", k=dice.randint(0, 4))
            )
        with contextlib.suppress(MapError):
            parse_xml(bytes(data), "garden.xml", "garden")
