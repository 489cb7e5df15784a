"""A section of a worldfile: `type ( property value ... child ( ... ) )`, and how its properties are read."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from mobilesim_py.errors import WorldfileError


@dataclass
class Units:
    """The units of a file's numbers in metres and radians; set by `unit_length` and `unit_angle`."""

    length: float = 1.0
    angle: float = math.pi / 180.0


@dataclass(frozen=True)
class Property:
    """A name and its value or tuple of values, as written."""

    name: str
    values: tuple[str, ...]
    path: str
    line: int
    units: Units = field(repr=False, compare=False)

    def error(self, message: str) -> WorldfileError:
        """Make an error that points at this property."""
        return WorldfileError(f"{self.name}: {message}", self.path, self.line)

    def number(self, index: int = 0) -> float:
        """Read the value at an index as a finite number."""
        if index >= len(self.values):
            raise self.error(f"expected at least {index + 1} number{'s' if index else ''}, found {len(self.values)}")
        try:
            value = float(self.values[index])
        except ValueError:
            raise self.error(f"expected a number, found '{self.values[index]}'") from None
        if not math.isfinite(value):
            raise self.error(f"expected a finite number, found '{self.values[index]}'")
        return value


@dataclass
class Section:
    """What stands between a pair of parentheses; after `Worldfile.resolve` also all that it inherits."""

    kind: str
    """The type named before the parenthesis; after resolving, the built-in type at the root of the inheritance."""
    path: str = ""
    line: int = 0
    properties: dict[str, Property] = field(default_factory=dict)
    children: list[Section] = field(default_factory=list)
    lineage: tuple[str, ...] = ()
    """The names of the definitions it was made of, its own first."""
    read: set[str] = field(default_factory=set, repr=False)
    """Names of the properties that were read; the others have no meaning here."""

    @property
    def name(self) -> str:
        """The definition it is an instance of, or its built-in type."""
        return self.lineage[0] if self.lineage else self.kind

    def error(self, message: str) -> WorldfileError:
        """Make an error that points at the beginning of this section."""
        return WorldfileError(message, self.path, self.line)

    def get(self, name: str) -> Property | None:
        """Return the property as written, or None."""
        self.read.add(name)
        return self.properties.get(name)

    def has(self, name: str) -> bool:
        """Tell whether the property is given."""
        return self.get(name) is not None

    def text(self, name: str, default: str = "") -> str:
        """Read a word or string."""
        found = self.get(name)
        return found.values[0] if found and found.values else default

    def number(self, name: str, default: float = 0.0) -> float:
        """Read a number without unit, or in one that the files do not scale."""
        found = self.get(name)
        return found.number() if found else default

    def integer(self, name: str, default: int = 0, lowest: int | None = None, highest: int | None = None) -> int:
        """Read an integer, clamped to its bounds."""
        found = self.get(name)
        if found is None:
            return default
        value = found.number()
        if value != int(value):
            raise found.error(f"expected a whole number, found '{found.values[0]}'")
        if (lowest is not None and value < lowest) or (highest is not None and value > highest):
            raise found.error(f"expected a number from {lowest} to {highest}, found {int(value)}")
        return int(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """Read a truth value: 0 or 1, or a word such as `true`."""
        found = self.get(name)
        if found is None or not found.values:
            return default
        word = found.values[0].lower()
        if word in ("true", "yes", "on"):
            return True
        if word in ("false", "no", "off"):
            return False
        return found.number() != 0

    def length(self, name: str, default: float = 0.0) -> float:
        """Read a length [m]."""
        found = self.get(name)
        return found.number() * found.units.length if found else default

    def angle(self, name: str, default: float = 0.0) -> float:
        """Read an angle [rad]."""
        found = self.get(name)
        return found.number() * found.units.angle if found else default

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return all numbers of a tuple; empty when it is not given."""
        found = self.get(name)
        return tuple(found.number(i) for i in range(len(found.values))) if found else ()

    def lengths(self, name: str) -> tuple[float, ...]:
        """Return all lengths of a tuple [m]; empty when it is not given."""
        found = self.get(name)
        if found is None:
            return ()
        return tuple(found.number(i) * found.units.length for i in range(len(found.values)))

    def place(self, name: str) -> tuple[float, float, float] | None:
        """Read a pose [m, m, rad] written `[x y a]`, or `[x y z a]` as in newer Stage; None when it is not given."""
        found = self.get(name)
        if found is None:
            return None
        values = [found.number(i) for i in range(max(2, len(found.values)))]
        turn = values[2] if len(values) == 3 else values[3] if len(values) > 3 else 0.0
        return values[0] * found.units.length, values[1] * found.units.length, turn * found.units.angle

    def unread(self) -> list[Property]:
        """List the properties that were not read, in the order of the file."""
        return [value for name, value in self.properties.items() if name not in self.read]
