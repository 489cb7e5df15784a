"""Inertial units: gyroscope, accelerometer and magnetometer in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobilesim_py.catalogue.outdoor import ImuModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.devices.draws import fixed_draws
from mobilesim_py.core.devices.imu_rows import Felt, Imu
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.reality import Reality

    ImuTable = DeviceTable["ImuModel", "ImuUnit", "ImuReadings"]

FORCE_PER_RATE = 10.0
"""How much larger the bias of a force [m/s2] is than that of a turning rate [rad/s]."""


@dataclass(frozen=True)
class ImuReadings(Readings):
    """What inertial units feel."""

    felt: FloatArray
    """A row for each unit, a column for each of `Felt`."""

    @property
    def rates(self) -> FloatArray:
        """Turning rates about x, y and z [rad/s], counter-clockwise positive."""
        return self.felt[:, Felt.RATE_X : Felt.RATE_Z + 1]

    @property
    def forces(self) -> FloatArray:
        """Forces on each kilogram along x, y and z [m/s2]; at rest z is 9.81."""
        return self.felt[:, Felt.FORCE_X : Felt.FORCE_Z + 1]

    @property
    def field(self) -> FloatArray:
        """The horizontal magnetic field: cosine and sine of the heading, 1 being the strength of the earth's."""
        return self.felt[:, Felt.FIELD_X : Felt.FIELD_Y + 1]


class ImuUnit(DeviceUnit[ImuModel]):
    """The inertial unit of one robot."""

    @property
    def felt(self) -> FloatArray | None:
        """What it feels now, in the order of `Felt`; None when it is off."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        if row is None:
            return None
        felt: FloatArray = readings.felt[row]
        return felt

    def reset(self) -> None:
        """Let it begin anew, and off."""
        for row in (Imu.LAST_TICK, Imu.LAST_SPEED, Imu.ACCELERATION):
            self._set(row, 0.0)
        self.on = False

    def disturb(self, reality: Reality) -> None:
        """Draw what it is off by for good."""
        draws = fixed_draws(self._table.simulation.seed, int(self._get(Imu.SERIAL)), 9)
        sizes = {
            Imu.RATE_SCALE: reality.imu_scale,
            Imu.RATE_BIAS: reality.imu_bias,
            Imu.FORCE_BIAS_X: reality.imu_bias * FORCE_PER_RATE,
            Imu.FORCE_BIAS_Y: reality.imu_bias * FORCE_PER_RATE,
            Imu.FIELD_SCALE_X: reality.imu_scale,
            Imu.FIELD_SCALE_Y: reality.imu_scale,
            Imu.FIELD_BIAS_X: reality.magnetism,
            Imu.FIELD_BIAS_Y: reality.magnetism,
            Imu.FIELD_PER_SPEED: reality.magnetism,
        }
        for (row, size), draw in zip(sizes.items(), draws, strict=True):
            self._set(row, size * draw)


class ImuKind(DeviceKind[ImuModel, ImuUnit, ImuReadings]):
    """Inertial units; the engines have a kernel for them."""

    name = "imu"
    model = ImuModel
    rows = Imu
    unit = ImuUnit

    def column(self, model: ImuModel, table: ImuTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new unit."""
        noisy = float(table.noise)
        return {
            Imu.RATE_NOISE: model.rate_noise * noisy,
            Imu.RATE_DRIFT: model.rate_drift * noisy,
            Imu.FORCE_NOISE: model.force_noise * noisy,
            Imu.FORCE_DRIFT: model.force_drift * noisy,
        }

    def sense(self, scene: Scene, units: IntArray, table: ImuTable, engine: Engine) -> ImuReadings:
        """Return what these units feel."""
        return ImuReadings(units, engine.feel(scene, table.matrix, units))


IMU = ImuKind()
