"""Tickers of wheels: they count even pieces of the way that each rim has made, whatever the direction of a piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.outdoor import TickerModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.fields import Rows, Wheels
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine

    TickerTable = DeviceTable["TickerModel", "TickerUnit", "TickerReadings"]

PHASES = (0.25, 0.75)
"""Where on the way between two ticks the front and the rear wheels stand at first: wheels do not tick all at once."""


class Ticker(Rows):
    """Rows of the matrix of tickers."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    WAY = auto()


@dataclass(frozen=True)
class TickerReadings(Readings):
    """What tickers count."""

    counts: FloatArray
    """N x 4, whole numbers: front left, front right, rear left, rear right; fewer when a wheel has gone backwards."""


class TickerUnit(DeviceUnit[TickerModel]):
    """The tickers of one robot."""


class TickerKind(DeviceKind[TickerModel, TickerUnit, TickerReadings]):
    """Tickers."""

    name = "ticker"
    model = TickerModel
    rows = Ticker
    unit = TickerUnit

    def column(self, model: TickerModel, table: TickerTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new ticker."""
        return {Ticker.WAY: model.way}

    def sense(self, scene: Scene, units: IntArray, table: TickerTable, engine: Engine) -> TickerReadings:
        """Return the counts of all wheels."""
        carrier = table.matrix[Ticker.BODY, units].astype(np.int64)
        pieces = (scene.bodies[Wheels.WAY][:, carrier] / table.matrix[Ticker.WAY, units]).T
        counts = np.empty((len(units), 4))
        np.floor(pieces + PHASES[0], out=counts[:, :2])
        np.floor(pieces + PHASES[1], out=counts[:, 2:])
        return TickerReadings(units, counts)


TICKER = TickerKind()
