"""What viewers are told anew of a world that changes."""

from __future__ import annotations

import numpy as np

from mobilesim_py.formats.field.plan import FieldPlan
from mobilesim_py.formats.field.planting import plant
from mobilesim_py.geometry import shape_of
from mobilesim_py.view.page.frames import WALLS_HEAD
from mobilesim_py.view.page.place_news import PlaceNews
from mobilesim_py.world.obstacles import Obstacle
from mobilesim_py.world.world import empty_world

FIELD = plant(FieldPlan(rows=2, length=5.0))
BLOCK = Obstacle(shape_of([((1.0, 1.0), (1.2, 1.0), (1.2, 1.2))]), "block")


def numbers(news: PlaceNews) -> tuple[int, int, int, int]:
    return news.map, news.walls, news.plants, news.flat


def test_another_map_is_told_as_a_whole() -> None:
    news = PlaceNews()
    news.take(empty_world())
    news.take(FIELD)
    assert numbers(news) == (2, 2, 2, 2)
    assert WALLS_HEAD.unpack_from(news.plant_bytes)[1:] == (2, len(FIELD.plants))


def test_a_trampled_plant_sends_neither_map_nor_walls_nor_places() -> None:
    news = PlaceNews()
    news.take(FIELD)
    before = news.flat_bytes
    news.take(FIELD.trampled(np.array([3])))
    assert numbers(news) == (1, 1, 1, 2)
    changed = news.flat_bytes
    assert [k for k in range(12, len(changed)) if changed[k] != before[k]] == [12 + 3]
    assert news.plant_bytes[-len(FIELD.plants) :] == changed[12:], "who comes later sees it, too"


def test_a_block_sends_the_walls_only_and_plants_are_none() -> None:
    news = PlaceNews()
    news.take(FIELD)
    assert WALLS_HEAD.unpack_from(news.wall_bytes)[2] == 0
    news.take(FIELD.with_more(BLOCK))
    assert numbers(news) == (1, 2, 1, 1)
    assert WALLS_HEAD.unpack_from(news.wall_bytes) == (2, 1, 3)


def test_the_same_world_is_no_news() -> None:
    news = PlaceNews()
    news.take(FIELD)
    news.take(FIELD)
    assert numbers(news) == (1, 1, 1, 1)
