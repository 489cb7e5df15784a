"""The facts of a CiberRato contest: the maze, the start places and the parameters, as the files say them.

Lengths and heights in u_m (one robot diameter), angles in radians unless a name says otherwise, times in cycles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

Point = tuple[float, float]

DEFAULT_SIDE = 16.0
DEFAULT_WALL_HEIGHT = 4.0
DEFAULT_TARGET_RADIUS = 2.0
DEFAULT_BEACON_HEIGHT = 0.0
DEFAULT_NAME = "NO NAMED LAB"


@dataclass(frozen=True, slots=True)
class Beacon:
    """A beacon that robots see over walls lower than itself."""

    x: float
    y: float
    height: float = DEFAULT_BEACON_HEIGHT


@dataclass(frozen=True, slots=True)
class Target:
    """A disc on the ground that the ground sensor detects."""

    x: float
    y: float
    radius: float = DEFAULT_TARGET_RADIUS


@dataclass(frozen=True, slots=True)
class Wall:
    """A polygon with a height; one of height 0 is a line on the ground that only the line sensor sees."""

    corners: tuple[Point, ...]
    height: float = DEFAULT_WALL_HEIGHT


@dataclass(frozen=True, slots=True)
class Lab:
    """A maze: its size, beacons, targets and walls; the border around it is not among the walls."""

    name: str = DEFAULT_NAME
    width: float = DEFAULT_SIDE
    height: float = DEFAULT_SIDE
    beacons: tuple[Beacon, ...] = ()
    targets: tuple[Target, ...] = ()
    walls: tuple[Wall, ...] = ()

    @property
    def border(self) -> Wall:
        """Return the wall around the maze, clockwise, so that none of its corners is convex."""
        return Wall(((0.0, 0.0), (0.0, self.height), (self.width, self.height), (self.width, 0.0)))


@dataclass(frozen=True, slots=True)
class StartPlace:
    """Where the robot of one number starts; heading in radians, from the x axis, anti-clockwise."""

    x: float
    y: float
    heading: float = 0.0


@dataclass(frozen=True, slots=True)
class Grid:
    """The start places; the place of index 0 belongs to the robot with Id 1."""

    places: tuple[StartPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a run: durations in cycles, noise as deviations, sensors and their requests, penalties."""

    sim_time: int = 1800
    key_time: int = 1350
    cycle_time_ms: int = 50
    compass_noise_deg: float = 2.0
    beacon_noise_deg: float = 2.0
    obstacle_noise: float = 0.1
    motors_noise_percent: float = 1.5
    gps: bool = False
    gps_linear_noise: float = 0.5
    gps_direction_noise_deg: float = 5.0
    line_sensor_true_probability: float = 0.98
    beacon_sensor: bool = False
    compass_sensor: bool = True
    score_sensor: bool = False
    show_actions: bool = True
    requests_per_cycle: int = 0
    obstacle_requestable: bool = False
    beacon_requestable: bool = False
    compass_requestable: bool = False
    ground_requestable: bool = False
    collision_requestable: bool = False
    obstacle_latency: int = 0
    beacon_latency: int = 0
    compass_latency: int = 0
    ground_latency: int = 0
    collision_latency: int = 0
    beacon_aperture: float = math.pi
    return_time_penalty: int = 25
    arrival_time_penalty: int = 100
    collision_wall_penalty: int = 2
    collision_robot_penalty: int = 2
    target_reward: int = 100
    home_reward: int = 100
    lab_file: str | None = None
    grid_file: str | None = None

    def with_flags(self, *, gps: bool = False, beacon: bool = False, compass: bool = False) -> Parameters:
        """Return these parameters with sensors switched on by flags of the command line; a flag never switches one off."""
        return replace(
            self,
            gps=self.gps or gps,
            beacon_sensor=self.beacon_sensor or beacon,
            compass_sensor=self.compass_sensor or compass,
        )


PARAMETER_ATTRIBUTES: dict[str, str] = {
    "SimTime": "sim_time",
    "KeyTime": "key_time",
    "CycleTime": "cycle_time_ms",
    "CompassNoise": "compass_noise_deg",
    "BeaconNoise": "beacon_noise_deg",
    "ObstacleNoise": "obstacle_noise",
    "MotorsNoise": "motors_noise_percent",
    "GPS": "gps",
    "GPSLinNoise": "gps_linear_noise",
    "GPSDirNoise": "gps_direction_noise_deg",
    "LineSensorTrueProb": "line_sensor_true_probability",
    "BeaconSensor": "beacon_sensor",
    "CompassSensor": "compass_sensor",
    "ScoreSensor": "score_sensor",
    "NRequestsPerCycle": "requests_per_cycle",
    "ObstacleRequestable": "obstacle_requestable",
    "BeaconRequestable": "beacon_requestable",
    "CompassRequestable": "compass_requestable",
    "GroundRequestable": "ground_requestable",
    "CollisionRequestable": "collision_requestable",
    "ObstacleLatency": "obstacle_latency",
    "BeaconLatency": "beacon_latency",
    "CompassLatency": "compass_latency",
    "GroundLatency": "ground_latency",
    "CollisionLatency": "collision_latency",
    "collisionLatency": "collision_latency",
    "BeaconAperture": "beacon_aperture",
    "ReturnTimePenalty": "return_time_penalty",
    "ArrivalTimePenalty": "arrival_time_penalty",
    "CollisionWallPenalty": "collision_wall_penalty",
    "CollisionRobotPenalty": "collision_robot_penalty",
    "TargetReward": "target_reward",
    "HomeReward": "home_reward",
    "Lab": "lab_file",
    "Grid": "grid_file",
}
"""Which attribute of a parameter file sets which field."""

IGNORED_PARAMETER_ATTRIBUTES = frozenset({"ShowActions", "NBeacons"})
"""Attributes that are written to parameter files but never read: flags and the lab determine them."""

FIELD_KINDS: dict[str, str] = {field.name: str(field.type) for field in fields(Parameters)}
"""The kind of each field of `Parameters`: bool, int, float or a file's name."""
