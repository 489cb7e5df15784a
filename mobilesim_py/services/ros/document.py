"""Writes the tables of docs/ros.md from the table of topics: what there is, of which type, and what it says.

`python -m mobilesim_py.services.ros.document docs/ros.md` brings the page up to date; only what stands between the marks of
a table is written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mobilesim_py.services.ros.rows import NAME_SETS, STEP, ActionRow, Row, ServiceRow, TopicRow
from mobilesim_py.services.ros.table import ACTIONS, SERVICES, TOPICS


def _other_names(row: Row) -> str:
    """Return what a row is called in sets of names other than its own."""
    if row.only != NAME_SETS:
        return f"only {', '.join(row.only)}"
    told = [f"{name_set}: {f'`{name}`' if name else 'none'}" for name_set, name in row.names.items()]
    return ", ".join(told)


def _period(row: TopicRow) -> str:
    if row.latched:
        return "latched"
    if row.source is None:
        return ""
    return "every step" if row.period == STEP else f"{row.period:g} s"


def topics(rows: Sequence[TopicRow] = TOPICS) -> str:
    """Return the table of topics."""
    lines = ["| topic | type | goes | period | what it says | in other sets of names |", "|---|---|---|---|---|---|"]
    for row in rows:
        cells = (f"`{row.name}`", f"`{row.type}`", row.direction.value, _period(row), row.about, _other_names(row))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def services(rows: Sequence[ServiceRow] = SERVICES) -> str:
    """Return the table of services."""
    lines = ["| service | type | what it does | in other sets of names |", "|---|---|---|---|"]
    lines += [f"| `{row.name}` | `{row.type}` | {row.about} | {_other_names(row)} |" for row in rows]
    return "\n".join(lines)


def actions(rows: Sequence[ActionRow] = ACTIONS) -> str:
    """Return the table of actions."""
    lines = ["| action | type | what it does |", "|---|---|---|"]
    lines += [f"| `{row.name}` | `{row.type}` | {row.about} |" for row in rows]
    return "\n".join(lines)


TABLES: Mapping[str, Callable[[], str]] = {"topics": topics, "services": services, "actions": actions}
"""By the word of their marks: `<!-- table: WORD -->` before, `<!-- end of table -->` behind."""
END = "<!-- end of table -->"


def renewed(page: str) -> str:
    """Return the page with all its tables as they are now."""
    for word, table in TABLES.items():
        mark = f"<!-- table: {word} -->"
        before, found, rest = page.partition(mark)
        if not found or END not in rest:
            raise SystemExit(f"the page has no {mark}, or no {END} behind it")
        page = f"{before}{mark}\n{table()}\n{END}{rest.partition(END)[2]}"
    return page


def main(path: str) -> None:
    """Write the tables of a page anew."""
    page = Path(path)
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
