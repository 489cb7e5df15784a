"""What happens on a link, and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from mobilesim_py.protocols.ros.interfaces import MessageType


class Phase(Enum):
    """How far a conversation has come: one header from each side, then bodies, then nothing more."""

    HEADER = auto()
    OPEN = auto()
    CLOSED = auto()


@dataclass(frozen=True)
class Limits:
    """What a peer may make us keep."""

    body: int = 1 << 26  # bytes of a message, request or response
    queued_messages: int = 10  # messages that wait for a slow reader
    queued_octets: int = 1 << 22  # bytes of them
    pending_requests: int = 100  # requests that came before their forerunners were answered


@dataclass(frozen=True)
class SubscriberJoined:
    """A peer subscribed to a topic of ours. `fields` is its header."""

    topic: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class ServiceJoined:
    """A peer is about to call a service of ours, or (`probe`) only asked about it. `fields` is its header."""

    service: str
    probe: bool
    fields: Mapping[str, str]


@dataclass(frozen=True)
class RequestReceived:
    """A request for a service of ours; answer with `respond`, in the order of the requests."""

    service: str
    body: bytes


@dataclass(frozen=True)
class PublisherJoined:
    """A publisher answered our header: its messages are of `type`, the version of it that it speaks."""

    type: MessageType
    latching: bool
    fields: Mapping[str, str]


@dataclass(frozen=True)
class MessageReceived:
    """A message of a publisher; `type.deserialise(body)` reads it."""

    type: MessageType
    body: bytes


@dataclass(frozen=True)
class ServiceAnswered:
    """A service answered our header: requests may be sent."""

    fields: Mapping[str, str]


@dataclass(frozen=True)
class ResponseReceived:
    """The response to our request; where `ok` is false, `body` is a text that says why."""

    ok: bool
    body: bytes


@dataclass(frozen=True)
class LinkClosed:
    """The link is over; what is still to be sent may go out. `reason` is empty where all is well."""

    reason: str


InboundEvent = SubscriberJoined | ServiceJoined | RequestReceived
OutboundEvent = PublisherJoined | MessageReceived | ServiceAnswered | ResponseReceived
Event = InboundEvent | OutboundEvent | LinkClosed
