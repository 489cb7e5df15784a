"""XML files from outside, read safely into elements that remember their lines.

Document types and entities are refused, size and depth are bounded, so no file can make the reader work or grow without end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from mobilesim_py.errors import MapError

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 16

Warn = Callable[[str], None]
"""Receives a warning that does not stop the reading."""


class LabFileError(MapError):
    """A lab, grid, parameter or log file that cannot be used; the text names file, line and what to do."""

    def __init__(self, source: str, line: int, what: str, advice: str) -> None:
        super().__init__(f"{what}; {advice}", source, line)


def located(source: str, line: int, what: str, advice: str) -> str:
    """Return one sentence for the person at the terminal: where, what, and what to do."""
    return f"{source}:{line}: {what}; {advice}"


def ignore(_sentence: str) -> None:
    """Ignore a warning."""


@dataclass(slots=True)
class Element:
    """An element of a file with its line, and readers of its attributes whose errors name that line."""

    source: str
    line: int
    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""
    """What stands in it beside its children."""

    def error(self, what: str, advice: str) -> LabFileError:
        """Return the error that points at this element."""
        return LabFileError(self.source, self.line, what, advice)

    def warning(self, what: str, advice: str) -> str:
        """Return the warning that points at this element."""
        return located(self.source, self.line, what, advice)

    def number(self, name: str, default: float | None = None) -> float:
        """Return an attribute as a finite number; without a default it is required."""
        text = self.attributes.get(name)
        if text is None:
            if default is None:
                raise self.error(f"<{self.tag}> has no {name}", f'add {name}="..." with a number')
            return default
        value = to_number(text)
        if value is None:
            raise self.error(f'{name}="{text}" of <{self.tag}> is not a number', "write it like 3 or 3.5")
        return value

    def whole(self, name: str, default: int | None = None) -> int:
        """Return an attribute as an integer; without a default it is required."""
        value = self.number(name, None if default is None else float(default))
        if value != math.floor(value):
            raise self.error(f'{name}="{self.attributes[name]}" of <{self.tag}> is not a whole number', "write it like 3")
        return int(value)

    def heard(self, known: frozenset[str], warn: Warn) -> None:
        """Warn of unknown attributes."""
        for name in self.attributes:
            if name not in known:
                warn(
                    self.warning(f"<{self.tag}> does not know {name}", f"it knows {', '.join(sorted(known))}; remove {name}")
                )


def to_number(text: str) -> float | None:
    """Return a text as a finite number, or None; digits may not be grouped with underscores."""
    if "_" in text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def read_file(path: str | Path, root: str) -> Element:
    """Read a file into the tree of its elements, whose root must have the given tag."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise LabFileError(
            str(path), 1, f"cannot be read ({reason})", "check the name and the permissions of the file"
        ) from None
    return read_elements(data, str(path), root)


def read_elements(data: bytes, source: str, root: str) -> Element:
    """Return the tree of elements in a document whose root must have the given tag."""
    if len(data) > MAX_FILE_BYTES:
        raise LabFileError(
            source,
            1,
            f"is larger than {MAX_FILE_BYTES} bytes",
            f"a <{root}> file is some kilobytes; check which file this is",
        )
    stack: list[Element] = []
    found: list[Element] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(source, parser.CurrentLineNumber, tag, attributes)
        if not stack:
            if tag != root:
                raise element.error(
                    f"the outermost element is <{tag}>, not <{root}>", f"give a file that starts with <{root}>"
                )
            found.append(element)
        else:
            stack[-1].children.append(element)
        if len(stack) >= MAX_DEPTH:
            raise element.error(f"elements are nested more than {MAX_DEPTH} deep", f"close the elements before <{tag}>")
        stack.append(element)

    def end(_tag: str) -> None:
        stack.pop()

    def text(data: str) -> None:
        stack[-1].text += data

    def refuse(*_details: object) -> None:
        raise LabFileError(
            source, parser.CurrentLineNumber, "document types and entities are not read", "remove <!DOCTYPE ...>"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        what = f"is not well-formed XML ({expat.ErrorString(problem.code)})"
        raise LabFileError(source, problem.lineno, what, "correct the element that ends here or just before") from None
    except (LookupError, ValueError):
        raise LabFileError(source, 1, "is in an encoding that is not known", 'write it in UTF-8: encoding="utf-8"') from None
    return found[0]
