"""What a map file says, as facts: sources with their lines and points, cairns, info lines and what was not understood.

Everything here is in the file's units: millimetres and degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from mobilesim_py.formats.armap.data import IntArray
from mobilesim_py.formats.armap.words import attributes
from mobilesim_py.world.world import Problem

Corner = tuple[int, int]
Bounds = tuple[int, int, int, int]
"""min x, min y, max x, max y [mm]"""

CATEGORIES = ("2D-Map", "2D-Map-Ex", "2D-Map-Ex2", "2D-Map-Ex3", "2D-Map-Ex4")
INFO_KEYWORDS = tuple(
    prefix + name + ":"
    for prefix in ("", "_")
    for name in (
        *("MapInfo", "MacroInfo", "MetaInfo", "TaskInfo", "RouteInfo"),
        *("SchedTaskInfo", "SchedInfo", "CairnInfo", "CustomInfo"),
    )
)
CAIRN_KEYWORDS = ("Cairn:", "_Cairn:", "ChildCairn:")


@dataclass(frozen=True, eq=False)
class Scan:
    """The data of one source (usually a laser): lines (M x 4), points (N x 2), and the header lines about them."""

    source: str = ""
    display: str = ""
    min_pos: Corner | None = None
    max_pos: Corner | None = None
    line_min_pos: Corner | None = None
    line_max_pos: Corner | None = None
    resolution: int | None = None
    points_are_sorted: bool = False
    lines_are_sorted: bool = False
    points: IntArray = field(default_factory=lambda: np.empty((0, 2), np.int64))
    lines: IntArray = field(default_factory=lambda: np.empty((0, 4), np.int64))

    @property
    def prefix(self) -> str:
        """The prefix of this source's header keywords."""
        return keyword_prefix(self.source)

    @property
    def points_keyword(self) -> str:
        """The keyword of this source's points."""
        return f"{self.prefix}_DATA" if self.prefix else "DATA"

    @property
    def lines_keyword(self) -> str:
        """The keyword of this source's lines."""
        return f"{self.prefix}_LINES" if self.prefix else "LINES"


def keyword_prefix(source: str) -> str:
    """Return the prefix of a source's keywords; empty for the laser that every map may have."""
    return "" if source.lower() in ("", "sicklaser") else source


@dataclass(frozen=True)
class Cairn:
    """An object of the map: a goal, a dock, a forbidden area, a box ..."""

    kind: str
    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    """Degrees. It turns an area about the map's origin, not about the area's centre."""
    name: str = ""
    description: str = ""
    icon: str = "ICON"
    corners: tuple[float, float, float, float] | None = None
    """x1 y1 x2 y2 of a line or area, before it is turned."""
    extra: tuple[str, ...] = ()
    """Arguments after the last that means something."""
    keyword: str = "Cairn:"
    """`Cairn:`, `_Cairn:` (switched off) or `ChildCairn:`."""
    line: int = field(default=0, compare=False)
    is_far: bool = field(default=False, compare=False)
    """Absurdly far from the rest of the map: a mistake, which must not enlarge the spatial index."""

    @property
    def is_placed(self) -> bool:
        """Whether it is active, not absurdly far away, and has finite coordinates only."""
        numbers = (self.x, self.y, self.heading, *(self.corners or ()))
        return self.keyword == "Cairn:" and not self.is_far and all(math.isfinite(number) for number in numbers)


@dataclass(frozen=True)
class Info:
    """An info line such as `MapInfo: SectorType Name=Box`: its text as it stands, and its arguments."""

    keyword: str
    text: str
    arguments: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def attributes(self) -> dict[str, str]:
        """The `Key=value` arguments after the first, with lower-case keys."""
        return attributes(self.arguments[1:])


@dataclass(frozen=True, eq=False)
class ArMap:
    """A map file's content."""

    category: str = "2D-Map"
    scans: tuple[Scan, ...] = (Scan(),)
    origin: tuple[float, float, float] | None = None
    """Latitude, longitude [degrees] and altitude [m] of the map's zero point."""
    cairns: tuple[Cairn, ...] = ()
    infos: tuple[Info, ...] = ()
    remainder: tuple[str, ...] = ()
    """Header lines that are not used, in order; they are written back."""
    preamble: tuple[str, ...] = ()
    """Lines before the category line."""
    problems: tuple[Problem, ...] = ()
    path: str = ""

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources; a map without a `Sources:` line has one without a name."""
        return tuple(scan.source for scan in self.scans)

    @property
    def lines(self) -> IntArray:
        """Lines of all sources, M x 4 [mm]."""
        if len(self.scans) == 1:
            return self.scans[0].lines
        return np.concatenate([scan.lines for scan in self.scans])

    @property
    def points(self) -> IntArray:
        """Points of all sources, N x 2 [mm]."""
        if len(self.scans) == 1:
            return self.scans[0].points
        return np.concatenate([scan.points for scan in self.scans])

    @property
    def data_bounds(self) -> Bounds | None:
        """The rectangle about all lines and points; None when there are none."""
        ends = self.lines.reshape(-1, 2)
        parts = [part for part in (ends, self.points) if len(part)]
        if not parts:
            return None
        low = np.min([part.min(axis=0) for part in parts], axis=0)
        high = np.max([part.max(axis=0) for part in parts], axis=0)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    @property
    def resolution(self) -> int | None:
        """The first resolution that a source states [mm]."""
        return next((scan.resolution for scan in self.scans if scan.resolution is not None), None)

    def cairns_of(self, *kinds: str) -> tuple[Cairn, ...]:
        """Return the active cairns of these kinds (case-insensitive), in the order of the file."""
        wanted = {kind.lower() for kind in kinds}
        return tuple(cairn for cairn in self.cairns if cairn.is_placed and cairn.kind.lower() in wanted)
