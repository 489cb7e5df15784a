"""The seam between the table of topics and whatever carries it: ROS 1, rosbridge, and those that come later.

A carrier knows peers and bytes, the hub knows robots. Once a tick the hub makes the messages that somebody wants, and gives
each to every carrier that wants it; what peers send or ask for goes to the hub by its methods. Messages are dicts, see
`protocols.ros.values`; types are named as ROS 1 names them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message

if TYPE_CHECKING:
    from mobilesim_py.protocols.ros1.parameters import Parameters
    from mobilesim_py.services.service import ClientFacts, Stage

NODE = "/mobilesim"
"""What our node is called in the graph."""


class Direction(Enum):
    """Which way the messages of a topic go, seen from the simulator."""

    OUT = "out"
    IN = "in"


@dataclass(frozen=True)
class Topic:
    """A topic of ours, under its global name."""

    name: str
    type: str
    direction: Direction
    latched: bool = False


@dataclass(frozen=True)
class Offer:
    """A service that we answer, or an action whose goals we pursue, under its global name."""

    name: str
    type: str


class GoalStatus(Enum):
    """How a goal ended, in the words of both ROS versions' actions."""

    SUCCEEDED = "succeeded"
    CANCELLED = "cancelled"
    ABORTED = "aborted"
    REJECTED = "rejected"


class GoalKeeper(Protocol):
    """Whoever gave a goal, and wants to know of it."""

    def feedback(self, message: Message) -> None:
        """Take word of how it is getting on: a message of the action's feedback."""

    def finished(self, status: GoalStatus, result: Message, text: str = "") -> None:
        """Take word of its end, once."""


Answer = Callable[[Message | None, str], None]
"""Takes the response of a service, or None and the reason why there is none; called once, at once or later."""


class Hub(Protocol):
    """What a carrier may reach."""

    @property
    def stage(self) -> Stage:
        """The program."""

    @property
    def topics(self) -> Mapping[str, Topic]:
        """All topics, by global name."""

    @property
    def services(self) -> Mapping[str, Offer]:
        """All services, by global name."""

    @property
    def actions(self) -> Mapping[str, Offer]:
        """All actions, by global name."""

    @property
    def parameters(self) -> Parameters:
        """Parameters, which all carriers share."""

    def now(self) -> Time:
        """Return the time of ROS."""

    def latched(self, topic: str) -> Message | None:
        """Return the newest message of a latched topic, made now if nobody has wanted it before."""

    def wishes_changed(self) -> None:
        """Note that `Carrier.wanted` says something else from now on."""

    def receive(self, topic: str, message: Message, client: Hashable) -> None:
        """Take a whole message for a topic that goes in; `client` tells who sent it."""

    def call(self, service: str, request: Message, answer: Answer) -> None:
        """Serve a whole request; an unknown service is answered with a reason."""

    def pursue(self, action: str, goal: Message, keeper: GoalKeeper) -> Callable[[], None]:
        """Pursue a whole goal; the returned function asks to cancel it."""


class Carrier(Protocol):
    """One way to the clients."""

    name: str

    def open(self, hub: Hub) -> None:
        """Open the doors; PortError if that is impossible."""

    def wanted(self) -> Collection[str]:
        """Return the names of the topics that some client subscribed to."""

    def publish(self, topic: Topic, message: Message, now: Time) -> None:
        """Send a message to whoever subscribed; the message must not be changed."""

    def flush(self) -> None:
        """Send what waits: all messages of a tick were published, or some time has passed."""

    def graph_changed(self) -> None:
        """Note that topics, services or actions of the hub came or went."""

    def is_busy(self) -> bool:
        """Whether any client is there who is told something."""

    def backlog(self) -> int:
        """Return the bytes that the slowest client has not taken."""

    def clients(self) -> Sequence[ClientFacts]:
        """Return who is there."""

    def close(self) -> None:
        """Hang up on everybody."""
