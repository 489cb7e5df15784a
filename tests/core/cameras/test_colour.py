"""A mosaic becomes colours again."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.cameras.colour import full_colour, half_colour
from mobilesim_py.world.obstacles import ByteArray


def mosaic_of(red: int, green: int, blue: int) -> ByteArray:
    mosaic = np.full((8, 12), green, np.uint8)
    mosaic[0::2, 1::2] = blue
    mosaic[1::2, 0::2] = red
    return mosaic


def test_an_even_colour_comes_back_at_both_sizes() -> None:
    mosaic = mosaic_of(200, 100, 50)
    assert half_colour(mosaic).shape == (4, 6, 3)
    assert (half_colour(mosaic) == (200, 100, 50)).all()
    assert full_colour(mosaic).shape == (8, 12, 3)
    assert (full_colour(mosaic) == (200, 100, 50)).all()


def test_an_edge_stays_where_it_is() -> None:
    mosaic = mosaic_of(0, 0, 0)
    mosaic[:, 6:] = 240
    brightness = full_colour(mosaic).sum(axis=2)
    assert (brightness[:, :5] == 0).all()
    assert (brightness[:, 7:] == 720).all()
