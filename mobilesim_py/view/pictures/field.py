"""Fields as drawings: soil, mounds, and what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.view.pictures.shapes import Area, Colour, Discs
from mobilesim_py.world.plants import PlantKind

if TYPE_CHECKING:
    from mobilesim_py.geometry import Polygon
    from mobilesim_py.world.world import World

SOILS: dict[str, Colour] = {
    "sand": (240, 230, 206), "dirt": (229, 219, 208), "grass": (224, 233, 212), "heightmap": (231, 222, 206),
}  # fmt: skip
MOUND: Colour = (122, 76, 34)
FLAT: Colour = (160, 138, 92)
LOOKS: dict[PlantKind, tuple[float, Colour]] = {
    PlantKind.GRASS: (1.0, (180, 194, 60)),
    PlantKind.CABBAGE: (1.0, (127, 176, 105)),
    PlantKind.LEEK: (2.2, (61, 140, 74)),
    PlantKind.ROCK: (1.0, (141, 143, 148)),
    PlantKind.STAKE: (2.4, (216, 50, 42)),
}
"""How wide they are drawn for their radius, and their colours; the last on top."""


def field_areas(world: World) -> list[Area]:
    """Return soil and mounds."""
    areas = []
    if world.soil in SOILS:
        b = world.bounds
        corners = ((b.min_x, b.min_y), (b.max_x, b.min_y), (b.max_x, b.max_y), (b.min_x, b.max_y))
        areas.append(Area(corners, SOILS[world.soil]))
    for share in (1.0, 0.6, 0.3):
        areas += [Area(corners, MOUND, 0.1) for corners in _strips(world, share)]
    return areas


def _strips(world: World, share: float) -> list[Polygon]:
    """Return the outline of a strip along each piece of the mounds' crests, a share of their width wide."""
    x1, y1, x2, y2 = world.mounds.crests.T
    length = np.maximum(np.hypot(x2 - x1, y2 - y1), 1e-9)
    across = share * world.mounds.half_width / length
    dx, dy = -(y2 - y1) * across, (x2 - x1) * across
    corners = np.stack([x1 + dx, y1 + dy, x2 + dx, y2 + dy, x2 - dx, y2 - dy, x1 - dx, y1 - dy], axis=1)
    return [tuple((row[k], row[k + 1]) for k in range(0, 8, 2)) for row in corners.tolist()]


def discs_of(world: World) -> tuple[Discs, ...]:
    """Return what stands in a field, and first what lies flat."""
    plants = world.plants
    if not len(plants):
        return ()
    places = np.stack([plants.x, plants.y, plants.radius], axis=1)
    parts = [(plants.is_flat, 2.0, FLAT)]
    parts += [(~plants.is_flat & (plants.kind == kind), spread, colour) for kind, (spread, colour) in LOOKS.items()]
    return tuple(Discs(places[rows] * [1.0, 1.0, spread], colour) for rows, spread, colour in parts if rows.any())
