"""What one client gets of one topic: how often, how much waits, in which form. Time is given by the caller, in seconds."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Any

from mobilesim_py.protocols.rosbridge.operations import COMPRESSIONS
from mobilesim_py.protocols.rosbridge.publication import Publication

LONGEST_QUEUE = 100  # messages, whatever a client asks for
MOST_SUBSCRIPTIONS = 100  # of one client to one topic


@dataclass(frozen=True)
class Subscription:
    """One wish of a client."""

    throttle: float = 0.0  # s between two messages, at least
    queue_length: int = 0
    fragment_size: int = 0  # characters; 0: never cut
    compression: str = "none"


class Stream:
    """All subscriptions of a client to a topic: one stream with the smallest throttle and the largest queue of them.

    Without a queue only the newest message waits, so that a slow or throttled client gets what is, not what was.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._subscriptions: dict[Any, Subscription] = {}
        self._effective = Subscription()
        self._waiting: deque[Publication] = deque()
        self._due = -math.inf  # when the next message may go

    def __bool__(self) -> bool:
        return bool(self._subscriptions)

    @property
    def effective(self) -> Subscription:
        """Return what holds for the stream."""
        return self._effective

    def subscribe(self, number: Any, subscription: Subscription) -> None:
        """Add a subscription, or replace the one with the same id."""
        if number in self._subscriptions or len(self._subscriptions) < MOST_SUBSCRIPTIONS:
            self._subscriptions[number] = subscription
        self._combine()

    def unsubscribe(self, number: Any) -> None:
        """Take a subscription back, or all where no id is given."""
        if number is None:
            self._subscriptions.clear()
        else:
            self._subscriptions.pop(number, None)
        if self._subscriptions:
            self._combine()

    def _combine(self) -> None:
        all_of_them = self._subscriptions.values()
        throttle = min(subscription.throttle for subscription in all_of_them)
        if throttle < self._effective.throttle:
            self._due -= self._effective.throttle - throttle
        self._effective = Subscription(
            throttle,
            max(subscription.queue_length for subscription in all_of_them),
            min((subscription.fragment_size for subscription in all_of_them if subscription.fragment_size), default=0),
            max((subscription.compression for subscription in all_of_them), key=COMPRESSIONS.index),
        )

    def put(self, publication: Publication) -> None:
        """Let a message wait; where the queue is full, the oldest goes."""
        self._waiting.append(publication)
        if len(self._waiting) > min(max(self._effective.queue_length, 1), LONGEST_QUEUE):
            self._waiting.popleft()
            self.dropped += 1

    def take(self, now: float) -> list[Publication]:
        """Return the messages that may go at the time `now`."""
        if not self._effective.throttle:
            taken = list(self._waiting)
            self._waiting.clear()
            return taken
        if not self._waiting or now < self._due:
            return []
        self._due = now + self._effective.throttle
        return [self._waiting.popleft()]

    @property
    def is_empty(self) -> bool:
        """Return whether no message waits."""
        return not self._waiting

    @property
    def due(self) -> float:
        """Return when the next message may go: infinity where none waits."""
        if not self._waiting:
            return math.inf
        return self._due if self._effective.throttle else -math.inf
