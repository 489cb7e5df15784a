"""The parser of Stage's worldfile syntax.

A file is a list of properties, sections, definitions and includes:

    include "lasers.inc"
    unit_length "m"
    define mybot p3dx ( max_speed [0.5 0 1]  sicklms200( pose [0.1 0 0] ) )
    mybot ( name "r1" pose [1 2 90] )

A definition inherits all properties of its base and may set them anew; the children of the base stay and its own
come after them. The base is looked up when the definition is used, so the order of definitions does not matter;
of two definitions with the same name the later one counts, and one that is its own base extends the earlier.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

from mobilesim_py.catalogue.section import Property, Section, Units
from mobilesim_py.catalogue.tokens import SourceText, Token, TokenKind, tokenize
from mobilesim_py.errors import WorldfileError

UNIT_LENGTHS = {"m": 1.0, "cm": 0.01, "mm": 0.001}
UNIT_ANGLES = {"degrees": math.pi / 180.0, "radians": 1.0}

MAX_DEPTH = 50
"""Limit of the nesting of sections, includes and definitions."""
MAX_PARTS = 100_000
"""Limit of sections in one resolved section."""
MAX_INCLUDES = 1000
"""Limit of files read into one Worldfile."""
MAX_FILE_SIZE = 16 * 1024 * 1024

_SCALARS = (TokenKind.NUMBER, TokenKind.STRING, TokenKind.WORD)


@dataclass(frozen=True)
class Definition:
    """`define NAME BASE ( ... )`."""

    name: str
    base: str
    body: Section
    earlier: Definition | None
    """The definition of the same name that this one takes the place of."""


@dataclass
class Worldfile:
    """Everything read so far: the definitions, and the properties and sections outside of any definition."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    root: Section = field(default_factory=lambda: Section("world"))
    search: tuple[Path, ...] = ()
    """Directories to look for included files in, after that of the including file."""
    files_read: int = 0

    def load(self, path: Path) -> None:
        """Read a file and what it includes; its units hold for it and its includes only."""
        units = Units()
        _Parser(self, _read(path), units, (path.resolve(),)).parse_file()
        self._apply_units(units)

    def load_text(self, text: str, path: str = "<text>") -> None:
        """Read from a string."""
        units = Units()
        _Parser(self, SourceText(text, path), units, ()).parse_file()
        self._apply_units(units)

    def _apply_units(self, units: Units) -> None:
        # As in Stage the units may be given anywhere in the file and hold for the whole of it.
        for name, table in (("unit_length", UNIT_LENGTHS), ("unit_angle", UNIT_ANGLES)):
            found = self.root.properties.pop(name, None)
            if found is None:
                continue
            word = found.values[0] if found.values else ""
            if word not in table:
                raise found.error(f"expected one of {', '.join(table)}, found '{word}'")
            if name == "unit_length":
                units.length = table[word]
            else:
                units.angle = table[word]

    def find(self, name: str) -> Section | None:
        """Return the section that `NAME ( )` would be, with all that it inherits; None if it is not defined."""
        if name not in self.definitions:
            return None
        body = self.definitions[name].body
        return self.resolve(Section(name, body.path, body.line))

    def resolve(self, section: Section) -> Section:
        """Return the section with all that it and its children inherit."""
        return _Resolver(self.definitions).resolve(section)


class _Resolver:
    """Resolves one section; counts the parts, so that definitions cannot multiply without bound."""

    def __init__(self, definitions: dict[str, Definition]) -> None:
        self.definitions = definitions
        self.parts = 0

    def resolve(self, section: Section, depth: int = 0) -> Section:
        """Return the section with its inheritance, and its children with theirs."""
        self.parts += 1
        if self.parts > MAX_PARTS or depth > MAX_DEPTH:
            raise section.error(f"'{section.kind}' is made of too many parts; does a definition contain itself?")
        whole = Section(section.kind, section.path, section.line)
        bodies = [section]
        lineage: list[str] = []
        definition = self.definitions.get(section.kind)
        while definition is not None:
            if len(lineage) > MAX_DEPTH:
                raise definition.body.error(f"the definition of '{definition.name}' is based on itself")
            lineage.append(definition.name)
            bodies.append(definition.body)
            whole.kind = definition.base
            if definition.base == definition.name:
                definition = definition.earlier
            else:
                definition = self.definitions.get(definition.base)
        for body in reversed(bodies):
            whole.properties.update(body.properties)
            whole.children.extend(self.resolve(child, depth + 1) for child in body.children)
        whole.lineage = tuple(lineage)
        return whole


def _read(path: Path) -> SourceText:
    try:
        if path.stat().st_size > MAX_FILE_SIZE:
            raise WorldfileError("this file is too large to be a worldfile", str(path))
        return SourceText(path.read_text(encoding="utf-8", errors="replace"), str(path))
    except OSError as error:
        raise WorldfileError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except ValueError as error:  # a path with a NUL character in it
        raise WorldfileError(f"cannot be read: {error}", str(path)) from None


class _Parser:
    """Reads one file into a Worldfile by recursive descent."""

    def __init__(self, worldfile: Worldfile, source: SourceText, units: Units, open_files: tuple[Path, ...]) -> None:
        self.worldfile = worldfile
        self.path = source.path
        self.units = units
        self.open_files = open_files
        self.tokens = tokenize(source)
        self.position = 0

    def parse_file(self, into: Section | None = None, depth: int = 0) -> None:
        self._parse_body(into if into is not None else self.worldfile.root, depth, opened=None)

    def _next(self) -> Token:
        token = self.tokens[self.position]
        if token.kind is not TokenKind.END:
            self.position += 1
        return token

    def _error(self, message: str, token: Token) -> WorldfileError:
        return WorldfileError(message, self.path, token.line)

    def _expect(self, kind: TokenKind, what: str) -> Token:
        token = self._next()
        if token.kind is not kind:
            raise self._error(f"expected {what}, found {token}", token)
        return token

    def _parse_body(self, section: Section, depth: int, opened: Token | None) -> None:
        """Read everything up to the closing parenthesis of a section, or to the end of the file."""
        if depth > MAX_DEPTH:
            raise self._error("too many sections within sections", self.tokens[self.position])
        while True:
            token = self._next()
            kind = token.kind
            if kind is TokenKind.WORD:
                if token.text == "define":
                    self._parse_definition(token, depth)
                elif token.text == "include" and self.tokens[self.position].kind is TokenKind.STRING:
                    self._include(self._next(), section, depth)
                else:
                    self._parse_item(token, section, depth)
            elif kind is TokenKind.CLOSE and opened is not None:
                return
            elif kind is TokenKind.END:
                if opened is not None:
                    raise self._error(f"expected ')' to close '{section.kind}' of line {opened.line}, found {token}", token)
                return
            elif kind is TokenKind.CLOSE:
                raise self._error("found ')' without a '(' before it", token)
            else:
                raise self._error(f"expected the name of a property or section, found {token}", token)

    def _parse_item(self, name: Token, section: Section, depth: int) -> None:
        token = self.tokens[self.position]
        if token.kind is TokenKind.OPEN:
            self.position += 1
            child = Section(name.text, self.path, name.line)
            self._parse_body(child, depth + 1, token)
            section.children.append(child)
            return
        if token.kind is TokenKind.OPEN_TUPLE:
            values = self._parse_tuple()
        elif token.kind in _SCALARS and (token.kind is not TokenKind.WORD or token.line == name.line):
            self.position += 1
            values = (token.text,)
        else:
            raise self._error(f"expected a value or '(' after '{name.text}', found {token}", name)
        section.properties[name.text] = Property(name.text, values, self.path, name.line, self.units)

    def _parse_tuple(self) -> tuple[str, ...]:
        opened = self._next()
        values: list[str] = []
        while (token := self._next()).kind in _SCALARS:
            values.append(token.text)
        if token.kind is not TokenKind.CLOSE_TUPLE:
            raise self._error(f"expected ']' to close the tuple of line {opened.line}, found {token}", token)
        return tuple(values)

    def _parse_definition(self, define: Token, depth: int) -> None:
        name = self._expect(TokenKind.WORD, "the name of a new model after 'define'").text
        base = self._expect(TokenKind.WORD, f"the model on which '{name}' is based").text
        opened = self._expect(TokenKind.OPEN, f"'(' to begin the definition of '{name}'")
        body = Section(name, self.path, define.line)
        self._parse_body(body, depth + 1, opened)
        definitions = self.worldfile.definitions
        definitions[name] = Definition(name, base, body, definitions.get(name))

    def _include(self, token: Token, section: Section, depth: int) -> None:
        path = self._locate(token)
        if path.resolve() in self.open_files:
            raise self._error(f'include "{token.text}": this file is being read already', token)
        self.worldfile.files_read += 1
        if len(self.open_files) > MAX_DEPTH or self.worldfile.files_read > MAX_INCLUDES:
            raise self._error("too many files that include one another", token)
        inner = _Parser(self.worldfile, _read(path), self.units, (*self.open_files, path.resolve()))
        inner.parse_file(section, depth)

    def _locate(self, token: Token) -> Path:
        for directory in (Path(self.path).parent, *self.worldfile.search):
            candidate = directory / token.text
            try:
                if candidate.is_file():
                    return candidate
            except (OSError, ValueError):
                break
        raise self._error(f'include "{token.text}": there is no such file', token)
