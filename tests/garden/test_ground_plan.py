"""What was seen and what the sketch says, merged."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from mobilesim_py.formats.format import load_world
from mobilesim_py.formats.garden.garden_file import parse_garden
from mobilesim_py.garden.ground_plan import Given, GroundPlan, Source
from mobilesim_py.garden.occupancy import Occupancy
from mobilesim_py.garden.raster import Raster
from mobilesim_py.geometry import Pose
from mobilesim_py.navigation.planning import SLACK
from mobilesim_py.navigation.search import PlainSearcher, room_to_start
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.sketch import Sketch, is_drivable
from mobilesim_py.world.world import World

LAWN = """
terrain:
  - {label: Ground-Grass, corners: [[0, 0], [8, 0], [8, 6], [0, 6]]}
  - {label: Ground-Dirt, corners: [[6, 0], [10, 0], [10, 6], [6, 6]]}
objects:
  - {id: 1, label: Topiary-Cone, shape: cone, at: [3, 3], size: [1, 1, 1]}
  - {id: 2, label: Obstacle-Tree, shape: ellipsoid, at: [1, 1, 2], size: [1, 1, 1]}
"""
REACH = 0.4


@pytest.fixture
def sketch() -> Sketch:
    return parse_garden(LAWN, "lawn.garden", "lawn")[0]


def seen(x: float, y: float) -> Occupancy:
    """Return a grid with an obstacle at a place that was looked at from the left."""
    grid = Occupancy(x, y)
    grid.see(x - 0.3, y, np.array([0.0]), np.array([0.3]), REACH)
    return grid


def source(plan: GroundPlan, x: float, y: float) -> Source:
    rows, columns = plan.raster.cells_of(np.array([x]), np.array([y]))
    return Source(int(plan.cells[rows[0], columns[0]]))


def test_drivable_ground_wins_over_other_ground_and_objects_over_both(sketch: Sketch) -> None:
    plan = GroundPlan(Occupancy(20.0, 20.0), sketch)
    found = [source(plan, *place) for place in ((2.0, 1.0), (7.0, 3.0), (9.0, 3.0), (3.0, 3.0), (1.0, 1.0), (-0.5, 3.0))]
    assert found == [Source.FREE, Source.FREE, Source.SKETCHED, Source.SKETCHED, Source.FREE, Source.UNSEEN]


def test_what_was_seen_is_an_obstacle_on_grass_too_but_not_right_beside_an_object(sketch: Sketch) -> None:
    assert source(GroundPlan(seen(5.0, 5.0), sketch), 5.026, 5.0) is Source.SEEN
    beside = GroundPlan(seen(2.41, 3.0), sketch)
    assert source(beside, 2.435, 3.0) is Source.FREE
    beside.sketch = None
    assert source(beside, 2.435, 3.0) is Source.SEEN


def test_one_place_is_told_as_the_whole_grid_tells_it(sketch: Sketch) -> None:
    plan = GroundPlan(seen(5.0, 5.0), sketch)
    blocked, snapshot = plan.blocked(), plan.snapshot()
    dice = np.random.default_rng(1)
    for x, y in dice.uniform((-1.0, -1.0), (9.0, 7.0), (300, 2)):
        place = np.array([x]), np.array([y])
        rows, columns = plan.raster.cells_of(*place)
        assert plan.is_blocked_at(*place) == blocked[rows[0], columns[0]] == snapshot.is_blocked_at(*place)


def test_with_a_sketch_nobody_leaves_it_and_without_one_the_unseen_is_free(sketch: Sketch) -> None:
    far = np.array([500.0]), np.array([0.0])
    assert GroundPlan(Occupancy(0.0, 0.0), sketch).is_blocked_at(*far)
    assert not GroundPlan(Occupancy(0.0, 0.0)).is_blocked_at(*far)
    assert not GroundPlan(Occupancy(0.0, 0.0)).snapshot().is_blocked_at(*far)
    assert not GroundPlan(Occupancy(0.0, 0.0)).blocked().any()


def test_a_moved_sketch_moves_its_cells(sketch: Sketch) -> None:
    plan = GroundPlan(Occupancy(0.0, 0.0), sketch)
    assert source(plan, 3.0, 3.0) is Source.SKETCHED
    plan.sketch = sketch.moved(Pose(0.0, 0.0, math.pi / 2.0))
    assert source(plan, -3.0, 3.0) is Source.SKETCHED
    assert source(plan, 1.0, 1.0) is Source.UNSEEN


def test_a_map_that_is_given_counts_instead_of_the_sketch(sketch: Sketch) -> None:
    plan = GroundPlan(seen(1.0, 1.0), sketch)
    raster = Raster.about(0.0, 0.0, 1.9, 1.9)
    plan.given = Given(raster, np.full(raster.shape, Source.FREE, np.uint8))
    assert [source(plan, 3.0, 3.0), source(plan, 0.3, 0.3), source(plan, 1.026, 1.0)] == [
        Source.UNSEEN,
        Source.FREE,
        Source.SEEN,
    ]
    plan.given = None
    assert source(plan, 3.0, 3.0) is Source.SKETCHED


def room(world: World, sketch: Sketch, radius: float) -> shapely.Geometry:
    """Return where the middle of a disc may be that starts where the vehicle does, by shapely alone."""
    drivable = [shapely.Polygon(sketch.outline_of(face)).buffer(1e-6) for face in sketch.faces if is_drivable(face.label)]
    standing = [shapely.Polygon(thing.outline) for thing in sketch.objects if sketch.is_in_the_way(thing)]
    free = shapely.union_all(drivable).difference(shapely.union_all(standing)).buffer(-radius)
    home = shapely.Point(world.homes[0].x, world.homes[0].y)
    return min(shapely.get_parts(free), key=lambda part: part.distance(home))


@pytest.mark.parametrize("name", ["lawn.garden", "garden.xml", "hedges.garden"])
def test_of_two_hundred_goals_those_can_be_reached_that_shapely_says(name: str) -> None:
    world = load_world(maps_dir() / name)
    assert world.sketch is not None
    home, bounds = world.homes[0], world.bounds
    costmap = GroundPlan(Occupancy(home.x, home.y), world.sketch).snapshot().cells().costmap(0.48, ((home.x, home.y),))
    searches = PlainSearcher()
    start = room_to_start(costmap, (home.x, home.y))
    assert start is not None
    rows, columns = np.nonzero(searches.reach(costmap.cost, start).reshape(costmap.shape))
    x, y = costmap.x0 + (columns + 0.5) * costmap.cell, costmap.y0 + (rows + 0.5) * costmap.cell
    surely, perhaps = room(world, world.sketch, 0.55), room(world, world.sketch, 0.40)
    dice = np.random.default_rng(3)
    found = []
    for goal in dice.uniform((bounds.min_x, bounds.min_y), (bounds.max_x, bounds.max_y), (200, 2)):
        is_near = float(np.hypot(x - goal[0], y - goal[1]).min()) <= SLACK
        place = shapely.Point(*goal)
        assert not is_near or perhaps.distance(place) <= SLACK + 0.05
        assert is_near or surely.distance(place) > SLACK - 0.05
        found.append(is_near)
    assert 0 < found.count(False) < 40
