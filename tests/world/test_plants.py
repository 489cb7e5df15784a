"""Plants of a field as columns: outlines that rays meet, places, trampling."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import Obstacle, Stops
from mobilesim_py.world.plants import FACTS, SCAN_HEIGHT, Mounds, PlantKind, Plants, mound_profile
from mobilesim_py.world.world import Bounds, World

LEEKS = Plants.build([1.0, 2.0, 3.0], [0.5, 0.5, 0.5], PlantKind.LEEK)


def field_of(plants: Plants) -> World:
    return World("field", Bounds(0, -5, 10, 5), plants=plants)


def test_a_plant_has_the_usual_size_of_its_kind() -> None:
    assert LEEKS.radius[0] == FACTS[PlantKind.LEEK].radius
    assert LEEKS.height[0] == FACTS[PlantKind.LEEK].height


@pytest.mark.parametrize(
    ("kind", "stops"),
    [
        (PlantKind.LEEK, Stops.LASER | Stops.SONAR),
        (PlantKind.CABBAGE, Stops.LASER | Stops.SONAR),
        (PlantKind.GRASS, Stops.NOTHING),
        (PlantKind.ROCK, Stops.NOTHING),
        (PlantKind.STAKE, Stops.ALL),
    ],
)
def test_lidars_see_what_is_high_and_robots_are_stopped_by_what_is_hard(kind: PlantKind, stops: Stops) -> None:
    assert Plants.build([0.0], [0.0], kind).stops[0] == stops


def test_robots_drive_over_small_rocks_and_not_over_big_ones() -> None:
    rocks = Plants.build([0.0, 1.0], [0.0, 0.0], PlantKind.ROCK, radius=[0.03, 0.08], height=[0.04, 0.11])
    assert rocks.stops.tolist() == [Stops.NOTHING, Stops.ROBOTS]


def test_where_plants_rise_again_nothing_is_trampled() -> None:
    world = World("field", Bounds(0, -5, 10, 5), plants=LEEKS, trampling=False)
    assert world.trampled(np.array([1])) is world


def test_a_mound_lifts_low_plants_into_the_plane_of_the_lidar() -> None:
    low = SCAN_HEIGHT - 0.05
    assert Plants.build([0.0], [0.0], PlantKind.GRASS, height=low).stops[0] == Stops.NOTHING
    assert Plants.build([0.0], [0.0], PlantKind.GRASS, height=low, base=0.1).stops[0] & Stops.LASER


def test_outlines_are_closed_and_as_wide_as_the_plant() -> None:
    edges = LEEKS.edges[LEEKS.edges_of(np.array([1]))]
    assert np.allclose(edges[:, 2:], np.roll(edges[:, :2], -1, axis=0))
    assert np.allclose(np.hypot(edges[:, 0] - 2.0, edges[:, 1] - 0.5), FACTS[PlantKind.LEEK].radius)


def test_what_stops_nothing_has_no_edges() -> None:
    plants = Plants.join(Plants.build([0.0], [0.0], PlantKind.GRASS), LEEKS)
    assert len(plants.edges_of(np.array([0]))) == 0
    assert len(plants.edges) == 3 * FACTS[PlantKind.LEEK].corners


def test_plants_under_a_robot_are_found_by_its_turned_rectangle() -> None:
    assert LEEKS.under(2.0, 0.0, 0.0, 0.6, 0.4).tolist() == []
    assert LEEKS.under(2.0, 0.0, math.pi / 2, 1.2, 0.4).tolist() == [1]
    assert LEEKS.under(2.0, 0.5, 0.0, 2.2, 0.4).tolist() == [0, 1, 2]
    assert LEEKS.under(-500.0, 0.5, 0.0, 2.2, 0.4).tolist() == []


def test_a_trampled_plant_stops_nothing_and_is_not_under_a_robot_again() -> None:
    world = field_of(LEEKS).trampled(np.array([1]))
    assert world.plants.is_flat.tolist() == [False, True, False]
    assert world.segments.stops.tolist() == [6] * 4 + [0] * 4 + [6] * 4
    assert world.plants.under(2.0, 0.5, 0.0, 0.6, 0.4).tolist() == []


def test_stakes_and_rocks_are_not_trampled() -> None:
    world = field_of(Plants.build([0.0, 1.0], [0.0, 0.0], [PlantKind.STAKE, PlantKind.ROCK]))
    assert world.trampled(np.array([0, 1])).plants.stops.tolist() == world.plants.stops.tolist()


def test_the_grid_follows_trampling_and_a_new_obstacle() -> None:
    from shapely import box

    world = field_of(LEEKS)
    grid = Grid.build(world.segments).lay_out()
    items = grid.items
    flat = world.trampled(np.array([0, 2]))
    grid = grid.follow(flat.segments)
    assert grid.items is items
    more = flat.with_more(Obstacle(box(1.4, 0.4, 1.6, 0.6), "block"))
    followed, built = grid.follow(more.segments), Grid.build(more.segments)
    for mask in (int(Stops.LASER), int(Stops.ROBOTS)):
        assert set(followed.items[(followed.kinds & mask) != 0]) == set(built.items[(built.kinds & mask) != 0])


def test_obstacles_keep_their_own_edges_beside_plants() -> None:
    from shapely import box

    world = field_of(LEEKS).with_more(Obstacle(box(5.0, 0.0, 6.0, 1.0), "block"))
    assert world.without("block").segments.stops.tolist() == [6] * 12 + [0] * 4


def test_a_hundred_thousand_plants_are_columns_with_an_outline_each() -> None:
    row, place = np.divmod(np.arange(100_000), 2000)
    plants = Plants.build(0.15 * place, -0.75 * row, PlantKind.LEEK)
    assert len(plants.edges) == 400_000
    assert plants.near(15.0, -7.5, 0.01).tolist() == [20_100]


def test_a_mound_falls_from_its_crest_to_its_foot() -> None:
    heights = mound_profile(np.array([0.0, 0.5, 1.0, 2.0]))
    assert heights[0] == 1.0
    assert heights[0] > heights[1] > heights[2] == heights[3] == 0.0
    assert len(Mounds()) == 0
