"""Objects of the map in metres and radians, and where GPS cannot be trusted."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.formats.armap.objects import areas_of, homes_of, objects_of
from mobilesim_py.formats.armap.reader import parse_map
from mobilesim_py.formats.armap.world import build_world
from mobilesim_py.geometry import Pose
from mobilesim_py.world.ground import Area, value_at
from mobilesim_py.world.objects import MapObject, Shape
from mobilesim_py.world.world import World


def objects(*rows: str) -> tuple[MapObject, ...]:
    return objects_of(parse_map("\n".join(["2D-Map", *rows, "LINES", ""])))


def sectors(*rows: str) -> World:
    return build_world(parse_map("\n".join(["2D-Map", *rows, "LINES", ""])))


def areas(*rows: str) -> tuple[Area, ...]:
    return areas_of(parse_map("\n".join(["2D-Map", *rows, "LINES", ""])))


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


def test_a_kind_of_sector_may_say_what_the_ground_is_like() -> None:
    found = areas(
        "MapInfo: SectorType Name=Mud Sim.Slip=0.4 Sim.Friction=2", 'Cairn: Mud 0 0 0 "" ICON "pond" 1000 1000 3000 2000'
    )
    assert [(area.kind, area.name, dict(area.values)) for area in found] == [("Mud", "pond", {"slip": 0.4, "friction": 2.0})]
    assert (value_at(found, "slip", 2.0, 1.5), value_at(found, "slip", 0.0, 0.0)) == (0.4, 0.0)


def test_boxes_and_plain_areas_say_nothing_of_the_ground() -> None:
    box = "MapInfo: SectorType Name=B Sim.Obstacle=yes Sim.Slip=1"
    rows = ('Cairn: B 0 0 0 "" ICON "" 0 0 1 1', 'Cairn: ForbiddenArea 0 0 0 "" ICON "" 0 0 1 1')
    assert areas(box, *rows) == ()


def test_homes_of_robots_come_before_other_homes_and_docks() -> None:
    rows = [f'Cairn: {kind} {x} 0 0 "" ICON ""' for x, kind in enumerate(("Dock", "Home", "RobotHome", "Goal", "RobotHome"))]
    homes = homes_of(parse_map("\n".join(["2D-Map", *rows, "LINES", ""])))
    assert [round(home.x * 1000) for home in homes] == [2, 4, 1, 0]
