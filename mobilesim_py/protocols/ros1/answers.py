"""Answers of ROS APIs, `[code, text, value]`, and the table that checks the parameters of their methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any
from urllib.parse import urlsplit

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros.names import is_name
from mobilesim_py.protocols.ros1.xmlrpc import build_answer, build_fault, parse_call

LONGEST_URI = 1024


class Code(IntEnum):
    """How a call went."""

    SUCCESS = 1
    FAILURE = 0
    ERROR = -1


Answer = tuple[int, str, Any]


def success(text: str, value: Any = 0) -> Answer:
    """Return the answer to a call that was obeyed."""
    return Code.SUCCESS.value, text, value


def failure(text: str) -> Answer:
    """Return the answer to a call that was right but could not be obeyed."""
    return Code.FAILURE.value, text, 0


def refusal(text: str, value: Any = 0) -> Answer:
    """Return the answer to a call that was wrong."""
    return Code.ERROR.value, text, value


def is_uri(value: object, scheme: str = "http") -> bool:
    """Return whether a value is a URI with a host and a port."""
    if not isinstance(value, str) or len(value) > LONGEST_URI:
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme == scheme and bool(parts.hostname) and parts.port is not None
    except ValueError:
        return False


CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "name": lambda value: isinstance(value, str) and is_name(value),
    "type": lambda value: isinstance(value, str) and 0 < len(value) <= LONGEST_URI,
    "text": lambda value: isinstance(value, str),
    "api": is_uri,
    "rosrpc": lambda value: is_uri(value, "rosrpc"),
    "list": lambda value: isinstance(value, list),
    "any": lambda value: True,
}


@dataclass(frozen=True)
class Method:
    """One method of an API: what it does, and what its parameters must be (keys of CHECKS)."""

    answer: Callable[..., Answer]
    parameters: tuple[str, ...]


def answer_call(methods: Mapping[str, Method], name: str, parameters: Sequence[Any]) -> Answer:
    """Return the answer to a call, given the table of methods."""
    method = methods.get(name)
    if method is None:
        return refusal(f"unknown method [{name[:100]}]")
    if len(parameters) != len(method.parameters):
        return refusal(f"[{name}] takes {len(method.parameters)} parameters, not {len(parameters)}")
    for number, (check, value) in enumerate(zip(method.parameters, parameters, strict=True), 1):
        if not CHECKS[check](value):
            return refusal(f"parameter {number} of [{name}] must be a {check}")
    return method.answer(*parameters)


def answer_body(answer: Callable[[str, list[Any]], Any], body: bytes) -> bytes:
    """Return the body of the answer to the call in `body`. A body that is no call gets a fault."""
    try:
        name, parameters = parse_call(body)
    except WireError as fault:
        return build_fault(1, str(fault))
    return build_answer(answer(name, parameters))
