"""The pad of an Oz, drawn on the page: what is held on it goes out as the robot's remote, as long as it is in reach.

Where no client is there to make something of it, the left stick drives the robot itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mobilesim_py.protocols.naio import Dialect, Packet
from mobilesim_py.protocols.naio.hardware_packets import HaDs4Remote
from mobilesim_py.protocols.naio.manual_packets import ManualRemote
from mobilesim_py.services.panelled import OrderError

if TYPE_CHECKING:
    from mobilesim_py.services.oz.oz import Oz

LET_GO_SECONDS = 0.6
"""Whoever says nothing for so long has let go of the pad [real s]."""
MOST_POWER = 127
_STICKS = ("left_x", "left_y", "right_x", "right_y")
_BYTES = ("buttons", "shoulders", "l2", "r2")


@dataclass(frozen=True)
class Held:
    """What is held on a pad: sticks -127 to 127, to the right and away from the body positive; bits of buttons."""

    left_x: int = 0
    left_y: int = 0
    right_x: int = 0
    right_y: int = 0
    buttons: int = 0
    shoulders: int = 0
    l2: int = 0
    r2: int = 0


AT_REST = Held()


class Pad:
    """One robot's pad."""

    def __init__(self) -> None:
        self.on = False
        """Whether somebody has switched it on: only then packets go out."""
        self.held = AT_REST
        self.held_at = 0.0
        """When that was said last [real s]."""

    def take(self, wish: Mapping[str, Any], now: float) -> None:
        """Switch it on or off, and hold what an order says; OrderError."""
        on = wish.get("on", True)
        if not isinstance(on, bool):
            raise OrderError("on must be true or false.")
        held = Held(**{name: _value(wish, name, -MOST_POWER, MOST_POWER) for name in _STICKS})
        held = replace(held, **{name: _value(wish, name, 0, 255) for name in _BYTES})
        self.on, self.held, self.held_at = on, held if on else AT_REST, now

    def check(self, now: float) -> None:
        """Let go of everything that nobody has spoken of for long."""
        if now - self.held_at > LET_GO_SECONDS:
            self.held = AT_REST

    def packet(self, dialect: Dialect) -> Packet:
        """Return what the robot's receiver tells of it."""
        held = self.held
        values = {name: getattr(held, name) for name in (*_STICKS, *_BYTES)}
        return ManualRemote(**values) if dialect is Dialect.MANUAL else HaDs4Remote(battery=100, **values)

    def powers(self) -> tuple[int, int]:
        """Return the motor powers that the left stick means."""
        ahead, aside = self.held.left_y, self.held.left_x
        return _power(ahead + aside), _power(ahead - aside)


def is_in_reach(oz: Oz) -> bool:
    """Tell whether a pad held where the robot began reaches it."""
    robot = oz.robot
    reach = robot.reality.remote_range
    return reach <= 0.0 or math.dist((robot.pose.x, robot.pose.y), (robot.start.x, robot.start.y)) <= reach


def _power(value: int) -> int:
    return max(-MOST_POWER, min(MOST_POWER, value))


def _value(wish: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = wish.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise OrderError(f"{name} must be a whole number from {least} to {most}.")
    return value
