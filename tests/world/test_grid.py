"""The index of segments by place: bounded in memory whatever stands in the world."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.core.engines.formulas import sincos
from mobilesim_py.core.engines.numpy import casting
from mobilesim_py.errors import MapError
from mobilesim_py.world import grid as module
from mobilesim_py.world.grid import CELL, Grid
from mobilesim_py.world.obstacles import Segments, Stops


def long_lines(count: int) -> Segments:
    """Draw lines from anywhere to anywhere in 200 m."""
    return Segments.build(np.random.default_rng(1).uniform(-100, 100, (count, 4)))


def test_long_lines_in_great_number_get_larger_cells_instead_of_more_memory() -> None:
    grid = Grid.build(long_lines(30_000))
    assert grid.cell > 1.0
    assert len(grid.items) < 1.5 * module.MOST_CROSSINGS


def test_a_building_keeps_its_small_cells() -> None:
    assert Grid.build(long_lines(100)).cell == CELL


def test_rays_meet_the_same_in_larger_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    segments = long_lines(200)
    fine = Grid.build(segments)
    monkeypatch.setattr(module, "MOST_CROSSINGS", 20_000)
    coarse = Grid.build(segments)
    assert coarse.cell > 2 * fine.cell
    rng = np.random.default_rng(2)
    x, y = rng.uniform(-100, 100, (2, 300))
    s, c = sincos(rng.uniform(-math.pi, math.pi, 300))
    far = np.full(300, 30.0)
    found = [casting.cast(grid, x, y, c, s, far, int(Stops.LASER))[0] for grid in (fine, coarse)]
    assert np.array_equal(*found)


@pytest.mark.parametrize("far", [1e9, 1e300, math.inf, math.nan])
def test_walls_beyond_any_world_are_refused_with_a_sentence(far: float) -> None:
    with pytest.raises(MapError, match="100,000 km"):
        Grid.build(Segments.build([(0.0, 0.0, 1.0, 0.0), (0.0, 0.0, far, 1.0)]))
