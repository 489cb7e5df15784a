"""From words to `Options`: what the options of the simulator mean together; a last word that is no option is the map."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from mobilesim_py.app.option_table import (
    ALLOWED,
    DENIED,
    MAP_DIRS,
    RESTART_ASKED,
    RESTART_REFUSED,
    ROBOTS,
    TABLE,
    VIEWER_ASKED,
    VIEWER_REFUSED,
    VIEWER_UNWANTED,
)
from mobilesim_py.app.options import DEFAULT_MODEL, UNATTENDED_LOG_SIZE, Options, RobotKind, RobotRequest
from mobilesim_py.app.words import Option, OptionTable
from mobilesim_py.errors import UsageError
from mobilesim_py.names import MODEL, unique_name
from mobilesim_py.services.permissions import EVERYTHING, Permission

DEFAULT_BAUD = 9600
"""What ARIA opens a robot's serial port with."""
_OPTIONS = OptionTable(TABLE)


def parse(argv: list[str], interactive: bool = False) -> Options:
    """Find the options that `argv` (without the program's name) asks for; UsageError if it makes no sense.

    `interactive` says that somebody sits at a terminal.
    """
    wishes = _Wishes()
    for found in _OPTIONS.scan(argv, is_its_value):
        if found.option is not None:
            wishes.add(found.option, found.text)
            if found.option.sets in ("help", "version"):
                return Options(help=found.option.sets == "help", version=found.option.sets == "version")
        elif found.is_last:
            wishes.fields["map"] = found.text
        else:
            raise UsageError(
                f'I do not know what to do with the word "{found.text}": a map without --map must be the last word.'
            )
    return replace(wishes.options(interactive), words=tuple(argv))


def is_its_value(option: Option, following: str) -> bool:
    """Tell whether the word after an option with an optional value is that value, or the map or another option."""
    if following.startswith("-") or following.lower().endswith(".map"):
        return False
    return option.sets == ROBOTS or following[:1].isdigit() or "://" in following


class _Wishes:
    """What the options say, one after the other, until all are known and decide together."""

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.robots: list[RobotRequest] = []
        self.without_effect: dict[str, str] = {}

    def add(self, option: Option, text: str | None) -> None:
        """Store one option."""
        value = option.value_of(text)
        if not option.sets:
            self.without_effect[option.spelling] = option.text
        elif option.sets == ROBOTS:
            self._add_robot(option.names[0], "" if text is None else text)
        elif option.sets == "ignore_commands":
            self.fields["ignore_commands"] = self.fields.get("ignore_commands", frozenset()) | {value}
        elif option.sets in ("reality", "patches", "faults", "naio_routes", "aux", "laser_servers"):
            self.fields[option.sets] = (*self.fields.get(option.sets, ()), value)
        elif option.sets in (DENIED, ALLOWED):
            words: tuple[str, ...] = value  # type: ignore[assignment]
            groups = tuple(Permission) if EVERYTHING in words else tuple(Permission(word) for word in words)
            self.fields[option.sets] = self.fields.get(option.sets, frozenset()) | frozenset(groups)
        elif option.sets == MAP_DIRS:
            self.fields[MAP_DIRS] = (*self.fields.get(MAP_DIRS, ()), value)
        else:
            self.fields[option.sets] = value
        self.fields.update(option.also)

    def _add_robot(self, kind: str, text: str) -> None:
        if kind in ("robot", "robot-factory"):
            model, _, name = text.partition(":")
            if not model:
                raise UsageError(f'--{kind} wants a model, but there is none in "{text}".')
            factory = kind == "robot-factory"
            self.robots.append(RobotRequest(model, name, RobotKind.FACTORY if factory else RobotKind.PORT))
            return
        # The line belongs to the robot named just before it.
        if self.robots and self.robots[-1].kind is RobotKind.PORT:
            robot = self.robots.pop()
        else:
            robot = RobotRequest(DEFAULT_MODEL, "")
        if kind == "pty":
            self.robots.append(replace(robot, kind=RobotKind.PTY, device=text))
        else:
            device, baud = _serial_device(text)
            self.robots.append(replace(robot, kind=RobotKind.SERIAL, device=device, baud=baud))

    def options(self, interactive: bool) -> Options:
        """Decide what follows from all options together."""
        fields = self.fields
        if "map" in fields and not fields["map"]:
            del fields["map"]
            fields["nomap"] = True
        elif "map" in fields:
            fields["nomap"] = False
        unattended = bool(fields.get("noninteractive"))
        fields["step_given"] = "update_sim_time" in fields or "update_interval" in fields
        fields.setdefault("update_sim_time", fields.get("update_interval", 100))
        fields.setdefault("log_file_max_size", UNATTENDED_LOG_SIZE if unattended else 0)
        fields["interactive"] = interactive and not unattended
        asked, unwanted, refused = (fields.pop(key, False) for key in (VIEWER_ASKED, VIEWER_UNWANTED, VIEWER_REFUSED))
        fields["web"] = not refused and (asked or (fields["interactive"] and not unwanted))
        restart, refusal = (fields.pop(key, False) for key in (RESTART_ASKED, RESTART_REFUSED))
        fields["crash_restart"] = restart and not refusal
        fields[DENIED] = fields.get(DENIED, frozenset()) - fields.get(ALLOWED, frozenset())
        if fields.get("noise") is False:
            fields["odom_error_mode"] = "none"
        notes = [f"{spelling} has no effect: {why}" for spelling, why in self.without_effect.items()]
        chosen = bool(fields.get("nomap") or fields.get("map") or fields.get("stageworld"))
        if not chosen and unattended and not os.path.exists(init_map()):
            raise UsageError(
                "No map given in noninteractive mode. Use --map to specify a map file, or use --nomap for an empty map."
            )
        fields["nothing_chosen"] = not chosen and not self.robots
        if not chosen and not unattended:
            notes.append("No map was chosen, so the default map is used. Use --map FILE for another, --nomap for none.")
        if not self.robots and "stageworld" not in fields:
            notes.append(
                f"No robot was chosen, so it is a {DEFAULT_MODEL}. Use --robot MODEL for another; "
                '"mobilesim models" lists them.'
            )
        robots = self.robots or ([] if "stageworld" in fields else [RobotRequest(DEFAULT_MODEL, "")])
        return Options(**fields, robots=_named(robots), notes=tuple(notes))


def init_map() -> str:
    """Return where the user's own default map would be."""
    return os.path.join(os.path.expanduser("~"), ".MobileSim", "init.map")


def _named(robots: list[RobotRequest]) -> tuple[RobotRequest, ...]:
    """Give every robot a name of its own: what was given, else the model's, with a number if it is taken."""
    taken: set[str] = set()
    named = []
    for robot in robots:
        if robot.kind is RobotKind.FACTORY:
            named.append(robot)
            continue
        base = robot.name or os.path.basename(robot.model).removesuffix(".p") or robot.model
        name = unique_name(base, taken, MODEL)
        taken.add(name)
        named.append(replace(robot, name=name))
    return tuple(named)


def _serial_device(text: str) -> tuple[str, int]:
    """Split `DEVICE[:BAUD]`; the number at the end of a url is its port, not a speed."""
    device, colon, baud = text.rpartition(":")
    if not colon or "://" in text or not baud.isdigit() or not device:
        return text, DEFAULT_BAUD
    if int(baud) < 50:
        raise UsageError(f'--serial wants DEVICE[:BAUD] with a speed such as 9600, not "{text}".')
    return device, int(baud)
