"""Rows of the table of types become definitions, in the words of one of the two ROS versions.

The two differ in spelling: `nav_msgs/Odometry` is `nav_msgs/msg/Odometry` in ROS 2, `time` is `builtin_interfaces/Time`
there,
headers lose their `seq`, and a few messages have other fields (marked in the rows).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache

from mobilesim_py.protocols.ros.errors import UnknownTypeError

HEADER = "std_msgs/Header"


class Dialect(Enum):
    """Which ROS a text, a JSON message or a definition is meant for."""

    ROS1 = 1
    ROS2 = 2


INTEGERS: Mapping[str, str] = {             # type of ROS: format of struct
    "int8": "b", "uint8": "B", "byte": "b", "char": "B", "int16": "h", "uint16": "H",
    "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q",
}  # fmt: skip
FLOATS: Mapping[str, str] = {"float32": "f", "float64": "d"}
NUMBERS: Mapping[str, str] = {"bool": "?", **INTEGERS, **FLOATS}
TIMES: Mapping[str, str] = {"time": "II", "duration": "ii"}
OCTETS = frozenset({"uint8", "char"})  # arrays of these are blobs: base64 in JSON, byte strings in CBOR
BUILTINS = frozenset({*NUMBERS, *TIMES, "string"})

_ROS2_SPELLING = {"time": "builtin_interfaces/Time", "duration": "builtin_interfaces/Duration"}


@dataclass(frozen=True)
class Field:
    """One field: `base` is a builtin or the name of a message; `length` is None for one value, -1 for any number."""

    name: str
    base: str
    length: int | None = None

    @property
    def is_message(self) -> bool:
        """Return whether the field holds a message of another type."""
        return self.base not in BUILTINS

    @property
    def brackets(self) -> str:
        """Return what follows the type in its text: ``, `[]` or `[3]`."""
        return "" if self.length is None else "[]" if self.length < 0 else f"[{self.length}]"


@dataclass(frozen=True)
class Constant:
    """A constant of a type; `text` is its value as it stands in the definition, and in the md5 sum."""

    name: str
    base: str
    text: str

    @property
    def value(self) -> int:
        """Return the value as a number (no type of ours has another constant)."""
        return int(self.text)


@dataclass(frozen=True)
class Definition:
    """Fields and constants of one message, in one dialect. `name` is `package/Name`, without version."""

    name: str
    version: str
    fields: tuple[Field, ...]
    constants: tuple[Constant, ...]
    elsewhere: frozenset[str]  # names of fields that only the other dialect has
    text: str  # as a .msg file would say it


_ROW = re.compile(r"(?P<name>\w+/\w+)(?:@(?P<version>[\w.]+))?(?P<rest>.*)\Z", re.DOTALL)
_ITEM = re.compile(r"(?:@(?P<only>[12]) )?(?P<base>[\w/]+)(?:\[(?P<length>\d*)\])? (?P<name>\w+)(?:=(?P<value>-?\d+))?\Z")


def full_name(name: str) -> str:
    """Return `package/Name` for any spelling of a type: `package/Name`, `package/msg/Name`, `/srv/`, `/action/`."""
    parts = name.strip().split("/")
    if len(parts) == 3 and parts[1] in ("msg", "srv", "action"):
        del parts[1]
    if len(parts) != 2 or not all(part.isidentifier() for part in parts):
        raise UnknownTypeError(f"'{name[:100]}' is no name of a type; types are named like geometry_msgs/Twist")
    package, short = parts
    return f"{'rosapi' if package == 'rosapi_msgs' else package}/{short}"


@cache
def split_rows(rows: str) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of each row by its name and version: one for a message, two for a service, three for an action."""
    table: dict[str, tuple[str, ...]] = {}
    for row in re.split(r"\n(?=\w)", rows.strip()):
        match = _ROW.match(row.strip())
        assert match, row
        key = match["name"] + (f"@{match['version']}" if match["version"] else "")
        assert key not in table, key
        table[key] = tuple(match["rest"].split("---"))
    return table


def define(key: str, part: str, dialect: Dialect, known: Mapping[str, object]) -> Definition:
    """Return the definition that `part` of the row `key` gives; `known` are the keys of all messages."""
    name, _, version = key.partition("@")
    fields: list[Field] = []
    constants: list[Constant] = []
    elsewhere: set[str] = set()
    lines: list[str] = []
    for item in filter(None, (item.strip() for item in re.split(r"[|\n]", part))):
        match = _ITEM.match(item)
        assert match, item
        if match["only"] and int(match["only"]) != dialect.value:
            if match["value"] is None:
                elsewhere.add(match["name"])
            continue
        base = _base(match["base"], name, version, known)
        if match["value"] is not None:
            constants.append(Constant(match["name"], base, match["value"]))
            lines.append(f"{base} {match['name']}={match['value']}")
            continue
        length = None if match["length"] is None else int(match["length"] or -1)
        field = Field(match["name"], base, length)
        fields.append(field)
        lines.append(f"{_spelled(base, dialect)}{field.brackets} {field.name}")
    return Definition(
        name, version, tuple(fields), tuple(constants), frozenset(elsewhere), "".join(f"{line}\n" for line in lines)
    )


def _base(base: str, owner: str, version: str, known: Mapping[str, object]) -> str:
    if base in BUILTINS:
        return base
    if base == "Header":
        return HEADER
    name = base if "/" in base else f"{owner.partition('/')[0]}/{base}"
    return f"{name}@{version}" if version and f"{name}@{version}" in known else name


def _spelled(base: str, dialect: Dialect) -> str:
    unversioned = base.partition("@")[0]
    return _ROS2_SPELLING.get(unversioned, unversioned) if dialect is Dialect.ROS2 else unversioned


def spelled_type(name: str, dialect: Dialect, kind: str = "msg") -> str:
    """Return the name of a type as a dialect writes it: `nav_msgs/Odometry` or `nav_msgs/msg/Odometry`."""
    package, _, short = name.partition("/")
    if dialect is Dialect.ROS1:
        return name
    return f"{'rosapi_msgs' if package == 'rosapi' else package}/{kind}/{short}"
