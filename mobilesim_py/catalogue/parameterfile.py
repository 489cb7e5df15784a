"""The syntax of ARIA's parameter files: `Section NAME`, then `Name value ; comment` line by line."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mobilesim_py.errors import ParameterFileError

MAX_FILE_SIZE = 4 * 1024 * 1024

_WORDS = re.compile(r'"([^"]*)"|(\S+)')
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True)
class Parameter:
    """One line: its words after the name, and where it stands."""

    name: str
    words: tuple[str, ...]
    path: str
    line: int

    def error(self, message: str) -> ParameterFileError:
        """Make an error that points at this line."""
        return ParameterFileError(f"{self.name}: {message}", self.path, self.line)

    def number(self, index: int = 0) -> float:
        """Read a word as a finite number."""
        if index >= len(self.words):
            raise self.error(f"expected {index + 1} number{'s' if index else ''}, found {len(self.words)}")
        try:
            value = float(self.words[index])
        except ValueError:
            raise self.error(f"expected a number, found '{self.words[index]}'") from None
        if not math.isfinite(value):
            raise self.error(f"expected a finite number, found '{self.words[index]}'")
        return value

    def integer(self, index: int = 0) -> int:
        """Read a word as an integer."""
        value = self.number(index)
        if value != int(value):
            raise self.error(f"expected a whole number, found '{self.words[index]}'")
        return int(value)


@dataclass
class ParameterSection:
    """The parameters of one section by case-insensitive name; the last of a name counts."""

    title: str
    single: dict[str, Parameter] = field(default_factory=dict)
    repeated: list[Parameter] = field(default_factory=list)

    def get(self, name: str) -> Parameter | None:
        """Return a parameter that has a value, or None."""
        found = self.single.get(name.lower())
        return found if found is not None and found.words else None

    def number(self, name: str, default: float = 0.0) -> float:
        """Read a number, or take the default when it is not given or empty."""
        found = self.get(name)
        return found.number() if found else default

    def integer(self, name: str, default: int = 0) -> int:
        """Read an integer, or take the default when it is not given or empty."""
        found = self.get(name)
        return found.integer() if found else default

    def text(self, name: str, default: str = "") -> str:
        """Read the rest of the line, or take the default."""
        found = self.get(name)
        return " ".join(found.words) if found else default

    def flag(self, name: str, default: bool = False) -> bool:
        """Read a truth value, or take the default."""
        found = self.get(name)
        if found is None:
            return default
        word = found.words[0].lower()
        if word not in _TRUTH:
            raise found.error(f"expected true or false, found '{found.words[0]}'")
        return _TRUTH[word]

    def all(self, name: str) -> Sequence[Parameter]:
        """List the parameters of a name that may be repeated, in the order of the file."""
        return [found for found in self.repeated if found.name.lower() == name.lower()]


@dataclass
class ParameterFile:
    """A parameter file; sections are found by case-insensitive title."""

    path: str
    sections: dict[str, ParameterSection] = field(default_factory=dict)

    def section(self, title: str) -> ParameterSection:
        """Return a section; parameters before the first `Section` of old files belong to all."""
        own = self.sections.get(title.lower(), ParameterSection(title))
        loose = self.sections.get("")
        if loose is None:
            return own
        return ParameterSection(title, {**loose.single, **own.single}, [*loose.repeated, *own.repeated])

    def has(self, title: str) -> bool:
        """Tell whether the file has a section of this title."""
        return title.lower() in self.sections


def parse_parameters(text: str, path: str) -> ParameterFile:
    """Read the text of a parameter file."""
    result = ParameterFile(path)
    section = result.sections.setdefault("", ParameterSection(""))
    for number, line in enumerate(text.split("\n"), start=1):
        words = [quoted or bare for quoted, bare in _WORDS.findall(_without_comment(line))]
        if not words:
            continue
        if words[0].lower() == "section":
            title = " ".join(words[1:])
            section = result.sections.setdefault(title.lower(), ParameterSection(title))
            continue
        found = Parameter(words[0], tuple(words[1:]), path, number)
        section.single[words[0].lower()] = found
        section.repeated.append(found)
    return result


def read_parameters(path: Path) -> ParameterFile:
    """Read a parameter file; ParameterFileError if that is impossible."""
    try:
        if path.stat().st_size > MAX_FILE_SIZE:
            raise ParameterFileError("this file is too large to be a parameter file", str(path))
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ParameterFileError(f"cannot be read: {error.strerror or error}", str(path)) from None
    return parse_parameters(text, str(path))


def _without_comment(line: str) -> str:
    for mark in (";", "#"):
        line = line.partition(mark)[0]
    return line
