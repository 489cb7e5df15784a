"""The walls of a lab: what a ray meets first, what a disc touches, and whether a point lies on one."""

from __future__ import annotations

from mobilesim_py.formats.lab import Lab
from mobilesim_py.services.ciberrato import exact
from mobilesim_py.services.ciberrato.nearby import Close, Neighbourhoods
from mobilesim_py.services.ciberrato.sides import Sides


class Walls:
    """All walls of a lab, the border first."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.walls = [lab.border, *lab.walls]
        self.all = Sides(self.walls)
        self.solid = Sides([wall for wall in self.walls if wall.height > 0.0])
        self._higher: dict[float, Sides] = {}
        self.near = Close(lab.walls)
        self.around = Neighbourhoods(self.solid)

    def at_least(self, height: float) -> Sides:
        """Return the sides of the walls at least so high."""
        sides = self._higher.get(height)
        if sides is None:
            sides = self._higher[height] = Sides([wall for wall in self.walls if wall.height >= height])
        return sides

    def inside(self, x: float, y: float) -> bool:
        """Return whether a point lies inside a wall or a line, the border not among them."""
        return any(exact.contains(wall.corners, x, y) for wall in self.near.at(x, y))

    def touches(self, x: float, y: float, radius: float) -> bool:
        """Return whether a disc of at most `nearby.REACH` is nearer to a solid wall than its radius."""
        lab = self.lab
        if x < radius or y < radius or lab.width - x < radius or lab.height - y < radius:
            return exact.wall_distance(x, y, lab.border.corners) < radius
        return any(exact.wall_distance(x, y, wall.corners) < radius for wall in self.near.at(x, y) if wall.height > 0.0)

    def reachable(self, x: float, y: float, to_x: float, to_y: float) -> bool:
        """Return whether no wall crosses the straight way between two points."""
        wall, _ = self.solid.cast(x, y, exact.bearing(x, y, to_x, to_y))
        return not 0.0 <= wall < exact.distance(x, y, to_x, to_y)
