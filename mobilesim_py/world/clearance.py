"""Whether something would stand in a wall, and where it would not: for warnings and refusals, with the walls nearby only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.world.room import Room
from mobilesim_py.world.world import Bounds, World

FARTHEST = 5.0
"""How far from a place a better one is looked for [m]."""
RASTER = 0.05
"""Better places are multiples of this [m], which people can type."""
_RING = 0.1


def is_in_wall(world: World, footprint: Sequence[Polygon], pose: Pose) -> bool:
    """Tell whether a footprint at a pose touches a wall, a point or an obstacle; boxes can be pushed and do not count."""
    return not _room(world, footprint, pose).is_clear(pose)


def free_place_near(world: World, footprint: Sequence[Polygon], pose: Pose) -> Pose | None:
    """Return the place nearest to a pose, inside the map and with the same heading, that touches no wall; None if far."""
    bounds = world.bounds
    near = Pose(_clamped(pose.x, bounds.min_x, bounds.max_x), _clamped(pose.y, bounds.min_y, bounds.max_y), pose.heading)
    room = _room(world, footprint, near)
    return next((place for place in _rings(near) if contains(bounds, place) and room.is_clear(place)), None)


def contains(bounds: Bounds, pose: Pose) -> bool:
    """Tell whether a place is inside of bounds."""
    return bounds.min_x <= pose.x <= bounds.max_x and bounds.min_y <= pose.y <= bounds.max_y


def _room(world: World, footprint: Sequence[Polygon], about: Pose) -> Room:
    from mobilesim_py.world.surroundings import Surroundings  # which imports shapely: not every start needs it

    return Room(Surroundings(replace(world, boxes=()), (about.x, about.y)), tuple(footprint))


def _rings(about: Pose) -> Iterator[Pose]:
    """Go through places about one, the nearest first."""
    for ring in range(int(FARTHEST / _RING) + 1):
        radius = ring * _RING
        count = max(1, math.ceil(math.tau * radius / (2.0 * _RING)))
        for k in range(count):
            angle = math.tau * k / count
            x, y = about.x + radius * math.cos(angle), about.y + radius * math.sin(angle)
            yield Pose(round(x / RASTER) * RASTER, round(y / RASTER) * RASTER, about.heading)


def _clamped(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)
