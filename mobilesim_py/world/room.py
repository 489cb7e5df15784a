"""Which poses are free for an outline, among obstacles and bodies that are there already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.geometry import FloatArray, Polygon, Pose, circle_of, overlaps, placed, radius_of, shape_of

if TYPE_CHECKING:
    from mobilesim_py.world.surroundings import Surroundings


class Taken:
    """Bodies that are in the world already: a circle around each [m], and its outlines on demand."""

    def __init__(
        self, x: FloatArray, y: FloatArray, radius: FloatArray, outlines: Callable[[int], Sequence[Polygon]]
    ) -> None:
        self.x, self.y, self.radius = x, y, radius
        self.outlines = outlines
        """The polygons of thing number k, as they stand in the world."""

    @classmethod
    def by(cls, polygons: Sequence[Polygon]) -> Taken:
        """Return the bodies of polygons in the world's frame."""
        circles = np.array([circle_of(polygon) for polygon in polygons], dtype=np.float64).reshape(-1, 3)
        return cls(circles[:, 0], circles[:, 1], circles[:, 2], lambda k: (polygons[k],))

    def __len__(self) -> int:
        return len(self.x)

    @property
    def circles(self) -> FloatArray:
        """A copy of x, y and radius of each thing, 3 x N."""
        return np.stack([self.x, self.y, self.radius])


class Room:
    """Tells which poses are free for one footprint."""

    def __init__(self, surroundings: Surroundings, footprint: tuple[Polygon, ...]) -> None:
        self.surroundings = surroundings
        self.footprint = footprint
        self.radius = radius_of(footprint)
        self.half_width = max((abs(y) for polygon in footprint for _, y in polygon), default=0.0)
        """Half the width of its path when it drives straight ahead [m]."""

    def is_free(self, pose: Pose, taken: Taken) -> bool:
        """Tell whether the footprint at a pose touches nothing."""
        return self.is_vacant(pose, taken) and self.is_clear(pose)

    def is_vacant(self, pose: Pose, taken: Taken) -> bool:
        """Tell whether the footprint at a pose overlaps no other body."""
        close = np.flatnonzero(np.hypot(taken.x - pose.x, taken.y - pose.y) <= taken.radius + self.radius)
        bodies = self._bodies(pose)
        return not any(overlaps(bodies, taken.outlines(k)) for k in close.tolist())

    def is_clear(self, pose: Pose) -> bool:
        """Tell whether the footprint at a pose touches no wall, no point, no obstacle and no box."""
        bodies = self._bodies(pose)
        return not bodies or not self.surroundings.meets(shape_of(bodies))

    def has_air(self, x: float, y: float, air: float, taken: Taken) -> bool:
        """Tell whether the circle around the footprint, with some clearance, meets no other body."""
        reach = taken.radius + self.radius + air
        return bool(((taken.x - x) ** 2 + (taken.y - y) ** 2 > reach * reach).all())

    def _bodies(self, pose: Pose) -> list[Polygon]:
        return [placed(polygon, pose) for polygon in self.footprint]
