"""The one way in which all tools read their words, from their rows in the table of tools."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from mobilesim_py.app.command_line import is_its_value
from mobilesim_py.app.option_table import TABLE
from mobilesim_py.app.words import Option, OptionTable, nearest
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.resources import resource_problem
from mobilesim_py.tools.table import HELP, TOOLS, Tool, Verb, command_of, line_of

Given = SimpleNamespace
"""What was given: an attribute for each option and argument of the verb, and `world` with the words for the simulator."""
Run = Callable[[Given], int]


def run(name: str, argv: list[str], actions: Mapping[str, Run]) -> int:
    """Run the verb of a tool that the words ask for, or print help; return the exit code. UsageError for a mistake."""
    tool = TOOLS[name]
    verb, words = choose_verb(tool, argv)
    given = parse(tool, verb, words) if verb is not None else None
    if verb is not None and given is not None:
        if tool.reads_resources and (problem := resource_problem()):
            print(f"Warning: {problem}", file=sys.stderr)
        return actions[verb.name](given)
    from mobilesim_py.tools.tool_docs import tool_help

    print(tool_help(tool, tool.verbs if verb is None else (verb,)), end="")
    return ExitCode.OK


def choose_verb(tool: Tool, argv: list[str]) -> tuple[Verb | None, list[str]]:
    """Find the verb and the words after it; None when the first word asks for help."""
    verbs = {verb.name: verb for verb in tool.verbs}
    first = argv[0] if argv else ""
    if OptionTable([HELP]).recognise(first) is not None:
        return None, []
    if "" in verbs:
        return verbs[""], argv
    if first in verbs:
        return verbs[first], argv[1:]
    if tool.default and (not first or first.startswith("-")):
        return verbs[tool.default], argv
    there_are = f"There are {', '.join(verbs)}."
    if not first or first.startswith("-"):
        raise UsageError(f"`mobilesim {tool.name}` needs to know what to do. {there_are}")
    raise UsageError(f"There is no `mobilesim {tool.name} {first}`.{nearest(first, verbs)} {there_are}")


def parse(tool: Tool, verb: Verb, words: list[str]) -> Given | None:
    """Read the words of a verb; None when help is wanted."""
    command = command_of(tool, verb)
    own = OptionTable((*verb.options, HELP), f"`{command} --help`")
    world = [option for option in TABLE if verb.takes_world and own.recognise(option.spelling) is None]
    values: dict[str, Any] = {option.sets: _unset(option) for option in verb.options}
    given = Given(**values, world=[])
    plain: list[str] = []
    for found in OptionTable((*own.options, *world), f"`{command} --help`").scan(words, is_its_value):
        if found.option is None:
            plain.append(str(found.text))
        elif found.option is HELP:
            return None
        elif found.option in own.options:
            value = found.option.value_of(found.text)
            before = getattr(given, found.option.sets)
            setattr(given, found.option.sets, (*before, value) if found.option.repeatable else value)
        else:
            given.world.append(_word(found.option, found.text))
    _place(given, tool, verb, plain)
    return given


def _unset(option: Option) -> Any:
    """Return what the field of an option holds that is not given."""
    if option.repeatable:
        return ()
    return option.default if option.value else False


def _word(option: Option, text: str | None) -> str:
    return option.spelling if text is None else f"{option.spelling}={text}"


def _place(given: Given, tool: Tool, verb: Verb, plain: list[str]) -> None:
    """Give the words without a dash to the arguments, in their order."""
    left = list(plain)
    for argument in verb.arguments:
        if not left and argument.default is not None:
            left = [argument.default]
        if not left:
            raise UsageError(f"{argument.name} is missing: {line_of(tool, verb)}")
        mine, left = (left, []) if argument.many else (left[:1], left[1:])
        read = [argument.value_of(text) for text in mine]
        setattr(given, argument.sets, read if argument.many else read[0])
    if left and verb.takes_world:
        given.world += left
    elif left:
        raise UsageError(f'I do not know what to do with "{left[0]}". Usage: {line_of(tool, verb)}')
