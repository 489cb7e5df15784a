"""Fields as they are planted: where rows, stakes, grass and rocks stand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.formats.field.plan import FieldPlan
from mobilesim_py.formats.field.planting import HOLE, MOUND_HEIGHT, bow, plant, row_places
from mobilesim_py.geometry import FloatArray, Pose
from mobilesim_py.world.obstacles import Stops
from mobilesim_py.world.plants import PlantKind
from mobilesim_py.world.world import World


def places(world: World, kind: PlantKind) -> FloatArray:
    chosen = world.plants.kind == kind
    return np.stack([world.plants.x[chosen], world.plants.y[chosen]], axis=1)


def test_plants_stand_where_the_original_puts_them() -> None:
    world = plant(FieldPlan(rows=2, length=3.0, spacing=0.5, width=0.8))
    leeks = places(world, PlantKind.LEEK)
    assert leeks[:7, 0] == pytest.approx([1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5])
    assert leeks[:7, 1] == pytest.approx([0.4] * 7, abs=0.02)
    assert leeks[7:, 1] == pytest.approx([-0.4] * 7, abs=0.02)
    assert len(set(leeks[:, 1])) == 14


def test_a_stake_stands_at_both_ends_of_every_row() -> None:
    stakes = places(plant(FieldPlan(rows=2, length=3.0, width=0.8)), PlantKind.STAKE)
    assert stakes.tolist() == [[1.0, 0.4], [1.0, -0.4], [5.0, 0.4], [5.0, -0.4]]


def test_the_robot_starts_at_the_origin_between_the_rows_and_fits_there() -> None:
    world = plant(FieldPlan(rocks=2, grass=30))
    assert world.homes == (Pose(),)
    assert world.fits([((-0.34, -0.21), (0.34, -0.21), (0.34, 0.21), (-0.34, 0.21))])


def test_the_same_seed_gives_the_same_field_and_another_one_another() -> None:
    plan = FieldPlan(rocks=2, grass=3, holes=2, seed=5)
    first, again, other = (plant(p).plants for p in (plan, plan, FieldPlan(rocks=2, grass=3, holes=2, seed=6)))
    assert np.array_equal(first.x, again.x)
    assert np.array_equal(first.y, again.y)
    assert not np.array_equal(first.y, other.y)


def test_staggered_rows_begin_half_a_spacing_later() -> None:
    leeks = places(plant(FieldPlan(rows=2, length=4.0, spacing=0.5, staggered=True)), PlantKind.LEEK)
    assert leeks[leeks[:, 1] < 0, 0].min() == pytest.approx(1.75)
    assert leeks[:, 0].max() <= 5.5


def test_holes_are_gaps_of_a_metre() -> None:
    x = np.sort(places(plant(FieldPlan(rows=1, length=20.0, spacing=0.1, holes=1)), PlantKind.LEEK)[:, 0])
    assert np.diff(x).max() == pytest.approx(HOLE + 0.1, abs=0.11)


@pytest.mark.parametrize(("level", "count"), [(0, 0), (1, 120), (2, 200), (3, 320), (10, 240), (20, 400), (30, 640)])
def test_grass_comes_in_levels(level: int, count: int) -> None:
    assert len(places(plant(FieldPlan(rows=4, length=10.0, grass=level)), PlantKind.GRASS)) == count


@pytest.mark.parametrize(("level", "count", "stopping"), [(0, 0, 0), (1, 90, 0), (2, 210, 60)])
def test_rocks_lie_in_the_aisles_and_only_big_ones_stop_robots(level: int, count: int, stopping: int) -> None:
    plants = plant(FieldPlan(rows=4, length=10.0, rocks=level)).plants
    rocks = plants.kind == PlantKind.ROCK
    assert rocks.sum() == count
    assert ((plants.stops[rocks] & Stops.ROBOTS) > 0).sum() == stopping


def test_a_single_row_has_no_aisle_for_rocks() -> None:
    assert len(places(plant(FieldPlan(rows=1, rocks=2)), PlantKind.ROCK)) == 0


def test_rows_bow_out_and_come_back_with_the_curvature_asked_for() -> None:
    plan = FieldPlan(length=20.0, curvature=0.05)
    x = np.linspace(1.0, 22.0, 2101)
    y = bow(plan, x)
    assert y[0] == y[-1] == pytest.approx(0.0)
    assert y.max() > 0.5
    bend = np.gradient(np.gradient(y, x), x)
    assert np.abs(bend).max() == pytest.approx(0.05, rel=0.02)


def test_plants_on_mounds_stand_higher_and_grass_between_them_does_not() -> None:
    world = plant(FieldPlan(culture="Cabbage", mounds=True, curvature=0.04, grass=1))
    plants = world.plants
    assert plants.base[plants.kind == PlantKind.CABBAGE] == pytest.approx(MOUND_HEIGHT, abs=0.005)
    assert plants.base[plants.kind == PlantKind.GRASS].min() == 0.0
    assert world.mounds.crests[:, 1].max() > row_places(FieldPlan())[0] + 0.3
    assert len(plant(FieldPlan()).mounds) == 0


def test_everything_is_inside_the_bounds() -> None:
    for curvature in (-0.1, 0.1):
        world = plant(FieldPlan(curvature=curvature, grass=30, rocks=2))
        bounds = world.bounds
        assert bounds.min_x < world.plants.x.min() < world.plants.x.max() < bounds.max_x
        assert bounds.min_y < world.plants.y.min() < world.plants.y.max() < bounds.max_y
        assert math.isfinite(bounds.width)
