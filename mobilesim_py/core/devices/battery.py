"""Batteries: voltage and share of charge, as far as a robot measures them; `core.power` drains and fills them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

from mobilesim_py.catalogue.model import BatteryModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.fields import Rows
from mobilesim_py.core.power import EMPTY_VOLTS, Stage
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
    STORED = auto()
    """The same, also where it is not measured."""
    CHARGING = auto()
    """How it is charged, see `core.power.Stage`."""


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
        self.show(value)
        full = self.model.volts or value
        self._set(Battery.STORED, min(1.0, max(0.0, (value - EMPTY_VOLTS) / max(0.1, full - EMPTY_VOLTS))))

    def show(self, volts: float) -> None:
        """Let this voltage be measured, whatever is stored."""
        self._set(Battery.VOLTS, volts)

    @property
    def charge(self) -> float | None:
        """Share of its full charge, 0 to 1; None where it is not measured."""
        return _known(self._get(Battery.CHARGE))

    @charge.setter
    def charge(self, share: float) -> None:
        self._set(Battery.CHARGE, share)
        self._set(Battery.STORED, share)

    @property
    def stored(self) -> float:
        """Share of its full charge, 0 to 1, also where it is not measured."""
        return self._get(Battery.STORED)

    def store(self, share: float) -> None:
        """Let it hold this share of its full charge."""
        share = min(1.0, max(0.0, share))
        self._set(Battery.STORED, share)
        if self.charge is not None:
            self._set(Battery.CHARGE, share)

    @property
    def charging(self) -> Stage:
        """How it is charged now."""
        return Stage(int(self._get(Battery.CHARGING)))

    @charging.setter
    def charging(self, stage: Stage) -> None:
        if stage != self._get(Battery.CHARGING):
            self._set(Battery.CHARGING, stage)

    def reset(self) -> None:
        """Fill it, unless robots have to charge at docks."""
        if self._on and self._table.simulation.power.drain_hours > 0.0:
            return
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
    values = {Battery.VOLTS: model.volts, Battery.CHARGE: model.charge, Battery.STORED: 1.0}
    return {row: math.nan if value is None else value for row, value in values.items()}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
