"""Boxes: obstacles that can be moved while the simulation runs, each with its own set of what it stops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mobilesim_py.geometry import Polygon, Pose, edges_of, placed, shape_of
from mobilesim_py.world.obstacles import ORDINARY_REFLECTANCE, Segments, Stops

if TYPE_CHECKING:
    import shapely

BOX = "box"
BOX_COLOUR = "light green"
BOX_HEIGHT = 1.0
"""Default height of a box [m]."""


@dataclass(frozen=True)
class Box:
    """A box at a pose; the outline is in its own frame [m]."""

    name: str
    pose: Pose
    outline: Polygon
    stops: Stops = Stops.ALL
    reflectance: int = ORDINARY_REFLECTANCE
    colour: str = BOX_COLOUR
    kind: str = BOX
    height: float = BOX_HEIGHT
    pushable: bool = False
    """Whether robots that drive against it push it before them."""

    @property
    def corners(self) -> Polygon:
        """The outline as it stands in the world [m]."""
        return placed(self.outline, self.pose)

    @property
    def geometry(self) -> shapely.Geometry:
        """The place that it takes in the world."""
        return shape_of([self.corners])

    def moved(self, pose: Pose) -> Box:
        """Return the same box at another pose."""
        return replace(self, pose=pose)

    def segments(self) -> Segments:
        """Return the edges as obstacles."""
        return Segments.build(edges_of(self.corners), self.stops, self.reflectance, height=self.height)
