"""What the rows of the table are: a topic, a service or an action of every robot, of every laser, or of the world.

A row says where its messages come from or go to; `hub.py` binds it to the robots that are there. Names are relative to the
robot's namespace unless they begin with a slash.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.ros.carrier import Answer, Direction, GoalKeeper

if TYPE_CHECKING:
    from mobilesim_py.core.devices.laser import LaserUnit
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.services.ros.moment import Moment

NAME_SETS = ("default", "stage", "rosaria", "p2os", "trimbot")
"""Whose names the topics have: ours, those of stage_ros, RosAria, p2os_driver, or what GardenUI expects."""
STEP = 0.0
"""The period of what is told at every step."""


class Each(Enum):
    """What a row is there for."""

    WORLD = "world"
    """Once."""
    ROBOT = "robot"
    """Once for each robot that has what it tells of."""
    LASER = "laser"
    """Once for each laser; the second and further ones have a number behind their name."""


@dataclass(frozen=True, eq=False)
class Subject:
    """Whom a bound row is about."""

    robot: Robot | None = None
    frames: str = ""
    """What stands before the names of the robot's frames: empty, or `name/`."""
    number: int = 0
    """Which of its lasers."""

    def frame(self, name: str) -> str:
        """Return the name of one of the robot's frames."""
        return f"{self.frames}{name}"

    @property
    def body(self) -> Robot:
        """The robot, where there must be one."""
        assert self.robot is not None
        return self.robot

    @property
    def laser(self) -> LaserUnit:
        """The laser."""
        return self.body.lasers[self.number]


Source = Callable[["Moment", Subject], Iterable[Message]]
"""Makes the messages of a topic at a moment."""
Sink = Callable[["Moment", Subject, Message], None]
"""Obeys a message of a topic that goes in."""
Serve = Callable[["Moment", Subject, Message, Answer], None]
"""Obeys a request, and answers it at once or later."""
Pursue = Callable[["Moment", Subject, Message, GoalKeeper], Callable[[], None]]
"""Begins to pursue a goal; the returned function asks to cancel it."""


def _always(moment: Moment, subject: Subject) -> bool:
    return True


def _unchanging(moment: Moment, subject: Subject) -> Hashable:
    return 0


@dataclass(frozen=True, eq=False)
class Row:
    """What all rows have."""

    name: str
    """In the default set of names."""
    type: str
    about: str
    """For the documents."""
    each: Each = field(default=Each.ROBOT, kw_only=True)
    names: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """Other names in other sets; an empty one: not in that set."""
    only: tuple[str, ...] = field(default=NAME_SETS, kw_only=True)
    """The sets that it is in."""
    has: Callable[[Moment, Subject], bool] = field(default=_always, kw_only=True)
    """Whether there is something to tell of this subject."""
    needs: Permission | None = field(default=None, kw_only=True)
    """What clients must not be denied for it."""

    def name_in(self, name_set: str) -> str:
        """Return its name in a set of names; empty if it is not in that set."""
        return self.names.get(name_set, self.name) if name_set in self.only else ""


@dataclass(frozen=True, eq=False)
class TopicRow(Row):
    """A topic: `source` makes its messages, or `sink` obeys them."""

    source: Source | None = field(default=None, kw_only=True)
    sink: Sink | None = field(default=None, kw_only=True)
    period: float = field(default=0.1, kw_only=True)
    """Simulated time from one message to the next [s]."""
    latched: bool = field(default=False, kw_only=True)
    """Whoever subscribes gets the last message at once; a message goes out when `version` says something else."""
    version: Callable[[Moment, Subject], Hashable] = field(default=_unchanging, kw_only=True)

    @property
    def direction(self) -> Direction:
        """Which way its messages go."""
        return Direction.OUT if self.source is not None else Direction.IN


@dataclass(frozen=True, eq=False)
class ServiceRow(Row):
    """A service."""

    serve: Serve = field(kw_only=True)


@dataclass(frozen=True, eq=False)
class ActionRow(Row):
    """An action. ROS 1 has it as five topics (goal, cancel, status, feedback, result), made from this row."""

    pursue: Pursue = field(kw_only=True)
