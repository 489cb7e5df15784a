"""Shapes and rings of sonar as arrays, each kept once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.catalogue.model import SonarModel
from mobilesim_py.core.shapes import Shapes, SonarRings
from mobilesim_py.geometry import Pose

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def test_a_shape_that_is_known_is_not_kept_twice() -> None:
    shapes = Shapes()
    assert shapes.add((SQUARE,)) == shapes.add((SQUARE,)) == 0
    assert shapes.add((SQUARE[:3],)) == 1
    assert shapes.table.starts.tolist() == [0, 4, 7]
    assert shapes.radius == pytest.approx([math.sqrt(2), math.sqrt(2)])


def test_a_polygon_that_runs_clockwise_is_turned_round() -> None:
    shapes = Shapes()
    shapes.add((SQUARE[::-1],))
    x, y, dx, dy = shapes.table.edges.T
    assert 0.5 * np.sum(x * dy - y * dx) == pytest.approx(1.0)


@pytest.mark.parametrize(("rays", "degrees"), [(1, [0.0]), (2, [-15.0, 15.0]), (31, list(range(-15, 16)))])
def test_the_rays_of_a_sonar_are_spread_over_its_whole_cone(rays: int, degrees: list[float]) -> None:
    rings = SonarRings()
    rings.add(SonarModel((Pose(),), cone=math.radians(30), rays=rays))
    assert np.degrees(rings.table.rays[:, 2]) == pytest.approx(degrees, abs=1e-9)


def test_a_ring_without_a_transducer_is_none() -> None:
    assert SonarRings().add(SonarModel()) == -1
