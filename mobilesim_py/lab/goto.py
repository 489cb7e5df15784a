"""The task of going somewhere, for many robots at once: what they observe, may do, are rewarded for, and when it is over.

Each of these is a small function of a `Situation` that can be replaced by one's own. A row of every array is one robot.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mobilesim_py.errors import UsageError
from mobilesim_py.geometry import BoolArray, FloatArray
from mobilesim_py.lab.ensemble import Ensemble
from mobilesim_py.lab.free_places import FreePlaces, free_places
from mobilesim_py.world.world import World

Values = npt.NDArray[np.float32]
REACHED = 0.3
"""A robot this near to its goal has reached it [m]."""
AIR = 0.05
"""Starts and goals are so much farther from everything than a robot reaches [m]."""
FAR = 10.0
"""Distances are told as shares of this [m], and 1 beyond it."""
_TRIES = 48


@dataclass
class Situation:
    """What the functions of a task look at."""

    ensemble: Ensemble
    goals: FloatArray
    """N x 2 [m]."""
    steps: npt.NDArray[np.int64]
    """Since each robot's episode began."""
    distance: FloatArray = field(init=False)
    """To the goal [m]."""
    bearing: FloatArray = field(init=False)
    """Of the goal, against the heading [rad], positive to the left."""
    before: FloatArray = field(init=False)
    """Distance to the goal one step ago [m]."""

    def __post_init__(self) -> None:
        self.look()
        self.before = self.distance

    def look(self) -> None:
        """Find the goals anew: robots have moved."""
        x, y, heading = self.ensemble.poses.T
        ahead, aside = self.goals[:, 0] - x, self.goals[:, 1] - y
        self.distance = np.hypot(ahead, aside)
        turn = np.arctan2(aside, ahead) - heading
        self.bearing = np.arctan2(np.sin(turn), np.cos(turn))


# What robots observe


@dataclass(frozen=True)
class Observation:
    """One part of what a robot observes: so many values, within limits."""

    size: Callable[[Ensemble], int]
    read: Callable[[Situation], FloatArray]
    """Returns a row for each robot."""
    low: float = 0.0
    high: float = 1.0
    sensor: str = ""
    """`laser` or `sonar`, if it needs one."""


def laser_of(situation: Situation) -> FloatArray:
    """Return scans as shares of `FAR`."""
    return np.minimum(situation.ensemble.laser * (1.0 / FAR), 1.0)


def sonar_of(situation: Situation) -> FloatArray:
    """Return echoes as shares of the farthest that is sensed."""
    return np.minimum(situation.ensemble.sonar * (1.0 / situation.ensemble.model.sonar.range_max), 1.0)


def goal_of(situation: Situation) -> FloatArray:
    """Return the distance of the goal as a share of `FAR`, and cosine and sine of its bearing."""
    far = np.minimum(situation.distance * (1.0 / FAR), 1.0)
    return np.stack([far, np.cos(situation.bearing), np.sin(situation.bearing)], axis=1)


def velocities_of(situation: Situation) -> FloatArray:
    """Return forward and angular velocity as shares of the model's top speeds."""
    top = situation.ensemble.model.drive.max_speed
    return situation.ensemble.velocities[:, ::2] / (top.forward, top.rotation)


OBSERVATIONS: Mapping[str, Observation] = {
    "laser": Observation(lambda ensemble: ensemble.laser.shape[1], laser_of, sensor="laser"),
    "sonar": Observation(lambda ensemble: ensemble.sonar.shape[1], sonar_of, sensor="sonar"),
    "goal": Observation(lambda ensemble: 3, goal_of, low=-1.0),
    "velocities": Observation(lambda ensemble: 2, velocities_of, low=-1.0),
}
"""What can be asked for by name."""

# What robots may do


@dataclass(frozen=True)
class Action:
    """What a robot may be told: so many values from -1 to 1."""

    size: int
    apply: Callable[[Ensemble, FloatArray], None]
    """Tells all robots, a row for each."""


def drive(ensemble: Ensemble, action: FloatArray) -> None:
    """Take forward and angular velocity as shares of the model's top speeds."""
    top = ensemble.model.drive.max_speed
    ensemble.drive(action[:, 0] * top.forward, action[:, 1] * top.rotation)


def roll(ensemble: Ensemble, action: FloatArray) -> None:
    """Take the speeds of the left and the right wheels as shares of the model's top speed."""
    drive = ensemble.model.drive
    top = drive.rim_speed or drive.max_speed.forward
    ensemble.roll(action[:, 0] * top, action[:, 1] * top)


ACTIONS: Mapping[str, Action] = {"velocities": Action(2, drive), "wheels": Action(2, roll)}
"""What can be asked for by name."""

# What they are rewarded for, and when it is over


def is_there(situation: Situation) -> BoolArray:
    """Tell who has reached the goal."""
    return situation.distance < REACHED


def is_over(situation: Situation) -> BoolArray:
    """Tell who has reached the goal, or has run into something."""
    return is_there(situation) | situation.ensemble.stalled


def usual_reward(situation: Situation) -> FloatArray:
    """Reward every metre that the goal came nearer, and reaching it by 10; a collision costs 5, a step 0.01."""
    there = is_there(situation)
    crashed = situation.ensemble.stalled & ~there
    return np.asarray((situation.before - situation.distance) - 0.01 + 10.0 * there - 5.0 * crashed)


@dataclass(frozen=True)
class Task:
    """What the robots are, and what is asked of them; every field is a keyword of `gymnasium.make`."""

    map: World | str | os.PathLike[str] | None = "office.map"
    model: str = "p3dx"
    observations: Sequence[str | Observation] = ("laser", "goal", "velocities")
    actions: str | Action = "velocities"
    reward: Callable[[Situation], FloatArray] = usual_reward
    ends: Callable[[Situation], BoolArray] = is_over
    beams: int | None = None
    """Readings of the laser, unless the model's number is good."""
    near: float = 1.0
    """Goals are at least so far from starts [m],"""
    far: float = 6.0
    """and at most so far,"""
    straight: bool = False
    """and, if so wished, with nothing in between."""
    dt: float = 0.1
    """Simulated seconds of a step of the core."""
    repeat: int = 1
    """Steps of the core for each step of the environment."""
    noise: bool = True
    engine: str | None = None
    """`numpy` or `compiled`; None is compiled where Numba is, which takes about a minute once on a machine."""


class Goto:
    """Robots on their ways to goals of their own: the task without the words of any library."""

    def __init__(self, task: Task, count: int) -> None:
        self.task = task
        self.action = _by_name(task.actions, ACTIONS, "action")
        self.parts = tuple(_by_name(part, OBSERVATIONS, "observation") for part in task.observations)
        sensors = {part.sensor for part in self.parts}
        engine = task.engine or best_engine()
        self.ensemble = Ensemble(
            task.map,
            task.model,
            count,
            laser="laser" in sensors,
            sonar="sonar" in sensors,
            beams=task.beams,
            dt=task.dt,
            noise=task.noise,
            engine=engine,
        )
        sizes = [part.size(self.ensemble) for part in self.parts]
        lacking = [part.sensor for part, size in zip(self.parts, sizes, strict=True) if part.sensor and not size]
        if lacking:
            raise UsageError(f"A {task.model} has no {lacking[0]} to observe with.")
        self._ends = np.cumsum([0, *sizes])
        self.low = np.repeat([part.low for part in self.parts], sizes).astype(np.float32)
        self.high = np.repeat([part.high for part in self.parts], sizes).astype(np.float32)
        self.free: FreePlaces = free_places(self.ensemble.simulation.world, round(self.ensemble.radius + AIR, 3))
        self.rng = np.random.default_rng()
        self.situation = Situation(self.ensemble, np.zeros((count, 2)), np.zeros(count, np.int64))

    def seed(self, seed: int | Sequence[int] | None) -> None:
        """Let what is drawn from now on follow from a seed; without one it follows from what was drawn before."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
            self.ensemble.rewind(int(self.rng.integers(2**31)))

    def begin(self, rows: npt.NDArray[np.intp], *, sense: bool = True) -> None:
        """Put robots at new starts, and give them new goals."""
        if not len(rows):
            return
        situation = self.situation
        places = self.free.places
        starts = places[self.rng.integers(len(places), size=len(rows))]
        headings = self.rng.uniform(-math.pi, math.pi, len(rows))
        self.ensemble.restore(rows, np.column_stack([starts, headings]), sense=sense)
        situation.goals[rows] = self._goals(starts)
        situation.steps[rows] = 0
        before = situation.before
        situation.look()
        situation.before = before.copy()
        situation.before[rows] = situation.distance[rows]

    def step(
        self, actions: FloatArray | Values, resting: npt.NDArray[np.intp] | None = None
    ) -> tuple[FloatArray, BoolArray]:
        """Let one step pass; return rewards, and whose episode is over. Robots that rest are told to stand."""
        wanted = np.clip(np.asarray(actions, np.float64).reshape(self.ensemble.count, self.action.size), -1.0, 1.0)
        if np.isnan(wanted).any():
            raise ValueError("an action is not a number: has the policy come apart?")
        if resting is not None:
            wanted[resting] = 0.0
        self.action.apply(self.ensemble, wanted)
        self.ensemble.step(self.task.repeat)
        situation = self.situation
        situation.before = situation.distance
        situation.look()
        situation.steps += 1
        return self.task.reward(situation), self.task.ends(situation)

    def observe(self) -> Values:
        """Return what the robots observe, a row for each, within `low` and `high`."""
        seen = np.empty((self.ensemble.count, self._ends[-1]), np.float32)
        for part, begin, end in zip(self.parts, self._ends, self._ends[1:], strict=False):
            seen[:, begin:end] = part.read(self.situation)
        # A value may leave its limits by the little that single precision rounds, or by an odometer's error.
        return np.clip(seen, self.low, self.high, out=seen)

    def _goals(self, starts: FloatArray) -> FloatArray:
        """Draw a goal for each start: a place that is as wished or, where there is none, the one that is most nearly so."""
        places = self.free.places
        found = places[self.rng.integers(len(places), size=(len(starts), _TRIES))]
        off = self._lacks(starts, found)
        goals: FloatArray = found[np.arange(len(starts)), np.argmin(off, axis=1)]
        for row in np.flatnonzero(off.min(axis=1) > 0.0).tolist():
            off_all = self._lacks(starts[row : row + 1], places[None])[0]
            best = np.flatnonzero(off_all <= off_all.min())
            goals[row] = places[best[self.rng.integers(len(best))]]
        return goals

    def _lacks(self, starts: FloatArray, goals: FloatArray) -> FloatArray:
        """Return how far goals (K x M x 2) for starts (K x 2) are from what is wished; 0 is as wished."""
        way = np.hypot(*np.moveaxis(goals - starts[:, None], -1, 0))
        off: FloatArray = np.maximum(np.maximum(self.task.near - way, way - self.task.far), 0.0)
        if self.task.straight:
            near = off <= 0.0
            straight = self.free.is_straight(np.broadcast_to(starts[:, None], goals.shape)[near], goals[near])
            off[near] = np.where(straight, 0.0, 1e-3)
        return off


def best_engine() -> str:
    """Return the name of the quicker engine that there is."""
    from mobilesim_py.app.compiling import load_ready, numba_problem

    return "compiled" if load_ready() is not None or not numba_problem() else "numpy"


def _by_name(wanted: Any, known: Mapping[str, Any], what: str) -> Any:
    if not isinstance(wanted, str):
        return wanted
    if wanted not in known:
        raise UsageError(f'There is no {what} "{wanted}": there are {", ".join(known)}.')
    return known[wanted]
