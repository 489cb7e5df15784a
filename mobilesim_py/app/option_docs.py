"""What people read about options: `--help`, and the page docs/options.md, both written from the table."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from mobilesim_py import APPLICATION, __version__
from mobilesim_py.app.option_table import ROWS
from mobilesim_py.app.words import Option
from mobilesim_py.errors import EXPLANATIONS

_INDENT = 26
_WIDTH = 100

EXAMPLES = (
    ("MobileSim -m office.map -r p3dx", "one Pioneer 3-DX in a map, on TCP port 8101"),
    ("MobileSim -r p3dx:robot1 -r amigo:robot2 --nomap", "two robots on ports 8101 and 8102, nothing around them"),
    ("MobileSim -R p3dx -p 9000", "a new robot for every client on port 9000"),
)
SPELLINGS = (
    "Long options may be written with one dash or two, and values as --option VALUE or --option=VALUE (-p8105 works, "
    "too). Options are never abbreviated. A last word that is no option is the map."
)


def spelled(option: Option) -> str:
    """Write an option with its short form and value, such as `-m, --map FILE`."""
    short = f"-{option.short}, " if option.short else ""
    return f"{short}{option.spelling}" + (f" {option.value}" if option.value else "")


def help_text(tools: Iterable[tuple[str, str]] = ()) -> str:
    """Write what --help prints; name and version are on its first line. `tools` are commands and what they are for."""
    lines = [
        f"{APPLICATION} {__version__}: a simulator of Pioneer robots for ARIA and other clients",
        "",
        "Usage: MobileSim [-m MAP] [-r MODEL[:NAME] ...] [OPTIONS ...] [MAP]",
        "",
        *two_columns(EXAMPLES, 50),
        "",
        *textwrap.wrap(SPELLINGS, _WIDTH),
    ]
    for group, options in ROWS.items():
        lines += ["", f"{group.value}:", *described(options)]
    lines += ["", "Tools:", *two_columns(tools, 50), "", "Exit codes:"]
    lines += [f"  {int(code):<4}{text}" for code, text in EXPLANATIONS.items()]
    lines.append("  n   What a client asked for with SIM_EXIT n (use 1 to 126)")
    return "\n".join(lines) + "\n"


def page(tools: str = "") -> str:
    """Write docs/options.md; `tools` is its last section."""
    lines = [
        "# Options",
        "",
        "Written from the tables in `mobilesim_py/app/option_table.py` and `mobilesim_py/tools/table.py` by `make docs`.",
        "",
        "```",
        "MobileSim [-m MAP] [-r MODEL[:NAME] ...] [OPTIONS ...] [MAP]",
        "```",
        "",
        SPELLINGS,
        "",
    ]
    for group, options in ROWS.items():
        lines += [f"## {group.value}", "", *table_of(options), ""]
    lines += ["## Exit codes", "", "| code | meaning |", "|---|---|"]
    lines += [f"| {int(code)} | {text} |" for code, text in EXPLANATIONS.items()]
    lines += ["| n | What a client asked for with SIM_EXIT n (use 1 to 126) |", "", tools]
    return "\n".join(lines)


def table_of(options: Iterable[Option]) -> list[str]:
    """Write options as the lines of a table of a page."""
    rows = [f"| {_cell(option)} | {_escape(option.text)} |" for option in options if not option.hidden]
    return ["| option | what it does |", "|---|---|", *rows]


def described(options: Iterable[Option]) -> list[str]:
    """Write options as lines of help."""
    return [line for option in options if not option.hidden for line in columns(spelled(option), option.text)]


def columns(head: str, text: str) -> list[str]:
    """Write a word and what it means, wrapped, as lines of help."""
    lines = textwrap.wrap(text, _WIDTH - _INDENT)
    if len(head) + 2 < _INDENT - 1:
        first = f"  {head}".ljust(_INDENT) + lines[0]
        return [first, *(" " * _INDENT + line for line in lines[1:])]
    return [f"  {head}", *(" " * _INDENT + line for line in lines)]


def two_columns(rows: Iterable[tuple[str, str]], width: int) -> list[str]:
    """Write pairs as lines of help, the second ones below each other."""
    return [f"  {left:<{width}}{right}" for left, right in rows]


def _cell(option: Option) -> str:
    others = "".join(f", `--{name}`" for name in option.names[1:])
    repeat = " (may be repeated)" if option.repeatable else ""
    return f"`{_escape(spelled(option))}`{others}{repeat}"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")
