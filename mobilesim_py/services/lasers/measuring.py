"""Scans for clients that speak to a laser directly, with rays of their own: the robot's client is not disturbed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.core.devices.draws import uniforms
from mobilesim_py.core.devices.laser import LASER, LaserUnit
from mobilesim_py.core.scene import Rays
from mobilesim_py.protocols.lasers.scanner import Beams, Scan
from mobilesim_py.world.obstacles import FloatArray, Stops

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.core.simulation import Simulation

NOISE = 48
"""Number of the first laser as a source of noise; the next ones have the next numbers."""


class Measurer:
    """Measures from where a laser of a robot is, once in a tick for all clients that want the same."""

    def __init__(self, simulation: Simulation, robot: Robot, number: int, reach: float) -> None:
        """`number` counts the robot's lasers from 1; `reach` [m] is that of the laser whose protocol is spoken."""
        self._simulation, self._robot = simulation, robot
        self._number, self._reach = number, reach
        self._known: tuple[int, int, Beams, Scan] | None = None

    def measure(self, beams: Beams) -> Scan:
        """Return what these beams meet now; nothing if the robot has lost its laser."""
        simulation = self._simulation
        moment = (simulation.tick, simulation.changes)
        if self._known is None or self._known[:2] != moment or self._known[2] != beams:
            self._known = (*moment, beams, self._scan(beams))
        return self._known[3]

    def _scan(self, beams: Beams) -> Scan:
        simulation, count = self._simulation, beams.count
        lasers = self._robot.units(LASER)
        ranges = np.full(count, math.inf)
        reflectance = np.zeros(count, np.uint8)
        if count and len(lasers) >= self._number:
            rays = self._rays(lasers[self._number - 1], beams)
            hits = simulation.engine.cast(simulation.scene, rays, int(Stops.LASER))
            met = hits.distance < self._reach
            ranges = np.where(met, np.maximum(hits.distance + self._errors(lasers[self._number - 1], count), 0.0), math.inf)
            reflectance = np.where(met, hits.reflectance, 0).astype(np.uint8)
        return Scan(ranges, reflectance, simulation.time, simulation.tick)

    def _rays(self, laser: LaserUnit, beams: Beams) -> Rays:
        place, robot, count = laser.model.pose, self._robot, beams.count
        pose = robot.pose
        sine, cosine = math.sin(pose.heading), math.cos(pose.heading)
        angles = np.radians(beams.first + beams.step * np.arange(count))
        # Upside down, it turns the other way round.
        angles = pose.heading + place.heading + (-angles if laser.model.reverse else angles)
        return Rays(
            np.full(count, pose.x + place.x * cosine - place.y * sine),
            np.full(count, pose.y + place.x * sine + place.y * cosine),
            np.cos(angles),
            np.sin(angles),
            np.full(count, self._reach),
            np.full(count, robot.column, np.int64),
        )

    def _errors(self, laser: LaserUnit, count: int) -> FloatArray:
        simulation = self._simulation
        if not simulation.noise:
            return np.zeros(count)
        drawn = uniforms(simulation.seed, self._robot.serial, NOISE + self._number, simulation.tick, count)
        return float(laser.model.range_noise) * drawn
