"""A sketch found in a grid."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.formats.garden.world import read_sketch, world_of
from mobilesim_py.garden.occupancy import true_cells
from mobilesim_py.garden.raster import Raster
from mobilesim_py.garden.registration import RegistrationError, blobs_of, centres_of, connected, register
from mobilesim_py.geometry import FloatArray, Pose, placed_points
from mobilesim_py.resources import maps_dir


def disturbed(objects: FloatArray, move: Pose, dice: np.random.Generator) -> FloatArray:
    """Return the objects moved, with 5 cm of noise, a fifth of them missing and a tenth of others among them."""
    blobs = placed_points(objects, move) + dice.normal(0.0, 0.05, objects.shape)
    blobs = blobs[dice.permutation(len(blobs))[: len(blobs) - len(blobs) // 5]]
    more = dice.uniform(blobs.min(axis=0), blobs.max(axis=0), (max(1, len(objects) // 10), 2))
    return np.concatenate([blobs, more])


def test_fifty_random_transforms_are_found() -> None:
    sketch, _ = read_sketch(maps_dir() / "garden.xml")
    for number in range(50):
        dice = np.random.default_rng(number)
        objects = centres_of(sketch) if number % 2 else dice.uniform((-10.0, -7.0), (10.0, 7.0), (40, 2))
        aside = dice.uniform(0.0, math.tau)
        move = Pose(5.0 * math.cos(aside), 5.0 * math.sin(aside), dice.uniform(-math.pi, math.pi))
        found = register(objects, disturbed(objects, move, dice))
        assert abs(math.degrees(math.remainder(found.move.heading - move.heading, math.tau))) < 1.0
        middle = objects.mean(axis=0)[None]
        assert np.hypot(*(placed_points(middle, found.move) - placed_points(middle, move))[0]) < 0.05
        assert found.residual < 0.12
        assert found.pairs >= 0.7 * len(objects)


def test_what_has_nothing_in_common_is_told() -> None:
    dice = np.random.default_rng(1)
    one, other = dice.uniform(0.0, 30.0, (20, 2)), dice.uniform(0.0, 90.0, (20, 2))
    with pytest.raises(RegistrationError, match="objects found a partner"):
        register(one, other)
    with pytest.raises(RegistrationError, match="only 2 objects in the grid"):
        register(one, other[:2])


def test_a_shipped_garden_is_found_in_its_own_grid() -> None:
    sketch, _ = read_sketch(maps_dir() / "garden.xml")
    raster = Raster.about(0.0, 0.0, 20.0, 14.0)
    blobs = blobs_of(true_cells(world_of(sketch), raster), raster)
    moved = sketch.moved(Pose(2.0, -1.0, 0.6))
    found = register(centres_of(moved), blobs).move
    back = placed_points(centres_of(moved), found)
    assert np.hypot(*(back - centres_of(sketch)).T).max() < 0.05


def test_cells_that_touch_are_one_component() -> None:
    drawn = ["##..#", "..#..", "#...#", "#.###"]
    label, count = connected(np.array([[cell == "#" for cell in row] for row in drawn]))
    assert count == 4
    assert label[0, 1] == label[1, 2]
    assert label[3, 2] == label[2, 4]
    assert len({label[0, 0], label[0, 4], label[2, 0], label[3, 4]}) == 4
