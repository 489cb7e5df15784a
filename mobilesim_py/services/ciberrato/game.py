"""The game: one maze, its robots and its referee, stepped a cycle at a time without clock or sockets.

A cycle goes: `begin_cycle`, `act` for every message of the agents, (the log), `register` and orders of the referee,
`advance`, what robots and viewers are told (`measures`, `view`), `settle`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mobilesim_py.formats.lab import Grid, Lab, Parameters, default_grid, default_lab
from mobilesim_py.protocols.ciber import (
    SAY_LIMIT,
    Actions,
    LogRobot,
    Measures,
    RobotBeaconRequest,
    RobotRequest,
    RobotView,
    log_entry,
)
from mobilesim_py.protocols.ciber.registration import DEFAULT_ANGLES
from mobilesim_py.services.ciberrato import exact, physics, sensors
from mobilesim_py.services.ciberrato.arena import field_warnings
from mobilesim_py.services.ciberrato.modes import places_with_loop, scoring_of
from mobilesim_py.services.ciberrato.noise import CounterNoise, Noise, Stream
from mobilesim_py.services.ciberrato.paths import DiscPaths
from mobilesim_py.services.ciberrato.robot import Robot, State
from mobilesim_py.services.ciberrato.rules import CIBERRATO, FIRST_ORIGIN, MAX_SCORE, Rules
from mobilesim_py.services.ciberrato.scoring import Field
from mobilesim_py.services.ciberrato.states import RunState, next_robot_state
from mobilesim_py.services.ciberrato.walls import Walls

HEARING_RANGE = 8.0
WORLD_SIDE = 1000.0
IDLE_TICKS = 1 << 40
"""Ticks of noise while time stands still; those of running cycles are the time, so a run repeats however long it waited."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game is played with."""

    lab: Lab
    grid: Grid
    parameters: Parameters
    rules: Rules = CIBERRATO
    scoring: int = 0


class Game:
    """A run of the contest, with all that its referee can do."""

    def __init__(self, setup: Setup | None = None, noise: Noise | None = None) -> None:
        """Make a game that waits for its robots; raise `NoLoopError` for a lab without the loop that a mode wants."""
        self.setup = setup or Setup(default_lab(), default_grid(), Parameters())
        self.lab, self.grid, self.rules = self.setup.lab, self.setup.grid, self.setup.rules
        self.parameters = self.rules.applied(self.setup.parameters)
        self.noise = noise or CounterNoise()
        walls = Walls(self.lab)
        field = Field(walls, DiscPaths(walls), self.parameters)
        self.paths = field.paths
        self.scoring = scoring_of(self.setup.scoring, self.rules, field)
        places = [(place.x, place.y) for place in self.grid.places]
        self._playable = places_with_loop(self.setup.scoring, self.rules, field, places)
        self._resets = 0
        origin = self._drawn_origin() if self.rules.drawn_origin else FIRST_ORIGIN
        self._around = sensors.Surroundings(walls, self.parameters, self.rules, self.noise, origin, [])
        self._forget()

    def _forget(self) -> None:
        self.robots: list[Robot | None] = [None] * len(self.grid.places)
        self.time = 0
        self.state = self.next_state = RunState.READY
        self.files: dict[str, str] = {}
        """What the scoring mode wants written, by name; filled when the run starts."""
        self._idle = 0
        self._around.carriers.clear()

    def _drawn_origin(self) -> tuple[float, float]:
        return (
            self.noise.uniform(0, Stream.ORIGIN_X, self._resets) * WORLD_SIDE,
            self.noise.uniform(0, Stream.ORIGIN_Y, self._resets) * WORLD_SIDE,
        )

    def prepare(self) -> None:
        """Find the ways home from everywhere before the run, which would else take the time of some cycles in it."""
        self.paths.prepare((place.x, place.y) for place in self.grid.places)

    def warnings(self) -> list[str]:
        """Return what the rules do not allow in this field, if they look at it."""
        return field_warnings(self.lab, self.grid, self.paths) if self.rules.checked_field else []

    @property
    def present(self) -> list[Robot]:
        """Return the registered robots, in the order of their numbers."""
        return [robot for robot in self.robots if robot is not None]

    # -- what a cycle begins with --------------------------------------------------------------------------------------

    def begin_cycle(self) -> None:
        """Forget what lasts one cycle only: requests, words, and that something was received."""
        for robot in self.present:
            robot.received = None
            robot.requested.clear()
            robot.request_count = 0
            robot.say = ""

    def act(self, number: int, actions: Actions) -> None:
        """Apply one message of the agent of a robot."""
        robot = self.robots[number - 1]
        if robot is None:
            return
        if actions.left_motor is not None:
            robot.left_order = physics.accepted_power(actions.left_motor, self.rules)
        if actions.right_motor is not None:
            robot.right_order = physics.accepted_power(actions.right_motor, self.rules)
        if actions.end_led is not None:
            robot.end_led = actions.end_led
        if actions.returning_led is not None:
            robot.returning_led = actions.returning_led
        if actions.visiting_led is not None:
            robot.visiting_led = actions.visiting_led
        robot.received = merged(robot.received, actions, robot)
        for name in actions.requests:
            self._request(robot, name)
        if actions.say is not None and len(actions.say) <= SAY_LIMIT:
            robot.say = actions.say

    def _request(self, robot: Robot, name: str) -> None:
        """Grant a request while there are some left; names of no sensor do not count."""
        if robot.request_count < self.parameters.requests_per_cycle and name in robot.sensor_names:
            robot.requested.add(name)
            robot.request_count += 1

    # -- the referee ---------------------------------------------------------------------------------------------------

    def register(self, request: RobotRequest | RobotBeaconRequest) -> int | None:
        """Put a robot on its place and return its number, or refuse it."""
        carries_beacon = isinstance(request, RobotBeaconRequest)
        if carries_beacon and (self.lab.beacons or self._around.carriers):
            return None
        if self.state is RunState.RUNNING:
            return None
        self.look()
        number = request.id or next((i for i, robot in enumerate(self.robots, start=1) if robot is None), 0)
        if not 1 <= number <= len(self.robots) or self.robots[number - 1] is not None or not self._playable[number - 1]:
            return None
        angles = request.angles if isinstance(request, RobotRequest) else DEFAULT_ANGLES
        robot = Robot(number, request.name, self.grid.places[number - 1], angles)
        sensors.fit_sensors(robot, self.parameters, len(self.lab.beacons) + len(self._around.carriers))
        robot.visited = [False] * len(self.lab.targets)
        robot.scores.visited_mask = "0" * len(robot.visited)
        robot.penalties = self.scoring.start_score()
        self.robots[number - 1] = robot
        if isinstance(request, RobotBeaconRequest):
            robot.beacon_height = request.height
            self._around.carriers.append(robot)
        return number

    def look(self) -> None:
        """Note that somebody is there, robot or viewer: a game that was only ready is now stopped."""
        if self.state is RunState.READY:
            self.next_state = RunState.STOPPED

    def start(self) -> None:
        """Let a stopped run go on."""
        if self.state is RunState.STOPPED:
            self.next_state = RunState.RUNNING

    def stop(self) -> None:
        """Interrupt a running run."""
        if self.state is RunState.RUNNING:
            self.next_state = RunState.STOPPED

    def reset(self) -> None:
        """Forget all robots and begin again; the GPS has a new origin."""
        self._resets += 1
        self._around.origin = self._drawn_origin()
        self._forget()

    def remove(self, number: int) -> bool:
        """Take a robot out of the maze at the end of this cycle; return whether there is one."""
        robot = self.robots[number - 1] if 1 <= number <= len(self.robots) else None
        if robot is not None:
            robot.removed = True
        return robot is not None

    def disqualify(self, number: int) -> bool:
        """Take a robot out of the maze with the worst score of the rules."""
        robot = self.robots[number - 1] if 1 <= number <= len(self.robots) else None
        if robot is None:
            return False
        robot.scores.score = robot.penalties = MAX_SCORE
        robot.removed, robot.state = True, State.REMOVED
        return True

    # -- the cycle itself ----------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Move the robots if the run is running, and let all sense."""
        robots = self.present
        if self.state is not RunState.RUNNING:
            self._idle += 1
            sensors.sense(robots, self._around, IDLE_TICKS + self._idle)
            return
        self.time += 1
        moving = [robot for robot in robots if robot.state is not State.REMOVED]
        physics.next_poses(moving, self.parameters.motors_noise_percent, self.noise, self.time, self.rules)
        physics.find_collisions(moving, self._around.walls)
        physics.commit(moving)
        sensors.sense(moving, self._around, self.time)
        for robot in moving:
            robot.scores.collision = robot.hit
            if robot.state is not State.FINISHED:
                self.scoring.update(robot, self.time)

    def settle(self) -> str | None:
        """Let states change at the end of a cycle; return the last entry of the log when the time is over."""
        last = None
        sim_time = self.parameters.sim_time
        if 0 < sim_time <= self.time:
            self.next_state = RunState.FINISHED
            last = self.log_entry(with_actions=False) if self.state is RunState.RUNNING else None
        self.state = self.next_state
        for robot in self.present:
            was_stopped = robot.state is State.STOPPED
            robot.state = next_robot_state(robot, self.state, self.scoring)
            if was_stopped and robot.state is State.RUNNING and self.time == 0:
                self.files.update(self.scoring.begin(robot))
        return last

    # -- what others are told ------------------------------------------------------------------------------------------

    def measures(self, robot: Robot) -> Measures:
        """Return what a robot's agent is told in this cycle."""
        p, asked = self.parameters, robot.requested
        told = self.all_measures(robot)
        if p.collision_requestable and "Collision" not in asked:
            told.collision = None
        if not p.compass_sensor or (p.compass_requestable and "Compass" not in asked):
            told.compass = None
        if p.ground_requestable and "Ground" not in asked:
            told.ground = None
        if p.obstacle_requestable:
            told.obstacles = [(i, value) for i, value in told.obstacles if f"IRSensor{i}" in asked]
        if p.beacon_requestable:
            told.beacons = [(i, value) for i, value in told.beacons if f"Beacon{i}" in asked]
        if p.score_sensor:
            told.scores = robot.scores
        told.messages = self._heard(robot)
        return told

    def all_measures(self, robot: Robot) -> Measures:
        """Return what a robot's sensors say, asked or not."""
        p = self.parameters
        return Measures(
            self.time,
            robot.collision_sensor.value,
            robot.compass_sensor.value,
            robot.ground_sensor.value,
            [(i, sensor.value) for i, sensor in enumerate(robot.obstacle_sensors)],
            [(i, sensor.value) for i, sensor in enumerate(robot.beacon_sensors)] if p.beacon_sensor else (),
            robot.gps if p.gps else None,
            robot.line,
            (),
            None,
            robot.end_led,
            robot.returning_led,
            robot.visiting_led,
            self.next_state is RunState.RUNNING,
            self.next_state is RunState.STOPPED,
        )

    def _heard(self, robot: Robot) -> list[tuple[int, str]]:
        return [
            (other.id, other.say)
            for other in self.present
            if other.say and exact.distance(other.x, other.y, robot.x, robot.y) < HEARING_RANGE
        ]

    def view(self, robot: Robot) -> RobotView:
        """Return a robot as viewers see it."""
        heading_deg = robot.heading * (180 / math.pi)
        return RobotView(robot.name, robot.id, self.time, robot.scores, robot.state.value, robot.x, robot.y, heading_deg)

    def log_entry(self, with_actions: bool = True) -> str:
        """Return the log's entry for the robots as they are now."""
        robots = (
            LogRobot(self.view(robot), robot.received if with_actions else None, self.all_measures(robot))
            for robot in self.present
        )
        return log_entry(self.time, robots)


def merged(before: Actions | None, now: Actions, robot: Robot) -> Actions:
    """Return what a robot received in a cycle so far, motors as they were accepted; what comes later counts."""
    left = None if now.left_motor is None else robot.left_order
    right = None if now.right_motor is None else robot.right_order
    if before is None:
        return Actions(left, right, now.end_led, now.returning_led, now.visiting_led)
    return Actions(
        before.left_motor if left is None else left,
        before.right_motor if right is None else right,
        before.end_led if now.end_led is None else now.end_led,
        before.returning_led if now.returning_led is None else now.returning_led,
        before.visiting_led if now.visiting_led is None else now.visiting_led,
    )
