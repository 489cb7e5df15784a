"""Flat polygons in a picture: the sides of mounds, walls and obstacles, and bodies. Metres and radians."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.cameras.optics import Eye
from mobilesim_py.geometry import FloatArray
from mobilesim_py.world.obstacles import Made
from mobilesim_py.world.plants import Mounds, mound_profile
from mobilesim_py.world.world import World

IntArray = npt.NDArray[np.int64]

NEAR = 0.05
"""Facets are cut off where they come nearer than this [m]."""
CORNERS = 5
"""A quadrilateral that is cut off has at most so many."""
MOST_WALLS = 4000
"""Only so many of the nearest walls are drawn."""
_STATIONS = np.array([-1.0, -0.6, -0.25, 0.25, 0.6, 1.0])
"""Where the profile of a mound is bent, as shares of its half width."""
_SUN = np.array([0.35, 0.5, 0.79])
_SOIL = 0
"""The colour of a facet that has the texture of the soil."""
WALL_COLOUR, OBSTACLE_COLOUR, BODY_COLOUR = 0xFFC8CCD0, 0xFF5078A0, 0xFF30A0E0
"""Packed as texels: blue, green, red from the upper byte on."""


class Solids(NamedTuple):
    """Upright walls that the world does not know: the outlines of bodies."""

    ends: FloatArray
    """N x 4: x1 y1 x2 y2 [m]."""
    height: FloatArray
    """[m]."""


NO_SOLIDS = Solids(np.empty((0, 4)), np.empty(0))


class Facets(NamedTuple):
    """Convex polygons as they appear in a picture."""

    corners: FloatArray
    """N x CORNERS x 2: columns and rows [px]; the last corner is repeated where there are fewer."""
    nearness: FloatArray
    """N x 3: 1 / depth of a pixel (u, v) is a + b * u + c * v [1/m]."""
    colour: IntArray
    """Packed as texels; 0 is the soil's texture."""
    light: IntArray
    """Of 256."""


def facets_of(world: World, eye: Eye, reach: float, solids: Solids) -> Facets:
    """Return the facets that may be in a picture: mounds, walls and obstacles of the world, and other solid bodies."""
    walls, wall_colour = _walls(world, eye, reach, solids)
    mounds = _mound_sides(world.mounds)
    quads = np.concatenate([mounds, walls])
    colour = np.concatenate([np.full(len(mounds), _SOIL, np.int64), wall_colour])
    normal = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    length = np.sqrt((normal * normal).sum(axis=1))
    # Walls are lit from both sides; mounds only from above.
    flip = np.where((normal[:, 2] < 0.0) | ((normal[:, 2] == 0.0) & (normal @ _SUN < 0.0)), -1.0, 1.0)
    light = np.clip(150.0 + 106.0 * flip * (normal @ _SUN) / np.maximum(length, 1e-12), 90.0, 256.0)
    return _projected(quads, colour, np.floor(light).astype(np.int64), eye)


def _mound_sides(mounds: Mounds) -> FloatArray:
    """Return the sides of mounds and their ends, N x 4 x 3."""
    if not len(mounds):
        return np.empty((0, 4, 3))
    start, end = mounds.crests[:, :2], mounds.crests[:, 2:]
    along = end - start
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    height = mounds.height * mound_profile(_STATIONS)
    rings = [
        np.concatenate([crest[:, None, :] + normal[:, None, :] * (mounds.half_width * _STATIONS)[:, None],
                        np.broadcast_to(height[:, None], (len(crest), len(height), 1))], axis=2)
        for crest in (start, end)
    ]  # fmt: skip
    first, last = rings
    sides = np.stack([first[:, :-1], last[:, :-1], last[:, 1:], first[:, 1:]], axis=2).reshape(-1, 4, 3)
    places = np.round(np.concatenate([start, end]), 6)
    _, inverse, count = np.unique(places, axis=0, return_inverse=True, return_counts=True)
    is_free = count[inverse.reshape(-1)] == 1
    ends = np.concatenate(rings)[is_free][:, [0, 2, 3, 5]]
    return np.concatenate([sides, ends])


def _walls(world: World, eye: Eye, reach: float, solids: Solids) -> tuple[FloatArray, IntArray]:
    """Return upright walls as quadrilaterals, N x 4 x 3, and their colours."""
    segments = world.segments
    is_wall = (segments.made != Made.PLANT) & (segments.stops > 0)
    if not is_wall.any() and not len(solids.ends):
        return np.empty((0, 4, 3)), np.empty(0, np.int64)
    chosen = segments[is_wall]
    ends = np.concatenate([chosen.ends, solids.ends])
    height = np.concatenate([chosen.height.astype(np.float64), solids.height])
    named = _painted(world)[is_wall]
    colour = np.concatenate([named, np.full(len(solids.ends), BODY_COLOUR, np.int64)])
    x, y = (ends[:, 0] + ends[:, 2]) / 2.0 - eye.x, (ends[:, 1] + ends[:, 3]) / 2.0 - eye.y
    far = np.sqrt(x * x + y * y) - np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) / 2.0
    near = np.argsort(far, kind="stable")[:MOST_WALLS]
    near = near[far[near] < reach]
    x1, y1, x2, y2 = ends[near].T
    zero, top = np.zeros(len(near)), height[near]
    corners = [(x1, y1, zero), (x2, y2, zero), (x2, y2, top), (x1, y1, top)]
    return np.stack([np.stack(corner, axis=1) for corner in corners], axis=1), colour[near]


def _painted(world: World) -> IntArray:
    """Return the colour of each segment of a world."""
    made = world.segments.made
    colours = np.where(made == Made.OBSTACLE, OBSTACLE_COLOUR, WALL_COLOUR).astype(np.int64)
    if not any(obstacle.colour for obstacle in world.obstacles):
        return colours
    first = len(made) - sum(len(obstacle.segments()) for obstacle in world.obstacles)
    for obstacle in world.obstacles:
        count = len(obstacle.segments())
        if obstacle.colour:
            number = int(obstacle.colour, 16)
            red, green, blue = number >> 16, number >> 8 & 255, number & 255
            colours[first : first + count] = 0xFF000000 | blue << 16 | green << 8 | red
        first += count
    return colours


def _projected(quads: FloatArray, colour: IntArray, light: IntArray, eye: Eye) -> Facets:
    """Return quadrilaterals as they appear in a picture; what is nearer than NEAR is cut off."""
    seen = eye.seen_from(quads.reshape(-1, 3)).reshape(-1, 4, 3)
    in_front = seen[..., 2] > NEAR
    some = np.flatnonzero(in_front.any(axis=1))
    polygons = np.empty((len(some), CORNERS, 3))
    polygons[:, :4], polygons[:, 4] = seen[some], seen[some, 3]
    for row in np.flatnonzero(~in_front[some].all(axis=1)).tolist():
        cut = _cut(seen[some[row]])
        polygons[row] = cut + [cut[-1]] * (CORNERS - len(cut))
    u, v = eye.centre
    corners = polygons[..., :2] / polygons[..., 2:] * eye.focal + (u, v)
    # The plane through the facet: n . p = c gives 1 / depth = n . (a, b, 1) / c, and a and b are linear in the pixel.
    quad = seen[some]
    normal = np.cross(quad[:, 2] - quad[:, 0], quad[:, 3] - quad[:, 1])
    distance = (normal * quad.mean(axis=1)).sum(axis=1)
    low, high = corners.min(axis=1), corners.max(axis=1)
    visible = (low[:, 0] < eye.width) & (high[:, 0] >= 0) & (low[:, 1] < eye.height) & (high[:, 1] >= 0)
    visible &= np.abs(distance) > 1e-12
    n = normal[visible] / distance[visible, None]
    slope = n[:, :2] / eye.focal
    nearness = np.stack([n[:, 2] - slope[:, 0] * u - slope[:, 1] * v, slope[:, 0], slope[:, 1]], axis=1)
    depth = polygons[visible, :, 2].min(axis=1)
    order = np.argsort(depth, kind="stable")
    kept = some[visible][order]
    return Facets(np.ascontiguousarray(corners[visible][order]), nearness[order], colour[kept], light[kept])


def _cut(corners: FloatArray) -> list[FloatArray]:
    """Return a convex polygon of the camera's frame without what is nearer than NEAR."""
    kept: list[FloatArray] = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if a[2] > NEAR:
            kept.append(a)
        if (a[2] > NEAR) != (b[2] > NEAR):
            kept.append(a + (b - a) * ((NEAR - a[2]) / (b[2] - a[2])))
    return kept
