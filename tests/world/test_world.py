"""A world made of geometries with properties: what is where, and what fits."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import shapely

from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.ground import Area
from mobilesim_py.world.objects import MapObject
from mobilesim_py.world.obstacles import Made, Obstacle, Segments, Stops
from mobilesim_py.world.world import Bounds, World, empty_world

DOOR = Obstacle(shapely.LineString([(4, 0), (4, 2)]), "door", "door", height=1.5)
PILLAR = Obstacle(shapely.box(7, 4, 8, 5), "pillar", reflectance=3)
GLASS = Obstacle(shapely.LineString([(0, 3), (2, 3)]), "glass", stops=Stops.ROBOTS)
WALLS = Segments.build([[0, 0, 10, 0], [10, 0, 10, 6], [10, 6, 0, 6], [0, 6, 0, 0]])


@pytest.fixture
def hall() -> World:
    return World(
        "hall",
        Bounds(0, 0, 10, 6),
        Segments.join(WALLS, Segments.build([[1.9, 4.9, 2.1, 4.9]], made=Made.POINT)),
        boxes=(Box("crate", Pose(5.0, 5.0), rectangle(1.0, 1.0)),),
        areas=(
            Area(rectangle(4.0, 4.0), "mud", values={"slip": 0.5}),
            Area(((1, 1), (2, 1), (2, 2), (1, 2)), "ice", values={"slip": 0.9, "friction": 0.1}),
        ),
        objects=(MapObject("Goal", "desk", Pose(9.0, 1.0)),),
        obstacles=(DOOR, PILLAR, GLASS),
        points=np.array([[2.0, 5.0]]),
        resolution=0.2,
    )


def test_segments_are_the_walls_and_then_the_edges_of_obstacles(hall: World) -> None:
    segments = hall.segments
    assert segments.ends[:4].tolist() == WALLS.ends.tolist()
    assert segments.ends[5].tolist() == [4, 0, 4, 2]
    assert len(segments) == 5 + 1 + 4 + 1
    assert segments.reflectance.tolist() == [1] * 6 + [3] * 4 + [1]
    assert segments.stops[-1] == Stops.ROBOTS
    assert segments.height[5] == 1.5


def test_a_world_without_obstacles_has_the_very_arrays_of_its_walls() -> None:
    assert World("w", Bounds(0, 0, 1, 1), WALLS).segments is WALLS


@pytest.mark.parametrize(
    ("place", "kinds"),
    [
        ((7.5, 4.5), ["wall"]),
        ((5.2, 5.2), ["box"]),
        ((1.5, 1.5), ["mud", "ice"]),
        ((9.0, 1.0), ["Goal"]),
        ((2.05, 5.05), ["point"]),
        ((4.0, 1.0), ["door"]),
        ((6.0, 2.0), []),
    ],
)
def test_what_is_at_a_place_is_known(hall: World, place: tuple[float, float], kinds: list[str]) -> None:
    assert [feature.kind for feature in hall.at(*place)] == kinds


def test_what_lies_inside_an_area_is_known(hall: World) -> None:
    assert {feature.name for feature in hall.inside(shapely.box(4.2, 3.5, 9.0, 5.9))} == {"pillar", "crate"}
    assert [feature.thing for feature in hall.inside(((8, 0.5), (9.5, 0.5), (9.5, 1.5), (8, 1.5)))] == [hall.objects[0]]


def test_the_nearest_obstacle_is_the_nearest_that_stops_what_is_asked_about(hall: World) -> None:
    feature, distance = hall.nearest(1.0, 2.8) or (None, 0.0)
    assert feature is not None
    assert (feature.name, distance) == ("glass", pytest.approx(0.2))
    feature, distance = hall.nearest(1.0, 2.8, Stops.LASER) or (None, 0.0)
    assert feature is not None
    assert (feature.kind, feature.thing, distance) == ("wall", 3, pytest.approx(1.0))


def test_in_an_empty_world_nothing_is_nearest_and_everything_fits() -> None:
    assert empty_world().nearest(0.0, 0.0) is None
    assert empty_world().fits([rectangle(1.0, 1.0)])


def test_an_outline_fits_where_it_keeps_its_distance(hall: World) -> None:
    robot = [rectangle(1.0, 0.5)]
    assert hall.fits(robot, Pose(6.0, 2.0))
    assert not hall.fits(robot, Pose(6.0, 2.0), clearance=2.0)
    assert not hall.fits(robot, Pose(7.5, 4.5))
    assert not hall.fits(robot, Pose(9.6, 2.0))
    assert hall.fits(robot, Pose(9.6, 2.0, np.pi / 2))


def test_an_outline_in_the_midst_of_a_solid_thing_does_not_fit(hall: World) -> None:
    speck = [rectangle(0.02, 0.02)]
    assert not hall.fits(speck, Pose(7.5, 4.5))
    assert not hall.fits(speck, Pose(5.0, 5.0))
    assert not hall.fits(speck, Pose(2.0, 5.0))


def test_free_space_is_the_bounds_but_for_obstacles_and_what_is_near(hall: World) -> None:
    free = hall.free_space(0.3)
    assert free.contains(shapely.Point(6.0, 2.0))
    assert not free.intersects(shapely.box(6.8, 3.8, 8.2, 5.2))
    assert not free.contains(shapely.Point(9.8, 2.0))
    assert shapely.Point(6.0, 2.0).distance(free) == 0.0


def test_walls_part_the_free_space() -> None:
    parted = World("w", Bounds(0, 0, 10, 6), Segments.join(WALLS, Segments.build([[5, 0, 5, 6]])))
    assert len(shapely.get_parts(parted.free_space(0.1))) == 2


def test_the_ground_has_the_value_of_the_last_area_that_says_one(hall: World) -> None:
    assert (hall.value_at("slip", 0.5, 0.5), hall.value_at("slip", 1.5, 1.5), hall.value_at("slip", 9.0, 5.0)) == (
        0.5,
        0.9,
        0.0,
    )
    assert hall.value_at("friction", 0.5, 0.5, otherwise=1.0) == 1.0
    x, y = np.array([0.5, 1.5, 9.0]), np.array([0.5, 1.5, 5.0])
    assert hall.value_at("slip", x, y, 0.1).tolist() == [0.5, 0.9, 0.1]


def test_an_obstacle_that_is_gone_stops_nothing_and_comes_back(hall: World) -> None:
    robot = [rectangle(0.5, 0.5)]
    opened = hall.without("door")
    assert opened.fits(robot, Pose(4.0, 1.0))
    assert not hall.fits(robot, Pose(4.0, 1.0))
    assert opened.segments.stops[5] == Stops.NOTHING
    assert np.array_equal(opened.segments.ends, hall.segments.ends)
    assert np.array_equal(opened.with_again("door").segments.stops, hall.segments.stops)


def test_further_obstacles_keep_the_numbers_of_those_before(hall: World) -> None:
    more = hall.with_more(Obstacle(shapely.box(1, 1, 2, 2), "bush", "plant"))
    assert np.array_equal(more.segments.ends[: len(hall.segments)], hall.segments.ends)
    assert not more.fits([rectangle(0.1, 0.1)], Pose(1.5, 1.5))
    assert more.without("bush").fits([rectangle(0.1, 0.1)], Pose(1.5, 1.5))


def test_an_obstacle_that_is_not_there_cannot_change(hall: World) -> None:
    with pytest.raises(KeyError):
        hall.without("window")


def test_only_the_empty_world_has_no_map(hall: World) -> None:
    world = empty_world()
    assert (world.bounds.width, world.bounds.centre, len(world.segments)) == (200.0, (0.0, 0.0), 0)
    assert (world.has_map, hall.has_map) == (False, True)


def test_shapely_is_not_imported_before_a_question_is_asked() -> None:
    program = """
import sys
import mobilesim_py.app.program
from mobilesim_py.formats.format import load_world
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.start import StartRule, choose_start
world = load_world(maps_dir() / "office.map")
Grid.build(world.segments).lay_out()
choose_start(world, StartRule.parse(None), (((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)),), (), None)
assert "shapely" not in sys.modules
world.at(0.0, 0.0)
assert "shapely" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
