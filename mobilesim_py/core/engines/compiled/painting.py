# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Painting what a camera sees, compiled: a Bayer mosaic (GBRG), one byte a pixel. `numpy.painting` gives the same bits."""

from __future__ import annotations

import numpy as np

from mobilesim_py.core.cameras.facets import CORNERS
from mobilesim_py.core.cameras.textures import TEXEL
from mobilesim_py.core.cameras.view import RowFact, Sprite
from mobilesim_py.core.engines.compiled.jit import lean_kernel, routine

_IS_SOIL, _COLOUR, _LEVEL, _X, _X_STEP, _Y, _Y_STEP = (int(fact) for fact in RowFact)
_DEPTH, _RIGHT, _DOWN, _HEIGHT, _HALF, _FIRST, _LAST, _START, _SIDE, _LIGHT = (int(fact) for fact in Sprite)


@routine
def _shifts(v):
    """Where the bytes are that the even and the odd pixels of a row take from a texel: green and blue, or red and green."""
    if v & 1:
        return np.uint32(0), np.uint32(8)
    return np.uint32(8), np.uint32(16)


@lean_kernel
def paint(
    picture, depths, rows, near, soil, soil_starts, soil_side, across, corners, nearness, colour, light, sprites, looks, eye
):
    """Paint a picture; `depths` is room for 1 / depth of every pixel. `eye` is focal length, centre, sine and cosine."""
    height, width = picture.shape
    for v in range(height):
        even, odd = _shifts(v)
        depth = near[v]
        for u in range(width):
            depths[v, u] = depth
        if rows[v, _IS_SOIL] == 0:
            packed = np.uint32(rows[v, _COLOUR])
            a = np.uint8((packed >> even) & np.uint32(255))
            b = np.uint8((packed >> odd) & np.uint32(255))
            for u in range(0, width, 2):
                picture[v, u] = a
                if u + 1 < width:
                    picture[v, u + 1] = b
        else:
            level = rows[v, _LEVEL]
            mask = (soil_side >> level) - 1
            bits = _bits_of(soil_side >> level)
            start = soil_starts[level]
            x, y = rows[v, _X], rows[v, _Y]
            x_step, y_step = rows[v, _X_STEP], rows[v, _Y_STEP]
            for u in range(width):
                place = start + ((((x + u * x_step) >> 16) & mask) << bits) + (((y + u * y_step) >> 16) & mask)
                shift = odd if u & 1 else even
                picture[v, u] = np.uint8((soil[place] >> shift) & np.uint32(255))
    for n in range(corners.shape[0]):
        _paint_facet(
            picture, depths, rows, soil, soil_starts, soil_side, across, corners[n], nearness[n], colour[n], light[n]
        )
    for n in range(sprites.shape[0]):
        _paint_sprite(picture, depths, sprites[n], looks, eye)


@routine
def _bits_of(side):
    bits = 0
    while (1 << bits) < side:
        bits += 1
    return bits


@routine
def _paint_facet(picture, depths, rows, soil, soil_starts, soil_side, across, corners, nearness, colour, light):
    """Paint a convex polygon, row by row, where it is nearer than what is there."""
    height, width = picture.shape
    low, high = corners[0, 1], corners[0, 1]
    for k in range(1, CORNERS):
        low, high = min(low, corners[k, 1]), max(high, corners[k, 1])
    first = np.int64(min(max(np.ceil(low), 0.0), float(height)))
    last = np.int64(min(max(np.ceil(high), 0.0), float(height)))
    for v in range(first, last):
        left, right = 1e18, -1e18
        for k in range(CORNERS):
            after = k + 1 if k + 1 < CORNERS else 0
            au, av, bu, bv = corners[k, 0], corners[k, 1], corners[after, 0], corners[after, 1]
            if (av <= v) != (bv <= v):
                u = au + (bu - au) * ((v - av) / (bv - av))
                left, right = min(left, u), max(right, u)
        u0 = np.int64(min(max(np.ceil(left), 0.0), float(width)))
        u1 = np.int64(min(max(np.ceil(right), 0.0), float(width)))
        even, odd = _shifts(v)
        along = nearness[0] + nearness[2] * v
        if colour != 0:
            for u in range(u0, u1):
                inverse = np.float32(along + nearness[1] * u)
                if inverse > depths[v, u]:
                    depths[v, u] = inverse
                    shift = odd if u & 1 else even
                    part = (np.uint32(colour) >> shift) & np.uint32(255)
                    picture[v, u] = np.uint8((part * np.uint32(light)) >> np.uint32(8))
        else:
            level = rows[v, _LEVEL]
            side = soil_side >> level
            mask = side - 1
            scale = (1.0 / TEXEL) / (1 << level)
            start = soil_starts[level]
            xv = across[0, 1] + across[0, 3] * v
            yv = across[1, 1] + across[1, 3] * v
            for u in range(u0, u1):
                exact = along + nearness[1] * u
                inverse = np.float32(exact)
                if inverse > depths[v, u]:
                    depths[v, u] = inverse
                    depth = 1.0 / exact
                    x = np.int64(np.floor((across[0, 0] + depth * (xv + across[0, 2] * u)) * scale)) & mask
                    y = np.int64(np.floor((across[1, 0] + depth * (yv + across[1, 2] * u)) * scale)) & mask
                    shift = odd if u & 1 else even
                    texel = (soil[start + x * side + y] >> shift) & np.uint32(255)
                    picture[v, u] = np.uint8((texel * np.uint32(light)) >> np.uint32(8))


@routine
def _paint_sprite(picture, depths, sprite, looks, eye):
    """Paint an upright sprite that is turned towards the camera: each row of it is equally deep."""
    width = picture.shape[1]
    focal, centre_u, centre_v, sine, cosine = eye[0], eye[1], eye[2], eye[3], eye[4]
    foot, right, down = sprite[_DEPTH], sprite[_RIGHT], sprite[_DOWN]
    side = np.int64(sprite[_SIDE])
    start = np.int64(sprite[_START])
    light = np.uint32(sprite[_LIGHT])
    for v in range(np.int64(sprite[_FIRST]), np.int64(sprite[_LAST])):
        slope = (v - centre_v) / focal
        above = (down - slope * foot) / (cosine - slope * sine)
        depth = foot - above * sine
        half = sprite[_HALF] * focal / depth
        middle = centre_u + focal * right / depth
        u0 = np.int64(min(max(np.ceil(middle - half), 0.0), float(width)))
        u1 = np.int64(min(max(np.ceil(middle + half), 0.0), float(width)))
        if u1 <= u0:
            continue
        inverse = np.float32(1.0 / depth)
        even, odd = _shifts(v)
        step = np.int64(side * 65536.0 / (2.0 * half))
        at = np.int64(((u0 - middle) / (2.0 * half) + 0.5) * side * 65536.0)
        row = np.int64(min(max((1.0 - above / sprite[_HEIGHT]) * side, 0.0), side - 1.0))
        line = start + row * side
        for u in range(u0, u1):
            texel = looks[line + min(at >> 16, side - 1)]
            at += step
            if texel >> np.uint32(24) and inverse > depths[v, u]:
                depths[v, u] = inverse
                shift = odd if u & 1 else even
                picture[v, u] = np.uint8((((texel >> shift) & np.uint32(255)) * light) >> np.uint32(8))
