"""What batteries lose while robots run, and get back at a dock. Nothing of it is reckoned where there is neither."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import TYPE_CHECKING

from mobilesim_py.geometry import Pose

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.core.simulation import Simulation

DOCK = "dock"
"""How the kinds of places where robots charge begin, in small letters."""
PERIOD = 0.5
"""How often batteries are looked at [s]."""
NEAR, ALIGNED, SLOW = 0.15, math.radians(10.0), 0.02
"""How near to the dock [m], how well aligned [rad] and how slow [m/s] a robot is that charges."""
SECONDS_PER_PERCENT = 36.0
EMPTY_VOLTS = 11.0
CHARGING_VOLTS, PER_CHARGE = 12.0, 2.2
"""Voltage while it charges: of an empty battery, and what a full one has more."""
FLOAT_VOLTS = 13.5


class Stage(IntEnum):
    """How a battery is charged."""

    NONE = 0
    BULK = 1
    OVERCHARGE = 2
    FLOAT = 3


_FROM = ((0.98, Stage.FLOAT), (0.80, Stage.OVERCHARGE), (0.0, Stage.BULK))
"""From which share of the full charge each stage is."""


class Power:
    """The batteries of one simulation as time passes."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.drain_hours = 0.0
        """In how many hours a full battery is empty; 0: never."""
        self.seconds_per_percent = SECONDS_PER_PERCENT
        """How long a dock charges for one percent [s]."""
        self._docks: tuple[object, tuple[Pose, ...]] | None = None
        self._reckoned = 0

    @property
    def docks(self) -> tuple[Pose, ...]:
        """The places where robots charge."""
        objects = self._simulation.world.objects
        if self._docks is None or self._docks[0] is not objects:
            places = tuple(thing.pose for thing in objects if thing.kind.lower().startswith(DOCK) and not thing.corners)
            self._docks = (objects, places)
        return self._docks[1]

    def after_step(self) -> None:
        """Let batteries lose and gain what is due."""
        if self.drain_hours <= 0.0 and not self.docks:
            return
        due = int(self._simulation.time / PERIOD + 1e-9)
        seconds = (due - self._reckoned) * PERIOD
        self._reckoned = due
        if seconds > 0.0:
            for robot in self._simulation.robots:
                self._reckon(robot, seconds)

    def _reckon(self, robot: Robot, seconds: float) -> None:
        battery = robot.battery
        if battery is None:
            return
        is_charging = (robot.wants_charge or robot.model.pioneer.charges_by_contact) and self._is_docked(robot)
        if is_charging:
            battery.store(battery.stored + seconds / (100.0 * self.seconds_per_percent))
            battery.charging = next(stage for share, stage in _FROM if battery.stored >= share)
        else:
            battery.charging = Stage.NONE
            if self.drain_hours > 0.0:
                battery.store(battery.stored - seconds / (3600.0 * self.drain_hours))
        if battery.volts is not None and (is_charging or self.drain_hours > 0.0):
            battery.show(self._volts(battery.stored, battery.charging, battery.model.volts or 0.0))

    def _volts(self, stored: float, stage: Stage, full: float) -> float:
        if stage is Stage.FLOAT:
            return FLOAT_VOLTS
        if stage is not Stage.NONE:
            return CHARGING_VOLTS + PER_CHARGE * stored
        return EMPTY_VOLTS + (full - EMPTY_VOLTS) * stored

    def _is_docked(self, robot: Robot) -> bool:
        pose, (forward, lateral, _) = robot.pose, robot.velocity
        if max(abs(forward), abs(lateral)) >= SLOW:
            return False
        return any(
            math.hypot(pose.x - dock.x, pose.y - dock.y) <= NEAR
            and abs(math.remainder(pose.heading - dock.heading, math.tau)) <= ALIGNED
            for dock in self.docks
        )
