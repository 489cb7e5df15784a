"""Who does not fit into another map: robots and boxes keep their places when one is loaded, and may then stand in a wall."""

from __future__ import annotations

from collections.abc import Sequence

from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Polygon
from mobilesim_py.world.clearance import contains, free_place_near, is_in_wall

MOST = 10
"""So many are named one by one."""


def misfits(simulation: Simulation) -> list[str]:
    """Say who stands in a wall of the world or outside of it, and where there would be room nearby."""
    world = simulation.world
    if not len(world.segments):
        return []
    found = [text for thing in simulation.things if (text := _misfit(simulation, thing))]
    more = len(found) - MOST
    return [*found[:MOST], *([f"... and {more} more do not fit into it either."] if more > 0 else [])]


def _misfit(simulation: Simulation, thing: Thing) -> str:
    world, pose, footprint = simulation.world, thing.pose, _footprint(thing)
    if not contains(world.bounds, pose):
        where = "outside of the new map"
    elif is_in_wall(world, footprint, pose):
        where = "in a wall of the new map"
    else:
        return ""
    better = free_place_near(world, footprint, pose)
    advice = f" The nearest free place is x={better.x:.2f}, y={better.y:.2f} m." if better else ""
    return f"{thing.name} stands {where}.{advice}"


def _footprint(thing: Thing) -> Sequence[Polygon]:
    if isinstance(thing, Robot):
        return () if thing.ghost else thing.model.body.footprint
    return (thing.box.outline,) if isinstance(thing, BoxBody) else ()
