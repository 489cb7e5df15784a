"""Pages that read as notebooks: their cells run one after the other, and what they print and show follows each.

A cell is a block of `py`; after it come a block of `text` with its output and a picture, if it has them. `python -m
tests.notebook` runs docs/tour.md and writes both anew; a test tells when they are out of date.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
TOUR = DOCS / "tour.md"
_CELL = re.compile(r"^```py\n(.*?)^```\n(?:\n```text\n.*?^```\n)?(?:\n!\[(.*?)\]\((.*?)\)\n)?", re.MULTILINE | re.DOTALL)


@dataclass
class Ran:
    """A page after its cells have run."""

    text: str
    pictures: dict[str, bytes]
    """Where in docs/ each picture belongs."""


def run(page: str) -> Ran:
    """Run all cells of a page in one namespace."""
    names: dict[str, Any] = {"__name__": "notebook"}
    pictures: dict[str, bytes] = {}

    def answer(match: re.Match[str]) -> str:
        code, caption, place = match[1], match[2], match[3]
        output, shown = cell(code, names)
        text = f"```py\n{code}```\n"
        if output:
            text += f"\n```text\n{output}```\n"
        if shown is not None:
            assert place, f"this cell shows a picture, and the page has no place for it:\n{code}"
            pictures[place] = shown
            text += f"\n![{caption}]({place})\n"
        return text

    return Ran(_CELL.sub(answer, page), pictures)


def cell(code: str, names: dict[str, Any]) -> tuple[str, bytes | None]:
    """Run a cell; return what it prints, with the value of its last line, or the picture that this is."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        if value is not None and not hasattr(value, "_repr_png_"):
            print(repr(value))
    return out.getvalue(), value._repr_png_() if hasattr(value, "_repr_png_") else None


if __name__ == "__main__":
    done = run(TOUR.read_text())
    TOUR.write_text(done.text)
    for where, data in done.pictures.items():
        (DOCS / where).write_bytes(data)
