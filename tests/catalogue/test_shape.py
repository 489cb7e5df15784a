"""Outlines of robots."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.catalogue.section import Section
from mobilesim_py.catalogue.shape import fit, rectangle, sticks_out, written_polygons
from mobilesim_py.errors import WorldfileError
from mobilesim_py.geometry import Pose

Parse = Callable[[str], Section]
SQUARE = rectangle((2.0, 2.0))


def test_vertices_only_give_the_form() -> None:
    fitted = fit([((100, 100), (300, 100), (300, 200))], (2.0, 4.0))
    assert fitted == (((-1, -2), (1, -2), (1, 2)),)


def test_several_polygons_are_fitted_as_a_whole() -> None:
    fitted = fit([((0, 0), (1, 0), (1, 1)), ((9, 9), (10, 9), (10, 10))], (1.0, 1.0))
    assert fitted[1][2] == pytest.approx((0.5, 0.5))


def test_a_line_has_no_width_to_stretch() -> None:
    assert fit([((0, 0), (0, 2))], (1.0, 1.0)) == (((0, -0.5), (0, 0.5)),)


def test_a_part_sticks_out_when_a_corner_does() -> None:
    assert sticks_out(rectangle((0.5, 0.5), Pose(0.9, 0)), [SQUARE])
    assert not sticks_out(rectangle((0.5, 0.5), Pose(0.7, 0)), [SQUARE])


def test_blocks_of_newer_stage_are_polygons(section_of: Parse) -> None:
    section = section_of("model ( block ( points 3 point[0] [0 0] point[1] [1 0] point[2] [1 1] z [0 1] ) )")
    assert written_polygons(section) == (((0, 0), (1, 0), (1, 1)),)


def test_a_promised_point_that_is_missing_is_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match=r"polygon\[0\].point\[1\] is missing"):
        written_polygons(section_of("model ( polygons 1 polygon[0].points 2 polygon[0].point[0] [0 0] )"))


def test_absurd_numbers_of_points_are_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match="expected a number from 0 to"):
        written_polygons(section_of("model ( polygons 1000000000 )"))
