"""Names in the ROS graph: `/robot/odom`, relative `odom`, private `~odom`."""

from __future__ import annotations

import re

LONGEST_NAME = 512  # characters; ROS names no limit, a peer may not fill our tables with novels
_NAME = re.compile(r"[~/A-Za-z][\w/]*\Z", re.ASCII)


def is_name(name: str) -> bool:
    """Return whether ROS would take `name` for a topic, service, parameter or node."""
    return len(name) <= LONGEST_NAME and (name == "/" or (bool(_NAME.match(name)) and "//" not in name))


def resolve(name: str, namespace: str = "/", node: str = "") -> str:
    """Return the global name of `name` as a node in `namespace` means it: no slash at the end, one at the start.

    `~x` is private to `node` (a global name itself).
    """
    if name.startswith("/"):
        whole = name
    elif name.startswith("~"):
        whole = f"{node}/{name[1:]}"
    else:
        whole = f"{namespace}/{name}"
    return "/" + "/".join(part for part in whole.split("/") if part)


def namespace_of(name: str) -> str:
    """Return the namespace that a global name lives in."""
    return name.rstrip("/").rpartition("/")[0] or "/"


def within(name: str, namespace: str) -> bool:
    """Return whether a global name lives in a namespace or below it."""
    return namespace in ("", "/") or name == namespace or name.startswith(namespace.rstrip("/") + "/")
