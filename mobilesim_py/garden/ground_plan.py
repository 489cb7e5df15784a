"""The map that the vehicle drives by: what was seen, and what the sketch says of the ground and of what stands there.

Obstacles that were seen stay obstacles. Ground of the sketch that does not carry the vehicle is one, too, and so are the
sketch's objects; its grass and pavement are free where nothing was seen. Where nobody knows anything it is unseen.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from mobilesim_py.garden.occupancy import EvidenceArray, Occupancy
from mobilesim_py.garden.raster import Raster
from mobilesim_py.geometry import BoolArray, FloatArray, Polygon
from mobilesim_py.navigation.ground import Cells
from mobilesim_py.world.sketch import Sketch, is_drivable

SourceArray = npt.NDArray[np.uint8]


class Source(IntEnum):
    """What a cell of the plan is, and who says so."""

    UNSEEN = 0
    FREE = 1
    SEEN = 2
    """An obstacle that was seen."""
    SKETCHED = 3
    """An obstacle of the sketch."""


_BESIDE = 4
"""Ground that carries the vehicle in the cell next to an object of the sketch. What is measured is a little wrong: an
obstacle that is seen there is that object."""
_BARE = 5
"""Ground that does not carry the vehicle, with nothing standing on it."""
_MERGED = np.array(
    [
        [Source.FREE, Source.UNSEEN, Source.SEEN],
        [Source.FREE, Source.FREE, Source.SEEN],
        [Source.SEEN, Source.SEEN, Source.SEEN],
        [Source.SKETCHED, Source.SKETCHED, Source.SKETCHED],
        [Source.FREE, Source.FREE, Source.FREE],
        [Source.SKETCHED, Source.SKETCHED, Source.SKETCHED],
    ],
    np.uint8,
).reshape(-1)
"""What a cell becomes that the sketch says a row's source of, and that was seen free, not seen, or seen occupied."""


def _merged(drawn: SourceArray, evidence: EvidenceArray) -> SourceArray:
    return np.asarray(_MERGED.take(drawn * np.uint8(3) + (np.sign(evidence) + np.int8(1)).astype(np.uint8)), np.uint8)


class Given:
    """A whole grid that somebody else has made, such as the registered map of a user interface."""

    def __init__(self, raster: Raster, cells: SourceArray) -> None:
        self.raster = raster
        self.cells = cells


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Where the vehicle must not be, at one moment: for work that is done beside the simulation."""

    raster: Raster
    blocked: BoolArray
    standing: BoolArray
    """The cells of those in which something stands, rather than that the ground does not carry."""
    has_edge: bool
    """Whether it must not leave the raster."""

    def is_blocked_at(self, x: FloatArray, y: FloatArray) -> bool:
        """Tell whether any of some places is where the vehicle must not be."""
        rows, columns = self.raster.cells_of(x, y)
        inside = self.raster.inside(rows, columns)
        return bool((self.has_edge and not inside.all()) or self.blocked[rows[inside], columns[inside]].any())

    def has_standing_at(self, x: FloatArray, y: FloatArray) -> bool:
        """Tell whether something stands at any of some places."""
        rows, columns = self.raster.cells_of(x, y)
        inside = self.raster.inside(rows, columns)
        return bool(self.standing[rows[inside], columns[inside]].any())

    def cells(self) -> Cells:
        """Return it as what costmaps are made from."""
        return Cells(self.blocked, self.raster.x0, self.raster.y0, self.raster.cell)


class GroundPlan:
    """Merges the occupancy grid with a sketch, or with a grid that was given instead."""

    def __init__(self, occupancy: Occupancy, sketch: Sketch | None = None) -> None:
        self.occupancy = occupancy
        self._sketch = sketch
        self._given: Given | None = None
        self._drawn: tuple[Raster, SourceArray] | None = None
        self._merged: tuple[int, int, SourceArray] | None = None
        self.changes = 0
        """How often something else than the occupancy grid changed."""

    @property
    def sketch(self) -> Sketch | None:
        """The sketch, as it lies in the map."""
        return self._sketch

    @sketch.setter
    def sketch(self, sketch: Sketch | None) -> None:
        self._sketch, self._drawn = sketch, None
        self.changes += 1

    @property
    def given(self) -> Given | None:
        """The grid that is used instead of the sketch, if one was given."""
        return self._given

    @given.setter
    def given(self, given: Given | None) -> None:
        self._given, self._drawn = given, None
        self.changes += 1

    @property
    def raster(self) -> Raster:
        """Where the cells of `cells` are."""
        return self._plan()[0]

    @property
    def cells(self) -> SourceArray:
        """What each cell is, see Source; not to be changed."""
        raster, drawn = self._plan()
        state = self.occupancy.changes, self.changes
        if self._merged is None or self._merged[:2] != state or self._merged[2].shape != raster.shape:
            merged = np.asarray(_MERGED.take(drawn * np.uint8(3) + np.uint8(1)), np.uint8)
            window = raster.window_of(self.occupancy.raster)
            merged[window] = _merged(drawn[window], self.occupancy.evidence)
            self._merged = (*state, merged)
        return self._merged[2]

    @property
    def has_edge(self) -> bool:
        """Whether the vehicle must stay on what is known: there is a sketch or a map, and nothing is known beyond it."""
        return self._sketch is not None or self._given is not None

    def snapshot(self) -> Snapshot:
        """Return what it says now."""
        raster, drawn = self._plan()
        standing = (self.cells == Source.SEEN) | (drawn == Source.SKETCHED)
        return Snapshot(raster, self.blocked(), standing, self.has_edge)

    def blocked(self) -> BoolArray:
        """Return the cells where the vehicle must not be."""
        cells = self.cells
        obstacles = cells >= Source.SEEN
        return obstacles | (cells == Source.UNSEEN) if self.has_edge else obstacles

    def is_blocked_at(self, x: FloatArray, y: FloatArray) -> bool:
        """Tell whether any of some places is where the vehicle must not be."""
        raster, drawn = self._plan()
        rows, columns = raster.cells_of(x, y)
        inside = raster.inside(rows, columns)
        if not inside.all():
            if self.has_edge:
                return True
            rows, columns = rows[inside], columns[inside]
        seen = self.occupancy.raster
        row, column = rows + raster.row0 - seen.row0, columns + raster.column0 - seen.column0
        known = seen.inside(row, column)
        evidence = np.zeros(len(rows), np.int8)
        evidence[known] = self.occupancy.evidence[row[known], column[known]]
        found = _merged(drawn[rows, columns], evidence)
        return bool((found >= Source.SEEN).any() or (self.has_edge and (found == Source.UNSEEN).any()))

    def _plan(self) -> tuple[Raster, SourceArray]:
        """Return the sketch as cells of a raster that holds the occupancy grid, too."""
        seen = self.occupancy.raster
        if self._drawn is None:
            self._drawn = self._draw(seen)
        raster = self._drawn[0]
        if raster.joined(seen) != raster:
            self._drawn = self._draw(raster.joined(seen))
        return self._drawn

    def _draw(self, raster: Raster) -> tuple[Raster, SourceArray]:
        if self._given is not None:
            raster = raster.joined(self._given.raster)
            cells = np.zeros(raster.shape, np.uint8)
            cells[raster.window_of(self._given.raster)] = self._given.cells
            return raster, cells
        if self._sketch is None or not self._sketch.places:
            return raster, np.zeros(raster.shape, np.uint8)
        xs, ys = zip(*self._sketch.places, strict=True)
        raster = raster.joined(Raster.about(min(xs), min(ys), max(xs), max(ys), raster.cell))
        return raster, drawn(self._sketch, raster)


def drawn(sketch: Sketch, raster: Raster) -> SourceArray:
    """Return a sketch as cells: ground that does not carry the vehicle, then ground that does, then the objects."""
    from PIL import Image, ImageDraw

    image = Image.new("L", (raster.columns, raster.rows), int(Source.UNSEEN))
    draw = ImageDraw.Draw(image)

    def fill(outline: Polygon, source: Source) -> None:
        corners = [(x / raster.cell - raster.column0 - 0.1, y / raster.cell - raster.row0 - 0.1) for x, y in outline]
        draw.polygon(corners, fill=int(source), outline=int(source))

    for face in sketch.faces:
        if not is_drivable(face.label):
            fill(sketch.outline_of(face), Source.SKETCHED)
    for face in sketch.faces:
        if is_drivable(face.label):
            fill(sketch.outline_of(face), Source.FREE)
    ground = np.array(image, np.uint8)
    image.paste(int(Source.UNSEEN), (0, 0, raster.columns, raster.rows))
    for thing in sketch.objects:
        if sketch.is_in_the_way(thing):
            fill(thing.outline, Source.SKETCHED)
    standing = np.array(image, np.uint8) == Source.SKETCHED
    cells = np.where(standing, np.uint8(Source.SKETCHED), ground)
    cells[(cells == Source.SKETCHED) & ~standing] = _BARE
    cells[_grown(standing) & (cells == Source.FREE)] = _BESIDE
    return cells


def _grown(cells: BoolArray) -> BoolArray:
    """Return cells and their neighbours."""
    grown = cells.copy()
    for axis in (0, 1):
        wide = grown.copy()
        low, high = [slice(None)] * 2, [slice(None)] * 2
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        wide[tuple(low)] |= grown[tuple(high)]
        wide[tuple(high)] |= grown[tuple(low)]
        grown = wide
    return grown
