"""Objects of the map in metres and radians, and where GPS cannot be trusted."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.formats.armap.reader import parse_map
from mobilesim_py.geometry import Pose
from mobilesim_py.world.sectors import MapObject, Sectors, Shape, objects_of, sectors_of


def objects(*rows: str) -> tuple[MapObject, ...]:
    return objects_of(parse_map("\n".join(["2D-Map", *rows, "LINES", ""])))


def sectors(*rows: str) -> Sectors:
    return sectors_of(parse_map("\n".join(["2D-Map", *rows, "LINES", ""])))


def test_a_goal_is_a_place_in_metres_and_radians() -> None:
    (goal,) = objects('Cairn: GoalWithHeading 1500 -250 90 "by the desk" ICON "Desk"')
    assert (goal.kind, goal.name, goal.description, goal.shape) == (
        "GoalWithHeading",
        "Desk",
        "by the desk",
        Shape.PLACE,
    )
    assert goal.pose == Pose(1.5, -0.25, math.pi / 2)
    assert goal.has_heading


def test_a_plain_goal_has_no_heading() -> None:
    assert not objects('Cairn: Goal 0 0 0 "" ICON "g"')[0].has_heading


def test_a_forbidden_line_has_two_ends_and_is_not_turned() -> None:
    (line,) = objects('Cairn: ForbiddenLine 0 0 30 "" ICON "" 1000 0 2000 500')
    assert (line.shape, line.corners) == (Shape.LINE, ((1.0, 0.0), (2.0, 0.5)))


def test_a_forbidden_area_is_turned_about_the_origin() -> None:
    (area,) = objects('Cairn: ForbiddenArea 0 0 180 "" ICON "" 1000 2000 3000 5000')
    assert area.shape is Shape.AREA
    assert np.allclose(area.corners, [(-1, -2), (-3, -2), (-3, -5), (-1, -5)])


def test_definitions_in_the_map_say_what_is_a_line_and_its_colour() -> None:
    (stick,) = objects(
        'MapInfo: BoundaryType Name=Rope "Label=A rope" Color0=0xdd03e0', 'Cairn: Rope 0 0 0 "" ICON "" 0 0 1 1'
    )
    assert (stick.shape, stick.colour) == (Shape.LINE, "0xdd03e0")


def test_objects_that_are_switched_off_or_nowhere_are_left_out() -> None:
    assert objects('_Cairn: Goal 0 0 0 "" ICON ""', 'Cairn: Goal inf 0 0 "" ICON ""') == ()


@pytest.mark.parametrize("kind", ["BadGPSSector", "SimBadGPSSector"])
def test_gps_is_bad_inside_of_such_sectors_only(kind: str) -> None:
    found = sectors(f'Cairn: {kind} 0 0 0 "" ICON "" 1000 1000 3000 2000')
    assert [found.is_gps_bad(x, y) for x, y in [(2.0, 1.5), (0.5, 1.5), (2.0, 2.5)]] == [True, False, False]


def test_a_turned_sector_is_where_clients_see_it() -> None:
    found = sectors('Cairn: BadGPSSector 0 0 90 "" ICON "" 1000 1000 3000 2000')
    assert found.is_gps_bad(-1.5, 2.0)
    assert not found.is_gps_bad(2.0, 1.5)


def test_without_sectors_gps_is_good_everywhere() -> None:
    assert not sectors().is_gps_bad(0.0, 0.0)
