"""Sides of walls as arrays, against the exact formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.formats.lab import default_lab
from mobilesim_py.services.ciberrato.exact import NOTHING, distance, ray_distance, wall_distance
from mobilesim_py.services.ciberrato.sides import Sides
from mobilesim_py.services.ciberrato.walls import Walls

from .playing import lab_of

MAZE = Walls(default_lab()).solid
INSIDE = st.tuples(st.floats(0.1, 27.9), st.floats(0.1, 13.9))


@settings(max_examples=80, deadline=None)
@given(INSIDE)
def test_distances_have_the_bits_of_the_exact_ones(place):
    x, y = place
    nearest = MAZE.distances(np.array([x]), np.array([y])).min()
    assert nearest == min(wall_distance(x, y, corners) for corners in MAZE.polygons)


@settings(max_examples=80, deadline=None)
@given(INSIDE, st.floats(-math.pi, math.pi))
def test_a_ray_is_cast_as_the_exact_formulas_do(place, heading):
    found, side = MAZE.cast(*place, heading)
    assert found == pytest.approx(ray_distance(*place, heading, MAZE.polygons), abs=1e-7)
    assert side is None or 0 <= side < len(MAZE.ax)


def test_what_looks_away_from_all_sides_sees_nothing():
    alone = Sides(list(lab_of(8.0, 8.0, {0: "  |"}).walls))
    assert alone.cast(5.0, 1.3, 0.01) == (NOTHING, None)
    assert alone.cast(5.0, 1.3, 1.5) == (NOTHING, None)
    assert alone.cast(5.0, 1.3, math.pi - 0.01)[0] == pytest.approx(2.9 / math.cos(0.01))


def test_a_side_is_between_only_where_it_clearly_is():
    lab = lab_of(8.0, 8.0, {0: "  |"})
    sides = Sides(list(lab.walls))
    right = next(i for i in range(4) if sides.ax[i] == sides.bx[i] > 2.0)
    assert sides.clearly_between(right, 1.0, 1.0, 3.0, 1.0)
    assert not sides.clearly_between(right, 1.0, 3.0, 3.0, 3.0)
    assert not sides.clearly_between(right, 3.0, 1.0, 5.0, 1.0)
    assert not sides.clearly_between(right, 1.0, 1.0, 1.0, 3.0)
    assert not sides.clearly_between(right, 1.0, 2.0, 3.0, 2.0)


def test_distance_is_what_it_is():
    assert distance(0.0, 0.0, 3.0, 4.0) == 5.0
