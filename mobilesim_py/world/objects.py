"""Objects of a map that are not obstacles: areas, lines and places, in metres and radians, for display and as targets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from mobilesim_py.geometry import Polygon, Pose, shape_of

if TYPE_CHECKING:
    import shapely


class Shape(Enum):
    """How an object is drawn."""

    PLACE = "place"
    LINE = "line"
    AREA = "area"


@dataclass(frozen=True)
class MapObject:
    """A goal, a dock, a forbidden area ...; `corners` are a line's two ends or an area's corners as they lie."""

    kind: str
    name: str
    pose: Pose
    corners: Polygon = ()
    shape: Shape = Shape.PLACE
    has_heading: bool = False
    description: str = ""
    colour: str = ""
    """`0xrrggbb` of the definition of its kind, if there is one."""

    @property
    def geometry(self) -> shapely.Geometry:
        """The place, line or area."""
        return shape_of([self.corners or ((self.pose.x, self.pose.y),)])
