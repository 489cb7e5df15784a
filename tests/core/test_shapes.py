"""Shapes as arrays, each kept once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.core.shapes import Shapes

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
