"""A world as one camera sees it, laid out in tables for the engines, which paint it (`engines/*/painting.py`).

Three tables: the rows of the picture (sky, or how the soil's texture runs along them), facets (convex polygons: the sides
of mounds, walls, bodies) and sprites (plants, grass, rocks and stakes: upright, turned towards the camera). NumPy makes them
for both engines, so that they agree to the last bit.
"""

from __future__ import annotations

import math
from enum import auto
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.cameras.facets import NO_SOLIDS, Facets, Solids, facets_of
from mobilesim_py.core.cameras.optics import Eye
from mobilesim_py.core.cameras.textures import SPRITE_LEVELS, TEXEL, VARIANTS, Texels, plant_looks, soil_looks
from mobilesim_py.core.fields import Rows
from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.plants import PlantKind, Plants
from mobilesim_py.world.world import World

IntArray = npt.NDArray[np.int64]

NEAR = 0.1
"""Nothing nearer than this is drawn [m]."""
HORIZON = 300.0
"""The soil is drawn up to this depth, and haze beyond [m]."""
FIXED = 65536.0
"""One texel in the whole numbers that run along rows."""
_SKY_LOW, _SKY_HIGH = (206, 220, 232), (104, 152, 212)
_SPREAD = np.array([0.5, 0.62, 0.75, 0.62, 0.0])
"""Half the width of what is drawn of a kind as a share of its height; a stake's and a rock's is its radius."""
_FLAT_HEIGHT = 0.04
"""How high a trampled plant still is [m]."""


class RowFact(Rows):
    """Columns of the table of the picture's rows; whole numbers."""

    IS_SOIL = auto()
    COLOUR = auto()
    """Packed as a texel, where there is no soil."""
    LEVEL = auto()
    """Which size of the soil's texture."""
    X = auto()
    """Place on the texture of the first pixel, and the step to the next one, in parts of a texel (FIXED)."""
    X_STEP = auto()
    Y = auto()
    Y_STEP = auto()


class Sprite(Rows):
    """Columns of the table of sprites."""

    DEPTH = auto()
    """Of the foot [m]."""
    RIGHT = auto()
    DOWN = auto()
    HEIGHT = auto()
    HALF = auto()
    """Half the width [m]."""
    FIRST_ROW = auto()
    LAST_ROW = auto()
    """The row after the last one."""
    START = auto()
    """Where the texels of its look begin."""
    SIDE = auto()
    """Of its look [texels]."""
    LIGHT = auto()
    """Of 256."""


class View(NamedTuple):
    """Everything that a picture is painted from."""

    eye: Eye
    rows: IntArray
    """A row of the picture in each row, see RowFact."""
    near: npt.NDArray[np.float32]
    """1 / depth of the soil in each row [1/m]; 0 in the sky."""
    soil: Texels
    soil_starts: IntArray
    soil_side: int
    across: FloatArray
    """2 x 4, for x and y of a place at depth d in pixel (u, v): a + d * (b + c * u + e * v)."""
    facets: Facets
    sprites: FloatArray
    """A sprite in each row, the nearest first, see Sprite."""
    looks: Texels


def look(world: World, eye: Eye, reach: float, solids: Solids = NO_SOLIDS) -> View:
    """Lay out what one camera sees of a world; `solids` are bodies, which the world does not know."""
    soil = soil_looks(world.soil)
    axes, (u, v) = eye.axes, eye.centre
    # A pixel's direction is ahead + right * (u - centre) / focal + down * (v - centre) / focal.
    right, down = axes[0] / eye.focal, axes[1] / eye.focal
    first = axes[2] - right * u - down * v
    across = np.stack([np.array([eye.x, eye.y]), first[:2], right[:2], down[:2]], axis=1)
    rows, near = _rows(eye, across, soil.side, soil.levels)
    return View(
        eye,
        rows,
        near,
        soil.texels,
        soil.starts,
        soil.side,
        across,
        facets_of(world, eye, reach, solids),
        _sprites(world.plants, eye, reach),
        plant_looks().texels,
    )


def _rows(eye: Eye, across: FloatArray, side: int, levels: int) -> tuple[IntArray, npt.NDArray[np.float32]]:
    number = np.arange(eye.height, dtype=np.float64)
    slope = (number - eye.centre[1]) / eye.focal
    fall = slope * math.cos(eye.pitch) + math.sin(eye.pitch)
    is_soil = fall * HORIZON > eye.z
    depth = eye.z / np.where(is_soil, fall, 1.0)
    # A pixel is wider than high on the ground near the camera, and far away much longer than wide.
    wide, long = depth / eye.focal, depth * depth / (eye.focal * eye.z)
    level = np.clip(np.floor(np.log2(np.sqrt(wide * long) / TEXEL)), 0, levels - 1)
    texel = TEXEL * 2.0**level
    table = np.zeros((eye.height, len(RowFact)), np.int64)
    table[:, RowFact.IS_SOIL] = is_soil
    table[:, RowFact.LEVEL] = level
    for axis, (at, step) in enumerate(((RowFact.X, RowFact.X_STEP), (RowFact.Y, RowFact.Y_STEP))):
        place, straight, beside, below = across[axis]
        table[:, at] = np.floor((place + depth * (straight + below * number)) / texel * FIXED)
        table[:, step] = np.floor(depth * beside / texel * FIXED)
    # The sky is lighter at the horizon.
    share = np.clip(-fall / 0.35, 0.0, 1.0)
    for channel, (low, high) in enumerate(zip(_SKY_LOW, _SKY_HIGH, strict=True)):
        table[:, RowFact.COLOUR] |= np.floor(low + (high - low) * share).astype(np.int64) << (8 * channel)
    return table, np.where(is_soil, 1.0 / depth, 0.0).astype(np.float32)


def _sprites(plants: Plants, eye: Eye, reach: float) -> FloatArray:
    number = np.arange(len(plants))
    ahead, right = eye.axes[2], eye.axes[0]
    along = (plants.x - eye.x) * ahead[0] + (plants.y - eye.y) * ahead[1]
    beside = (plants.x - eye.x) * right[0] + (plants.y - eye.y) * right[1]
    # What may be in the picture at all: ahead, near enough, and not far beside it.
    wide = eye.width / 2.0 / eye.focal
    seen = (along > 0.0) & (along < reach) & (np.abs(beside) < (along + 1.0) * 1.2 * wide + 1.0)
    number, along, beside = number[seen], along[seen], beside[seen]
    up, level = math.sin(eye.pitch), math.cos(eye.pitch)
    kind = plants.kind[number]
    height = np.where(plants.is_flat[number], _FLAT_HEIGHT, plants.height[number])
    is_round = (kind == PlantKind.STAKE) | (kind == PlantKind.ROCK)
    half = np.where(is_round, plants.radius[number], _SPREAD[kind] * plants.height[number])
    rise = plants.base[number] - eye.z
    depth, fall = along - rise * up, -(along * up / level) - rise * level
    top = depth - height * up
    table = np.empty((len(number), len(Sprite)))
    with np.errstate(divide="ignore", invalid="ignore"):
        foot_row = eye.centre[1] + eye.focal * fall / depth
        top_row = eye.centre[1] + eye.focal * (fall - height * level) / top
        middle = eye.centre[0] + eye.focal * beside / depth
        reach_px = eye.focal * half / np.minimum(depth, top)
    first = np.clip(np.ceil(top_row), 0, eye.height)
    last = np.clip(np.ceil(foot_row), 0, eye.height)
    seen = (top > NEAR) & (depth > NEAR) & (last > first) & (np.abs(middle - eye.centre[0]) < eye.width * 0.6 + reach_px)
    # The smallest look that has as many texels as the sprite has pixels.
    pixels = np.maximum(2.0 * reach_px, eye.focal * height / np.maximum(depth, NEAR))
    looks = plant_looks()
    size = np.clip(np.floor(np.log2(looks.side / np.maximum(pixels, 1.0))), 0, SPRITE_LEVELS - 1)
    size = np.where(np.isfinite(size), size, 0).astype(np.int64)
    side = looks.side >> size
    variant = kind.astype(np.int64) * VARIANTS + number * 7 % 11 % VARIANTS
    table[:, Sprite.DEPTH], table[:, Sprite.RIGHT], table[:, Sprite.DOWN] = depth, beside, fall
    table[:, Sprite.HEIGHT], table[:, Sprite.HALF] = height, half
    table[:, Sprite.FIRST_ROW], table[:, Sprite.LAST_ROW] = first, last
    table[:, Sprite.START], table[:, Sprite.SIDE] = looks.starts[size] + variant * side * side, side
    table[:, Sprite.LIGHT] = np.where(kind == PlantKind.STAKE, 256, 256 - number * 29 % 67)
    table = table[seen]
    return np.ascontiguousarray(table[np.argsort(table[:, Sprite.DEPTH], kind="stable")])
