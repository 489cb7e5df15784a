"""Lab files: what is read, what is warned of, and how mistakes are told."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.formats.lab import Beacon, Lab, LabFileError, Target, Wall, lab_text, parse_lab, read_lab
from mobilesim_py.formats.lab.lab_file import anticlockwise

SQUARE = ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0))


def warned(document: str) -> tuple[Lab, list[str]]:
    warnings: list[str] = []
    return parse_lab(document.encode(), "maze.xml", warn=warnings.append), warnings


def corners(points):
    return "".join(f'<Corner X="{x}" Y="{y}"/>' for x, y in points)


def test_an_empty_lab_has_the_default_size_and_a_border():
    lab, warnings = warned("<Lab/>")
    assert (lab.name, lab.width, lab.height) == ("NO NAMED LAB", 16.0, 16.0)
    assert lab.border == Wall(((0.0, 0.0), (0.0, 16.0), (16.0, 16.0), (16.0, 0.0)), 4.0)
    assert warnings == []


def test_beacons_targets_and_walls_are_read():
    lab, warnings = warned(
        '<Lab Name="n" Width="8" Height="4"><Beacon X="1" Y="2" Height="5"/><Beacon X="3" Y="2"/><Target X="1" Y="2" Radius="1"/>'
        f'<Target X="3" Y="2"/><Wall Height="0">{corners(SQUARE)}</Wall><Wall>{corners(SQUARE)}</Wall></Lab>'
    )
    assert lab.beacons == (Beacon(1.0, 2.0, 5.0), Beacon(3.0, 2.0, 0.0))
    assert lab.targets == (Target(1.0, 2.0, 1.0), Target(3.0, 2.0, 2.0))
    assert lab.walls == (Wall(SQUARE, 0.0), Wall(SQUARE, 4.0))
    assert warnings == []


def test_corners_are_put_into_anticlockwise_order():
    lab, _ = warned(f"<Lab><Wall>{corners(reversed(SQUARE))}</Wall></Lab>")
    assert lab.walls == (Wall(SQUARE, 4.0),)


@pytest.mark.parametrize("points", [(), SQUARE[:2], (SQUARE[0], *SQUARE), ((0, 0), (2, 2), (2, 0), (0, 2))])
def test_a_wall_that_is_no_simple_polygon_is_left_out_with_a_warning(points):
    lab, warnings = warned(f"<Lab>\n<Wall>{corners(points)}</Wall></Lab>")
    assert lab.walls == ()
    assert len(warnings) == 1
    assert warnings[0].startswith("maze.xml:2: the wall is not a simple polygon")


@given(st.permutations(SQUARE))
def test_anticlockwise_corners_enclose_a_positive_area(points):
    ordered = anticlockwise(list(points))
    if ordered is not None:
        assert sorted(ordered) == sorted(points)
        assert sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ordered, ordered[1:] + ordered[:1], strict=True)) > 0


@pytest.mark.parametrize(
    ("document", "line", "what"),
    [
        ('<Lab\n Width="wide"/>', 1, 'Width="wide" of <Lab> is not a number; write it like 3 or 3.5'),
        ('<Lab Width="-3"/>', 1, 'Width="-3" is no size of a lab; give a number above 0 and at most 1000'),
        ('<Lab Height="0"/>', 1, "is no size of a lab"),
        ('<Lab>\n\n<Beacon Y="1"/></Lab>', 3, '<Beacon> has no X; add X="..." with a number'),
        ('<Lab>\n<Target X="1" Y="1" Radius="0"/></Lab>', 2, "is not above 0"),
        ('<Lab>\n<Row Pos="1"/></Lab>', 2, "<Row> has no Pattern"),
        ('<Lab>\n<Row Pos="1.5" Pattern=""/></Lab>', 2, 'Pos="1.5" of <Row> is not a whole number'),
        ('<Lab>\n<Wall><Corner X="nan" Y="1"/></Wall></Lab>', 2, 'X="nan" of <Corner> is not a number'),
        ('<Lab>\n<Wall><Corner X="1_0" Y="1"/></Wall></Lab>', 2, "is not a number"),
        (
            "<Lab>\n<Wall>\n</Lab>",
            3,
            "is not well-formed XML (mismatched tag); correct the element that ends here or just before",
        ),
        ("<Grid/>", 1, "the outermost element is <Grid>, not <Lab>; give a file that starts with <Lab>"),
        ('<!DOCTYPE Lab [<!ENTITY a "b">]><Lab/>', 1, "document types and entities are not read; remove <!DOCTYPE ...>"),
        ("", 1, "is not well-formed XML (no element found)"),
        ("<Lab>" + "<Wall>" * 20, 1, "nested more than 16 deep"),
        ("<Lab>" + " " * 5_000_000, 1, "is larger than"),
    ],
)
def test_mistakes_are_told_with_file_line_and_advice(document, line, what):
    with pytest.raises(LabFileError) as problem:
        warned(document)
    assert str(problem.value).startswith(f"maze.xml:{line}: ")
    assert what in str(problem.value)
    assert "; " in str(problem.value)


@pytest.mark.parametrize(
    ("document", "warning"),
    [
        ('<Lab Colour="red"/>', "maze.xml:1: <Lab> does not know Colour; it knows Height, Name, Width; remove Colour"),
        (
            "<Lab>\n<Tree/></Lab>",
            "maze.xml:2: <Tree> means nothing in a lab; a lab has Beacon, Target, Wall, Row; remove it",
        ),
        (
            '<Lab>\n<Beacon X="20" Y="1"/></Lab>',
            "maze.xml:2: <Beacon> at (20, 1) lies outside the lab of 16 x 16; move it inside",
        ),
        (f"<Lab><Wall><Tree/>{corners(SQUARE)}</Wall></Lab>", "maze.xml:1: <Tree> means nothing in a wall"),
        ('<Lab>\n<Row Pos="1" Pattern="--+--"/></Lab>', "maze.xml:2: the wall from column 0 on has no end; it is kept"),
    ],
)
def test_what_is_odd_is_warned_of(document, warning):
    _, warnings = warned(document)
    assert len(warnings) == 1
    assert warnings[0].startswith(warning)


def test_too_many_walls_are_refused():
    row = '<Row Pos="0" Pattern="' + "|" * 5001 + '"/>'
    with pytest.raises(LabFileError, match="more than 10000 walls; leave some out"):
        warned(f"<Lab>{row}{row}</Lab>")


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(LabFileError, match=r"none\.xml:1: cannot be read \(No such file or directory\); check the name"):
        read_lab(tmp_path / "none.xml")
    with pytest.raises(LabFileError, match="cannot be read"):
        read_lab("a\0b")


def test_a_file_is_read(tmp_path):
    (tmp_path / "lab.xml").write_text('<Lab Name="from a file"/>')
    assert read_lab(tmp_path / "lab.xml").name == "from a file"


def test_a_lab_comes_back_from_its_message():
    lab, _ = warned(
        '<Lab Name="a &amp; &quot;b&quot;" Width="8" Height="4"><Beacon X="1" Y="2" Height="5"/><Target X="1" Y="2"/>'
        '<Row Pos="1" Pattern="--+--+      "/></Lab>'
    )
    assert parse_lab(lab_text(lab).encode()) == lab


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_a_told_mistake(data):
    for document in (data, b"<Lab>" + data + b"</Lab>"):
        with contextlib.suppress(LabFileError):
            parse_lab(document)
