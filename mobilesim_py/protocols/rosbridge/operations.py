"""The operations of rosbridge v2: one table of what each may and must carry, read by both ends.

    field:kind      may be there (null and absent are the same)
    field:kind!     must be there

Kinds: name (of a topic, service or action), type, text, long (a text of any length), id, count (a whole number from 0 up),
truth, message (any JSON), level. Other fields are passed over, as clients send some of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros.names import is_name

LONGEST_TEXT = 1024
LEVELS = ("none", "error", "warning", "info")  # what a client wants to be told, from nothing to all
COMPRESSIONS = ("none", "png", "cbor", "cbor-raw")  # the later one wins where subscriptions differ

ROWS: Mapping[str, str] = {
    "advertise": "topic:name! type:type! id:id latch:truth queue_size:count",
    "unadvertise": "topic:name! id:id",
    "publish": "topic:name! msg:message id:id latch:truth",
    "subscribe": "topic:name! type:type id:id throttle_rate:count queue_length:count fragment_size:count compression:text",
    "unsubscribe": "topic:name! id:id",
    "call_service": "service:name! args:message type:type id:id fragment_size:count compression:text",
    "advertise_service": "service:name! type:type! id:id",
    "unadvertise_service": "service:name! id:id",
    "service_response": "service:name! values:message result:truth! id:id",
    "send_action_goal": "action:name! action_type:type args:message feedback:truth id:id",
    "cancel_action_goal": "action:name! id:id!",
    "advertise_action": "action:name! type:type! id:id",
    "unadvertise_action": "action:name! id:id",
    "action_feedback": "action:name! values:message id:id!",
    "action_result": "action:name! values:message status:count result:truth! id:id!",
    "fragment": "id:id! data:long! num:count! total:count!",
    "png": "data:long! id:id num:count total:count",
    "status": "level:level! msg:long id:id",
    "set_level": "level:level! id:id",
    "auth": "mac:text client:text dest:text rand:text t:message level:text end:message id:id",
}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


KINDS: Mapping[str, tuple[Callable[[Any], bool], Any]] = {  # what fits, and what stands for nothing
    "name": (lambda value: isinstance(value, str) and is_name(value), ""),
    "type": (lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT, ""),
    "text": (lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT, ""),
    "long": (lambda value: isinstance(value, str), ""),
    "id": (lambda value: len(value) <= LONGEST_TEXT if isinstance(value, str) else _is_number(value), None),
    "count": (lambda value: _is_number(value) and 0 <= value < 2**53, 0),
    "truth": (lambda value: isinstance(value, bool), False),
    "message": (lambda value: True, None),
    "level": (lambda value: value in LEVELS, "none"),
}


@dataclass(frozen=True)
class FieldRule:
    """What an operation says of one field."""

    kind: str
    required: bool


def _rules(row: str) -> dict[str, FieldRule]:
    rules = {}
    for item in row.split():
        name, _, kind = item.partition(":")
        rules[name] = FieldRule(kind.rstrip("!"), kind.endswith("!"))
    return rules


OPERATIONS: Mapping[str, Mapping[str, FieldRule]] = {op: _rules(row) for op, row in ROWS.items()}

Fields = dict[str, Any]


def check(op: str, plain: Mapping[str, Any]) -> Fields:
    """Return all fields of an operation, the missing ones filled; raise WireError for what does not fit."""
    fields: Fields = {}
    for name, rule in OPERATIONS[op].items():
        value = plain.get(name)
        fits, nothing = KINDS[rule.kind]
        if value is None:
            if rule.required:
                raise WireError(f"{op} needs '{name}'")
            fields[name] = nothing
        elif fits(value):
            fields[name] = math.ceil(value) if rule.kind == "count" else value  # the original says "total": 4.335 of five
        else:
            raise WireError(f"{op} has a '{name}' that is no {rule.kind}: {str(value)[:100]!r}")
    return fields
