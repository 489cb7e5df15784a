"""Boxes of the map: the manual's examples and what their attributes mean, in any order."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from mobilesim_py.formats.armap.boxes import boxes_of, reflectors_of
from mobilesim_py.formats.armap.reader import parse_map
from mobilesim_py.geometry import Pose
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import Stops


def boxes(*rows: str) -> tuple[Box, ...]:
    return boxes_of(parse_map("\n".join(["2D-Map", *rows, "LINES", "0 0 1 1", ""])))


def box_of(definition: str, heading: float = 0.0) -> Box:
    (box,) = boxes(
        f"MapInfo: SectorType Name=Thing {definition}", f'Cairn: Thing 0 0 {heading} "" ICON "" 1000 2000 1800 2600'
    )
    return box


ROBOTS_ONLY = Stops.ROBOTS
EXAMPLES = [
    ("Label=Sim_BoxObstacle Sim.Obstacle=yes", Stops.ALL, 1),
    ("Label=Sim_ReflectiveBoxObstacle Sim.Obstacle=yes Sim.LaserReflect=32", Stops.ALL, 32),
    ("Label=x Shape=Plain Sim.Obstacle=yes Sim.LaserReflect=0 Sim.SonarReflect=no", ROBOTS_ONLY, 1),
    ("Label=x Shape=Plain Sim.Obstacle=yes Sim.LaserReflect=0 Sim.SonarReflect", ROBOTS_ONLY, 1),
    ("Label=x Shape=Plain Sim.Obstacle=no Sim.LaserReflect=0 Sim.SonarReflect=no", Stops.NOTHING, 1),
    ("Sim.LaserReflect=1 Sim.SonarReflect=no Sim.Obstacle=yes", Stops.ROBOTS | Stops.LASER, 1),
    ("Sim.Obstacle=no", Stops.SONAR | Stops.LASER, 1),
    ('"Sim.Obstacle=YES" sim.laserreflect=2', Stops.ALL, 2),
    ("Sim.Obstacle=yes Sim.LaserReflect=9999", Stops.ALL, 255),
]


@pytest.mark.parametrize(("definition", "stops", "reflectance"), EXAMPLES)
def test_every_attribute_means_what_the_manual_says(definition: str, stops: Stops, reflectance: int) -> None:
    box = box_of(definition)
    assert (box.stops, box.reflectance) == (stops, reflectance)


@pytest.mark.parametrize(
    "order", list(itertools.permutations(["Sim.Obstacle=yes", "Sim.LaserReflect=7", "Sim.SonarReflect=no"]))
)
def test_the_order_of_attributes_does_not_matter(order: tuple[str, ...]) -> None:
    box = box_of(" ".join(order))
    assert (box.stops, box.reflectance) == (Stops.ROBOTS | Stops.LASER, 7)


def test_a_definition_without_sim_obstacle_makes_no_box() -> None:
    assert boxes("MapInfo: SectorType Name=T Sim.LaserReflect=3", 'Cairn: T 0 0 0 "" ICON "" 0 0 1 1') == ()


def test_a_boundary_type_makes_no_box() -> None:
    assert boxes("MapInfo: BoundaryType Name=T Sim.Obstacle=yes", 'Cairn: T 0 0 0 "" ICON "" 0 0 1 1') == ()


def test_the_old_box_kind_needs_no_attributes() -> None:
    (box,) = boxes(
        "MapInfo: SectorType Name=Sim.BoxObstacle Label=Sim.BoxObstacle Color0=0x00FF00",
        'Cairn: Sim.BoxObstacle 0 0 0 "" ICON "" -500 100 500 400',
    )
    assert (box.stops, box.colour, box.pose) == (Stops.ALL, "0x00FF00", Pose(0.0, 0.25, 0.0))


def test_a_box_stands_between_its_corners() -> None:
    box = box_of("Sim.Obstacle=yes")
    assert box.pose == Pose(1.4, 2.3, 0.0)
    assert np.allclose(box.corners, [(1.0, 2.0), (1.8, 2.0), (1.8, 2.6), (1.0, 2.6)])


def test_a_heading_turns_a_box_about_the_origin_of_the_map() -> None:
    box = box_of("Sim.Obstacle=yes", 90.0)
    assert np.allclose(box.corners, [(-2.0, 1.0), (-2.0, 1.8), (-2.6, 1.8), (-2.6, 1.0)])
    assert box.pose.heading == pytest.approx(math.pi / 2)


def test_boxes_of_one_kind_get_names_of_their_own() -> None:
    row = 'Cairn: B 0 0 0 "" ICON "{}" 0 0 1 1'
    found = boxes("MapInfo: SectorType Name=B Sim.Obstacle=yes", row.format(""), row.format(""), row.format("crate"))
    assert [box.name for box in found] == ["B", "B-2", "crate"]


def test_a_cairn_that_is_switched_off_makes_no_box() -> None:
    assert boxes("MapInfo: SectorType Name=B Sim.Obstacle=yes", '_Cairn: B 0 0 0 "" ICON "" 0 0 1 1') == ()


def test_reflectors_are_lines_that_shine_and_stop_everything() -> None:
    armap = parse_map('2D-Map\nCairn: Reflector 3000 0 45 "" ICON "" 3000 -500 3000 500\nLINES\n')
    segments = reflectors_of(armap)
    assert segments.ends.tolist() == [[3.0, -0.5, 3.0, 0.5]]
    assert (segments.reflectance.tolist(), segments.stops.tolist()) == ([32], [int(Stops.ALL)])
