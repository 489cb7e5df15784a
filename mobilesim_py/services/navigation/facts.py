"""What pilots are doing, as JSON says it: for the page and the API."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from mobilesim_py.geometry import Point
from mobilesim_py.services.panelled import Facts

if TYPE_CHECKING:
    from mobilesim_py.navigation.planning import Goal
    from mobilesim_py.services.navigation.pilots import Pilot

_STRAIGHT = 1e-6
"""Sine of the bend below which a place on a path is no corner."""


class Corners:
    """The corners of the paths that robots follow, found once for each plan."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Pilot, tuple[int, list[list[float]]]] = WeakKeyDictionary()

    def of(self, pilot: Pilot) -> list[list[float]]:
        """Return the corners of a pilot's path [m]; empty without one."""
        navigator = pilot.navigator
        if navigator.goal is None:
            return []
        known = self._known.get(pilot)
        if known is None or known[0] != navigator.plans:
            found = [[round(x, 3), round(y, 3)] for x, y in corners(navigator.path)]
            known = self._known[pilot] = (navigator.plans, found)
        return known[1]


def corners(path: list[Point]) -> list[Point]:
    """Return the places where a path bends, and its ends."""
    if len(path) < 3:
        return path
    found = [path[0]]
    for (ax, ay), (bx, by), (cx, cy) in zip(path, path[1:], path[2:], strict=False):
        cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        if abs(cross) > _STRAIGHT * math.hypot(bx - ax, by - ay) * math.hypot(cx - bx, cy - by):
            found.append((bx, by))
    return [*found, path[-1]]


def goal_facts(pilot: Pilot | None, known: Corners) -> Facts:
    """Return what a pilot is doing; None is a pilot that was never given a goal."""
    if pilot is None:
        return {"phase": "idle", "goal": None, "path": [], "remaining": 0.0, "last": None}
    navigator, ending = pilot.navigator, pilot.ending
    goal = navigator.goal
    return {
        "id": pilot.robot.serial,
        "name": pilot.robot.name,
        "phase": navigator.phase.value,
        "goal": _place(goal) if goal is not None else None,
        "path": known.of(pilot),
        "remaining": round(navigator.remaining, 1),
        "last": (
            {"goal": _place(ending.goal), "outcome": ending.outcome.value, "why": ending.why} if ending is not None else None
        ),
    }


def _place(goal: Goal) -> Facts:
    return {name: _number(value) for name, value in (("x", goal.x), ("y", goal.y), ("heading", goal.heading))}


def _number(value: float | None) -> float | None:
    return round(value, 4) if value is not None and math.isfinite(value) else None
