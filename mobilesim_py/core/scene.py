"""What the engines work on: the bodies of one moment, the place that they are in, and what can be asked about it.

Tables are named tuples of arrays, so that NumPy reads them by name and a compiled kernel is handed them part by part.
Metres, radians and seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mobilesim_py.world.grid import Grid
from mobilesim_py.world.obstacles import ByteArray, FloatArray
from mobilesim_py.world.world import World

IntArray = npt.NDArray[np.int64]


class ShapeTable(NamedTuple):
    """Outlines of closed polygons, each in its own frame; see `core.shapes.Shapes`."""

    edges: FloatArray
    """K x 4: x1 y1, x2 - x1, y2 - y1; anticlockwise."""
    starts: npt.NDArray[np.int32]
    """Where the edges of each shape begin, and one more for the end."""
    radius: FloatArray
    """How far each shape reaches from its origin."""
    stride: FloatArray
    """How far each shape may move without jumping over a line."""


class GridTable(NamedTuple):
    """The segments of a world by place; see `world.grid.Grid`."""

    x0: float
    y0: float
    cell: float
    columns: int
    rows: int
    starts: npt.NDArray[np.int32]
    items: npt.NDArray[np.int32]
    lines: FloatArray
    kinds: npt.NDArray[np.uint16]
    clearance: ByteArray

    @classmethod
    def of(cls, grid: Grid) -> GridTable:
        """Return what the engines read of a grid."""
        return cls(*(getattr(grid, name) for name in cls._fields))


class GridFrame(NamedTuple):
    """Where a grid lies: the first fields of a GridTable, enough to go through it along a ray."""

    x0: float
    y0: float
    cell: float
    columns: int
    rows: int


class SightTable(NamedTuple):
    """What stops rays of one kind; see `world.sight.Sight`."""

    words: npt.NDArray[np.int32]
    runs: npt.NDArray[np.int32]
    blocks: FloatArray


class RingTable(NamedTuple):
    """Rings of sonar rays; see `core.devices.sonar.SonarRings`."""

    rays: FloatArray
    """K x 3: x y angle on the robot."""
    starts: npt.NDArray[np.int32]
    """Where the rays of each ring begin, and one more for the end."""
    reach: FloatArray
    """R x 3: smallest and largest range and noise."""
    spread: npt.NDArray[np.int32]
    """Rays per transducer of each ring."""


@dataclass(slots=True, eq=False)
class Scene:
    """Everything that moves, as it is now, in one world. The simulation keeps one and brings it up to date."""

    bodies: FloatArray
    """A column for every body, see `core.fields.Body`; the first `population` of them are in use."""
    population: int
    dt: float
    seed: int
    tick: int
    shapes: ShapeTable
    grid: Grid
    """Where `ground` comes from; asked for what stops one kind of ray."""
    wheeled: bool = False
    """Whether any body is driven by its wheels."""
    copies: int = 1
    """How many copies of the world there are."""
    world: World | None = None
    """What cameras look at: the world that the grid is of."""
    ground: GridTable = field(init=False)
    frame: GridFrame = field(init=False)

    def __post_init__(self) -> None:
        self.ground = GridTable.of(self.grid)
        self.frame = GridFrame(*self.ground[:5])


class Rays(NamedTuple):
    """Rays to be cast: where each begins, its direction (a unit vector) and how far it goes."""

    x: FloatArray
    y: FloatArray
    cosine: FloatArray
    sine: FloatArray
    reach: FloatArray
    carrier: IntArray
    """Column of the body that carries the sensor and is not seen by it, or -1."""

    def pick(self, which: IntArray) -> Rays:
        """Return some of them."""
        x, y, cosine, sine, reach, carrier = self
        return Rays(x[which], y[which], cosine[which], sine[which], reach[which], carrier[which])


class Hits(NamedTuple):
    """What rays met."""

    distance: FloatArray
    """The ray's reach where nothing is met."""
    body: IntArray
    """Column of the body that was met, WALL or NOTHING."""
    reflectance: ByteArray
    slant: FloatArray
    """Cosine of the angle of incidence; 0 unless the reflectance is more than 1."""


NOTHING = -2
WALL = -1


class Wedges(NamedTuple):
    """Sectors of circles in which the nearest thing is looked for: apex, middle direction, half the opening, radius."""

    x: FloatArray
    y: FloatArray
    heading: FloatArray
    half: FloatArray
    """At most half a turn, which is a whole circle."""
    reach: FloatArray
    carrier: IntArray
    """Column of the body that carries the sensor and is not sensed by it, or -1."""
