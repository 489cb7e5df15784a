"""Compasses: the heading against north, with noise, and off where the ground says that iron is near."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.accessories import CompassModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.devices.draws import uniforms
from mobilesim_py.core.engines.formulas import COMPASS_NOISE
from mobilesim_py.core.fields import Body, Rows
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine

    CompassTable = DeviceTable["CompassModel", "CompassUnit", "CompassReadings"]

MAGNETIC = "magnetic"
"""Name of the value of areas where compasses are disturbed."""
LEAST, MOST = math.radians(10.0), math.radians(30.0)
"""By how much they are off there [rad]."""
_EVEN = math.sqrt(3.0)
"""Half-width of even noise whose standard deviation is 1."""
_PATCH = 0.5
"""Length of the waves in which the disturbance changes from place to place [m]."""


class Compass(Rows):
    """Rows of the matrix of compasses."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    SERIAL = auto()
    NOISE = auto()


@dataclass(frozen=True)
class CompassReadings(Readings):
    """What compasses say."""

    north: FloatArray
    """Heading, clockwise from north, which is where the map's y points [rad], 0 to a whole turn."""


class CompassUnit(DeviceUnit[CompassModel]):
    """The compass of one robot."""

    @property
    def north(self) -> float:
        """Heading, clockwise from north [rad]."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        return 0.0 if row is None else float(readings.north[row])

    def reset(self) -> None:
        """Switch it on."""
        self.on = True


class CompassKind(DeviceKind[CompassModel, CompassUnit, CompassReadings]):
    """Compasses."""

    name = "compass"
    model = CompassModel
    rows = Compass
    unit = CompassUnit

    def column(self, model: CompassModel, table: CompassTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new compass."""
        return {Compass.NOISE: model.noise if table.noise else 0.0}

    def sense(self, scene: Scene, units: IntArray, table: CompassTable, engine: Engine) -> CompassReadings:
        """Return the headings."""
        compasses, world = table.matrix[:, units], table.simulation.world
        carrier = compasses[Compass.BODY].astype(np.int64)
        north = 0.5 * math.pi - scene.bodies[Body.HEADING, carrier]
        for k, column in enumerate(carrier.tolist()):
            x, y = float(scene.bodies[Body.X, column]), float(scene.bodies[Body.Y, column])
            if world.value_at(MAGNETIC, x, y) > 0.0:
                wave = math.sin(x * math.tau / _PATCH) * math.cos(y * math.tau / _PATCH)
                north[k] += math.copysign(LEAST + (MOST - LEAST) * abs(wave), wave)
            if compasses[Compass.NOISE, k] > 0.0:
                (draw,) = uniforms(scene.seed, int(compasses[Compass.SERIAL, k]), COMPASS_NOISE, scene.tick, 1)
                north[k] += compasses[Compass.NOISE, k] * _EVEN * draw
        return CompassReadings(units, np.mod(north, math.tau))


COMPASS = CompassKind()
