"""What clients may do besides driving their robots, in groups that `--deny` closes and `--allow` opens."""

from __future__ import annotations

from enum import StrEnum


class Permission(StrEnum):
    """A group of things that a client may be denied."""

    EXIT = "exit"
    ABORT = "abort"
    MAPS = "maps"
    POSE = "pose"
    LOG = "log"


EVERYTHING = "all"
MEANINGS: dict[Permission, str] = {
    Permission.EXIT: "end the program",
    Permission.ABORT: "let the program crash, for debugging",
    Permission.MAPS: "load another map",
    Permission.POSE: "put robots elsewhere, or make ghosts of them",
    Permission.LOG: "write into the log, and have it begin a new file",
}
