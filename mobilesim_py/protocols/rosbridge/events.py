"""What the other end of a session wants. Names in events are global; types are as the peer wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Id = str | int | float | None


@dataclass(frozen=True)
class Advertised:
    """The peer will publish on a topic."""

    topic: str
    type: str
    latch: bool = False
    id: Id = None


@dataclass(frozen=True)
class Unadvertised:
    """The peer will publish no more."""

    topic: str
    id: Id = None


@dataclass(frozen=True)
class Published:
    """A message of the peer, as plain JSON or CBOR; `type` is what it advertised, empty where it did not."""

    topic: str
    type: str
    message: Any
    id: Id = None


@dataclass(frozen=True)
class Subscribed:
    """The peer wants a topic; a latched message should be published to it now."""

    topic: str
    type: str
    compression: str = "none"
    id: Id = None


@dataclass(frozen=True)
class Unsubscribed:
    """The peer has no subscription to a topic any more."""

    topic: str
    id: Id = None


@dataclass(frozen=True)
class ServiceCalled:
    """The peer calls a service; answer each call once. `arguments` is an object, a list or None."""

    service: str
    arguments: Any
    type: str = ""
    id: Id = None
    spelled: str = ""  # the name as the peer wrote it, which the answer repeats
    compression: str = "none"
    fragment_size: int = 0


@dataclass(frozen=True)
class ServiceAdvertised:
    """The peer answers calls of a service."""

    service: str
    type: str
    id: Id = None


@dataclass(frozen=True)
class ServiceUnadvertised:
    """The peer answers no more."""

    service: str
    id: Id = None


@dataclass(frozen=True)
class ServiceResponded:
    """The answer to a call of ours; where `ok` is false, `values` says why."""

    service: str
    values: Any
    ok: bool
    id: Id = None


@dataclass(frozen=True)
class GoalReceived:
    """The peer has a goal for an action of ours; its `id` names the goal in all that follows."""

    action: str
    type: str
    arguments: Any
    feedback: bool
    id: Id = None
    spelled: str = ""


@dataclass(frozen=True)
class GoalCancelled:
    """The peer does not want its goal any more."""

    action: str
    id: Id


@dataclass(frozen=True)
class ActionAdvertised:
    """The peer pursues goals of an action."""

    action: str
    type: str
    id: Id = None


@dataclass(frozen=True)
class ActionUnadvertised:
    """The peer pursues goals no more."""

    action: str
    id: Id = None


@dataclass(frozen=True)
class FeedbackReceived:
    """How a goal of ours is getting on."""

    action: str
    values: Any
    id: Id


@dataclass(frozen=True)
class ResultReceived:
    """How a goal of ours ended."""

    action: str
    values: Any
    status: int
    ok: bool
    id: Id


@dataclass(frozen=True)
class StatusReceived:
    """A word of a server about something that we did."""

    level: str
    text: str
    id: Id = None


@dataclass(frozen=True)
class CredentialsOffered:
    """The peer says who it is; nothing is answered."""

    fields: dict[str, Any]


@dataclass(frozen=True)
class Mistake:
    """Something that the peer sent made no sense. It is for our log; the peer hears of it only after `set_level`."""

    text: str
    id: Id = None


@dataclass(frozen=True)
class Overrun:
    """The peer does not read what it asked for: close the line."""

    waiting: int


Event = (
    Advertised | Unadvertised | Published | Subscribed | Unsubscribed
    | ServiceCalled | ServiceAdvertised | ServiceUnadvertised | ServiceResponded
    | GoalReceived | GoalCancelled | ActionAdvertised | ActionUnadvertised | FeedbackReceived | ResultReceived
    | StatusReceived | CredentialsOffered | Mistake | Overrun
)  # fmt: skip
