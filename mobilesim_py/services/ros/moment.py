"""One moment of the running program, as the rows of the table see it: the time of ROS, and what was sensed for ROS clients.

Lasers and sonars are switched on and off by the clients of the robots' own protocols, who must not notice that somebody
subscribes to a scan. So what is off senses here, apart, with the same noise as if it were on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from mobilesim_py.core.devices.device import DeviceUnit, Readings
from mobilesim_py.core.devices.laser import LaserReadings, LaserUnit
from mobilesim_py.core.devices.sonar import SonarReadings, SonarUnit
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.map_grid import MapGrid
from mobilesim_py.world.obstacles import ByteArray, FloatArray

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from mobilesim_py.core.robot import Robot
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.geometry import Pose
    from mobilesim_py.services.ros.driving import Driving
    from mobilesim_py.services.ros.republishing import Republisher
    from mobilesim_py.services.ros.rows import Subject
    from mobilesim_py.services.service import Stage


class Moment:
    """The present; the hub keeps one and lets it go on."""

    def __init__(self, stage: Stage, *, simulated_time: bool, wall_clock: Callable[[], float] = time.time) -> None:
        self.stage = stage
        self.simulated_time = simulated_time
        """Whether stamps are simulated time, which `/clock` tells, rather than that of the wall clock."""
        self.client: Hashable = None
        """Who sent the message that is being obeyed."""
        self.driving: Driving
        """Who drives which robot; set by the hub."""
        self.subjects: Sequence[Subject] = ()
        """All robots, with the names of their frames."""
        self.spawned: set[int] = set()
        """The serials of robots and boxes that ROS clients have added."""
        self.located: Callable[[Robot], Pose | None] = lambda robot: None
        """Where a robot's own localisation says that it is in the map; None without one: then the true pose counts."""
        self.republishers: list[Republisher] = []
        """Whoever tells transforms to pages, the oldest first."""
        self._speeds: dict[Robot, tuple[float, float]] = {}
        self.log_lines: list[Message] = []
        """What has been logged since the last `/rosout`."""
        self._wall_clock = wall_clock
        self._map: MapGrid | None = None
        self._sensed: dict[str, _Apart] = {}
        self.stamp = self._now()

    @property
    def simulation(self) -> Simulation:
        """Everything that moves."""
        return self.stage.simulation

    def _now(self) -> Time:
        return Time.of(self.simulation.time if self.simulated_time else self._wall_clock())

    def go_on(self) -> Time:
        """Take the time of now for all stamps."""
        self.stamp = self._now()
        return self.stamp

    def header(self, frame: str) -> Message:
        """Return the header of a message of this moment."""
        return {"seq": self.simulation.tick & 0xFFFFFFFF, "stamp": self.stamp, "frame_id": frame}

    def acceleration(self, robot: Robot, forward: float) -> float:
        """Return how a robot's forward speed has changed since this was last asked [m/s2]."""
        now = self.simulation.time
        then, before = self._speeds.get(robot, (now, forward))
        self._speeds = {one: known for one, known in self._speeds.items() if one.column >= 0} | {robot: (now, forward)}
        return (forward - before) / (now - then) if now > then else 0.0

    @property
    def map(self) -> MapGrid:
        """The world as a grid, made when it is first asked for."""
        world = self.simulation.world
        if self._map is None or self._map.world is not world:
            self._map = MapGrid(world, self.stamp)
        return self._map

    # What is sensed

    def scan(self, laser: LaserUnit) -> tuple[FloatArray, ByteArray]:
        """Return ranges [m] and reflectances of a laser, whether or not it is on."""
        readings, row = self.look(laser)
        assert isinstance(readings, LaserReadings)
        return readings.ranges[row, : laser.count], readings.reflectance[row, : laser.count]

    def echoes(self, sonar: SonarUnit) -> FloatArray:
        """Return the ranges of a sonar ring [m], whether or not it is on."""
        readings, row = self.look(sonar)
        assert isinstance(readings, SonarReadings)
        return readings.ranges[row, : len(sonar.model.transducers)]

    def look(self, unit: DeviceUnit[Any]) -> tuple[Readings, int]:
        """Return what a device reads, whether or not it is on, and in which row."""
        kind = unit.kind
        if unit.on:
            readings: Readings = self.simulation.readings(kind)
            row = readings.row_of(unit.column)
            if row is not None:
                return readings, row
        apart = self._sensed.setdefault(kind.name, _Apart())
        return apart.look(unit, self.simulation)


class _Apart:
    """Units of one kind that are off, and sense for us: all that were asked for lately in one go."""

    def __init__(self) -> None:
        self._units: dict[DeviceUnit[Any], int] = {}
        """Units, and the tick at which each was last asked for."""
        self._state: tuple[int, int] = (-1, -1)
        self._readings: Readings | None = None

    def look(self, unit: DeviceUnit[Any], simulation: Simulation) -> tuple[Readings, int]:
        state = (simulation.tick, simulation.changes)
        known = unit in self._units
        self._units[unit] = simulation.tick
        if not known or state != self._state or self._readings is None:
            if state != self._state:
                recent = simulation.tick - _RECENT
                self._units = {
                    one: tick for one, tick in self._units.items() if tick >= recent and one.column >= 0 and not one.on
                } | {unit: simulation.tick}
            columns = np.array(sorted(one.column for one in self._units), np.int64)
            table = simulation.table(unit.kind)
            self._readings = unit.kind.sense(simulation.scene, columns, table, simulation.engine)
            self._state = state
        row = self._readings.row_of(unit.column)
        assert row is not None
        return self._readings, row


_RECENT = 2
"""Ticks after which a unit that nobody asked for does not sense any more."""
