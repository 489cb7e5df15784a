"""The look of soils and plants, drawn from numbers: square tiles of packed colours in several sizes.

A texel is one number: red, green, blue and opacity in its four bytes, from the lowest. Every look has levels, each half as
wide as the one before, so that what is far away is not a jumble of single texels. The same on every machine: integers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mobilesim_py.world.plants import PlantKind

Texels = npt.NDArray[np.uint32]
_Numbers = npt.NDArray[np.int64]

SOIL_SIDE = 1024
TEXEL = 0.005
"""Side of a texel of the ground [m]."""
SPRITE_SIDE = 128
SPRITE_LEVELS = 6
VARIANTS = 4
"""How many plants of a kind look differently."""
_OPAQUE = 255

# Mean colours of the soils, and how much fine and coarse grain each has, of 256.
_SOILS = {
    "": ((150, 150, 148), 10, 8),
    "sand": ((196, 170, 122), 34, 22),
    "dirt": ((118, 88, 62), 44, 34),
    "grass": ((84, 112, 48), 60, 40),
    "heightmap": ((112, 84, 60), 48, 64),
}


@dataclass(frozen=True, eq=False)
class Looks:
    """Tiles of all levels one after the other, row by row."""

    texels: Texels
    side: int
    """Of a tile of the first level [texels]."""
    levels: int
    starts: _Numbers
    """Where the tiles of each level begin (of look 0, then look 1, ...), and one more for the end."""


def soil_looks(soil: str) -> Looks:
    """Return how a kind of ground looks; one that is not known looks like a floor."""
    return _soil_looks(soil if soil in _SOILS else "")


@lru_cache(maxsize=8)
def _soil_looks(soil: str) -> Looks:
    mean, fine, coarse = _SOILS[soil]
    side = SOIL_SIDE
    grain = _grain(side, 1, 11) * fine // 256
    for cell, seed in ((4, 12), (16, 13)):
        grain += _smooth(side, cell, seed) * fine // 256
    for cell, seed in ((64, 14), (256, 15)):
        grain += _smooth(side, cell, seed) * coarse // 256
    tint = _smooth(side, 32, 16) * coarse // 1024
    colour = [np.clip(part + grain + lean * tint, 0, 255) for part, lean in zip(mean, (1, 0, -1), strict=True)]
    return _levelled(np.stack([*colour, np.full((side, side), _OPAQUE)], axis=-1)[None], side.bit_length() - 1)


@lru_cache(maxsize=1)
def plant_looks() -> Looks:
    """Return how everything that stands in a field looks: VARIANTS tiles for each kind, in the order of `PlantKind`."""
    draw = {
        PlantKind.LEEK: _leek,
        PlantKind.CABBAGE: _cabbage,
        PlantKind.GRASS: _grass,
        PlantKind.ROCK: _rock,
        PlantKind.STAKE: _stake,
    }
    tiles = np.stack([draw[kind](variant) for kind in PlantKind for variant in range(VARIANTS)])
    return _levelled(tiles, SPRITE_LEVELS)


# Grain


def _grain(side: int, cell: int, seed: int) -> _Numbers:
    """Return a tile of numbers from -128 to 127, one for each square of `cell` texels."""
    count = side // cell
    number = np.arange(count * count, dtype=np.uint64) + np.uint64(seed << 32)
    with np.errstate(over="ignore"):
        number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    numbers = (number >> np.uint64(56)).astype(np.int64).reshape(count, count) - 128
    return np.asarray(numbers.repeat(cell, axis=0).repeat(cell, axis=1))


def _smooth(side: int, cell: int, seed: int) -> _Numbers:
    """Return such a tile with soft edges between the squares, which goes on at its other side."""
    coarse = _grain(side // cell, 1, seed)
    place = np.arange(side)
    first, share = place // cell, place % cell
    after = (first + 1) % (side // cell)
    rows = coarse[first] * (cell - share)[:, None] + coarse[after] * share[:, None]
    return np.asarray((rows[:, first] * (cell - share) + rows[:, after] * share) // (cell * cell))


# Plants, each on a square canvas whose lower edge is the ground


def _canvas() -> tuple[_Numbers, _Numbers, _Numbers]:
    """Return an empty canvas, and across (-256 to 256 from the middle) and up (0 to 512 from the ground) of its texels."""
    side = SPRITE_SIDE
    up, across = np.indices((side, side))
    scale = 512 // side
    return np.zeros((side, side, 4), np.int64), (2 * across + 1 - side) * scale // 2, (2 * (side - up) - 1) * scale // 2


def _fill(canvas: _Numbers, where: npt.NDArray[np.bool_], colour: tuple[int, int, int], light: _Numbers) -> None:
    for channel, part in enumerate(colour):
        canvas[..., channel] = np.where(where, np.clip(part * light // 256, 0, 255), canvas[..., channel])
    canvas[..., 3] = np.where(where, _OPAQUE, canvas[..., 3])


def _blades(canvas: _Numbers, across: _Numbers, up: _Numbers, blades: _Numbers, colour: tuple[int, int, int]) -> None:
    """Draw leaves: columns root, lean, bend, height, half width and light; a leaf bends outwards as it rises."""
    for root, lean, bend, height, half, light in blades.tolist():
        middle = root + lean * up // 512 + bend * up * up // (512 * 512)
        width = half * (height - up) // max(height, 1) + 3
        rib = np.abs(across - middle)
        _fill(canvas, (rib <= width) & (up < height), colour, light - 40 * rib // np.maximum(width, 1) + up // 16)


def _leek(variant: int) -> _Numbers:
    canvas, across, up = _canvas()
    chance = _grain(16, 1, 21 + variant).reshape(-1)
    stalk = np.abs(across) <= 26
    _fill(canvas, stalk & (up < 190), (214, 222, 178), 256 - 2 * np.abs(across) - np.maximum(0, 60 - up))
    leaves = []
    for n in range(9):
        side = -1 if n % 2 else 1
        spread = 40 + 24 * n + int(chance[n]) // 4
        leaves.append(
            [0, side * spread // 3, side * spread * 3 // 4, 500 - 26 * n + int(chance[n + 9]) // 5, 24, 170 + 9 * n]
        )
    _blades(canvas, across, up, np.array(leaves[::-1]), (92, 152, 96))
    return canvas


def _grass(variant: int) -> _Numbers:
    canvas, across, up = _canvas()
    chance = _grain(16, 1, 31 + variant).reshape(-1)
    blades = [
        [
            (n - 6) * 14,
            int(chance[n]) * 5 // 4,
            int(chance[n + 13]),
            280 + int(chance[n + 26]) + 110 * (n % 3),
            9,
            190 + 5 * n,
        ]
        for n in range(13)
    ]
    _blades(canvas, across, up, np.array(blades), (104, 160, 52))
    return canvas


def _cabbage(variant: int) -> _Numbers:
    canvas, across, up = _canvas()
    chance = _grain(16, 1, 41 + variant).reshape(-1)
    # From the outermost leaves to the head: ellipses, each lighter than the one behind it.
    rings = [(250, 190, 170, 150), (215, 220, 200, 180), (170, 225, 235, 205), (125, 190, 285, 235), (75, 120, 330, 262)]
    for number, (wide, high, middle, light) in enumerate(rings):
        lift = int(chance[number]) // 16
        dx, dy = across * 256 // wide, (up - middle - lift) * 256 // high
        off = dx * dx + dy * dy
        wave = 6000 * ((np.abs(dx * 5 + dy * (3 + number)) >> 5) & 1)
        veins = 14 * ((np.abs(dx * (3 + number) - dy * 4) >> 6) & 1)
        _fill(canvas, off + wave < 65536, (116, 168, 118), light - off // 900 - veins + up // 12)
    return canvas


def _rock(variant: int) -> _Numbers:
    canvas, across, up = _canvas()
    chance = _smooth(SPRITE_SIDE, 16, 51 + variant)
    off = across * across + (up - 180) * (up - 180) * 3 // 5 + chance * 100
    _fill(canvas, off < 60000, (150, 142, 132), 150 + up // 4 + chance // 4 - across // 8)
    return canvas


def _stake(variant: int) -> _Numbers:
    canvas, across, _ = _canvas()
    _fill(canvas, np.abs(across) < 512, (214, 28, 30), 262 - across * across // 600)
    return canvas


# Levels


def _levelled(tiles: _Numbers, levels: int) -> Looks:
    """Return tiles (K x side x side x 4) in all their levels; a texel is opaque where half of what it covers is."""
    parts: list[Texels] = []
    starts = [0]
    side = tiles.shape[1]
    for _ in range(levels):
        parts.append(_packed(tiles))
        starts.append(starts[-1] + tiles[..., 0].size)
        count, wide = tiles.shape[0], tiles.shape[1] // 2
        four = tiles.reshape(count, wide, 2, wide, 2, 4)
        opacity = four[..., 3]
        total = opacity.sum(axis=(2, 4))
        colours = (four[..., :3] * opacity[..., None]).sum(axis=(2, 4)) // np.maximum(total, 1)[..., None]
        tiles = np.concatenate([colours, np.where(total >= 2 * _OPAQUE, _OPAQUE, 0)[..., None]], axis=-1)
    return Looks(np.concatenate(parts), side, levels, np.array(starts))


def _packed(tiles: _Numbers) -> Texels:
    red, green, blue, opacity = (tiles[..., channel].astype(np.uint32) for channel in range(4))
    packed = red | green << np.uint32(8) | blue << np.uint32(16) | opacity << np.uint32(24)
    return np.asarray(packed.reshape(-1), np.uint32)
