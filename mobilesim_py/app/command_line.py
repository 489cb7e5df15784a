"""From words to `Options`: every spelling that scripts use, no abbreviation, one sentence for each mistake.

Spellings: `-m FILE`, `-map FILE`, `--map FILE`, `--map=FILE`, `-p8105`; a last word that is no option is the map.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from mobilesim_py.app.options import (
    DEFAULT_MODEL,
    RESTART_ASKED,
    RESTART_REFUSED,
    ROBOTS,
    TABLE,
    UNATTENDED_LOG_SIZE,
    VIEWER_ASKED,
    VIEWER_REFUSED,
    VIEWER_UNWANTED,
    Group,
    Option,
    Options,
    RobotKind,
    RobotRequest,
)
from mobilesim_py.errors import UsageError

_BY_LONG_NAME = {name: option for option in TABLE for name in option.names}
_BY_SHORT_NAME = {option.short: option for option in TABLE if option.short}

DEFAULT_BAUD = 9600
"""What ARIA opens a robot's serial port with."""


def parse(argv: list[str], interactive: bool = False) -> Options:
    """Find the options that `argv` (without the program's name) asks for; UsageError if it makes no sense.

    `interactive` says that somebody sits at a terminal.
    """
    return _Parser(argv).options(interactive)


def recognise(argument: str) -> tuple[Option, str | None] | None:
    """Find the option that a word names and the value attached to it, or None if it names none."""
    if len(argument) < 2 or not argument.startswith("-"):
        return None
    name, equals, attached = argument.lstrip("-").partition("=") if not argument.startswith("---") else ("", "", "")
    single = not argument.startswith("--")
    option = _BY_LONG_NAME.get(name) or (_BY_SHORT_NAME.get(name) if single else None)
    if option is not None:
        return option, attached if equals else None
    # Only a number may stick to its letter: "-mapp" is a mistyped -map and not the map "app".
    if single and argument[1] in _BY_SHORT_NAME and argument[2:].isdigit():
        option = _BY_SHORT_NAME[argument[1]]
        if option.sets == "port":
            return option, argument[2:]
    return None


class _Parser:
    """One pass over the words."""

    def __init__(self, argv: list[str]) -> None:
        self.words = list(argv)
        self.fields: dict[str, Any] = {}
        self.robots: list[RobotRequest] = []
        self.ignored: dict[str, str] = {}

    def options(self, interactive: bool) -> Options:
        last = len(self.words) - 1
        at = 0
        while at <= last:
            argument = self.words[at]
            found = recognise(argument)
            if found is not None:
                option, attached = found
                at += self._take(option, argument, attached, at)
                if option.sets in ("help", "version"):
                    return Options(help=option.sets == "help", version=option.sets == "version")
            elif argument.startswith("-") and argument != "-":
                raise UsageError(_unknown(argument))
            elif at == last:
                self.fields["map"] = argument
                at += 1
            else:
                raise UsageError(
                    f'I do not know what to do with the word "{argument}": a map without --map must be the last word.'
                )
        return self._finished(interactive)

    def _take(self, option: Option, argument: str, attached: str | None, at: int) -> int:
        """Store one option; the number of words it used up."""
        if attached is not None:
            if not option.may_take_value:
                raise UsageError(f'{option.spelling} takes no value, but "{attached}" was given.')
            self._store(option, attached)
            return 1
        following = self.words[at + 1] if at + 1 < len(self.words) else None
        if option.takes_value:
            if following is None:
                raise UsageError(f"{argument} needs a value: {argument} {option.value}.")
            if recognise(following) is not None:
                raise UsageError(
                    f'{argument} needs a value ({argument} {option.value}), but the option "{following}" follows it.'
                )
            self._store(option, following)
            return 2
        if option.may_take_value and following is not None and self._belongs(option, following):
            self._store(option, following)
            return 2
        self._store(option, None)
        return 1

    @staticmethod
    def _belongs(option: Option, following: str) -> bool:
        """Whether the word after an option with an optional value is that value, or the map or another option."""
        if following.startswith("-"):
            return False
        if option.sets == ROBOTS:
            return not following.lower().endswith(".map")
        return following[:1].isdigit() and not following.lower().endswith(".map")

    def _store(self, option: Option, text: str | None) -> None:
        value = option.constant
        if text is not None and option.read is not None:
            try:
                value = option.read(text)
            except ValueError as expected:
                near = _nearest(text, option.choices)
                raise UsageError(f'{option.spelling} wants {expected}, not "{text}".{near}') from None
        if option.group is Group.ACCEPTED:
            self.ignored[option.spelling] = option.text
        elif option.sets == ROBOTS:
            self._add_robot(option.names[0], "" if text is None else text)
        elif option.sets == "ignore_commands":
            self.fields["ignore_commands"] = self.fields.get("ignore_commands", frozenset()) | {value}
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

    def _finished(self, interactive: bool) -> Options:
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
        if fields.get("noise") is False:
            fields["odom_error_mode"] = "none"
        notes = [f"{spelling} has no effect: {why}" for spelling, why in self.ignored.items()]
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
    """Say where the user's own default map would be."""
    return os.path.join(os.path.expanduser("~"), ".MobileSim", "init.map")


def _named(robots: list[RobotRequest]) -> tuple[RobotRequest, ...]:
    """Every robot with a name of its own: what was given, else the model's, with a number if it is taken."""
    taken: set[str] = set()
    named = []
    for robot in robots:
        if robot.kind is RobotKind.FACTORY:
            named.append(robot)
            continue
        base = robot.name or os.path.basename(robot.model).removesuffix(".p") or robot.model
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number:03d}"
        taken.add(name)
        named.append(replace(robot, name=name))
    return tuple(named)


def _serial_device(text: str) -> tuple[str, int]:
    """`DEVICE[:BAUD]`; the number at the end of a url is its port, not a speed."""
    device, colon, baud = text.rpartition(":")
    if not colon or "://" in text or not baud.isdigit() or not device:
        return text, DEFAULT_BAUD
    if int(baud) < 50:
        raise UsageError(f'--serial wants DEVICE[:BAUD] with a speed such as 9600, not "{text}".')
    return device, int(baud)


def _unknown(argument: str) -> str:
    name = argument.lstrip("-").partition("=")[0]
    names = [n for option in TABLE if not option.hidden for n in option.names]
    return f'There is no option "{argument}".{_nearest(name, names, "--")} Use --help for a list.'


def _nearest(text: str, candidates: list[str] | tuple[str, ...], prefix: str = "") -> str:
    """Make a sentence that names the valid word which is most like `text`, or nothing."""
    from difflib import get_close_matches  # only a mistake needs it

    near = get_close_matches(text.lower(), list(candidates), n=1, cutoff=0.6)
    return f" Did you mean {prefix}{near[0]}?" if near else ""
