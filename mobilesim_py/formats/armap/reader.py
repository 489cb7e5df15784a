"""Reading ArMap files: lenient where ARIA's own parser is lenient, strict where it is strict.

A file is a header of keyword lines, then number rows under LINES and DATA:

    2D-Map                                              the category; nothing before it is understood
    MinPos: -5000 -4000                                 (and MaxPos, LineMinPos, NumPoints ...) per source
    OriginLatLongAlt: 48.2 16.37 171
    MapInfo: SectorType Name=Crate Sim.Obstacle=yes     info lines, kept as they are
    Cairn: Goal 1000 2000 90 "" ICON "Desk"             objects
    LINES                                               ends the header
    -5000 -4000 5000 -4000
    DATA
    120 340

A wrong header line rejects the map (`MapError`, with file and line); a wrong number row is skipped and noted in
`ArMap.problems`. Unlike ARIA, a last line without a newline is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import (
    CAIRN_KEYWORDS,
    CATEGORIES,
    INFO_KEYWORDS,
    ArMap,
    Bounds,
    Cairn,
    Info,
    Scan,
    keyword_prefix,
)
from mobilesim_py.formats.armap.data import LINES, POINTS, IntArray, ProblemList, RowKind, read_rows
from mobilesim_py.formats.armap.words import (
    read_integer,
    read_number,
    read_truth,
    split_arguments,
    split_keyword,
    unquote,
)

LARGEST_EXTENT = 2_000_000
"""ARIA rejects maps that are longer than two kilometres [mm]."""
LONGEST_LINE = 12_000
"""ARIA splits longer lines."""
LEAST_CAIRN_ARGUMENTS = 7
MOST_ROWS = 4_000_000
"""Lines and points of a map, all together."""

_ByKeyword = dict[str, tuple[int, RowKind]]


BINARY_PROBE = 65536
"""Number of leading bytes that are checked for binary content."""


def read_map(path: str | os.PathLike[str]) -> ArMap:
    """Read a map file; MapError when there is none or it is not a map."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise MapError(f"cannot read the map file ({reason}); check the name and its permissions", name) from None
    except ValueError:
        raise MapError("cannot read the map file: its name has a zero byte in it", ascii(name)) from None
    if b"\0" in data[:BINARY_PROBE]:
        raise MapError("this is no map but a binary file; a map is text that begins with 2D-Map", name)
    return parse_map(data, name)


def parse_map(text: str | bytes, path: str = "") -> ArMap:
    """Read the text of a map file; `path` is only for messages."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    reader = _Reader(path)
    if data.startswith(b"\xef\xbb\xbf"):
        reader.problems.add(1, "the file begins with a byte order mark; ARIA clients reject that: save it without")
        data = data[3:]
    if not data.endswith(b"\n"):
        data += b"\n"
    position = reader.read_header(data)
    reader.read_data(data, position)
    return reader.result()


@dataclass
class _Source:
    """A source while it is read: its scan so far, and the blocks of rows found for it."""

    scan: Scan
    blocks: dict[int, list[IntArray]] = field(default_factory=lambda: {2: [], 4: []})

    def result(self) -> Scan:
        points, lines = (np.concatenate(self.blocks[n]) if self.blocks[n] else np.empty((0, n), np.int64) for n in (2, 4))
        return replace(self.scan, points=points, lines=lines)


class _Reader:
    """One reading of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.line = 0
        self.problems = ProblemList()
        self.category = ""
        self.sources = [_Source(Scan())]
        self.origin: tuple[float, float, float] | None = None
        self.cairns: list[Cairn] = []
        self.infos: list[Info] = []
        self.remainder: list[str] = []
        self.preamble: list[str] = []
        self.handlers: dict[str, Callable[[str], None]] = {}
        self.data_keywords: _ByKeyword = {}
        self.rows = 0

    def reject(self, message: str) -> MapError:
        """Return the error for the line being read."""
        return MapError(message, self.path, self.line)

    # ---- header

    def read_header(self, data: bytes) -> int:
        """Read keyword lines up to the first data keyword; return the position after it."""
        position = 0
        while position < len(data):
            end = data.index(b"\n", position)
            self.line += 1
            if end - position >= LONGEST_LINE:
                self.problems.add(self.line, f"longer than {LONGEST_LINE} characters; ARIA clients cut it to pieces")
            # A word of this line is the tag that the first data section begins with, so step back to it.
            if self.read_header_line(data[position:end].replace(b"\r", b"").decode("utf-8", "surrogateescape")):
                return position
            position = end + 1
        if not self.category:
            raise self.no_category(data)
        self.line = 0
        raise self.reject(
            f"no {' or '.join(name.upper() for name in sorted(self.data_keywords, reverse=True))} line, so nothing of "
            "the place is known; end the header with a line `LINES` and put `x1 y1 x2 y2` rows after it"
        )

    def read_header_line(self, line: str) -> bool:
        """Read one line; True when it is a data keyword."""
        keyword, rest = split_keyword(line)
        if not keyword:
            return False
        word = keyword.lower()
        if not self.category:
            self.category = next((category for category in CATEGORIES if category.lower() == word), "")
            if self.category:
                self.expect_sources(self.sources)
            else:
                self.preamble.append(line)
        elif word in self.data_keywords:
            return True
        elif word in self.handlers:
            self.handlers[word](rest)
        else:
            self.remainder.append(line.strip())
        return False

    def no_category(self, data: bytes) -> MapError:
        self.line = 1
        if data[:6].lower() == b"2d-map":
            first = ascii(data[:20].split(b"\n")[0].strip().decode("utf-8", "replace"))
            return self.reject(f"{first} is a newer kind of map; kinds up to {CATEGORIES[-1]} can be read")
        # Nothing of it is quoted: a client may have asked for a file that is none of its business.
        return self.reject("not a map file: no line of it is `2D-Map`")

    def expect_sources(self, sources: list[_Source]) -> None:
        """Accept the keywords of these sources from now on."""
        self.sources = sources
        self.handlers = {"sources:": self.read_sources, "originlatlongalt:": self.read_origin}
        self.handlers |= {keyword.lower(): partial(self.read_info, keyword) for keyword in INFO_KEYWORDS}
        self.handlers |= {keyword.lower(): partial(self.read_cairn, keyword) for keyword in CAIRN_KEYWORDS}
        self.data_keywords = {}
        for index, source in enumerate(sources):
            prefix = source.scan.prefix.lower()
            for name, read in _SCAN_KEYWORDS.items():
                self.handlers[prefix + name] = partial(self.read_scan, index, read)
            self.data_keywords[source.scan.points_keyword.lower()] = (index, POINTS)
            self.data_keywords[source.scan.lines_keyword.lower()] = (index, LINES)

    def read_sources(self, text: str) -> None:
        names = split_arguments(text)
        if not names:
            raise self.reject("`Sources:` needs at least one name, such as `Sources: SickLaser`")
        if len({keyword_prefix(name).lower() for name in names}) < len(names):
            self.problems.add(self.line, "`Sources:` names one source twice; the line is ignored")
            return
        self.expect_sources([_Source(Scan(source=name)) for name in names])

    def read_scan(self, index: int, read: Callable[[_Reader, Scan, str], Scan], text: str) -> None:
        source = self.sources[index]
        source.scan = read(self, source.scan, text)

    def read_origin(self, text: str) -> None:
        arguments = split_arguments(text)
        if not arguments:
            self.origin = None
            return
        numbers = [read_number(argument) for argument in arguments[:3]]
        if len(numbers) < 3 or any(number is None for number in numbers):
            raise self.reject("`OriginLatLongAlt:` needs latitude, longitude [degrees] and altitude [m], or nothing")
        latitude, longitude, altitude = (number for number in numbers if number is not None)
        if not (abs(latitude) <= 90 and abs(longitude) <= 360 and abs(altitude) < 1e6):
            self.problems.add(self.line, "`OriginLatLongAlt:` is no place on Earth; the map has no georeference")
            return
        self.origin = (latitude, longitude, altitude)

    def read_info(self, keyword: str, text: str) -> None:
        arguments = tuple(unquote(argument) for argument in split_arguments(text))
        self.infos.append(Info(keyword, text, arguments, self.line))

    def read_cairn(self, keyword: str, text: str) -> None:
        arguments = split_arguments(text)
        count = len(arguments)
        if count < LEAST_CAIRN_ARGUMENTS:
            raise self.reject(
                f"`{keyword}` has {count} values and needs {LEAST_CAIRN_ARGUMENTS}: "
                'Type X Y Heading "description" ICON "name" (and X1 Y1 X2 Y2 for a line or area)'
            )
        x, y, heading = (self.number(keyword, argument) for argument in arguments[1:4])
        corners, rest = None, arguments[7:]
        if count >= LEAST_CAIRN_ARGUMENTS + 4:
            x1, y1, x2, y2 = (self.number(keyword, argument) for argument in arguments[7:11])
            corners, rest = (x1, y1, x2, y2), arguments[11:]
        description = unquote(rest[0] if rest else arguments[4])
        self.cairns.append(
            Cairn(
                *(arguments[0], x, y, heading, unquote(arguments[6]), description, arguments[5], corners),
                *(tuple(rest[1:]), keyword, self.line),
            )
        )

    def number(self, keyword: str, text: str) -> float:
        value = read_number(text)
        if value is None:
            raise self.reject(f"`{keyword}` has {text!a} where a number belongs (X, Y [mm] and heading [degrees])")
        return value

    # ---- data

    def read_data(self, data: bytes, position: int) -> None:
        """Read the number rows from the first data keyword, which stands at `position`, to the end."""
        names = sorted(self.data_keywords, key=len, reverse=True)
        tag = re.compile(rb"^(?:" + b"|".join(re.escape(_bytes(name)) for name in names) + rb")", re.I | re.M)
        # The first keyword may be quoted or indented; those after it may not, as in ARIA.
        first = data[position : data.index(b"\n", position)].decode("utf-8", "surrogateescape")
        keyword = split_keyword(first)[0].lower()
        while True:
            index, kind = self.data_keywords[keyword]
            start = data.index(b"\n", position) + 1
            following = tag.search(data, start)
            end = following.start() if following else len(data)
            count = data.count(b"\n", start, end)
            self.rows += count
            if self.rows > MOST_ROWS:
                raise self.reject(
                    f"the map has more than {MOST_ROWS // 10**6} million lines and points, the most that is loaded; "
                    "thin them out, or divide the map"
                )
            rows = read_rows(data[start:end], kind, self.line + 1, self.problems)
            self.sources[index].blocks[kind.columns].append(rows)
            self.line += 1 + count
            if following is None:
                return
            position = end
            keyword = following.group().decode("utf-8", "surrogateescape").lower()

    def result(self) -> ArMap:
        """Return the map that was read."""
        armap = ArMap(
            self.category,
            tuple(source.result() for source in self.sources),
            self.origin,
            tuple(self.cairns),
            tuple(self.infos),
            tuple(self.remainder),
            tuple(self.preamble),
            path=self.path,
        )
        bounds = armap.data_bounds
        if bounds and max(bounds[2] - bounds[0], bounds[3] - bounds[1]) > LARGEST_EXTENT:
            self.line = 0
            raise self.reject(
                f"the map is {(bounds[2] - bounds[0]) / 1e6:.1f} x {(bounds[3] - bounds[1]) / 1e6:.1f} km large; more "
                "than 2 km is most likely a damaged file: look for a stray coordinate"
            )
        cairns = tuple(self.checked(cairn, bounds or (0, 0, 0, 0)) for cairn in armap.cairns)
        return replace(armap, cairns=cairns, problems=self.problems.result())

    def checked(self, cairn: Cairn, bounds: Bounds) -> Cairn:
        """Mark a cairn that is farther from the map than a map may be large."""
        x1, y1, x2, y2 = cairn.corners or (cairn.x, cairn.y, cairn.x, cairn.y)
        left, low, right, high = bounds
        xs, ys = (cairn.x, x1, x2), (cairn.y, y1, y2)
        # Written so that NaN counts as near: such a cairn has no place anyway.
        if not any(
            least - value > LARGEST_EXTENT or value - most > LARGEST_EXTENT
            for values, least, most in ((xs, left, right), (ys, low, high))
            for value in values
        ):
            return cairn
        self.problems.add(cairn.line, f"a {cairn.kind} more than 2 km away from the map is left out")
        return replace(cairn, is_far=True)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# ---- header lines of a source: each takes the reader, the scan so far and the text after the keyword


def _corner(name: str) -> Callable[[_Reader, Scan, str], Scan]:
    def read(reader: _Reader, scan: Scan, text: str) -> Scan:
        numbers = [read_integer(argument) for argument in split_arguments(text)]
        if len(numbers) != 2 or None in numbers:
            raise reader.reject(f"a position needs two whole numbers, x y [mm], not {text[:40]!a}")
        return replace(scan, **{name: tuple(numbers)})  # type: ignore[arg-type]

    return read


def _count(what: str) -> Callable[[_Reader, Scan, str], Scan]:
    def read(reader: _Reader, scan: Scan, text: str) -> Scan:
        count = read_integer((split_arguments(text) or [""])[0])
        if count is None or count < 0:
            raise reader.reject(f"a number of {what} must be a whole number, not {text[:40]!a}")
        if count == 0:
            # Newer ARIA versions reject the map for this; older ones accept it.
            reader.problems.add(reader.line, f"0 {what}: some ARIA clients reject the map for saying so; leave it out")
        return scan

    return read


def _truth(name: str) -> Callable[[_Reader, Scan, str], Scan]:
    def read(reader: _Reader, scan: Scan, text: str) -> Scan:
        value = read_truth((split_arguments(text) or [""])[0])
        if value is None:
            raise reader.reject(f"this must be `true` or `false`, not {text[:40]!a}")
        return replace(scan, **{name: value})  # type: ignore[arg-type]

    return read


def _resolution(reader: _Reader, scan: Scan, text: str) -> Scan:
    arguments = split_arguments(text)
    value = read_integer(arguments[0]) if len(arguments) == 1 else None
    if value is None:
        raise reader.reject(f"`Resolution:` needs one whole number [mm], not {text[:40]!a}")
    return replace(scan, resolution=value)


def _display(reader: _Reader, scan: Scan, text: str) -> Scan:
    arguments = split_arguments(text)
    if not arguments:
        raise reader.reject('`Display:` needs a text, such as `Display: "Laser"`')
    return replace(scan, display=unquote(arguments[0]))


_SCAN_KEYWORDS: dict[str, Callable[[_Reader, Scan, str], Scan]] = {
    "minpos:": _corner("min_pos"),
    "maxpos:": _corner("max_pos"),
    "lineminpos:": _corner("line_min_pos"),
    "linemaxpos:": _corner("line_max_pos"),
    "numpoints:": _count("points"),
    "numlines:": _count("lines"),
    "pointsaresorted:": _truth("points_are_sorted"),
    "linesaresorted:": _truth("lines_are_sorted"),
    "resolution:": _resolution,
    "display:": _display,
}
