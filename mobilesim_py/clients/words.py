"""The options of the program as keywords: `start("office.map", speed="max", no_noise=True)`, checked by the same table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.option_table import TABLE
from mobilesim_py.app.words import Option, nearest
from mobilesim_py.errors import UsageError

_KEYWORDS = {name.replace("-", "_"): option for option in TABLE for name in option.names}
DEFAULTS: Mapping[str, object] = {"port": 0, "web_port": 0, "no_network_discovery": True}
"""What a program that is started beside another has unless it is told otherwise: free ports, and nothing in the network."""


def words_of(map: str | os.PathLike[str] | None, robots: Iterable[str], keywords: Mapping[str, Any]) -> list[str]:
    """Return the command line that a map, robots (`MODEL[:NAME]`) and keywords ask for; UsageError for a mistake."""
    words = [] if map is None else [f"--map={os.fspath(map)}"]
    words += [f"--robot={robot}" for robot in robots]
    for keyword, value in {**DEFAULTS, **keywords}.items():
        words += _words(keyword, value)
    parse(words)
    return words


def _words(keyword: str, value: Any) -> list[str]:
    option = _KEYWORDS.get(keyword)
    if option is None:
        raise UsageError(f'There is no option "{keyword}".{nearest(keyword, _KEYWORDS)} docs/options.md has them all.')
    if option.sets in ("help", "version", "daemonize"):
        raise UsageError(f'"{keyword}" is for the command line: it makes no sense from a program.')
    values = value if isinstance(value, list | tuple) else [value]
    if len(values) > 1 and not option.repeatable:
        raise UsageError(f'"{keyword}" takes one value, not {len(values)}.')
    return [word for one in values for word in _word(option, keyword, one)]


def _word(option: Option, keyword: str, value: Any) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        if option.takes_value:
            raise UsageError(f'"{keyword}" needs a value: {option.text}')
        return [option.spelling]
    if not option.may_take_value:
        raise UsageError(f'"{keyword}" is a switch: it takes True or False, not {value!r}.')
    return [f"{option.spelling}={os.fspath(value) if isinstance(value, os.PathLike) else value}"]
