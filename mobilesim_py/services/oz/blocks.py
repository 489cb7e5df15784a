"""Blocks that people put into the field and take out again while it runs, 1 to 128 cm wide as in the program of 2015."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from mobilesim_py.geometry import placed, shape_of
from mobilesim_py.services.panelled import OrderError
from mobilesim_py.world.obstacles import Obstacle, Stops

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

SMALLEST, LARGEST = 1, 128
"""Edge of a block [cm]."""
MOST_BLOCKS = 500
"""What may be put down before all are taken away at once."""
KIND = "block"
_NAME = "placed block"
_FARTHEST = 10_000.0
"""Where a block can be [m]."""


class Blocks:
    """What was put down and taken away, so that it stays so when the field is as at the start again."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._made = 0
        self._placed: dict[str, Obstacle] = {}
        self._gone: set[str] = set()
        """Names of blocks of the map, and of placed ones, that were taken away."""

    @property
    def count(self) -> int:
        """How many blocks stand in the world."""
        return sum(1 for block in self._simulation.world.obstacles if _stands(block))

    def place(self, x: float, y: float, size_cm: float) -> str:
        """Put a block down, its middle at a place [m]; return its name. OrderError."""
        import shapely

        if not SMALLEST <= size_cm <= LARGEST:
            raise OrderError(f"size must be {SMALLEST} to {LARGEST} cm.")
        if not (abs(x) <= _FARTHEST and abs(y) <= _FARTHEST):
            raise OrderError(f"x and y must be within {_FARTHEST:g} m of the origin.")
        if self._made >= MOST_BLOCKS:
            raise OrderError(f"{MOST_BLOCKS} blocks have been placed. Reset them before you place more.")
        half = size_cm / 200.0
        square = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        geometry = shape_of([square])
        for robot in self._simulation.robots:
            body = shape_of([placed(polygon, robot.pose) for polygon in robot.model.body.footprint])
            if shapely.intersects(body, geometry):
                raise OrderError(f"{robot.name} stands there.")
        self._made += 1
        block = Obstacle(geometry, f"{_NAME} {self._made}", KIND, height=size_cm / 100.0)
        self._placed[block.name] = block
        self._simulation.change_world(self._simulation.world.with_more(block))
        return block.name

    def remove(self, x: float, y: float) -> str:
        """Take away the block at a place, or the nearest within its own width; return its name. OrderError."""
        import shapely

        place = shape_of([((x, y),)])
        best, nearest = None, math.inf
        for block in self._simulation.world.obstacles:
            if _stands(block) and (distance := float(shapely.distance(block.geometry, place))) < nearest:
                best, nearest = block, distance
        if best is None or nearest > max(0.1, 0.5 * best.height):
            raise OrderError("There is no block there.")
        self._take_away(best.name)
        return best.name

    def reset(self) -> int:
        """Take all blocks away; return how many there were."""
        world = self._simulation.world
        names = [block.name for block in world.obstacles if _stands(block)]
        own = {name for name in names if name not in self._placed}
        rest = tuple(block for block in world.obstacles if block.name not in self._placed)
        if names or self._placed:
            self._simulation.change_world(replace(world, obstacles=rest).without(*own))
        self._gone = {name for name in self._gone if name not in self._placed} | own
        self._placed.clear()
        self._made = 0
        return len(names)

    def apply_again(self) -> None:
        """Do it all again, after the world was restored."""
        world = self._simulation.world
        if self._placed:
            world = world.with_more(*self._placed.values())
        if self._gone:
            world = world.without(*self._gone)
        if world is not self._simulation.world:
            self._simulation.change_world(world)

    def forget(self) -> None:
        """Begin anew, in another world."""
        self._made = 0
        self._placed.clear()
        self._gone.clear()

    def _take_away(self, *names: str) -> None:
        self._gone.update(names)
        self._simulation.change_world(self._simulation.world.without(*names))


def _stands(block: Obstacle) -> bool:
    return block.kind == KIND and block.stops != Stops.NOTHING
