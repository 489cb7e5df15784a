"""`.field` files: the original's keys and English ones, and what is said about mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.errors import MapError
from mobilesim_py.formats.field.field_file import field_text, parse_field, read_field
from mobilesim_py.formats.field.plan import CULTURES, GROUNDS, FieldPlan
from mobilesim_py.formats.field.planting import plant

ORIGINAL = """{
  "Nom": "LEEK_70_30",
  "Longueur rangee" : 7,
  "Sol" : "dirt",
  "Type culture" : "Cabbage",
  "Interplant" : 0.30,
  "Largeur rangee" : 0.70,
  "Nombre de rangees": 3,
  "Butte": 1, "Quinconce": true,
  "Herbe": 20,
  "Cailloux" : 1,
  "Ecart" : 25, "Courbe": true
}"""


def test_the_keys_of_the_original_are_understood_as_they_are() -> None:
    plan, problems = parse_field(ORIGINAL)
    assert problems == ()
    assert plan == FieldPlan(
        name="LEEK_70_30", length=7.0, ground="dirt", culture="Cabbage", spacing=0.3, width=0.7, rows=3, mounds=True,
        staggered=True, grass=20, rocks=1, deviation=0.25, curvature=0.05,
    )  # fmt: skip


@given(
    ground=st.sampled_from(GROUNDS),
    culture=st.sampled_from(CULTURES),
    rows=st.integers(1, 50),
    length=st.floats(0.5, 100.0),
    curvature=st.floats(-0.2, 0.2),
    mounds=st.booleans(),
    seed=st.integers(0, 2**53),
)
def test_what_is_written_is_read_again(**values: object) -> None:
    plan = FieldPlan(**values)  # type: ignore[arg-type]
    assert parse_field(field_text(plan)) == (plan, ())


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"rows": 4,\n "length": }', 2, "no JSON"),
        ("[1, 2]", 1, "a JSON object"),
        ('{\n"rows": 0}', 2, 'whole number from 1 to 2000'),
        ('{"rows": 2.5}', 1, "whole number"),
        ('{"length":\n\n"long"}', 1, "a number from 0.5 to 2000 m"),
        ('{"length": NaN}', 1, "a number from"),
        ('{"width": 1e999}', 1, "a number from"),
        ('{"Sol": "lava"}', 1, "sand, dirt, grass, heightmap"),
        ('{"Type culture": 5}', 1, "Leek, Cabbage"),
        ('{"Butte": "yes"}', 1, "true or false"),
        ('{"name": "\\u0007"}', 1, "a text"),
        ('{"seed": -1}', 1, "whole number"),
        ('{"spacing": true}', 1, "a number"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line_and_what_is_wanted(text: str, line: int, words: str) -> None:
    with pytest.raises(MapError, match=words) as caught:
        parse_field(text, "my.field")
    assert str(caught.value).startswith(f"my.field:{line}: ")


def test_an_absurd_number_of_plants_is_refused_with_advice() -> None:
    with pytest.raises(MapError, match="a field may have 1000000: take fewer or shorter rows"):
        parse_field('{"rows": 2000, "length": 2000, "spacing": 0.05}')


def test_unknown_keys_and_levels_are_told_and_passed_over() -> None:
    plan, problems = parse_field('{"Cailloux": 5,\n"Herbe": 15,\n"colour": "blue",\n"rows": 3, "Nombre de rangees": 5}')
    assert (plan.rocks, plan.grass, plan.rows) == (2, 10, 5)
    assert [problem.line for problem in problems] == [1, 2, 3, 4]


@pytest.mark.parametrize("data", [b"\xff\xfe{", b"", b"[" * 100_000, b"\x00" * 50, b"{}" * 600_000])
def test_what_is_no_field_is_a_map_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.field"
    path.write_bytes(data)
    with pytest.raises(MapError):
        read_field(path)


def test_patches_of_bad_ground_are_read_written_and_part_of_the_world() -> None:
    text = '{"rows": 2, "patches": [{"rectangle": [2, -1, 6, 1], "slip": 0.5, "mud": 0.1}]}'
    plan, problems = parse_field(text)
    assert problems == ()
    assert parse_field(field_text(plan)) == (plan, ())
    world = plant(plan)
    assert (world.value_at("slip", 3.0, 0.0), world.value_at("mud", 7.0, 0.0)) == (0.5, 0.0)


@pytest.mark.parametrize(
    ("patches", "words"),
    [
        ("3", "a list"),
        ('[{"slip": 0.1}]', r"\[x1, y1, x2, y2\]"),
        ('[{"rectangle": [1, 2, 3, "x"], "slip": 0.1}]', "a number from"),
        ('[{"rectangle": [1, 2, 3, 4]}]', "sizes of"),
        ('[{"rectangle": [1, 2, 3, 4], "swamp": 1}]', "sizes of"),
        ('[{"rectangle": [1, 2, 3, 4], "slip": -1}]', "a number from"),
    ],
)
def test_a_bad_patch_is_told(patches: str, words: str) -> None:
    with pytest.raises(MapError, match=words):
        parse_field(f'{{"patches": {patches}}}')
