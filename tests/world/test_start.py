"""Where robots start: homes, docks, the centre, `--start`; beside each other and never in one another."""

from __future__ import annotations

import gc
import math
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
import shapely

from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.formats.armap.reader import parse_map
from mobilesim_py.formats.armap.world import build_world
from mobilesim_py.formats.format import load_world
from mobilesim_py.geometry import FloatArray, Point, Polygon, Pose, placed
from mobilesim_py.resources import maps_dir
from mobilesim_py.world import rings
from mobilesim_py.world.start import StartRule, Where, choose_start, home_of
from mobilesim_py.world.world import World, empty_world

FOOTPRINT: tuple[Polygon, ...] = (((-0.25, -0.2), (0.25, -0.2), (0.25, 0.2), (-0.25, 0.2)),)
WALLS = "LINES\n-5000 -5000 5000 -5000\n5000 -5000 5000 5000\n5000 5000 -5000 5000\n-5000 5000 -5000 -5000\n"


def world_of(*cairns: str, walls: str = WALLS) -> World:
    return build_world(parse_map("\n".join(["2D-Map", *cairns, walls])))


def starts(world: World, count: int = 1, rule: str | None = None, seed: int = 0) -> list[Pose]:
    rng = np.random.default_rng(seed)
    taken: list[Polygon] = []
    found = []
    for _ in range(count):
        pose = choose_start(world, StartRule.parse(rule), FOOTPRINT, taken, rng)
        found.append(pose)
        taken += [placed(outline, pose) for outline in FOOTPRINT]
    return found


def facts(poses: list[Pose]) -> list[tuple[int, int, int]]:
    return [(round(p.x * 1000), round(p.y * 1000), round(math.degrees(p.heading))) for p in poses]


def bodies(poses: list[Pose]) -> list[shapely.Polygon]:
    return [shapely.Polygon(placed(FOOTPRINT[0], pose)) for pose in poses]


HOME, DOCK, OTHER = (
    'Cairn: RobotHome 1000 2000 90 "" ICON ""',
    'Cairn: Dock -2000 -2000 45 "" ICON "d"',
    'Cairn: Home 3000 0 5 "" ICON ""',
)
RECORDED = [
    ((HOME, DOCK), None, [(1000, 2000, 90), (1000, 1000, 90), (1000, 0, 90)]),
    ((DOCK,), None, [(-2000, -2000, 45), (-2000, -3000, 45), (-2000, -4000, 45)]),
    ((DOCK, OTHER), None, [(3000, 0, 5), (3000, -1000, 5), (3000, -2000, 5)]),
    ((HOME,), "1000,3000,90", [(1000, 3000, 90), (1000, 2000, 90), (1000, 1000, 90)]),
    ((HOME,), "outside", [(-7000, 5000, 0), (-7000, 4000, 0), (-7000, 3000, 0)]),
    ((), None, [(0, 0, 0), (0, -1000, 0), (0, -2000, 0)]),
]


@pytest.mark.parametrize(("cairns", "rule", "expected"), RECORDED)
def test_robots_start_where_the_original_starts_them(
    cairns: tuple[str, ...], rule: str | None, expected: list[tuple[int, int, int]]
) -> None:
    assert facts(starts(world_of(*cairns), 3, rule)) == expected


def test_without_a_map_robots_start_at_the_origin() -> None:
    assert facts(starts(empty_world(), 3)) == [(0, 0, 0), (0, -1000, 0), (0, -2000, 0)]


def test_the_first_home_of_its_kind_counts() -> None:
    assert home_of(world_of('Cairn: RobotHome 1 1 0 "" ICON "a"', HOME)) == Pose(0.001, 0.001, 0.0)


def test_a_home_that_is_switched_off_does_not_count() -> None:
    assert home_of(world_of("_" + HOME)) is None


def test_a_home_at_a_wall_is_used_as_it_is() -> None:
    assert facts(starts(world_of('Cairn: Dock 4900 0 180 "" ICON ""'))) == [(4900, 0, 180)]


def test_a_centre_in_a_wall_is_avoided() -> None:
    world = world_of(walls=WALLS + "-1000 0 1000 0\n")
    (body,) = bodies(starts(world))
    assert body.distance(shapely.LineString([(-1, 0), (1, 0)])) > 0


def test_further_robots_stay_on_this_side_of_a_wall() -> None:
    world = world_of(HOME, walls=WALLS + "-5000 1500 5000 1500\n")
    poses = starts(world, 6)
    assert all(pose.y > 1.5 for pose in poses)


def test_many_robots_never_overlap_each_other_or_a_wall() -> None:
    poses = starts(world_of(HOME), 60)
    shapes = bodies(poses)
    tree = shapely.STRtree(shapes)
    first, second = tree.query(shapes, predicate="intersects")
    assert (first == second).all()
    assert all(shape.within(shapely.box(-5, -5, 5, 5)) for shape in shapes)


def test_robots_that_find_no_room_inside_start_outside() -> None:
    tiny = world_of(walls="LINES\n-400 -400 400 -400\n400 -400 400 400\n400 400 -400 400\n-400 400 -400 -400\n")
    first, second = bodies(starts(tiny, 2))
    assert not first.intersects(second)


def test_boxes_are_in_the_way_if_robots_bump_into_them() -> None:
    definition = "MapInfo: SectorType Name=B Sim.Obstacle={}"
    cairn = 'Cairn: B 0 0 0 "" ICON "" -600 -600 600 600'
    assert facts(starts(world_of(definition.format("no"), cairn))) == [(0, 0, 0)]
    assert facts(starts(world_of(definition.format("yes"), cairn))) != [(0, 0, 0)]


def test_a_random_start_is_never_in_an_obstacle() -> None:
    block = "DATA\n" + "".join(f"{x} {y}\n" for x in range(-3000, 3001, 20) for y in range(-3000, 3001, 20))
    world = world_of(walls=WALLS + block)
    solid = shapely.box(-3.01, -3.01, 3.01, 3.01)
    walls = shapely.box(-5, -5, 5, 5)
    for body in bodies(starts(world, 20, "random")):
        assert not body.intersects(solid)
        assert body.within(walls)


def test_a_random_start_depends_on_the_seed_only() -> None:
    world = world_of()
    assert starts(world, 3, "random", seed=1) == starts(world, 3, "random", seed=1)
    assert starts(world, 1, "random", seed=1) != starts(world, 1, "random", seed=2)


@pytest.mark.parametrize("text", ["", "1,2", "1,2,3,4", "a,b,c", "inside", "1,2,nan", "1e99,0,0"])
def test_a_start_that_makes_no_sense_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="--start") as caught:
        StartRule.parse(text)
    assert caught.value.exit_code == ExitCode.USAGE


def test_a_start_may_have_negative_numbers_and_decimals() -> None:
    rule = StartRule.parse(" -1000, 2000.5,-90 ")
    assert (rule.where, rule.pose.x, rule.pose.y) == (Where.FIXED, -1.0, 2.0005)
    assert rule.pose.heading == pytest.approx(-math.pi / 2)


@pytest.mark.parametrize("path", sorted(maps_dir().glob("*.map")), ids=lambda path: path.stem)
def test_the_home_of_every_shipped_map_has_room_for_a_large_robot(path: Path) -> None:
    world = load_world(path)
    home = home_of(world)
    assert home is not None
    walls = shapely.multilinestrings(world.segments.ends.reshape(-1, 2, 2))
    assert walls.distance(shapely.Point(home.x, home.y)) > 0.6


def test_robots_of_a_map_with_an_open_entrance_stay_inside() -> None:
    world = load_world(maps_dir() / "maze.map")
    poses = starts(world, 12)
    assert facts(poses)[0] == (750, 750, 90)
    ground = shapely.box(world.bounds.min_x, world.bounds.min_y, world.bounds.max_x, world.bounds.max_y)
    assert all(body.within(ground) for body in bodies(poses))


def test_further_robots_can_be_reached_from_the_first() -> None:
    # A corridor around a corner, and rooms without a door to all sides of it, nearer than its end.
    walls = "-600 -600 600 -600\n-600 -600 -600 3000\n600 -600 600 1800\n600 1800 9000 1800\n-600 3000 9000 3000\n9000 1800 9000 3000\n"
    world = world_of('Cairn: RobotHome 0 0 0 "" ICON ""', walls=WALLS.replace("5000", "12000") + walls)
    corridor = shapely.union(shapely.box(-0.6, -0.6, 0.6, 3.0), shapely.box(-0.6, 1.8, 9.0, 3.0))
    poses = starts(world, 11)
    assert all(body.within(corridor) for body in bodies(poses))
    assert max(pose.x for pose in poses) > 3.0


def test_a_place_in_the_midst_of_a_solid_block_is_not_free() -> None:
    block = "DATA\n" + "".join(f"{x} {y}\n" for x in range(-3000, 3001, 20) for y in range(-3000, 3001, 20))
    (body,) = bodies(starts(world_of(walls=WALLS + block)))
    assert not body.intersects(shapely.box(-3.01, -3.01, 3.01, 3.01))


def test_a_search_goes_on_where_the_last_one_ended_and_starts_anew_when_somebody_leaves() -> None:
    world, rule, rng = world_of(HOME), StartRule(), np.random.default_rng(0)
    taken: list[Polygon] = []
    poses = []
    for _ in range(8):
        poses.append(choose_start(world, rule, FOOTPRINT, taken, rng))
        assert poses[-1] == choose_start(world, rule, FOOTPRINT, taken, rng)
        taken.append(placed(FOOTPRINT[0], poses[-1]))
    del taken[2]
    assert choose_start(world, rule, FOOTPRINT, taken, rng) == poses[2]


def test_robots_of_several_models_find_room_beside_each_other() -> None:
    world, rule, rng = world_of(HOME), StartRule(), np.random.default_rng(0)
    large: tuple[Polygon, ...] = (((-0.45, -0.35), (0.5, -0.35), (0.5, 0.35), (-0.45, 0.35)),)
    taken: list[Polygon] = []
    for number in range(24):
        footprint = large if number % 2 else FOOTPRINT
        taken.append(placed(footprint[0], choose_start(world, rule, footprint, taken, rng)))
    shapes = [shapely.Polygon(outline) for outline in taken]
    first, second = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    assert (first == second).all()


def test_a_world_that_is_left_is_not_kept_for_its_start_places() -> None:
    world = world_of()
    starts(world, 2)
    gone = weakref.ref(world)
    del world
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("rule", [None, "random"])
def test_a_thousand_boxes_do_not_make_the_search_long(rule: str | None) -> None:
    definition = "MapInfo: SectorType Name=B Sim.Obstacle=yes"
    places = [(x, y) for x in range(-16000, 16000, 1000) for y in range(-16000, 16000, 1000)]
    cairns = [f'Cairn: B 0 0 0 "" ICON "" {x} {y} {x + 600} {y + 600}' for x, y in places]
    world = world_of(definition, *cairns)
    assert len(world.boxes) == 1024
    began = time.process_time()
    (body,) = bodies(starts(world, 1, rule))
    assert time.process_time() - began < 2.0  # it takes 0.1 s; it took 10
    boxes = shapely.union_all([box.geometry for box in world.boxes])
    assert not body.intersects(boxes)


def test_a_robot_reaches_through_doors_as_wide_as_itself() -> None:
    # Two rooms with a door of 0.9 m, out of sight of the first robot; the robot is 1.2 m long and 0.7 m wide.
    walls = (
        "-1500 -1500 1500 -1500\n1500 -1500 1500 -450\n1500 450 1500 1500\n1500 1500 -1500 1500\n-1500 1500 -1500 -1500\n"
    )
    walls += "1500 -1500 6000 -1500\n6000 -1500 6000 1500\n6000 1500 1500 1500\n1600 -600 2000 -600\n1600 600 2000 600\n"
    world = world_of('Cairn: RobotHome 0 -900 0 "" ICON ""', walls="LINES\n" + walls)
    long: tuple[Polygon, ...] = (((-0.6, -0.35), (0.6, -0.35), (0.6, 0.35), (-0.6, 0.35)),)
    taken: list[Polygon] = []
    for _ in range(3):
        taken.append(placed(long[0], choose_start(world, StartRule(), long, taken, np.random.default_rng(0))))
    assert any(shapely.Polygon(outline).centroid.x > 2.0 for outline in taken)
    assert all(shapely.Polygon(outline).within(shapely.box(-1.5, -1.5, 6.0, 1.5)) for outline in taken)


def test_no_path_out_of_a_closed_room_is_looked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The centre is in a pocket too small for a robot: what can be reached from there is known after one look."""
    searched: list[int] = []
    places = rings.ring_places

    def recorded(centre: Point, step: float, first: int, last: int) -> tuple[FloatArray, FloatArray]:
        searched.append(last if first == 1 else 0)
        return places(centre, step, first, last)

    monkeypatch.setattr(rings, "ring_places", recorded)
    pocket = "-600 -600 600 -600\n600 -600 600 600\n600 600 -600 600\n-600 600 -600 -600\n"
    hall = WALLS.replace("5000", "90000") + pocket + "-50 -600 -50 600\n"
    (pose,) = starts(world_of(walls=hall))
    assert max(abs(pose.x), abs(pose.y)) > 0.6
    assert sum(last >= 40 for last in searched) <= 2
