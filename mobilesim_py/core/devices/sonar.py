"""Rings of sonar transducers: their matrix, one of them on a robot, and what they read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.model import SonarModel
from mobilesim_py.core.devices.device import NO_RANGES, DeviceKind, DeviceUnit, Drawing, Readings
from mobilesim_py.core.fields import Rows
from mobilesim_py.core.scene import IntArray, RingTable, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine

    SonarTable = DeviceTable["SonarModel", "SonarUnit", "SonarReadings"]


class Sonar(Rows):
    """Rows of the matrix of sonar rings. Their noise is named by the robot, which has at most one ring."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    RING = auto()
    """Which ring of transducers it is, see `SonarRings`; -1 when there is no transducer."""


@dataclass(frozen=True)
class SonarReadings(Readings):
    """Echoes; only as many of a row count as its ring has transducers."""

    ranges: FloatArray
    """[m]."""


class SonarRings:
    """Rings of sonar rays, each with a number; `table` is what the engines read."""

    def __init__(self) -> None:
        self.table = RingTable(np.zeros((0, 3)), np.zeros(1, np.int32), np.zeros((0, 3)), np.zeros(0, np.int32))
        self.gaps: dict[int, tuple[list[int], float]] = {}
        """Numbers in a ring where there is no transducer, and the range that is reported for them [m]."""
        self._known: dict[SonarModel, int] = {}

    def add(self, sonar: SonarModel) -> int:
        """Return the number of this ring, or -1 when there is no transducer."""
        if not sonar.transducers:
            return -1
        if sonar in self._known:
            return self._known[sonar]
        rays = max(1, sonar.rays)
        # From edge to edge of the cone; a single ray is its centre.
        shares = [k / (rays - 1) - 0.5 for k in range(rays)] if rays > 1 else [0.0]
        rows = [(place.x, place.y, place.heading + sonar.cone * share) for place in sonar.transducers for share in shares]
        known = self.table
        number = len(known.reach)
        all_rays = np.concatenate([known.rays, np.array(rows, dtype=np.float64)])
        self.table = RingTable(
            all_rays,
            np.append(known.starts, np.int32(len(all_rays))),
            np.concatenate([known.reach, [[sonar.range_min, sonar.range_max, sonar.noise]]]),
            np.append(known.spread, np.int32(rays)),
        )
        if sonar.absent:
            self.gaps[number] = (list(sonar.absent), sonar.range_max)
        self._known[sonar] = number
        return number


class SonarUnit(DeviceUnit[SonarModel]):
    """The sonar of one robot. It can be switched on even when it has no transducer."""

    @property
    def ranges(self) -> FloatArray:
        """The ranges of this moment, one for each transducer [m]; empty when it is off."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        return NO_RANGES if row is None else readings.ranges[row, : len(self.model.transducers)]


class SonarKind(DeviceKind[SonarModel, SonarUnit, SonarReadings]):
    """Sonar rings; the engines have a kernel for them."""

    name = "sonar"
    model = SonarModel
    rows = Sonar
    unit = SonarUnit
    drawing = Drawing.CONES

    def shared(self) -> SonarRings:
        """Return room for the rings that robots have."""
        return SonarRings()

    def column(self, model: SonarModel, table: SonarTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new ring."""
        return {Sonar.RING: table.shared.add(model if table.noise else replace(model, noise=0.0))}

    def senses(self, table: SonarTable) -> IntArray:
        """Return the rings that are on and have transducers."""
        used = table.matrix[:, : len(table.units)]
        return np.flatnonzero((used[Sonar.ON] > 0.0) & (used[Sonar.RING] >= 0.0))

    def sense(self, scene: Scene, units: IntArray, table: SonarTable, engine: Engine) -> SonarReadings:
        """Return the echoes of these rings."""
        rings: SonarRings = table.shared
        echoes = engine.ping(scene, rings.table, table.matrix, units, table.widest(units))
        for ring, (absent, farthest) in rings.gaps.items():
            rows = np.flatnonzero(table.matrix[Sonar.RING, units] == ring)
            echoes[rows[:, None], absent] = farthest
        return SonarReadings(units, echoes)

    def width(self, table: SonarTable, units: IntArray) -> int:
        """Return how many transducers the largest of these rings has."""
        rings: RingTable = table.shared.table
        ring = table.matrix[Sonar.RING, units].astype(np.int64)
        return int(((rings.starts[ring + 1] - rings.starts[ring]) // rings.spread[ring]).max(initial=0))


SONAR = SonarKind()
