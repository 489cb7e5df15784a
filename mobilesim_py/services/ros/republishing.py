"""Transforms for pages: from one frame to those that are asked for, as the tf2_web_republisher tells them.

Pages do not follow `/tf` themselves: their `TFClient` gives the frames as the goal of an action, and gets as feedback those
transforms that have changed by more than so much.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.cameras import Quaternion, product
from mobilesim_py.services.ros.carrier import GoalKeeper, GoalStatus
from mobilesim_py.services.ros.frames import static_transforms, transforms
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import ActionRow, Each, Subject

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

Place = tuple[float, float, float]
MOST_GOALS = 50
"""Clients that vanish do not take their goals back: with more than these the oldest ends."""
MOST_FRAMES = 1000
FASTEST = 100.0
"""[Hz]"""
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Transform:
    """Where a frame is in another one."""

    place: Place = (0.0, 0.0, 0.0)
    turn: Quaternion = (0.0, 0.0, 0.0, 1.0)

    @classmethod
    def of(cls, message: Message) -> Transform:
        """Read geometry_msgs/Transform."""
        x, y, z, w = (message["rotation"][name] for name in "xyzw")
        across, along, up = (message["translation"][name] for name in "xyz")
        return cls((across, along, up), (x, y, z, w))

    @property
    def message(self) -> Message:
        """Return geometry_msgs/Transform."""
        return {
            "translation": dict(zip("xyz", self.place, strict=True)),
            "rotation": dict(zip("xyzw", self.turn, strict=True)),
        }

    def then(self, other: Transform) -> Transform:
        """Return where a frame is that is there in this one."""
        x, y, z = turned(self.turn, other.place)
        here = self.place
        return Transform((here[0] + x, here[1] + y, here[2] + z), product(self.turn, other.turn))

    @property
    def inverse(self) -> Transform:
        """Return where the other one is in this."""
        back = _conjugate(self.turn)
        x, y, z = turned(back, self.place)
        return Transform((-x, -y, -z), back)

    def differs(self, other: Transform, far: float, wide: float) -> bool:
        """Whether the two are more than so far [m], or turned by more than so much [rad], from one another."""
        alike = abs(sum(a * b for a, b in zip(self.turn, other.turn, strict=True)))
        return math.dist(self.place, other.place) > far or 2.0 * math.acos(min(1.0, alike)) > wide


def _conjugate(turn: Quaternion) -> Quaternion:
    return (-turn[0], -turn[1], -turn[2], turn[3])


def turned(turn: Quaternion, place: Place) -> Place:
    """Return a place turned about the origin."""
    x, y, z, _ = product(product(turn, (*place, 0.0)), _conjugate(turn))
    return x, y, z


class Tree:
    """All frames of a moment, each with the one above it."""

    def __init__(self, moment: Moment) -> None:
        messages = [*transforms(moment, Subject()), *static_transforms(moment, Subject())]
        self._above = {
            one["child_frame_id"]: (one["header"]["frame_id"], Transform.of(one["transform"]))
            for message in messages
            for one in message["transforms"]
        }

    def _from_root(self, frame: str) -> tuple[str, Transform]:
        found = Transform()
        while frame in self._above:
            frame, step = self._above[frame]
            found = step.then(found)
        return frame, found

    def find(self, target: str, source: str) -> Transform | None:
        """Return where `source` is in `target`; None where nothing leads from one to the other."""
        (root, to_target), (other_root, to_source) = self._from_root(target), self._from_root(source)
        return to_target.inverse.then(to_source) if root == other_root else None


class Republisher:
    """One goal."""

    def __init__(self, moment: Moment, goal: Message, keeper: GoalKeeper) -> None:
        self._moment, self._keeper = moment, keeper
        self._target: str = goal["target_frame"].lstrip("/")
        self._sources: list[str] = [name.lstrip("/") for name in goal["source_frames"][:MOST_FRAMES]]
        self._far, self._wide = _threshold(goal["trans_thres"]), _threshold(goal["angular_thres"])
        rate = goal["rate"]
        self._period = 1.0 / min(rate, FASTEST) if rate > 0.0 else 0.1
        self._told: dict[str, Transform] = {}
        self._due = -math.inf

    def pass_time(self, simulation: Simulation) -> None:
        """Tell what has changed, if it is time."""
        if simulation.time < self._due - _ROUNDING:
            return
        self._due = simulation.time + self._period
        self._moment.go_on()
        changed = list(self._changed(Tree(self._moment)))
        if changed:
            self._keeper.feedback({"transforms": changed})

    def _changed(self, tree: Tree) -> Iterable[Message]:
        for source in self._sources:
            found = tree.find(self._target, source)
            known = self._told.get(source)
            if found is None or (known is not None and not found.differs(known, self._far, self._wide)):
                continue
            self._told[source] = found
            yield {"header": self._moment.header(self._target), "child_frame_id": source, "transform": found.message}

    def end(self, status: GoalStatus, text: str = "") -> None:
        """Tell no more."""
        if self.pass_time in self._moment.stage.after_step:
            self._moment.stage.after_step.remove(self.pass_time)
            self._moment.republishers.remove(self)
            self._keeper.finished(status, {}, text)


def _threshold(value: float) -> float:
    return value if value >= 0.0 else 0.0


def republish(moment: Moment, subject: Subject, goal: Message, keeper: GoalKeeper) -> Callable[[], None]:
    """Tell transforms until the goal is cancelled."""
    republisher = Republisher(moment, goal, keeper)
    while len(moment.republishers) >= MOST_GOALS:
        moment.republishers[0].end(GoalStatus.ABORTED, f"{MOST_GOALS} others came later.")
    moment.republishers.append(republisher)
    moment.stage.after_step.append(republisher.pass_time)
    return lambda: republisher.end(GoalStatus.CANCELLED)


REPUBLISHING = ActionRow(
    "/tf2_web_republisher",
    "tf2_web_republisher/TFSubscription",
    "Tells transforms between frames, for the `TFClient` of roslib.",
    each=Each.WORLD,
    pursue=republish,
)
