"""The table bound to the robots that are there: names, frames, and who gets what at which tick."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from mobilesim_py.errors import MobileSimError
from mobilesim_py.log import Level, LogLine
from mobilesim_py.protocols.ros.names import resolve
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.ros1.parameters import Parameters
from mobilesim_py.services.permissions import MEANINGS, Permission
from mobilesim_py.services.ros import table
from mobilesim_py.services.ros.carrier import NODE, Answer, Carrier, Direction, GoalKeeper, GoalStatus, Offer, Topic
from mobilesim_py.services.ros.driving import Driving
from mobilesim_py.services.ros.goals import ActionTopics
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import ActionRow, Each, Row, ServiceRow, Subject, TopicRow

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.services.service import Stage

CLOCK = "/clock"
RowT = TypeVar("RowT", bound=Row)
MOST_LOG_LINES = 100
"""Lines of the log that may wait for `/rosout`."""
_LOG_LEVELS = {Level.INFO: 2, Level.WARNING: 4, Level.ERROR: 8}


@dataclass(eq=False)
class BoundTopic:
    """A topic of the table for one subject."""

    topic: Topic
    row: TopicRow
    subject: Subject
    told: int = -1
    """How many of its periods had passed when it was last told."""
    version: Hashable = None
    last: Message | None = None
    """The last message of a latched topic."""
    carriers: list[Carrier] = field(default_factory=list)
    """Where somebody wants it."""


class RosHub:
    """The `Hub` of all carriers."""

    def __init__(
        self,
        stage: Stage,
        moment: Moment,
        *,
        name_set: str = "default",
        denied: Set[Permission] = frozenset(),
        topics: Sequence[TopicRow] = table.TOPICS,
        services: Sequence[ServiceRow] = table.SERVICES,
        actions: Sequence[ActionRow] = table.ACTIONS,
    ) -> None:
        self.stage = stage
        self.moment = moment
        self.driving = moment.driving = Driving()
        self.carriers: list[Carrier] = []
        self.parameters = Parameters()
        self.parameters.set("/use_sim_time", moment.simulated_time)
        self.parameters.set("/rosdistro", "noetic\n")
        self.parameters.set("/rosversion", "1.16.0\n")
        self.topics: dict[str, Topic] = {}
        self.services: dict[str, Offer] = {}
        self.actions: dict[str, Offer] = {}
        self._name_set = name_set
        self._denied = denied
        self._rows: tuple[Sequence[TopicRow], Sequence[ServiceRow], Sequence[ActionRow]] = (topics, services, actions)
        self._bound: dict[str, BoundTopic] = {}
        self._serving: dict[str, tuple[ServiceRow, Subject]] = {}
        self._pursuing: dict[str, tuple[ActionRow, Subject]] = {}
        self._action_topics: dict[str, ActionTopics] = {}
        self._state: tuple[object, ...] = ()
        self._alone: Robot | None = None
        self._is_started = self._is_flushing = self._is_closed = False
        self._active: list[BoundTopic] = []
        self._unlog: Callable[[], None] | None = None

    # Who is there

    def extend(
        self,
        topics: Iterable[TopicRow] = (),
        services: Iterable[ServiceRow] = (),
        actions: Iterable[ActionRow] = (),
    ) -> None:
        """Add rows to the table, such as those of a navigation."""
        self._rows = (
            (*self._rows[0], *topics),
            (*self._rows[1], *services),
            (*self._rows[2], *actions),
        )
        self._state = ()

    def refresh(self) -> None:
        """Bind the table anew if robots came or went, or the world is another one."""
        simulation = self.stage.simulation
        state = (simulation.changes, simulation.world)
        if state == self._state:
            return
        self._state = state
        robots = simulation.robots
        if not self._is_started:
            self._is_started = True
            self._alone = robots[0] if len(robots) == 1 else None
        self._bind(robots)
        self.wishes_changed()
        for carrier in self.carriers:
            carrier.graph_changed()

    def _bind(self, robots: Sequence[Robot]) -> None:
        old, old_actions = self._bound, self._action_topics
        self._bound, self._action_topics = {}, {}
        self._serving.clear()
        self._pursuing.clear()
        subjects = self._subjects(robots)
        self.moment.subjects = [subject for subject, _ in subjects]
        topics, services, actions = self._rows
        for name, topic_row, subject in self._each(topics, subjects):
            self._add_topic(name, topic_row, subject, old)
        for name, service_row, subject in self._each(services, subjects):
            self._serving[name] = (service_row, subject)
        for name, action_row, subject in self._each(actions, subjects):
            self._pursuing[name] = (action_row, subject)
            self._add_action_topics(name, action_row, subject, old, old_actions)
        self.topics = {name: bound.topic for name, bound in self._bound.items()}
        self.services = {name: Offer(name, row.type) for name, (row, _) in self._serving.items()}
        self.actions = {name: Offer(name, row.type) for name, (row, _) in self._pursuing.items()}

    def _add_topic(self, name: str, row: TopicRow, subject: Subject, old: Mapping[str, BoundTopic]) -> None:
        bound = BoundTopic(Topic(name, row.type, row.direction, row.latched), row, subject)
        before = old.get(name)
        if before is not None and before.subject.robot is subject.robot and before.row is row:
            bound.told, bound.version, bound.last = before.told, before.version, before.last
        self._bound[name] = bound

    def _add_action_topics(
        self,
        name: str,
        row: ActionRow,
        subject: Subject,
        old: Mapping[str, BoundTopic],
        old_actions: Mapping[str, ActionTopics],
    ) -> None:
        known = old_actions.get(name)
        goals = known if known is not None else ActionTopics.make(name, row.type, self)
        if goals is None:
            return
        self._action_topics[name] = goals
        for topic_row in goals.rows:
            self._add_topic(f"{name}/{topic_row.name}", topic_row, subject, old)

    def _subjects(self, robots: Sequence[Robot]) -> list[tuple[Subject, str]]:
        """Return all robots with their namespaces: one that was alone at the start has none."""
        found: list[tuple[Subject, str]] = []
        taken: set[str] = set()
        for number, robot in enumerate(sorted(robots, key=lambda robot: robot.serial)):
            if robot is self._alone:
                found.append((Subject(robot), ""))
                continue
            name = f"robot_{number}" if self._name_set == "stage" else graph_name(robot.name)
            while name in taken:
                name += "_"
            taken.add(name)
            found.append((Subject(robot, f"{name}/"), f"/{name}"))
        return found

    def _each(self, rows: Iterable[RowT], subjects: Sequence[tuple[Subject, str]]) -> Iterable[tuple[str, RowT, Subject]]:
        world = Subject()
        for row in rows:
            name = row.name_in(self._name_set)
            if not name:
                continue
            if row.each is Each.WORLD:
                if row.has(self.moment, world):
                    yield resolve(name), row, world
                continue
            for subject, namespace in subjects:
                numbers = range(len(subject.body.lasers)) if row.each is Each.LASER else (0,)
                for number in numbers:
                    one = Subject(subject.robot, subject.frames, number) if number else subject
                    if row.has(self.moment, one):
                        yield resolve(f"{name}_{number}" if number else name, namespace), row, one

    # Out

    def wishes_changed(self) -> None:
        """Look again who wants what."""
        self._active = []
        for bound in self._bound.values():
            bound.carriers = []
        for carrier in self.carriers:
            for name in carrier.wanted():
                bound_topic = self._bound.get(name)
                if bound_topic is not None and bound_topic.topic.direction is Direction.OUT:
                    bound_topic.carriers.append(carrier)
        self._active = [bound for bound in self._bound.values() if bound.carriers]
        self._listen_to_log("/rosout" in self._bound and bool(self._bound["/rosout"].carriers))
        # A node that joins while time stands still learns what time it is: many wait for that.
        self.publish_now(CLOCK, {"clock": self.now()})

    def tell(self, now: float) -> None:
        """Publish what is due at a simulated time [s]."""
        moment = self.moment
        moment.go_on()
        moment.client = None
        for goals in self._action_topics.values():
            goals.pass_time()
        for bound in self._active:
            if bound.topic.latched:
                self._renew(bound)
                continue
            period = bound.row.period
            passed = math.floor(now / period + 1e-6) if period > 0.0 else -1
            if passed == bound.told and period > 0.0:
                continue
            bound.told = passed
            assert bound.row.source is not None
            for message in bound.row.source(moment, bound.subject):
                for carrier in bound.carriers:
                    carrier.publish(bound.topic, message, moment.stamp)

    def _renew(self, bound: BoundTopic) -> None:
        """Make the message of a latched topic if it is not made yet or has changed, and publish it."""
        version = bound.row.version(self.moment, bound.subject)
        if bound.last is not None and version == bound.version:
            return
        assert bound.row.source is not None
        bound.version = version
        for message in bound.row.source(self.moment, bound.subject):
            bound.last = message
            for carrier in bound.carriers:
                carrier.publish(bound.topic, message, self.moment.stamp)

    def latched(self, topic: str) -> Message | None:
        """Return the newest message of a latched topic, made now if nobody has wanted it before."""
        bound = self._bound.get(topic)
        if bound is None or not bound.topic.latched or bound.row.source is None:
            return None
        if bound.last is None or bound.row.version(self.moment, bound.subject) != bound.version:
            bound.version = bound.row.version(self.moment, bound.subject)
            for message in bound.row.source(self.moment, bound.subject):
                bound.last = message
        return bound.last

    def publish_now(self, name: str, message: Message) -> None:
        """Publish a message outside of the periods of the table, such as the result of a goal."""
        bound = self._bound.get(name)
        if bound is None or not bound.carriers:
            return
        for carrier in bound.carriers:
            carrier.publish(bound.topic, message, self.now())
        if not self._is_flushing:  # time may stand still, and then no step does it
            self._is_flushing = True
            self.stage.clock.later(0.0, self._flush)

    def _flush(self) -> None:
        self._is_flushing = False
        if not self._is_closed:
            for carrier in self.carriers:
                carrier.flush()

    def _listen_to_log(self, wanted: bool) -> None:
        if wanted and self._unlog is None:
            self._unlog = self.stage.log.subscribe(self._logged)
        elif not wanted and self._unlog is not None:
            self._unlog()
            self._unlog = None
            self.moment.log_lines.clear()

    def _logged(self, line: LogLine) -> None:
        if len(self.moment.log_lines) < MOST_LOG_LINES:
            self.moment.log_lines.append(
                {
                    "header": self.moment.header(""),
                    "level": _LOG_LEVELS[line.level],
                    "name": NODE,
                    "msg": f"{line.robot}: {line.text}" if line.robot else line.text,
                    "file": "",
                    "function": "",
                    "line": 0,
                    "topics": [],
                }
            )

    def close(self) -> None:
        """Listen to nothing any more."""
        self._is_closed = True
        self._listen_to_log(False)

    # In

    def now(self) -> Time:
        """Return the time of ROS."""
        return self.moment.go_on()

    def receive(self, topic: str, message: Message, client: Hashable) -> None:
        """Take a whole message for a topic that goes in."""
        bound = self._bound.get(topic)
        if bound is None or bound.row.sink is None:
            return
        if bound.row.needs in self._denied:
            self.stage.log.occasionally(
                "ROS denied", f"ROS: A message on {topic} is not obeyed: {_refusal(bound.row.needs)}"
            )
            return
        self.moment.client = client
        self.moment.go_on()
        bound.row.sink(self.moment, bound.subject, message)
        if self.stage.clock.lockstep:
            self.stage.wake()

    def call(self, service: str, request: Message, answer: Answer) -> None:
        """Serve a whole request."""
        serving = self._serving.get(service)
        if serving is None:
            answer(None, f"Service {service[:200]} does not exist")
            return
        row, subject = serving
        if row.needs in self._denied:
            answer(None, _refusal(row.needs))
            return
        self.moment.go_on()
        try:
            row.serve(self.moment, subject, request, answer)
        except MobileSimError as error:
            answer(None, str(error))

    def pursue(self, action: str, goal: Message, keeper: GoalKeeper) -> Callable[[], None]:
        """Pursue a whole goal."""
        pursuing = self._pursuing.get(action)
        if pursuing is None:
            keeper.finished(GoalStatus.REJECTED, {}, f"There is no action {action[:200]}.")
            return lambda: None
        row, subject = pursuing
        self.moment.go_on()
        return row.pursue(self.moment, subject, goal, keeper)


def _refusal(permission: Permission | None) -> str:
    return f"clients must not {MEANINGS[permission]} (--deny {permission})" if permission is not None else ""


def graph_name(name: str) -> str:
    """Return a robot's name as ROS would take it for a namespace."""
    clean = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "robot"
    return clean if clean[0].isalpha() else f"robot_{clean}"
