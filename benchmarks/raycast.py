"""Rays per second by engine, map and number of robots, checked against an independent brute force."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from benchmarks.figures import RayRate
from benchmarks.inside import engine_named, repeat, simulation_of
from benchmarks.workshop import Workshop
from mobilesim_py.core.devices.laser import LASER, Laser
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation

Array = npt.NDArray[np.float64]
CHUNK = 2048
"""Segments that are intersected with all rays of a robot at a time."""


def raycast(shop: Workshop) -> None:
    """Measure repeated scans of all robots, without noise, so that they can be checked."""
    for name in shop.engines:
        engine = engine_named(name)
        for ground in (shop.building, shop.hall):
            for robots in shop.sizes.ray_robots:
                simulation = simulation_of(engine, ground, robots, laser=True, noise=False)

                def scan(simulation: Simulation = simulation) -> int:
                    simulation.forget_readings()
                    return int(simulation.readings(LASER).ranges.size)

                rays = scan()
                rate = repeat(scan, shop.sizes.busy_seconds / 4) * rays
                error = worst_error(simulation, shop.sizes.checked_robots)
                shop.say(f"{name} engine, {robots} robots, {ground.name}: {rate / 1e6:.2f} million rays a second")
                shop.rays.append(RayRate(name, ground.name, robots, rate, error))


def worst_error(simulation: Simulation, robots: int) -> float:
    """Return the largest difference between the ranges of the first robots and the brute force [m]."""
    worst = 0.0
    for robot in simulation.robots[:robots]:
        expected = brute_force(simulation, robot)
        worst = max(worst, float(np.abs(robot.lasers[0].ranges - expected).max()))
    return worst


def brute_force(simulation: Simulation, robot: Robot) -> Array:
    """Intersect every beam of a robot's laser with every wall and every side of every other robot, by Cramer's rule."""
    unit = robot.lasers[0]
    fields = simulation.table(LASER).matrix[:, unit.column]
    pose = robot.pose
    c, s = math.cos(pose.heading), math.sin(pose.heading)
    origin_x = pose.x + fields[Laser.X] * c - fields[Laser.Y] * s
    origin_y = pose.y + fields[Laser.X] * s + fields[Laser.Y] * c
    angles = pose.heading + fields[Laser.HEADING] + unit.start + unit.increment * np.arange(unit.count)
    along_x, along_y = np.cos(angles)[:, None], np.sin(angles)[:, None]
    nearest = np.full(unit.count, float(fields[Laser.RANGE_MAX]))
    segments = np.concatenate([simulation.world.segments.ends, *_sides(simulation, robot)])
    for first in range(0, len(segments), CHUNK):
        x1, y1, x2, y2 = (segments[first : first + CHUNK] - [origin_x, origin_y, origin_x, origin_y]).T
        wide, high = x2 - x1, y2 - y1
        # origin + t * along = end1 + u * (end2 - end1)
        with np.errstate(divide="ignore", invalid="ignore"):
            determinant = along_y * wide - along_x * high
            t = (y1 * wide - x1 * high) / determinant
            u = (along_x * y1 - along_y * x1) / determinant
        t[~((t >= 0.0) & (u >= 0.0) & (u <= 1.0))] = np.inf
        nearest = np.minimum(nearest, t.min(axis=1))
    return nearest


def _sides(simulation: Simulation, but: Robot) -> list[Array]:
    """Return the outlines of all other robots as segments."""
    sides = []
    for robot in simulation.robots:
        if robot is but:
            continue
        pose = robot.pose
        c, s = math.cos(pose.heading), math.sin(pose.heading)
        for polygon in robot.model.body.outline:
            corners = np.array(polygon) @ np.array([[c, s], [-s, c]]) + [pose.x, pose.y]
            sides.append(np.hstack([corners, np.roll(corners, -1, axis=0)]))
    return sides
