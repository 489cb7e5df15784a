"""Shadows: the robots of a game as bodies of the simulated world, so that page, pictures and movies show them.

The game moves them; in the world they only stand where it says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mobilesim_py.catalogue.model import BodyModel, DriveModel, RobotModel
from mobilesim_py.core.robot import Robot
from mobilesim_py.errors import MobileSimError
from mobilesim_py.geometry import Pose
from mobilesim_py.services.ciberrato.desk import Spot
from mobilesim_py.services.ciberrato.robot import RADIUS
from mobilesim_py.services.service import Stage

CORNERS = 24
_CIRCLE = tuple(
    (RADIUS * math.cos(angle), RADIUS * math.sin(angle)) for angle in (math.tau * k / CORNERS for k in range(CORNERS))
)
MODEL = RobotModel(
    "ciberrato",
    BodyModel((_CIRCLE,), (_CIRCLE,), (2.0 * RADIUS, 2.0 * RADIUS), obstacle=False),
    DriveModel(track=2.0 * RADIUS),
)


class Shadows:
    """The bodies of the robots of a game, by their numbers."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._bodies: dict[int, Robot] = {}

    def follow(self, spots: Sequence[Spot]) -> None:
        """Put the bodies where the robots are; who came gets one, who is gone loses it."""
        there = {spot.id for spot in spots}
        for number in [number for number in self._bodies if number not in there]:
            self._stage.remove(self._bodies.pop(number))
        for spot in spots:
            body = self._bodies.get(spot.id)
            if body is None:
                self._add(spot)
            else:
                body.place(spot.x, spot.y, spot.heading)

    def _add(self, spot: Spot) -> None:
        name = self._stage.unique_name(spot.name or f"robot {spot.id}")
        body = self._stage.add(MODEL, name, Pose(spot.x, spot.y, spot.heading))
        if not isinstance(body, Robot):  # a model that is no box makes a robot
            raise MobileSimError(f"{name} has no body.")
        self._bodies[spot.id] = body

    def body(self, number: int) -> Robot | None:
        """Return the body of a robot."""
        return self._bodies.get(number)

    def number_of(self, body: Robot) -> int | None:
        """Return whose body this is."""
        return next((number for number, own in self._bodies.items() if own is body), None)

    @property
    def bodies(self) -> list[Robot]:
        """Return all bodies."""
        return list(self._bodies.values())
