"""`.garden` files: a sketch in YAML."""

from __future__ import annotations

import contextlib
import math
import random

import pytest

from mobilesim_py.errors import MapError
from mobilesim_py.formats.garden.garden_file import garden_text, parse_garden
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.sketch import STANDARD_LABELS, SketchShape

LAWN = """name: lawn
terrain:
  - {label: Ground-Grass, corners: [[0, 0], [12, 0], [12, 8], [0, 8]]}
  - {label: Swamp, corners: [[12, 0, 0.5], [13, 0], [12, 8]]}
objects:
  - {id: 5, label: Topiary-Ellipsoid, shape: ellipsoid, at: [4, 3], size: [1, 1, 1.2], turn: 30}
  - {label: Robot-Vehicle, at: [2, 2, 0.1], size: [0.7, 0.5, 0.3], turn: [90, 1, 2]}
"""


def test_a_garden_is_read_in_metres_and_degrees() -> None:
    sketch, problems = parse_garden(LAWN, "lawn.garden", "lawn")
    assert problems == ()
    topiary, vehicle = sketch.objects
    assert (topiary.id, topiary.shape, topiary.turn) == (5, SketchShape.ELLIPSOID, pytest.approx(math.radians(30.0)))
    assert (vehicle.id, vehicle.shape, vehicle.z) == (2, SketchShape.CUBOID, 0.1)
    assert vehicle.tilt == pytest.approx((math.radians(1.0), math.radians(2.0)))
    assert sketch.outline_of(sketch.faces[0]) == ((0, 0), (12, 0), (12, 8), (0, 8))
    assert sketch.labels == (*STANDARD_LABELS, "Swamp")


def test_what_is_written_is_read_the_same() -> None:
    sketch, _ = parse_garden(LAWN, "lawn.garden", "lawn")
    assert parse_garden(garden_text(sketch), "again.garden", "lawn")[0] == sketch


def test_odd_words_survive_being_written() -> None:
    text = LAWN.replace("Swamp", '"a: \\"b\\" {c}, no"').replace("name: lawn", 'name: "yes"')
    sketch, _ = parse_garden(text, "lawn.garden", "lawn")
    assert (sketch.name, sketch.faces[1].label) == ("yes", 'a: "b" {c}, no')
    assert parse_garden(garden_text(sketch), "again.garden", "lawn")[0] == sketch


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[[0, 0], [12", "[[0, 0], [x", r"lawn\.garden:3: .*x is not a number"),
        ("[12, 8], [0, 8]]}", "[12, 8], [0, 8]", "this is no YAML"),
        ("at: [4, 3]", "at: [4]", r"lawn\.garden:6: .*`at` needs 2 or 3 numbers"),
        ("size: [1, 1, 1.2]", "size: [1, 0.5, -1]", "object 1 has the size"),
        ("shape: ellipsoid", "shape: ball", "`ball` is no shape; known are cuboid"),
        ("label: Ground-Grass, ", "", "has no `label`"),
        ("[13, 0], [12, 8]]", "[13, 0]]", "needs three corners"),
        ("id: 5", "id: 5.5", "whole number"),
        ("at: [4, 3]", "at: [4, .nan]", "not a number"),
        ("name: lawn", "name: [lawn]", "here must be a word"),
        (LAWN, "- 1", "a garden begins with words"),
        (LAWN, "name: empty", "the garden is empty"),
        (LAWN, "terrain: 5", "`terrain` is a list"),
    ],
)
def test_a_damaged_file_is_told_with_its_line(old: str, new: str, words: str) -> None:
    with pytest.raises(MapError, match=words):
        parse_garden(LAWN.replace(old, new), "lawn.garden", "lawn")


def test_references_cannot_make_a_small_file_large() -> None:
    rows = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(MapError, match=r"empty|parts"):
        parse_garden("\n".join(rows), "bomb.garden", "bomb")
    face = "{label: Ground-Grass, corners: *c}"
    corners = "labels: &c [" + ", ".join(["[0, 0]"] * 9000) + "]"
    with pytest.raises(MapError, match=r"parts|word"):
        parse_garden(f"{corners}\nterrain: [{', '.join([face] * 300)}]", "bomb.garden", "bomb")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("shape: ellipsoid", "form: ellipsoid", '"form" is no word of an object'),
        ("Ground-Grass", "Ground-Dirt", "no grass and no pavement"),
        ("id: 5", "id: 2", "several objects have the number 2"),
        ("[12, 0], [12, 8], [0, 8]]", "[1, 0], [1, 1], [0, 1]]", ""),
    ],
)
def test_what_is_strange_is_noted(old: str, new: str, words: str) -> None:
    _, problems = parse_garden(LAWN.replace(old, new), "lawn.garden", "lawn")
    assert any(words in problem.text for problem in problems) or not words


def test_no_damage_gives_anything_but_a_sketch_or_a_sentence() -> None:
    dice = random.Random(2)
    for _ in range(300):
        text = list(LAWN)
        for _ in range(dice.randint(1, 6)):
            place = dice.randrange(len(text))
            text[place : place + dice.randint(0, 4)] = dice.choices("0123456789.;[]{}:&*-!\n ", k=dice.randint(0, 4))
        with contextlib.suppress(MapError):
            parse_garden("".join(text), "lawn.garden", "lawn")


@pytest.mark.parametrize("name", ["lawn.garden", "hedges.garden"])
def test_the_shipped_gardens_have_no_problems(name: str) -> None:
    sketch, problems = parse_garden((maps_dir() / name).read_text(), name, name)
    assert problems == ()
    assert sketch.start is not None
