"""What the compiled caster is told of the grid: strides that are safe, and every segment in a block."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import Segments, Stops
from mobilesim_py.world.sight import BLOCK, LONGEST_STRIDE, MIXED, STRIDE_BITS, free_squares


@settings(deadline=None)
@given(seed=st.integers(0, 2**31), rows=st.integers(1, 25), columns=st.integers(1, 25))
def test_free_squares_are_empty_and_cannot_be_larger(seed: int, rows: int, columns: int) -> None:
    occupied = np.random.default_rng(seed).random((rows, columns)) < 0.05
    squares = free_squares(occupied)
    for (row, column), side in np.ndenumerate(squares):
        assert not occupied[row : row + side, column : column + side].any()
        larger = occupied[row : row + side + 1, column : column + side + 1]
        assert side == LONGEST_STRIDE or larger.any() or (row + side >= rows and column + side >= columns)


def test_each_cell_tells_a_stride_for_every_quarter_of_directions() -> None:
    grid = Grid.build(Segments.build([[1.05, 0.45, 1.06, 0.45], [0.05, 1.65, 0.06, 1.65]]), 0.1)
    words = grid.sight(int(Stops.LASER)).words.reshape(grid.rows, grid.columns)
    full = {tuple(place) for place in np.argwhere(words < 0)}
    (low, right), (high, left) = sorted(full)
    assert len(full) == 2
    row, column = low + 2, right - 3
    to_the_right_and_down = (words[row, column] >> (STRIDE_BITS * 2)) & LONGEST_STRIDE
    to_the_left_and_up = (words[row, column] >> (STRIDE_BITS * 1)) & LONGEST_STRIDE
    assert to_the_right_and_down == 3
    assert to_the_left_and_up == max(high - row, column - left)


def test_blocks_hold_every_segment_that_can_be_seen_and_no_other() -> None:
    rng = np.random.default_rng(1)
    a = rng.uniform(0, 1, (50, 2))
    seen = Segments.build(np.hstack([a, a + 0.01]))
    grid = Grid.build(Segments.join(seen, Segments.build([[0, 0, 1, 1]], Stops.SONAR)), 0.5)
    sight = grid.sight(int(Stops.LASER))
    blocks = sight.blocks.reshape(-1, 4, BLOCK).transpose(0, 2, 1).reshape(-1, 4)
    stored = {tuple(row) for row in blocks[np.abs(blocks).sum(axis=1) > 0].tolist()}
    assert stored == {tuple(row) for row in np.hstack([seen.ends[:, :2], seen.ends[:, 2:] - seen.ends[:, :2]]).tolist()}
    assert sight.runs[-1] * 4 * BLOCK == len(sight.blocks)


def test_sonar_and_laser_share_a_layout_where_they_see_the_same() -> None:
    plain = Grid.build(Segments.build([[0, 0, 1, 0]]))
    assert plain.sight(int(Stops.LASER)) is plain.sight(int(Stops.SONAR))
    special = Grid.build(Segments.join(Segments.build([[0, 0, 1, 0]]), Segments.build([[0, 1, 1, 1]], Stops.LASER)))
    assert special.sight(int(Stops.LASER)) is not special.sight(int(Stops.SONAR))


def test_it_is_known_whether_segments_differ_in_how_they_shine() -> None:
    wall, reflector = Segments.build([[0, 0, 1, 0]]), Segments.build([[0, 0, 1, 0]], reflectance=32)
    assert Grid.build(wall).sight(int(Stops.LASER)).reflectance == 1
    assert Grid.build(Segments.join(wall, reflector)).sight(int(Stops.LASER)).reflectance == MIXED


def test_a_grid_can_be_laid_out_before_anybody_looks() -> None:
    grid = Grid.build(Segments.build([[0, 0, 1, 0]]))
    assert grid.lay_out() is grid
    assert set(grid.sights) == {int(Stops.LASER), int(Stops.SONAR)}
