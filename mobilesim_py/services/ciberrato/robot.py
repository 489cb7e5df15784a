"""A robot of the contest: its body's state, what its agent ordered, what its sensors last said, and how it stands."""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import Generic, TypeVar

from mobilesim_py.formats.lab import StartPlace
from mobilesim_py.protocols.ciber import Actions, Scores

RADIUS = 0.5
MAX_POWER = 0.15

T = TypeVar("T")


class State(Enum):
    """What a robot is doing; the value is the word on the wire."""

    STOPPED = "Stopped"
    RUNNING = "Running"
    WAITING = "Waiting"
    RETURNING = "Returning"
    FINISHED = "Finished"
    REMOVED = "Removed"


class Delayed(Generic[T]):
    """A sensor's value as it was some cycles ago; before that, what it starts with."""

    __slots__ = ("_waiting", "value")

    def __init__(self, first: T, latency: int) -> None:
        self.value = first
        self._waiting: deque[T] | None = deque([first] * latency) if latency else None

    def push(self, value: T) -> None:
        """Take the value of this cycle, and show the one whose time has come."""
        if self._waiting is None:
            self.value = value
        else:
            self._waiting.append(value)
            self.value = self._waiting.popleft()


class Robot:
    """One robot; poses in u_m and radians, powers in u_m per cycle."""

    def __init__(self, number: int, name: str, place: StartPlace, angles: tuple[float, ...]) -> None:
        self.id, self.name, self.place, self.angles = number, name, place, angles
        self.x, self.y, self.heading = place.x, place.y, place.heading
        self.next_x, self.next_y, self.next_heading = place.x, place.y, place.heading
        self.speed = 0.0
        self.left_order = self.right_order = 0.0
        self.left_power = self.right_power = 0.0
        self.end_led = self.returning_led = self.visiting_led = False
        self.hit_wall = self.hit_robot = False
        self.beacon_height: float | None = None

        self.state = State.STOPPED
        self.state_before_stop = State.RUNNING
        self.removed = False

        self.received: Actions | None = None
        self.requested: set[str] = set()
        self.sensor_names: frozenset[str] = frozenset()
        self.request_count = 0
        self.say = ""

        self.scores = Scores()
        self.visited: list[bool] = []
        self.penalties = 0
        self.earned = 0
        self.hit_before = False
        self.visiting_before = self.false_visit = False
        self.returning_since = 0
        self.distance_at_return = 0.0
        self.path_index = 1
        self.path: list[tuple[int, int]] = []

        self.collision_sensor = Delayed(False, 0)
        self.ground_sensor = Delayed(-1, 0)
        self.compass_sensor = Delayed(0, 0)
        self.obstacle_sensors: list[Delayed[float]] = []
        self.beacon_sensors: list[Delayed[int | None]] = []
        self.shadows: dict[int, int | None] = {}
        self.gps = (0.0, 0.0)
        self.line = "0000000"

    @property
    def hit(self) -> bool:
        """Return whether the robot collides in this cycle."""
        return self.hit_wall or self.hit_robot

    def visit(self, target: int) -> None:
        """Remember that a target was visited."""
        self.visited[target] = True
        self.scores.visited_mask = "".join("1" if visited else "0" for visited in self.visited)

    def visited_all(self) -> bool:
        """Return whether no target is left."""
        return all(self.visited)
