"""Tools that are lowered into the ground: where one is follows from what it was told last, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.outdoor import ToolModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.fields import Rows
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine

    ToolTable = DeviceTable["ToolModel", "ToolUnit", "ToolReadings"]


class Tool(Rows):
    """Rows of the matrix of tools."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    FROM = auto()
    """Where it was when it was told where to go, as a share of its stroke: 0 raised, 1 down."""
    TO = auto()
    SINCE = auto()
    """When that was [s]."""
    PACE = auto()
    """Strokes in a second."""


@dataclass(frozen=True)
class ToolReadings(Readings):
    """Where tools are."""

    depth: FloatArray
    """Share of the stroke: 0 raised, 1 down."""


class ToolUnit(DeviceUnit[ToolModel]):
    """The tool of one robot."""

    @property
    def depth(self) -> float:
        """Where it is: 0 raised, 1 down."""
        begun, end = self._get(Tool.FROM), self._get(Tool.TO)
        way = self._get(Tool.PACE) * (self._table.simulation.time - self._get(Tool.SINCE))
        return min(end, begun + way) if end > begun else max(end, begun - way)

    @property
    def target(self) -> float:
        """Where it goes: 0 raised, 1 down."""
        return self._get(Tool.TO)

    def go(self, depth: float) -> None:
        """Go to a depth: 0 raised, 1 down."""
        now = self.depth
        self._set(Tool.FROM, now)
        self._set(Tool.SINCE, self._table.simulation.time)
        self._set(Tool.TO, min(1.0, max(0.0, depth)))

    def hold(self) -> None:
        """Stay where it is."""
        self.go(self.depth)

    def reset(self) -> None:
        """Raise it at once; it always knows where it is."""
        for row in (Tool.FROM, Tool.TO):
            self._set(row, 0.0)
        self.on = True


class ToolKind(DeviceKind[ToolModel, ToolUnit, ToolReadings]):
    """Tools."""

    name = "tool"
    model = ToolModel
    rows = Tool
    unit = ToolUnit

    def column(self, model: ToolModel, table: ToolTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new tool."""
        return {Tool.PACE: model.speed / model.stroke}

    def sense(self, scene: Scene, units: IntArray, table: ToolTable, engine: Engine) -> ToolReadings:
        """Return where these tools are."""
        return ToolReadings(units, np.array([table.units[unit].depth for unit in units.tolist()], np.float64))


TOOL = ToolKind()
