"""Functions written as text and compiled once: how a definition becomes straight-line code without a loop over its fields.

Interpreting a definition for each message costs some 70 microseconds for an Odometry; the function made of it costs
about two.
The text is made of our own table only: names of fields, formats of struct. Nothing that a peer sends gets into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Source:
    """The lines of one function in the making, and the objects that they use."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.scope: dict[str, Any] = {}
        self._count = 0

    def name(self) -> str:
        """Return a new name for a local variable."""
        self._count += 1
        return f"v{self._count}"

    def line(self, text: str) -> None:
        """Add a statement."""
        self.lines.append(text)

    def bind(self, thing: object) -> str:
        """Return the name under which the function sees `thing`."""
        for name, bound in self.scope.items():
            if bound is thing:
                return name
        name = f"g{len(self.scope)}"
        self.scope[name] = thing
        return name

    def compile(self, arguments: str, result: str, title: str) -> Callable[..., Any]:
        """Return the function: its lines, then `result`."""
        body = "".join(f"    {line}\n" for line in self.lines)
        text = f"def compiled({arguments}):\n{body}    return {result}\n"
        scope = dict(self.scope)
        exec(compile(text, f"<{title}>", "exec"), scope)
        compiled: Callable[..., Any] = scope["compiled"]
        return compiled
