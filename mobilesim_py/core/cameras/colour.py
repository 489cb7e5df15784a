"""From the mosaic of a camera's chip to colour pictures: red, green and blue of each pixel, rows from the top."""

from __future__ import annotations

import numpy as np

from mobilesim_py.world.obstacles import ByteArray


def half_colour(mosaic: ByteArray) -> ByteArray:
    """Return the picture at half the size: each square of four pixels (GB over RG) is one of three colours."""
    green = (mosaic[0::2, 0::2].astype(np.uint16) + mosaic[1::2, 1::2]) >> 1
    return np.stack([mosaic[1::2, 0::2], green.astype(np.uint8), mosaic[0::2, 1::2]], axis=-1)


def full_colour(mosaic: ByteArray) -> ByteArray:
    """Return the picture at full size: what a pixel did not see is the mean of its neighbours that did."""
    height, width = mosaic.shape
    wide = np.pad(mosaic, 1, mode="reflect").astype(np.uint16)
    here = wide[1:-1, 1:-1]
    beside = (wide[1:-1, :-2] + wide[1:-1, 2:]) >> 1
    above = (wide[:-2, 1:-1] + wide[2:, 1:-1]) >> 1
    cross = (wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]) >> 2
    corners = (wide[:-2, :-2] + wide[:-2, 2:] + wide[2:, :-2] + wide[2:, 2:]) >> 2
    colours = np.empty((height, width, 3), np.uint8)
    even, odd = slice(0, None, 2), slice(1, None, 2)
    # For each pixel of a square: where red, green and blue come from.
    sources = (
        (even, even, (above, here, beside)),
        (even, odd, (corners, cross, here)),
        (odd, even, (here, cross, corners)),
        (odd, odd, (beside, here, above)),
    )
    for rows, columns, parts in sources:
        for channel, part in enumerate(parts):
            colours[rows, columns, channel] = part[rows, columns]
    return colours
