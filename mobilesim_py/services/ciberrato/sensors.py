"""What robots sense in a cycle: obstacles, compass, beacons, GPS, ground and line, with their noise and their latency."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mobilesim_py.formats.lab import Beacon, Parameters, Target
from mobilesim_py.services.ciberrato import exact
from mobilesim_py.services.ciberrato.noise import Noise, Stream
from mobilesim_py.services.ciberrato.obstacles import (
    HALF_CONE,
    exact_obstacle_distance,
    obstacle_distances,
    sensor_pose,
    wrapped,
)
from mobilesim_py.services.ciberrato.robot import RADIUS, Delayed, Robot, State
from mobilesim_py.services.ciberrato.rules import Rules
from mobilesim_py.services.ciberrato.sides import Sides
from mobilesim_py.services.ciberrato.walls import Walls

TOUCHING = 0.01
NEAREST_MEASURE = 100.0
ROUNDING_DOUBT = 1e-6
"""A value this near to the edge of its rounding is computed once more, exactly."""

LINE_ELEMENTS = tuple((0.438, 3 * 0.08 - i * 0.08) for i in range(7))
"""Places of the line sensor's elements on the robot, front and left, in u_m."""


@dataclass(slots=True)
class Surroundings:
    """What sensing depends on and what stays the same during a run."""

    walls: Walls
    parameters: Parameters
    rules: Rules
    noise: Noise
    origin: tuple[float, float]
    """Where the GPS has the lab's corner."""
    carriers: list[Robot]
    """Robots that carry a beacon; their beacons come after those of the lab."""


def fit_sensors(robot: Robot, parameters: Parameters, beacons: int) -> None:
    """Give a robot the sensors that the parameters tell of, one beacon sensor for each beacon that is there now."""
    p = parameters
    robot.collision_sensor = Delayed(False, p.collision_latency)
    robot.ground_sensor = Delayed(-1, p.ground_latency)
    robot.compass_sensor = Delayed(0, p.compass_latency)
    robot.obstacle_sensors = [Delayed(0.0, p.obstacle_latency) for _ in robot.angles]
    robot.beacon_sensors = [Delayed[int | None](None, p.beacon_latency) for _ in range(beacons)]
    obstacles = (f"IRSensor{i}" for i in range(len(robot.angles)))
    robot.sensor_names = frozenset(
        ("Collision", "Ground", "Compass", "GPS", "LineSensor", *obstacles, *(f"Beacon{b}" for b in range(beacons)))
    )


def sense(robots: Sequence[Robot], around: Surroundings, tick: int) -> None:
    """Update the sensors of all robots that are there."""
    active = [robot for robot in robots if robot.state is not State.REMOVED]
    if not active:
        return
    for robot, distances in zip(active, obstacle_distances(active, around.walls), strict=True):
        robot.collision_sensor.push(robot.hit)
        robot.ground_sensor.push(ground_target(robot.x, robot.y, around.walls.lab.targets))
        robot.compass_sensor.push(_compass(robot, around, tick))
        for k, (sensor, distance) in enumerate(zip(robot.obstacle_sensors, distances, strict=True)):
            sensor.push(_obstacle(robot, k, distance, active, around, tick))
        robot.line = _line(robot, around, tick)
        if around.parameters.gps:
            robot.gps = _gps(robot, around, tick)
        if around.parameters.beacon_sensor:
            for b, beacon_sensor in enumerate(robot.beacon_sensors):
                beacon_sensor.push(_beacon(robot, b, around, tick))


def ground_target(x: float, y: float, targets: Sequence[Target]) -> int:
    """Return the last target that a robot stands on as a whole, or -1."""
    return next((i for i in reversed(range(len(targets))) if on_target(x, y, targets[i])), -1)


def on_target(x: float, y: float, target: Target) -> bool:
    """Return whether a robot stands on a target as a whole."""
    return exact.distance(target.x, target.y, x, y) <= target.radius - RADIUS


def _compass(robot: Robot, around: Surroundings, tick: int) -> int:
    value = robot.heading
    deviation = around.parameters.compass_noise_deg * math.pi / 180
    if deviation:
        value += around.noise.normal(robot.id, Stream.COMPASS, tick) * deviation
    return math.floor(wrapped(value) * 180 / math.pi + 0.5)


def _gps(robot: Robot, around: Surroundings, tick: int) -> tuple[float, float]:
    x, y = robot.x, robot.y
    deviation = around.parameters.gps_linear_noise
    if deviation:
        x += around.noise.normal(robot.id, Stream.GPS_X, tick) * deviation
        y += around.noise.normal(robot.id, Stream.GPS_Y, tick) * deviation
    origin = around.origin
    return math.floor((x + origin[0]) * 10.0 + 0.5) / 10.0, math.floor((y + origin[1]) * 10.0 + 0.5) / 10.0


def _line(robot: Robot, around: Surroundings, tick: int) -> str:
    near = around.walls.near.at(robot.x, robot.y)
    trust = around.parameters.line_sensor_true_probability
    if not near and trust >= 1.0:
        return "0000000"
    inside = [False] * len(LINE_ELEMENTS)
    if near:
        cos, sin = math.cos(robot.heading), math.sin(robot.heading)
        for i, (front, left) in enumerate(LINE_ELEMENTS):
            x, y = robot.x + (front * cos - left * sin), robot.y + (front * sin + left * cos)
            inside[i] = any(exact.contains(wall.corners, x, y) for wall in near)
    if trust < 1.0:
        uniform, number = around.noise.uniform, robot.id
        inside = [(uniform(number, Stream.LINE + i, tick) >= trust) != seen for i, seen in enumerate(inside)]
    return "".join(["1" if seen else "0" for seen in inside])


def _beacon(robot: Robot, number: int, around: Surroundings, tick: int) -> int | None:
    beacons = around.walls.lab.beacons
    if number < len(beacons):
        beacon = beacons[number]
    else:
        carrier = around.carriers[number - len(beacons)]
        beacon = Beacon(carrier.x, carrier.y, carrier.beacon_height or 0.0)
    bearing = exact.bearing(robot.x, robot.y, beacon.x, beacon.y)
    if _in_shadow(robot, number, beacon, bearing, around.walls.at_least(beacon.height)):
        return None
    value = wrapped(bearing - robot.heading)
    deviation = around.parameters.beacon_noise_deg * math.pi / 180
    if deviation:
        value = wrapped(value + around.noise.normal(robot.id, Stream.BEACON + number, tick) * deviation)
    return math.floor(value * 180.0 / math.pi + 0.5) if abs(value) <= around.parameters.beacon_aperture else None


def _in_shadow(robot: Robot, number: int, beacon: Beacon, bearing: float, sides: Sides) -> bool:
    """Return whether a wall hides a beacon; the one that did so last is asked first."""
    last = robot.shadows.get(number)
    if last is not None and sides.clearly_between(last, robot.x, robot.y, beacon.x, beacon.y):
        return True
    shadow, side = sides.cast(robot.x, robot.y, bearing)
    robot.shadows[number] = side
    return shadow != exact.NOTHING and shadow < exact.distance(robot.x, robot.y, beacon.x, beacon.y)


def _obstacle(
    robot: Robot, number: int, distance: float | None, others: Sequence[Robot], around: Surroundings, tick: int
) -> float:
    deviation = around.parameters.obstacle_noise
    error = around.noise.normal(robot.id, Stream.OBSTACLE + number, tick) * deviation if deviation else 0.0
    value = None if distance is None else _tenths(_seen(robot, number, distance, others), error)
    if value is None or abs(value - round(value)) < ROUNDING_DOUBT:
        value = _tenths(_seen(robot, number, exact_obstacle_distance(robot, number, around.walls), others), error)
    measure = math.floor(value) / 10.0
    limits = around.rules.obstacle_range
    return measure if limits is None else min(max(measure, limits[0]), limits[1])


def _tenths(distance: float, error: float) -> float:
    ideal = 1.0 / distance if distance > TOUCHING else NEAREST_MEASURE
    return 10.0 * (ideal + error) + 0.5


def _seen(robot: Robot, number: int, distance: float, others: Sequence[Robot]) -> float:
    """Return the distance to a wall or to a robot in the sensor's cone, whichever is nearer."""
    if len(others) == 1:
        return distance
    for other in others:
        # sensor and body reach half a unit each towards the other
        if other is robot or exact.distance(robot.x, robot.y, other.x, other.y) - 2.0 * RADIUS > distance:
            continue
        distance = exact.nearer(_robot_distance(*sensor_pose(robot, number), other), distance)
    return distance


def _robot_distance(x: float, y: float, heading: float, other: Robot) -> float:
    away = exact.distance(x, y, other.x, other.y)
    if away <= RADIUS:
        return 0.0
    delta = abs(heading - exact.bearing(x, y, other.x, other.y))
    if delta > math.pi:
        delta = 2 * math.pi - delta
    if delta > HALF_CONE + math.asin(RADIUS / away):
        return exact.NOTHING
    if delta <= HALF_CONE:
        return away - RADIUS
    beyond = delta - HALF_CONE
    aside = away * math.sin(beyond)
    return away * math.cos(beyond) - math.sqrt(max(0.0, RADIUS * RADIUS - aside * aside))
