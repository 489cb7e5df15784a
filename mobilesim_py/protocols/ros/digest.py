"""What identifies a ROS 1 type: its md5 sum, and its definition with all that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import md5

from mobilesim_py.protocols.ros.rows import Definition, Dialect, spelled_type

Lookup = Callable[[str], Definition]

RULE = "=" * 80


def md5_text(definition: Definition, md5_of: Callable[[str], str]) -> str:
    """Return the text whose md5 sum names the type: constants first, and each nested message replaced by its own sum."""
    lines = [f"{constant.base} {constant.name}={constant.text}" for constant in definition.constants]
    for field in definition.fields:
        if field.is_message:
            lines.append(f"{md5_of(field.base)} {field.name}")
        else:
            lines.append(f"{field.base}{field.brackets} {field.name}")
    return "\n".join(lines)


def md5_of_texts(*texts: str) -> str:
    """Return the md5 sum of one text (a message), or of request and response (a service)."""
    return md5("".join(texts).encode(), usedforsecurity=False).hexdigest()


def nested(definition: Definition, look_up: Lookup) -> Iterator[Definition]:
    """Yield the definitions that a message is made of, each once, in the order in which they are met."""
    seen: set[str] = set()
    waiting = [definition]
    while waiting:
        fields = waiting.pop().fields
        found = []
        for field in fields:
            if field.is_message and field.base not in seen:
                seen.add(field.base)
                found.append(look_up(field.base))
        yield from found
        waiting += reversed(found)


def full_text(definition: Definition, look_up: Lookup, dialect: Dialect) -> str:
    """Return the text that bags, connection headers and `topics_and_raw_types` carry: the type, then all nested ones."""
    blocks = [definition.text]
    for part in nested(definition, look_up):
        blocks.append(f"{RULE}\nMSG: {spelled_type(part.name, Dialect.ROS1)}\n{part.text}")
    if dialect is Dialect.ROS2 and any("builtin_interfaces/" in block for block in blocks):
        blocks += [f"{RULE}\nMSG: builtin_interfaces/{name}\nint32 sec\nuint32 nanosec\n" for name in ("Time", "Duration")]
    return "".join(blocks)
