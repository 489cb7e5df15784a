"""The place that robots are in: a map's walls, points, reflectors and boxes, in metres and radians."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mobilesim_py.errors import MapError
from mobilesim_py.formats.armap.armap import ArMap
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.world.boxes import Box, boxes_of, reflectors_of
from mobilesim_py.world.geodesy import Georeference
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.points import outlines
from mobilesim_py.world.sectors import MapObject, Sectors, objects_of, sectors_of

RESOLUTION = 0.02
"""Side of the square that a point of the map is [m]."""
EMPTY_SIZE = 200.0
DEFAULT_MAP = "office.map"


@dataclass(frozen=True)
class Bounds:
    """A rectangle [m]."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.max_x - self.min_x

    @property
    def height(self) -> float:
        """Extent along y."""
        return self.max_y - self.min_y

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return (self.min_x + self.max_x) / 2.0, (self.min_y + self.max_y) / 2.0


@dataclass(frozen=True, eq=False)
class World:
    """Everything that stands still, and the boxes as they stood when the map was loaded."""

    name: str
    bounds: Bounds
    segments: Segments = field(default_factory=Segments.empty)
    """Walls, outlines of points, reflectors; not the boxes, which move."""
    boxes: tuple[Box, ...] = ()
    georeference: Georeference | None = None
    objects: tuple[MapObject, ...] = ()
    sectors: Sectors = field(default_factory=Sectors)
    map: ArMap | None = None
    path: str = ""
    resolution: float = RESOLUTION

    @property
    def has_map(self) -> bool:
        """False in the empty world."""
        return self.map is not None


def load_world(path: str | os.PathLike[str], resolution: float = RESOLUTION) -> World:
    """Read a map file and build its world; MapError when it cannot be read."""
    return build_world(read_map(path), resolution)


def build_world(armap: ArMap, resolution: float = RESOLUTION) -> World:
    """Build the world of a map."""
    boxes, objects = boxes_of(armap), objects_of(armap)
    walls = armap.lines
    # A line of no length would be an obstacle that nothing can hit and that divides by zero.
    walls = walls[(walls[:, 0] != walls[:, 2]) | (walls[:, 1] != walls[:, 3])]
    return World(
        name=Path(armap.path).name or "map",
        bounds=_bounds(armap, boxes, objects),
        segments=Segments.join(
            Segments.build(walls / 1000.0),
            Segments.build(outlines(armap.points, resolution)),
            reflectors_of(armap),
        ),
        boxes=boxes,
        georeference=Georeference(*armap.origin) if armap.origin else None,
        objects=objects,
        sectors=sectors_of(armap),
        map=armap,
        path=armap.path,
        resolution=resolution,
    )


def empty_world(size: float = EMPTY_SIZE) -> World:
    """Make a world without a map: nothing in it, `size` metres square about the origin."""
    half = size / 2.0
    return World("no map", Bounds(-half, -half, half, half))


def find_map(name: str, directories: Iterable[str | os.PathLike[str]] = ()) -> Path:
    """Find a map file by its name, looked up in the directories, in $MOBILESIM and among the shipped maps.

    Case does not matter. Without directories the current one is searched; the ending `.map` may be left out. MapError
    when there is none.
    """
    from mobilesim_py.resources import map_directories

    wanted = Path(os.path.expanduser(name))
    places = [Path(directory) for directory in directories] or [Path()]
    tried = [wanted] if wanted.is_absolute() else [place / wanted for place in [*places, *map_directories()]]
    endings = ("", ".map") if wanted.name and not wanted.suffix else ("",)
    candidates = (Path(f"{path}{ending}") for path in tried for ending in endings)
    found = next((match for match in map(_match, candidates) if match), None)
    if found is None:
        if name and any(map(_is_directory, tried)):
            raise MapError("this is a directory, not a map file", name)
        where = ", ".join(dict.fromkeys(os.path.abspath(path.parent) for path in tried))
        raise MapError(f"no such map file; looked in {where}", name)
    return found


def default_map(home: Path | None = None) -> Path:
    """Give the map to use when none was asked for: the user's `~/.MobileSim/init.map`, or else the shipped office."""
    from mobilesim_py.resources import maps_dir

    own = (home or Path.home()) / ".MobileSim" / "init.map"
    return own if own.is_file() else maps_dir() / DEFAULT_MAP


def fingerprint(path: str | os.PathLike[str]) -> str:
    """Tell versions of a file apart; equal fingerprints of one path mean that nothing has to be loaded again."""
    try:
        real = os.path.realpath(path)
        with open(real, "rb") as file:
            return f"{real}:{hashlib.file_digest(file, 'blake2s').hexdigest()}"
    except OSError as error:
        raise MapError(f"cannot read the map file ({error.strerror})", os.fspath(path)) from None


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _match(path: Path) -> Path | None:
    """Find the file of this path, or else the one whose name parts differ in case only."""
    try:
        if path.is_file():
            return path
        found = Path(path.anchor)
        for part in path.parts[1:] if path.anchor else path.parts:
            if part != ".." and not (found / part).exists():
                names = sorted(os.listdir(found))
                part = next((name for name in names if name.lower() == part.lower()), "")
                if not part:
                    return None
            found = found / part
        return found if found.is_file() else None
    except (OSError, ValueError):  # a name too long or with a zero byte in it, a directory that cannot be read
        return None


def _bounds(armap: ArMap, boxes: tuple[Box, ...], objects: tuple[MapObject, ...]) -> Bounds:
    """Give the rectangle about walls and points; of a map without them, about everything else that is in it."""
    data = armap.data_bounds
    if data:
        return Bounds(*(value / 1000.0 for value in data))
    corners = [corner for box in boxes for corner in box.corners]
    corners += [corner for thing in objects for corner in thing.corners or ((thing.pose.x, thing.pose.y),)]
    if not corners:
        return Bounds(-EMPTY_SIZE / 2, -EMPTY_SIZE / 2, EMPTY_SIZE / 2, EMPTY_SIZE / 2)
    array = np.array(corners)
    return Bounds(*(float(value) for value in (*array.min(axis=0), *array.max(axis=0))))
