"""Types as rosapi tells them to web clients that know no definitions: each type inside of a type, field by field."""

from __future__ import annotations

import numpy as np

from mobilesim_py.protocols.ros.interfaces import Interfaces, MessageType
from mobilesim_py.protocols.ros.rows import FLOATS, TIMES, Definition, Dialect
from mobilesim_py.protocols.ros.values import Message


def type_definition(definition: Definition, name: str, dialect: Dialect) -> Message:
    """Return one type as rosapi tells it: names, types and lengths of its fields, examples, constants."""
    fields = definition.fields
    constants = sorted(definition.constants, key=lambda constant: constant.name)
    return {
        "type": name,
        "fieldnames": [field.name for field in fields],
        "fieldtypes": [_field_type(field.base, dialect) for field in fields],
        "fieldarraylen": np.array([-1 if f.length is None else max(f.length, 0) for f in fields], np.int32),
        "examples": ["[]" if field.length is not None else _example(field.base) for field in fields],
        "constnames": [constant.name for constant in constants],
        "constvalues": [constant.text for constant in constants],
    }


def _field_type(base: str, dialect: Dialect) -> str:
    if dialect is Dialect.ROS2 and base in TIMES:
        return f"builtin_interfaces/{base.title()}"
    return base.partition("@")[0]


def _example(base: str) -> str:
    if base in TIMES or "/" in base:
        return "{}"
    return {"string": "", "bool": "False"}.get(base, "0.0" if base in FLOATS else "0")


def _time_definition(base: str, dialect: Dialect) -> Message:
    old = dialect is Dialect.ROS1
    return {
        "type": _field_type(base, dialect),
        "fieldnames": ["secs", "nsecs"] if old else ["sec", "nanosec"],
        "fieldtypes": ["int32", "int32"] if old else ["int32", "uint32"],
        "fieldarraylen": np.array([-1, -1], np.int32),
        "examples": ["0", "0"],
        "constnames": [],
        "constvalues": [],
    }


def type_definitions(kind: MessageType, name: str, table: Interfaces) -> Message:
    """Return a type and all types inside of it, each once, as they are met."""
    found: list[Message] = []
    seen: set[str] = set()

    def add(definition: Definition, title: str) -> None:
        found.append(type_definition(definition, title, table.dialect))
        for part in definition.fields:
            if part.base in seen:
                continue
            seen.add(part.base)
            if part.base in TIMES:
                found.append(_time_definition(part.base, table.dialect))
            elif part.is_message:
                add(table.definition(part.base), part.base.partition("@")[0])

    add(kind.definition, name)
    return {"typedefs": found}
