"""Messages filled by chance, and the oracle's view of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mobilesim_py.protocols.ros.interfaces import MessageType, interfaces
from mobilesim_py.protocols.ros.rows import FLOATS, INTEGERS, NUMBERS, TIMES, Dialect, Field
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import DTYPES

ALL_MESSAGES = interfaces(Dialect.ROS1).message_names


@pytest.fixture
def ros1():
    return interfaces(Dialect.ROS1)


@pytest.fixture
def ros2():
    return interfaces(Dialect.ROS2)


@pytest.fixture
def chance_message() -> Callable[[MessageType, int], dict[str, Any]]:
    """Return a function that fills a message of a type by chance: the same one for the same seed."""

    def fill(kind: MessageType, seed: int) -> dict[str, Any]:
        chance = np.random.default_rng(seed)
        return message(kind.definition, kind._look_up, chance)

    def message(definition, look_up, chance):
        return {field.name: value(field, look_up, chance) for field in definition.fields}

    def value(field: Field, look_up, chance):
        if field.length is None:
            return element(field, look_up, chance)
        length = field.length if field.length >= 0 else int(chance.integers(0, 4))
        if field.base in NUMBERS:
            return np.array([element(field, look_up, chance) for _ in range(length)], DTYPES[field.base])
        return [element(field, look_up, chance) for _ in range(length)]

    def element(field: Field, look_up, chance):
        if field.base == "bool":
            return bool(chance.integers(2))
        if field.base in INTEGERS:
            limits = np.iinfo(DTYPES[field.base])
            return int(chance.integers(limits.min, limits.max, dtype=DTYPES[field.base], endpoint=True))
        if field.base in FLOATS:
            return float(chance.choice([0.0, -1.5, np.inf, -np.inf, 0.5**100, float(np.float32(chance.normal()))]))
        if field.base in TIMES:
            return Time(int(chance.integers(0, 2**31)), int(chance.integers(0, 10**9)))
        if field.base == "string":
            return "".join(chance.choice(list("abc/_ é漢"), int(chance.integers(0, 6))))
        return message(look_up(field.base), look_up, chance)

    return fill


def plain(value: Any) -> Any:
    """Return a message with lists in the place of arrays, so that it can be compared."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | list):
        return [plain(item) for item in value]
    return tuple(value) if isinstance(value, Time) else value.item() if isinstance(value, np.generic) else value


@pytest.fixture(name="plain")
def plain_fixture() -> Callable[[Any], Any]:
    return plain
