"""What viewers must be told anew of a world: all of another map, else only the walls or plants that have changed."""

from __future__ import annotations

from mobilesim_py.view.page import frames
from mobilesim_py.world.obstacles import Made
from mobilesim_py.world.world import World, empty_world


class PlaceNews:
    """The world that viewers see, and numbers that rise with what has changed of it."""

    def __init__(self) -> None:
        self.map = 0
        """Of the map."""
        self.walls = 0
        """Of its walls and obstacles."""
        self.plants = 0
        """Of its plants, for they may be very many."""
        self.flat = 0
        """Of which of them lie flat."""
        self._world: World = empty_world()
        self._packed: dict[frames.Kind, bytes] = {}

    def take(self, world: World) -> None:
        """Look at the world of now: what is the same object as before has not changed."""
        before, self._world = self._world, world
        is_other = self.map == 0 or world.objects is not before.objects or world.bounds is not before.bounds
        if is_other:
            self.map += 1
        if is_other or world.walls is not before.walls or world.obstacles is not before.obstacles:
            self.walls += 1
            self._packed.pop(frames.Kind.WALLS, None)
        if is_other or world.plants.x is not before.plants.x:
            self.plants += 1
            self._packed.pop(frames.Kind.PLANTS, None)
        if is_other or world.plants is not before.plants:
            self.flat += 1
            self._packed.pop(frames.Kind.FLAT, None)
            self._packed.pop(frames.Kind.PLANTS, None)

    @property
    def wall_bytes(self) -> bytes:
        """Return all that stands still and can be hit, but for plants."""
        if frames.Kind.WALLS not in self._packed:
            segments = self._world.segments
            if len(self._world.plants):
                segments = segments[segments.made != Made.PLANT]
            self._packed[frames.Kind.WALLS] = frames.pack_walls(segments, self.map)
        return self._packed[frames.Kind.WALLS]

    @property
    def plant_bytes(self) -> bytes:
        """Return the plants, and how they lie."""
        if frames.Kind.PLANTS not in self._packed:
            self._packed[frames.Kind.PLANTS] = frames.pack_plants(self._world.plants, self.map)
        return self._packed[frames.Kind.PLANTS]

    @property
    def flat_bytes(self) -> bytes:
        """Return which plants lie flat."""
        if frames.Kind.FLAT not in self._packed:
            self._packed[frames.Kind.FLAT] = frames.pack_flat(self._world.plants, self.map)
        return self._packed[frames.Kind.FLAT]
