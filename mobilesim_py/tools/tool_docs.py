"""What people read about the tools: their help, and their section of docs/options.md, written from the table of tools."""

from __future__ import annotations

from collections.abc import Iterable

from mobilesim_py.app.option_docs import columns, described, page, table_of
from mobilesim_py.tools.table import HELP, TOOLS, Tool, Verb, line_of


def tool_lines() -> list[tuple[str, str]]:
    """Return a line for each tool: how it is called, and what it is for."""
    return [(_short_line(tool), tool.about) for tool in TOOLS.values()]


def _short_line(tool: Tool) -> str:
    verbs = "|".join(verb.name for verb in tool.verbs if verb.name)
    if verbs:
        return f"mobilesim {tool.name} [{verbs}] ..." if tool.default else f"mobilesim {tool.name} {verbs} ..."
    (verb,) = tool.verbs
    return line_of(tool, verb) + (" ..." if verb.options else "")


def tool_help(tool: Tool, verbs: Iterable[Verb]) -> str:
    """Write the help of a tool about some of its verbs."""
    lines: list[str] = []
    for verb in verbs:
        lines += [*([""] if lines else []), f"Usage: {line_of(tool, verb)} [OPTIONS ...]", "", verb.about, ""]
        for argument in verb.arguments:
            lines += columns(argument.name, argument.text)
        lines += described(verb.options)
    lines += [*described((HELP,)), *(["", tool.notes] if tool.notes else [])]
    return "\n".join(lines) + "\n"


def page_section() -> str:
    """Write the section about tools of docs/options.md."""
    lines = ["## Tools"]
    for tool in TOOLS.values():
        lines += ["", f"### mobilesim {tool.name}", "", f"{tool.about.capitalize()}."]
        for verb in tool.verbs:
            lines += ["", f"`{line_of(tool, verb)}`: {verb.about}"]
            if verb.takes_world:
                lines[-1] += " The simulator's own options say what world to build."
            if verb.options:
                lines += ["", *table_of(verb.options)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(page_section()), end="")
