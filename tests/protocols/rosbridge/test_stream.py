"""Throttles and queues, by a clock that the test turns."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.rosbridge.publication import Publication
from mobilesim_py.protocols.rosbridge.stream import LONGEST_QUEUE, MOST_SUBSCRIPTIONS, Stream, Subscription

KIND = interfaces(Dialect.ROS1).message("std_msgs/Int32")


def number(value: int) -> Publication:
    return Publication("/n", KIND, {"data": value}, Time())


def stream(*subscriptions: Subscription) -> Stream:
    made = Stream()
    for index, subscription in enumerate(subscriptions):
        made.subscribe(index, subscription)
    return made


def values(publications: list[Publication]) -> list[int]:
    return [publication.message["data"] for publication in publications]


def test_without_a_throttle_everything_goes_at_once():
    made = stream(Subscription())
    made.put(number(1))
    assert made.due == -math.inf
    assert values(made.take(0.0)) == [1]
    assert made.due == math.inf
    assert made.take(0.0) == []


def test_a_slow_client_gets_the_newest_message_only():
    made = stream(Subscription())
    for value in range(5):
        made.put(number(value))
    assert values(made.take(0.0)) == [4]
    assert made.dropped == 4


def test_a_throttle_lets_one_message_go_per_period_and_it_is_the_newest():
    made = stream(Subscription(throttle=0.2))
    sent = []
    for tick in range(10):
        made.put(number(tick))
        sent += values(made.take(tick * 0.1))
    assert sent == [0, 2, 4, 6, 8]
    assert made.due == pytest.approx(1.0)
    assert values(made.take(1.0)) == [9]


def test_a_queue_keeps_messages_for_their_turn():
    made = stream(Subscription(throttle=1.0, queue_length=3))
    for value in range(5):
        made.put(number(value))
    assert [values(made.take(float(now))) for now in range(4)] == [[2], [3], [4], []]


def test_queues_are_bounded_whatever_the_client_asks_for():
    made = stream(Subscription(throttle=1.0, queue_length=10**9))
    for value in range(1000):
        made.put(number(value))
    assert made.dropped == 1000 - LONGEST_QUEUE


def test_several_subscriptions_are_one_stream_with_the_smallest_throttle_and_the_largest_queue():
    made = stream(Subscription(0.5, 1, 0, "none"), Subscription(0.2, 7, 500, "cbor"), Subscription(1.0, 2, 100, "png"))
    assert made.effective == Subscription(0.2, 7, 100, "cbor")
    made.unsubscribe(1)
    assert made.effective == Subscription(0.5, 2, 100, "png")
    made.unsubscribe("unknown")
    assert made
    made.unsubscribe(None)
    assert not made


def test_a_smaller_throttle_holds_at_once():
    made = stream(Subscription(throttle=10.0))
    made.put(number(1))
    made.take(0.0)
    made.put(number(2))
    made.subscribe("fast", Subscription(throttle=1.0))
    assert values(made.take(1.0)) == [2]


def test_subscriptions_are_bounded():
    made = stream(*[Subscription()] * (MOST_SUBSCRIPTIONS + 50))
    assert len(made._subscriptions) == MOST_SUBSCRIPTIONS
