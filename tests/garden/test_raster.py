"""Where cells lie."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.garden.raster import BLOCK, CELL, Raster, cell_for


def test_a_raster_covers_its_rectangle_in_whole_blocks() -> None:
    raster = Raster.about(-0.1, 0.0, 3.9, 1.0)
    assert (raster.x0, raster.y0) == (-BLOCK * CELL, 0.0)
    assert raster.shape == (BLOCK, 3 * BLOCK)


def test_places_are_in_the_cells_whose_middles_are_near() -> None:
    raster = Raster.about(-5.0, -5.0, 5.0, 5.0)
    x, y = np.array([-4.99, 0.0, 4.99]), np.array([1.23, -0.001, 0.049])
    rows, columns = raster.cells_of(x, y)
    mx, my = raster.middles(rows, columns)
    assert np.abs(mx - x).max() <= CELL / 2 + 1e-9
    assert np.abs(my - y).max() <= CELL / 2 + 1e-9
    assert raster.inside(*raster.cells_of(np.array([-99.0, 0.0]), np.array([0.0, 0.0]))).tolist() == [False, True]


def test_the_window_of_a_part_is_cut_at_the_edges() -> None:
    whole, part = Raster.about(0.0, 0.0, 3.0, 3.0), Raster.about(1.0, -3.0, 9.0, 1.0)
    joined = whole.joined(part)
    assert (joined.row0, joined.column0) == (part.row0, whole.column0)
    assert whole.window_of(part) == (slice(0, BLOCK), slice(0, 2 * BLOCK))


def test_large_places_get_larger_cells() -> None:
    assert cell_for(30.0, 20.0) == CELL
    assert cell_for(500.0, 500.0) == pytest.approx(0.4)
