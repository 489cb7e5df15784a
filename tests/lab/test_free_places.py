"""Where robots can be."""

from __future__ import annotations

import numpy as np
import pytest

import mobilesim_py as ms
from mobilesim_py.errors import UsageError
from mobilesim_py.lab.free_places import FreePlaces, free_places
from mobilesim_py.world.obstacles import Stops

OFFICE = ms.load_world("maps/office.map")


def test_a_robot_fits_at_every_place() -> None:
    free = FreePlaces(OFFICE, 0.4)
    assert len(free.places) > 5000
    for x, y in free.places[::997].tolist():
        assert OFFICE.nearest(x, y, Stops.ROBOTS)[1] > 0.39


def test_home_is_among_them_and_walls_and_the_outside_are_not() -> None:
    free = FreePlaces(OFFICE, 0.4)
    home = ms.home_of(OFFICE)
    assert home is not None
    x, y = np.array([home.x, 0.0, -50.0, 500.0]), np.array([home.y, 0.0, -50.0, 500.0])
    assert free.contains(x, y).tolist() == [True, False, False, False]


def test_a_way_through_a_wall_is_not_straight() -> None:
    free = FreePlaces(OFFICE, 0.4)
    start = np.array([[2.0, 6.0], [2.0, 6.0]])
    end = np.array([[4.4, 6.0], [4.0, 9.0]])
    assert free.is_straight(start, end).tolist() == [True, False]


def test_without_walls_it_is_everywhere() -> None:
    assert len(FreePlaces(ms.empty_world(10.0), 0.4).places) == 100 * 100


def test_a_robot_that_has_no_room_is_told() -> None:
    with pytest.raises(UsageError, match="no room for a robot that keeps 9 m"):
        FreePlaces(OFFICE, 9.0)


def test_they_are_found_once() -> None:
    assert free_places(OFFICE, 0.4) is free_places(OFFICE, 0.4)
