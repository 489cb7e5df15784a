"""Batteries: voltage and share of charge, as far as a robot measures them. Nothing drains them yet."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

from mobilesim_py.catalogue.model import BatteryModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.fields import Rows
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine

    BatteryTable = DeviceTable["BatteryModel", "BatteryUnit", "BatteryReadings"]


class Battery(Rows):
    """Rows of the matrix of batteries; NaN is what is not measured."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    VOLTS = auto()
    CHARGE = auto()
    """Share of its full charge, 0 to 1."""


@dataclass(frozen=True)
class BatteryReadings(Readings):
    """What batteries say of themselves; NaN is what is not measured."""

    volts: FloatArray
    charge: FloatArray
    """Share of the full charge."""


class BatteryUnit(DeviceUnit[BatteryModel]):
    """The battery of one robot."""

    @property
    def volts(self) -> float | None:
        """Voltage; None where it is not measured."""
        return _known(self._get(Battery.VOLTS))

    @volts.setter
    def volts(self, value: float) -> None:
        self._set(Battery.VOLTS, value)

    @property
    def charge(self) -> float | None:
        """Share of its full charge, 0 to 1; None where it is not measured."""
        return _known(self._get(Battery.CHARGE))

    @charge.setter
    def charge(self, share: float) -> None:
        self._set(Battery.CHARGE, share)

    def reset(self) -> None:
        """Fill it."""
        for row, value in _full(self.model).items():
            self._set(Battery(row), value)
        self.on = True


class BatteryKind(DeviceKind[BatteryModel, BatteryUnit, BatteryReadings]):
    """Batteries."""

    name = "battery"
    model = BatteryModel
    rows = Battery
    unit = BatteryUnit

    def column(self, model: BatteryModel, table: BatteryTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new battery."""
        return _full(model)

    def sense(self, scene: Scene, units: IntArray, table: BatteryTable, engine: Engine) -> BatteryReadings:
        """Return voltages and charges."""
        return BatteryReadings(units, table.matrix[Battery.VOLTS].take(units), table.matrix[Battery.CHARGE].take(units))


BATTERY = BatteryKind()


def _full(model: BatteryModel) -> dict[int, float]:
    values = {Battery.VOLTS: model.volts, Battery.CHARGE: model.charge}
    return {row: math.nan if value is None else value for row, value in values.items()}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
