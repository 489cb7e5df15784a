"""Painting what a camera sees, in NumPy: a Bayer mosaic (GBRG), a byte a pixel. `compiled.painting` gives the same bits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.cameras.facets import CORNERS
from mobilesim_py.core.cameras.textures import TEXEL
from mobilesim_py.core.cameras.view import RowFact, Sprite, View
from mobilesim_py.core.scene import IntArray
from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.obstacles import ByteArray

Depths = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint32]

_SHIFTS = np.array([[8, 16], [0, 8]], np.uint32)
"""Where the byte of a pixel of the mosaic is in a texel, by the parity of its row and its column."""


def paint(view: View) -> ByteArray:
    """Return the picture of a view."""
    eye = view.eye
    picture = np.empty((eye.height, eye.width), np.uint8)
    depths = np.repeat(view.near[:, None], eye.width, axis=1)
    u = np.arange(eye.width)
    for v in range(eye.height):
        row = view.rows[v]
        if row[RowFact.IS_SOIL]:
            level = int(row[RowFact.LEVEL])
            side = view.soil_side >> level
            x = ((row[RowFact.X] + u * row[RowFact.X_STEP]) >> 16) & (side - 1)
            y = ((row[RowFact.Y] + u * row[RowFact.Y_STEP]) >> 16) & (side - 1)
            picture[v] = _mosaic(view.soil[view.soil_starts[level] + x * side + y], u, v)
        else:
            picture[v] = _mosaic(np.full(eye.width, row[RowFact.COLOUR], np.uint32), u, v)
    for n in range(len(view.facets.corners)):
        _paint_facet(view, n, picture, depths)
    for sprite in view.sprites:
        _paint_sprite(view, sprite, picture, depths)
    return picture


def _mosaic(texels: Words, u: IntArray, v: int | IntArray, light: int = 256) -> ByteArray:
    """Return the byte that each pixel of the mosaic takes from its texel."""
    parts = (texels >> _SHIFTS[np.asarray(v) & 1, u & 1]) & np.uint32(255)
    return np.asarray((parts * np.uint32(light)) >> np.uint32(8), np.uint8)


def _pixels(first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Return for runs of columns, first to last of each row, the number of the run and the column of each pixel."""
    count = np.maximum(last - first, 0)
    run = np.repeat(np.arange(len(first)), count)
    return run, np.arange(len(run)) - np.repeat(np.cumsum(count) - count - first, count)


def _limited(value: FloatArray, most: int) -> IntArray:
    return np.minimum(np.maximum(np.ceil(value), 0.0), float(most)).astype(np.int64)


def _paint_facet(view: View, n: int, picture: ByteArray, depths: Depths) -> None:
    """Paint a convex polygon where it is nearer than what is there."""
    eye, facets = view.eye, view.facets
    corners = facets.corners[n]
    ends = _limited(np.array([corners[:, 1].min(), corners[:, 1].max()]), eye.height)
    v = np.arange(ends[0], ends[1])
    left, right = np.full(len(v), 1e18), np.full(len(v), -1e18)
    for k in range(CORNERS):
        (au, av), (bu, bv) = corners[k], corners[(k + 1) % CORNERS]
        met = (av <= v) != (bv <= v)
        u = au + (bu - au) * ((v[met] - av) / (bv - av)) if met.any() else np.empty(0)
        left[met], right[met] = np.minimum(left[met], u), np.maximum(right[met], u)
    run, u = _pixels(_limited(left, eye.width), _limited(right, eye.width))
    v = v[run]
    a, b, c = facets.nearness[n]
    exact = (a + c * v) + b * u
    inverse = exact.astype(np.float32)
    nearer = inverse > depths[v, u]
    u, v, exact = u[nearer], v[nearer], exact[nearer]
    depths[v, u] = inverse[nearer]
    light = int(facets.light[n])
    if facets.colour[n]:
        picture[v, u] = _mosaic(np.full(len(u), facets.colour[n], np.uint32), u, v, light)
        return
    level = view.rows[v, RowFact.LEVEL]
    side = view.soil_side >> level
    scale = (1.0 / TEXEL) / (1 << level)
    depth = 1.0 / exact
    place = view.soil_starts[level]
    for axis, stride in ((0, side), (1, 1)):
        at, ahead, beside, below = view.across[axis]
        spot = np.floor((at + depth * ((ahead + below * v) + beside * u)) * scale).astype(np.int64) & (side - 1)
        place = place + spot * stride
    picture[v, u] = _mosaic(view.soil[place], u, v, light)


def _paint_sprite(view: View, sprite: FloatArray, picture: ByteArray, depths: Depths) -> None:
    """Paint an upright sprite that is turned towards the camera: each row of it is equally deep."""
    eye = view.eye
    sine, cosine = np.sin(eye.pitch), np.cos(eye.pitch)
    v = np.arange(int(sprite[Sprite.FIRST_ROW]), int(sprite[Sprite.LAST_ROW]))
    slope = (v - eye.centre[1]) / eye.focal
    above = (sprite[Sprite.DOWN] - slope * sprite[Sprite.DEPTH]) / (cosine - slope * sine)
    depth = sprite[Sprite.DEPTH] - above * sine
    half = sprite[Sprite.HALF] * eye.focal / depth
    middle = eye.centre[0] + eye.focal * sprite[Sprite.RIGHT] / depth
    first = _limited(middle - half, eye.width)
    run, u = _pixels(first, _limited(middle + half, eye.width))
    side = int(sprite[Sprite.SIDE])
    step = (side * 65536.0 / (2.0 * half)).astype(np.int64)
    start = (((first - middle) / (2.0 * half) + 0.5) * side * 65536.0).astype(np.int64)
    row = np.minimum(np.maximum((1.0 - above / sprite[Sprite.HEIGHT]) * side, 0.0), side - 1.0).astype(np.int64)
    column = np.minimum((start[run] + step[run] * (u - first[run])) >> 16, side - 1)
    texels = view.looks[int(sprite[Sprite.START]) + row[run] * side + column]
    inverse = (1.0 / depth).astype(np.float32)[run]
    v = v[run]
    seen = (texels >> np.uint32(24) > 0) & (inverse > depths[v, u])
    u, v = u[seen], v[seen]
    depths[v, u] = inverse[seen]
    picture[v, u] = _mosaic(texels[seen], u, v, int(sprite[Sprite.LIGHT]))
