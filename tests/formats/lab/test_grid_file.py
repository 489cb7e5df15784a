"""Grid files."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.formats.lab import Grid, LabFileError, StartPlace, grid_text, parse_grid, read_grid


def test_places_are_read_in_their_order_with_radians():
    grid = parse_grid(b'<Grid><Position X="1" Y="2" Dir="180"/><Position X="3" Y="4"/></Grid>')
    assert grid == Grid((StartPlace(1.0, 2.0, math.pi), StartPlace(3.0, 4.0, 0.0)))


def test_stray_text_is_passed_over_as_real_grids_have_it():
    assert parse_grid(b'<Grid>\\n"\n<Position X="3.0" Y="11.0" Dir="0.0"/></Grid>').places == (StartPlace(3.0, 11.0),)


def test_a_grid_comes_back_from_its_message():
    grid = Grid((StartPlace(1.0, 2.0, math.pi), StartPlace(3.5, 4.0, -math.pi / 2)))
    assert grid_text(grid) == '<Grid>\n\t<Position X="1" Y="2" Dir="180"/>\n\t<Position X="3.5" Y="4" Dir="-90"/>\n</Grid>\n'
    assert parse_grid(grid_text(grid).encode()) == grid


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ("<Grid/>", "grid:1: the grid has no place; add <Position"),
        ('<Grid>\n<Position Y="1"/></Grid>', "grid:2: <Position> has no X; add"),
        ("<Grid>" + '<Position X="1" Y="1"/>' * 101 + "</Grid>", "more than 100 places; leave some out"),
    ],
)
def test_mistakes_are_told(document, what):
    with pytest.raises(LabFileError, match=what):
        parse_grid(document.encode())


def test_odd_things_are_warned_of(tmp_path):
    path = tmp_path / "grid.xml"
    path.write_text('<Grid>\n<Place/>\n<Position X="1" Y="1" Z="2"/></Grid>')
    warnings = []
    assert len(read_grid(path, warnings.append).places) == 1
    assert [warning.split(": ", 1)[0].rsplit(":", 1)[1] for warning in warnings] == ["2", "3"]
    assert "<Place> means nothing in a grid" in warnings[0]
    assert "does not know Z" in warnings[1]
