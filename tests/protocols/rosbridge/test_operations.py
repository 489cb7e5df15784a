"""The table of operations: what is filled, what is refused."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.rosbridge.operations import KINDS, OPERATIONS, check


def test_what_is_missing_or_null_is_filled():
    fields = check("subscribe", {"op": "subscribe", "topic": "/odom", "type": None, "unknown": 1})
    assert fields == {
        "topic": "/odom",
        "type": "",
        "id": None,
        "throttle_rate": 0,
        "queue_length": 0,
        "fragment_size": 0,
        "compression": "",
    }


def test_counts_may_be_floats_and_are_rounded_up():
    assert check("fragment", {"id": "a", "data": "", "num": 4.0, "total": 4.335})["total"] == 5


@pytest.mark.parametrize(
    ("op", "plain", "reason"),
    [
        ("subscribe", {}, "subscribe needs 'topic'"),
        ("subscribe", {"topic": "/a b"}, "that is no name"),
        ("subscribe", {"topic": 5}, "that is no name"),
        ("subscribe", {"topic": "/a", "throttle_rate": -1}, "no count"),
        ("subscribe", {"topic": "/a", "throttle_rate": True}, "no count"),
        ("subscribe", {"topic": "/a", "queue_length": float("nan")}, "no count"),
        ("subscribe", {"topic": "/a", "id": []}, "no id"),
        ("subscribe", {"topic": "/a", "id": "x" * 2000}, "no id"),
        ("advertise", {"topic": "/a"}, "needs 'type'"),
        ("advertise", {"topic": "/a", "type": 5}, "no type"),
        ("set_level", {"level": "loud"}, "no level"),
        ("set_level", {"level": []}, "no level"),
        ("service_response", {"service": "/s", "result": "yes"}, "no truth"),
        ("fragment", {"id": "a", "data": 5, "num": 0, "total": 1}, "no long"),
        ("auth", {"mac": 5}, "no text"),
    ],
)
def test_what_does_not_fit_is_refused(op, plain, reason):
    with pytest.raises(WireError, match=reason):
        check(op, plain)


def test_every_kind_in_the_table_exists():
    assert {rule.kind for rules in OPERATIONS.values() for rule in rules.values()} <= set(KINDS)
