"""`.obs` files: obstacles painted on a grid, as the simulator of 2015 had them. The format is ours; theirs is not known.

# a short row; lengths in centimetres
field -100 -300 1200 300    the ground: left, lower, right, upper edge
start 0 0 90                where the robot starts: x, y, heading [degrees]
ground dirt
150 40 10                   an obstacle: x, y and size, 1 to 128
180 40 4 leek               kinds: block (unless said otherwise), leek, cabbage, grass, rock, stake
400 0 60 block 25           and its height, where it is not the usual one of its kind
patch 500 -100 700 100 slip=0.4 mud=0.1    bad ground: two corners, and what it does to robots
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from mobilesim_py.errors import MapError
from mobilesim_py.formats.field.plan import GROUNDS
from mobilesim_py.geometry import Pose
from mobilesim_py.world.disturbing import DISTURBING
from mobilesim_py.world.ground import Area, patch_of
from mobilesim_py.world.obstacles import Obstacle, Segments
from mobilesim_py.world.plants import FACTS, PlantKind, Plants
from mobilesim_py.world.world import Bounds, Problem, World

SMALLEST, LARGEST = 1.0, 128.0
"""Sizes of an obstacle [cm]."""
FARTHEST = 1e6
"""Coordinates [cm]."""
MOST_BYTES = 64 * 1024 * 1024
MOST_BLOCKS = 100_000
MOST_PROBLEMS = 100
BLOCK = "block"
KINDS = {kind.name.lower(): kind for kind in PlantKind}
_MARGIN = 2.0
"""Free ground about the obstacles where the file says nothing [m]."""


def read_obs(path: Path) -> World:
    """Read a file; MapError when there is nothing in it that can be used."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise MapError(f"cannot read the obstacles ({error.strerror or error})", str(path)) from None
    if len(data) > MOST_BYTES:
        raise MapError(f"it has more than {MOST_BYTES // 2**20} MB", str(path))
    return parse_obs(data.decode("utf-8", "replace"), str(path))


def parse_obs(text: str, path: str = "") -> World:
    """Read the text of a file; rows that are wrong are passed over, and told."""
    reader = _Reader()
    for number, row in enumerate(text.splitlines(), start=1):
        words = row.partition("#")[0].split()
        if words:
            try:
                reader.take(words)
            except ValueError as error:
                reader.problems.append(Problem(number, f"{error}; the row is passed over"))
    if not reader.plants and not reader.blocks:
        first = next(iter(reader.problems), None)
        hint = f" ({first})" if first else ""
        raise MapError(f"there is no obstacle in it: rows such as `150 40 10`, X Y SIZE [cm]{hint}", path)
    return reader.world(Path(path).stem or "obstacles", path)


class _Reader:
    """What the rows so far have said."""

    def __init__(self) -> None:
        self.plants: list[tuple[float, float, int, float, float]] = []
        self.blocks: list[tuple[float, float, float, float]] = []
        self.problems: list[Problem] = []
        self.bounds: Bounds | None = None
        self.start = Pose()
        self.ground = ""
        self.patches: list[Area] = []

    def take(self, words: list[str]) -> None:
        """Take a row; ValueError says what is wrong with it."""
        first = words[0].lower()
        if first == "field":
            left, low, right, high = (value / 100.0 for value in _numbers(words[1:], 4, "`field` wants four edges [cm]"))
            if not (left < right and low < high):
                raise ValueError("the left edge of a field is less than the right one, the lower less than the upper one")
            self.bounds = Bounds(left, low, right, high)
        elif first == "start":
            x, y, heading = _numbers(words[1:], 3, "`start` wants X Y HEADING [cm, degrees]")
            self.start = Pose(x / 100.0, y / 100.0, math.radians(heading))
        elif first == "patch":
            self.patches.append(_patch(words[1:]))
        elif first == "ground":
            if len(words) != 2 or words[1].lower() not in GROUNDS:
                raise ValueError(f"`ground` is one of {', '.join(GROUNDS)}")
            self.ground = words[1].lower()
        else:
            self._take_obstacle(words)

    def _take_obstacle(self, words: list[str]) -> None:
        x, y, size = _numbers(words[:3], 3, "an obstacle is X Y SIZE [KIND [HEIGHT]] [cm]")
        if not SMALLEST <= size <= LARGEST:
            raise ValueError(f"the size of an obstacle is {SMALLEST:g} to {LARGEST:g} cm, not {size:g}")
        kind = words[3].lower() if len(words) > 3 else BLOCK
        if kind != BLOCK and kind not in KINDS:
            raise ValueError(f"there is no kind {words[3]!r}: {BLOCK}, {', '.join(KINDS)}")
        if len(words) > 5:
            raise ValueError("an obstacle is X Y SIZE [KIND [HEIGHT]] [cm]")
        usual = size / 100.0 if kind == BLOCK else FACTS[KINDS[kind]].height
        height = usual
        if len(words) == 5:
            height = _numbers(words[4:], 1, "the height is a number [cm]")[0] / 100.0
            if not 0.0 < height <= 10.0:
                raise ValueError("the height of an obstacle is more than 0 and at most 1000 cm")
        if kind == BLOCK:
            if len(self.blocks) >= MOST_BLOCKS:
                raise ValueError(f"there are more than {MOST_BLOCKS} blocks")
            self.blocks.append((x / 100.0, y / 100.0, size / 100.0, height))
        else:
            self.plants.append((x / 100.0, y / 100.0, KINDS[kind], size / 200.0, height))

    def world(self, name: str, path: str) -> World:
        plants = np.array(self.plants, np.float64).reshape(-1, 5)
        blocks = np.array(self.blocks, np.float64).reshape(-1, 4)
        bounds = self.bounds
        if bounds is None:
            about = Bounds.about(np.concatenate([plants[:, :2], blocks[:, :2], [[self.start.x, self.start.y]]]))
            edges = (about.min_x - _MARGIN, about.min_y - _MARGIN, about.max_x + _MARGIN, about.max_y + _MARGIN)
            bounds = Bounds(*edges)
        x, y, kind, radius, height = plants.T
        return World(
            name,
            bounds,
            Segments.empty(),
            obstacles=tuple(_named(blocks)),
            homes=(self.start,),
            plants=Plants.build(x, y, kind.astype(np.uint8), radius, height),
            soil=self.ground,
            areas=tuple(self.patches),
            problems=tuple(self.problems[:MOST_PROBLEMS]),
            path=path,
        )


def _patch(words: list[str]) -> Area:
    wanted = f"`patch` wants two corners [cm] and NAME=SIZE ... of {', '.join(sorted(DISTURBING))}"
    x1, y1, x2, y2 = (value / 100.0 for value in _numbers(words[:4], 4, wanted))
    values = {name: _numbers([size], 1, wanted)[0] for name, _, size in (word.partition("=") for word in words[4:])}
    if not values or not values.keys() <= DISTURBING or min(values.values()) < 0.0:
        raise ValueError(wanted)
    return patch_of((x1, y1, x2, y2), values)


def _named(blocks: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Iterable[Obstacle]:
    import shapely

    half = blocks[:, 2] / 2.0
    squares = shapely.box(blocks[:, 0] - half, blocks[:, 1] - half, blocks[:, 0] + half, blocks[:, 1] + half)
    heights = blocks[:, 3].tolist()
    for number, (square, height) in enumerate(zip(np.atleast_1d(squares), heights, strict=True), start=1):
        yield Obstacle(square, f"block {number}", BLOCK, height=height)


def _numbers(words: list[str], count: int, wanted: str) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise ValueError(wanted) from None
    if len(values) != count:
        raise ValueError(wanted)
    if not all(math.isfinite(value) and abs(value) <= FARTHEST for value in values):
        raise ValueError(f"numbers are at most {FARTHEST:g} cm")
    return values
