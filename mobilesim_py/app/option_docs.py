"""What people read about the options: `--help`, and the page docs/options.md, both written from the table."""

from __future__ import annotations

import textwrap

from mobilesim_py import APPLICATION, __version__
from mobilesim_py.app.options import TABLE, Group, Option
from mobilesim_py.errors import EXPLANATIONS
from mobilesim_py.tools.table import TOOLS

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
TOOL_LINES = tuple((f"mobilesim {tool.usage}", tool.about) for tool in TOOLS.values())


def spellings(option: Option) -> str:
    """Write an option with its short form and value, such as `-m, --map FILE`."""
    short = f"-{option.short}, " if option.short else ""
    return f"{short}{option.spelling}" + (f" {option.value}" if option.value else "")


def help_text() -> str:
    """Write what --help prints; name and version are on its first line."""
    lines = [
        f"{APPLICATION} {__version__}: a simulator of Pioneer robots for ARIA and other clients",
        "",
        "Usage: MobileSim [-m MAP] [-r MODEL[:NAME] ...] [OPTIONS ...] [MAP]",
        "",
        *_two_columns(EXAMPLES, 50),
        "",
        *textwrap.wrap(SPELLINGS, _WIDTH),
    ]
    for group in Group:
        lines += ["", f"{group.value}:"]
        for option in TABLE:
            if option.group is group and not option.hidden:
                lines += _described(option)
    lines += ["", "Tools:", *_two_columns(TOOL_LINES, 50), "", "Exit codes:"]
    lines += [f"  {int(code):<4}{text}" for code, text in EXPLANATIONS.items()]
    lines.append("  n   What a client asked for with SIM_EXIT n (use 1 to 126)")
    return "\n".join(lines) + "\n"


def page() -> str:
    """Write docs/options.md."""
    lines = [
        "# Options",
        "",
        "Written from the table in `mobilesim_py/app/options.py` by `make docs`.",
        "",
        "```",
        "MobileSim [-m MAP] [-r MODEL[:NAME] ...] [OPTIONS ...] [MAP]",
        "```",
        "",
        SPELLINGS,
        "",
    ]
    for group in Group:
        lines += [f"## {group.value}", "", "| option | what it does |", "|---|---|"]
        for option in TABLE:
            if option.group is group and not option.hidden:
                lines.append(f"| {_cell(option)} | {_escape(option.text)} |")
        lines.append("")
    lines += ["## Exit codes", "", "| code | meaning |", "|---|---|"]
    lines += [f"| {int(code)} | {text} |" for code, text in EXPLANATIONS.items()]
    lines += ["| n | What a client asked for with SIM_EXIT n (use 1 to 126) |", "", "## Tools", ""]
    lines += ["| command | what it does |", "|---|---|"]
    lines += [f"| `{_escape(command)}` | {text} |" for command, text in TOOL_LINES]
    return "\n".join(lines) + "\n"


def _cell(option: Option) -> str:
    others = "".join(f", `--{name}`" for name in option.names[1:])
    repeat = " (may be repeated)" if option.repeatable else ""
    return f"`{_escape(spellings(option))}`{others}{repeat}"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def _described(option: Option) -> list[str]:
    head = "  " + spellings(option)
    text = textwrap.wrap(option.text, _WIDTH - _INDENT)
    if len(head) < _INDENT - 1:
        first = head.ljust(_INDENT) + text[0]
        return [first, *(" " * _INDENT + line for line in text[1:])]
    return [head, *(" " * _INDENT + line for line in text)]


def _two_columns(rows: tuple[tuple[str, str], ...], width: int) -> list[str]:
    return [f"  {left:<{width}}{right}" for left, right in rows]


if __name__ == "__main__":
    print(page(), end="")
