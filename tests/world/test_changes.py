"""A grid that follows its segments casts as one that was built anew, in both engines."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.app.compiling import load_compiled
from mobilesim_py.core.engines.formulas import sincos
from mobilesim_py.core.engines.numpy import casting
from mobilesim_py.core.fields import Body
from mobilesim_py.core.scene import Rays, Scene
from mobilesim_py.core.shapes import Shapes
from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.changes import MANY_CELLS, occupy
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import Obstacle, Segments, Stops
from mobilesim_py.world.sight import MIXED, packed_strides
from mobilesim_py.world.world import Bounds, World

LIMIT = 30.0
FRAME = [[-10.0, -10, 10, -10], [10, -10, 10, 10], [10, 10, -10, 10], [-10, 10, -10, -10]]
MASKS = (Stops.LASER, Stops.SONAR, Stops.ROBOTS)
Cast = Callable[[Grid, FloatArray, FloatArray, FloatArray, int], FloatArray]


def cast(grid: Grid, x: FloatArray, y: FloatArray, angle: FloatArray, mask: int) -> FloatArray:
    s, c = sincos(angle)
    return casting.cast(grid, x, y, c, s, np.full(len(x), LIMIT), int(mask))[0]


def cast_compiled(grid: Grid, x: FloatArray, y: FloatArray, angle: FloatArray, mask: int) -> FloatArray:
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    sine, cosine = sincos(angle)
    scene = Scene(np.zeros((len(Body), 1)), 0, 0.1, 0, 0, Shapes().table, grid)
    rays = Rays(x, y, cosine, sine, np.full(len(x), LIMIT), np.full(len(x), -1))
    return load_compiled().cast(scene, rays, int(mask)).distance


def things(rng: np.random.Generator, count: int, stops: int | None = None) -> Segments:
    """Scatter short and long segments within the frame, of all sorts."""
    a = rng.uniform(-9, 9, (count, 2))
    b = np.clip(a + rng.choice([0.02, 0.6, 5.0], (count, 1)) * rng.normal(size=(count, 2)), -9.9, 9.9)
    ends = Segments.build(np.hstack([a, b]))
    kinds = rng.integers(1, 8, count) if stops is None else np.full(count, stops)
    return Segments(
        ends.ends, kinds.astype(np.uint8), rng.choice([1, 1, 32], count).astype(np.uint8), ends.made, ends.height
    )


def with_stops(segments: Segments, stops: np.ndarray) -> Segments:  # type: ignore[type-arg]
    return Segments(segments.ends, stops.astype(np.uint8), segments.reflectance, segments.made, segments.height)


def agree(followed: Grid, fresh: Grid, rng: np.random.Generator, cast: Cast, masks: tuple[Stops, ...] = MASKS) -> None:
    x, y = rng.uniform(-11, 11, (2, 200))
    angle = np.where(rng.random(200) < 0.2, rng.integers(-2, 3, 200) * math.pi / 2, rng.uniform(-math.pi, math.pi, 200))
    for mask in masks:
        assert np.array_equal(cast(followed, x, y, angle, mask), cast(fresh, x, y, angle, mask))


def is_safe(grid: Grid) -> None:
    """Check that no stride and no clearance leads beyond what a grid that is built anew allows."""
    occupied = (np.diff(grid.starts) > 0).reshape(grid.rows, grid.columns)
    exact = packed_strides(occupied)
    for quarter in range(4):
        assert (((grid.strides >> (7 * quarter)) & 127) <= ((exact >> (7 * quarter)) & 127)).all()
    fresh = np.minimum.reduce([(exact >> (7 * quarter)) & 127 for quarter in range(4)])
    assert (grid.clearance <= fresh).all()


@pytest.mark.parametrize("engine", [cast, cast_compiled])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**31), count=st.integers(1, 60), more=st.integers(0, 40), cell=st.sampled_from([0.1, 0.3, 2.0]))
def test_casting_after_changes_is_casting_in_a_new_grid(engine: Cast, seed: int, count: int, more: int, cell: float) -> None:
    rng = np.random.default_rng(seed)
    segments = Segments.join(Segments.build(FRAME), things(rng, count))
    grid = Grid.build(segments, cell).lay_out()
    for _ in range(4):
        stops = segments.stops.copy()
        chosen = rng.random(len(stops)) < 0.3
        chosen[:4] = False
        stops[chosen] = rng.choice([0, 1, 6, 7], int(chosen.sum()))
        segments = with_stops(segments, stops)
        if more:
            segments = Segments.join(segments, things(rng, int(rng.integers(0, more + 1))))
        grid = grid.follow(segments)
        agree(grid, Grid.build(segments, cell), rng, engine)
        is_safe(grid)
        assert np.array_equal(grid.segments.ends, segments.ends)


@pytest.mark.parametrize("engine", [cast, cast_compiled])
def test_a_door_that_opens_and_closes_leaves_everything_as_it_was(engine: Cast) -> None:
    door = Obstacle(shapely.LineString([(3, -1), (3, 1)]), "door")
    world = World("hall", Bounds(-10, -10, 10, 10), Segments.build(FRAME), obstacles=(door,))
    grid = Grid.build(world.segments).lay_out()
    before = grid.sight(int(Stops.LASER)).blocks.copy()
    one = np.zeros(1), np.zeros(1), np.zeros(1), int(Stops.LASER)
    assert engine(grid, *one)[0] == 3.0
    opened = world.without("door")
    grid = grid.follow(opened.segments)
    assert engine(grid, *one)[0] == 10.0
    grid = grid.follow(opened.with_again("door").segments)
    assert engine(grid, *one)[0] == 3.0
    assert np.array_equal(grid.sight(int(Stops.LASER)).blocks, before)


def test_a_change_touches_no_other_cell() -> None:
    segments = Segments.join(Segments.build(FRAME), Segments.build([[0.0, 0, 0.05, 0], [5, 5, 5.05, 5]]))
    grid = Grid.build(segments).lay_out()
    words, starts, kinds = grid.sight(int(Stops.LASER)).words, grid.starts, grid.kinds.copy()
    grid = grid.follow(with_stops(segments, np.array([7, 7, 7, 7, 0, 7])))
    assert grid.sight(int(Stops.LASER)).words is words
    assert grid.starts is starts
    assert np.flatnonzero(grid.kinds != kinds).tolist() == np.flatnonzero(grid.items == 4).tolist()


def test_sonar_and_laser_part_when_something_is_seen_by_one_of_them_only() -> None:
    grid = Grid.build(Segments.build(FRAME)).lay_out()
    assert grid.sight(int(Stops.LASER)) is grid.sight(int(Stops.SONAR))
    glass = Segments.build([[3, -1, 3, 1]], Stops.SONAR | Stops.ROBOTS)
    grid = grid.follow(Segments.join(Segments.build(FRAME), glass))
    one = np.zeros(1), np.zeros(1), np.zeros(1)
    assert [cast(grid, *one, int(mask))[0] for mask in MASKS] == [10.0, 3.0, 3.0]


def test_a_reflector_that_comes_is_told_apart() -> None:
    grid = Grid.build(Segments.build(FRAME)).lay_out()
    shiny = Segments.join(Segments.build(FRAME), Segments.build([[3, -1, 3, 1]], reflectance=32))
    assert grid.follow(shiny).sight(int(Stops.LASER)).reflectance == MIXED


def test_what_lies_beyond_the_grid_makes_a_new_one() -> None:
    grid = Grid.build(Segments.build(FRAME)).lay_out()
    far = Segments.join(Segments.build(FRAME), Segments.build([[20, -1, 20, 1]]))
    followed = grid.follow(far)
    assert followed.columns > grid.columns
    assert cast(followed, np.array([15.0]), np.zeros(1), np.zeros(1), int(Stops.LASER))[0] == 5.0


def test_segments_that_are_others_make_a_new_one() -> None:
    grid = Grid.build(Segments.build(FRAME))
    other = grid.follow(Segments.build([[1, -1, 1, 1]]))
    assert cast(other, np.zeros(1), np.zeros(1), np.zeros(1), int(Stops.LASER))[0] == 1.0


def test_the_first_segments_of_an_empty_world_are_seen() -> None:
    grid = Grid.build(Segments.empty()).lay_out().follow(Segments.build([[3, -1, 3, 1]]))
    assert cast(grid, np.zeros(1), np.zeros(1), np.zeros(1), int(Stops.LASER))[0] == 3.0


@pytest.mark.parametrize("count", [1, 5, MANY_CELLS + 1])
def test_occupied_cells_make_strides_exactly_as_short_as_they_must_be(count: int) -> None:
    rng = np.random.default_rng(count)
    occupied = rng.random((90, 200)) < 0.001
    words = packed_strides(occupied)
    cells = np.flatnonzero(~occupied.reshape(-1))[rng.permutation(17_000)[:count]]
    occupy(words, 200, 90, cells)
    occupied.reshape(-1)[cells] = True
    assert np.array_equal(words, packed_strides(occupied))
