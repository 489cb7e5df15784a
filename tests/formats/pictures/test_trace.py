"""Lines from pictures: few, long, and within one cell of what the picture shows, also on the way back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.reader import parse_map
from mobilesim_py.formats.armap.writer import write_map
from mobilesim_py.formats.pictures.raster import Cells, Raster, rasterize
from mobilesim_py.formats.pictures.trace import map_of_raster, trace


def grown(cells: Cells) -> Cells:
    """Give the cells and their eight neighbours."""
    padded = np.pad(cells, 1)
    height, width = cells.shape
    return np.any([padded[r : r + height, c : c + width] for r in range(3) for c in range(3)], axis=0)


def there_and_back(cells: Cells, resolution: float = 0.05) -> Cells:
    """Trace, write, read and draw again, on the same grid as before."""
    armap = parse_map(write_map(map_of_raster(Raster(cells, resolution))))
    raster = rasterize(armap, resolution)
    row, column = round(raster.y / resolution), round(raster.x / resolution)
    result = np.zeros_like(cells)
    height, width = raster.occupied.shape
    result[row : row + height, column : column + width] = raster.occupied
    return result


def slanted_wall(angle: float, thickness: float = 2.0, size: int = 160) -> Cells:
    y, x = np.mgrid[0:size, 0:size] + 0.5 - size / 2
    along, across = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
    return (np.abs(across) <= thickness / 2) & (np.abs(along) <= size / 2 - 4)


def test_a_block_is_four_lines_at_its_borders() -> None:
    cells = np.zeros((30, 40), np.bool_)
    cells[5:25, 10:30] = True
    (ring,) = trace(cells).rings
    assert {tuple(corner) for corner in ring.tolist()} == {(10.0, 5.0), (30.0, 5.0), (30.0, 25.0), (10.0, 25.0)}


def test_a_hole_is_a_ring_of_its_own() -> None:
    cells = np.zeros((40, 40), np.bool_)
    cells[5:35, 5:35] = True
    cells[10:30, 10:30] = False
    assert [len(ring) for ring in trace(cells).rings] == [4, 4]


@pytest.mark.parametrize("degrees", [3, 10, 27, 45, 60, 88])
def test_a_slanted_wall_is_a_few_long_lines(degrees: float) -> None:
    cells = slanted_wall(math.radians(degrees))
    assert sum(len(ring) for ring in trace(cells).rings) <= 12


def test_a_few_cells_are_points_and_not_lines() -> None:
    cells = np.zeros((20, 20), np.bool_)
    cells[3, 4] = cells[10, 10] = cells[10, 11] = True
    traced = trace(cells)
    assert traced.rings == ()
    assert sorted(traced.specks.tolist()) == [[4.5, 3.5], [10.5, 10.5], [11.5, 10.5]]


def test_specks_can_be_left_out() -> None:
    cells = np.zeros((20, 20), np.bool_)
    cells[3, 4] = True
    cells[8:18, 8:18] = True
    assert len(map_of_raster(Raster(cells, 0.05)).points) == 1
    assert len(map_of_raster(Raster(cells, 0.05), keep_specks=False).points) == 0


def test_an_empty_picture_has_no_lines() -> None:
    assert trace(np.zeros((5, 5), np.bool_)).rings == ()


def test_a_turned_picture_gives_turned_lines() -> None:
    cells = np.zeros((10, 20), np.bool_)
    cells[2:6, 4:16] = True
    armap = map_of_raster(Raster(cells, 0.1, 1.0, 2.0, math.pi / 2))
    assert armap.data_bounds == (400, 2400, 800, 3600)


def test_progress_is_told() -> None:
    told: list[float] = []
    trace(slanted_wall(0.3), told.append)
    assert told == [0.0]


@pytest.mark.parametrize("degrees", [0, 7, 31, 45, 83])
@pytest.mark.parametrize("thickness", [1.0, 2.0, 6.0])
def test_walls_come_back_within_one_cell(degrees: float, thickness: float) -> None:
    cells = slanted_wall(math.radians(degrees), thickness)
    back = there_and_back(cells)
    assert not (back & ~grown(cells)).any()
    assert not (cells & ~grown(back)).any()


@given(st.integers(0, 2**32 - 1), st.floats(0.02, 0.6))
@settings(max_examples=60, deadline=None)
def test_any_picture_comes_back_within_one_cell(seed: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    cells = np.zeros((40, 40), np.bool_)
    for _ in range(int(12 * density) + 1):
        row, column, height, width = rng.integers(3, 30), rng.integers(3, 30), rng.integers(1, 9), rng.integers(1, 9)
        cells[row : row + height, column : column + width] ^= True
    cells[3:-3, 3:-3] |= rng.random((34, 34)) < density / 10
    back = there_and_back(cells)
    assert not (back & ~grown(cells)).any()
    assert not (cells & ~grown(back)).any()


def test_a_drawn_map_has_every_cell_that_a_line_passes() -> None:
    armap = parse_map("2D-Map\nLINES\n0 0 1000 0\n1000 0 1000 990\nDATA\n20 980\n")
    raster = rasterize(armap, 0.1)
    assert raster.occupied.shape == (10, 10)
    assert raster.occupied[0].all()
    assert raster.occupied[:, 9].all()
    assert raster.occupied[9, 0]
    assert raster.occupied.sum() == 20


@pytest.mark.parametrize(("resolution", "x"), [(1e300, 0.0), (0.05, math.nan), (0.05, -math.inf), (0.05, 1e9)])
def test_a_picture_that_lies_nowhere_is_refused(resolution: float, x: float) -> None:
    occupied = np.ones((4, 4), np.bool_)
    with pytest.raises(MapError, match="thousand kilometres"):
        map_of_raster(Raster(occupied, resolution, x, 0.0))
