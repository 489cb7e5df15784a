"""GPS receivers: where in the world a robot believes to be, how fast it goes, and whether it has a fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.outdoor import GpsModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.devices.draws import uniforms, wandering
from mobilesim_py.core.engines.formulas import GPS_DRIFT, GPS_LOSS, GPS_NOISE
from mobilesim_py.core.fields import Body, Rows
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.reality import Reality

    GpsTable = DeviceTable["GpsModel", "GpsUnit", "GpsReadings"]

DRIFT_SECONDS = 120.0
"""Time in which a position drifts from one drawn offset to the next [s]."""
LOSS_SECONDS = 10.0
"""How long a lost fix is lost [s]."""


class Gps(Rows):
    """Rows of the matrix of receivers."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    SERIAL = auto()
    NOISE = auto()
    OFFSET = auto()
    """How far positions are off at most [m]."""
    LOSS = auto()
    """Share of the time without a fix."""


@dataclass(frozen=True)
class GpsReadings(Readings):
    """What receivers know."""

    x: FloatArray
    """Place in the world [m]."""
    y: FloatArray
    speed: FloatArray
    """Over ground [m/s]."""
    fixed: FloatArray
    """1.0 with a fix, 0.0 without."""


class GpsUnit(DeviceUnit[GpsModel]):
    """The receiver of one robot."""

    def disturb(self, reality: Reality) -> None:
        """Let positions drift, and fixes be lost."""
        self._set(Gps.OFFSET, reality.gps_offset)
        self._set(Gps.LOSS, reality.gps_loss)


class GpsKind(DeviceKind[GpsModel, GpsUnit, GpsReadings]):
    """GPS receivers."""

    name = "gps"
    model = GpsModel
    rows = Gps
    unit = GpsUnit

    def column(self, model: GpsModel, table: GpsTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new receiver."""
        return {Gps.NOISE: model.noise if table.noise else 0.0}

    def sense(self, scene: Scene, units: IntArray, table: GpsTable, engine: Engine) -> GpsReadings:
        """Return positions, speeds and fixes."""
        receivers = table.matrix[:, units]
        carrier = receivers[Gps.BODY].astype(np.int64)
        x, y = scene.bodies[Body.X, carrier], scene.bodies[Body.Y, carrier]
        forward, lateral = scene.bodies[Body.FORWARD, carrier], scene.bodies[Body.LATERAL, carrier]
        bad = [table.simulation.world.is_gps_bad(float(a), float(b)) for a, b in zip(x, y, strict=True)]
        fixed = 1.0 - np.array(bad, np.float64)
        seconds = scene.tick * scene.dt
        for k in np.flatnonzero((receivers[Gps.NOISE : Gps.LOSS + 1] > 0.0).any(axis=0)).tolist():
            serial = int(receivers[Gps.SERIAL, k])
            off = receivers[Gps.OFFSET, k] * wandering(scene.seed, serial, GPS_DRIFT, seconds / DRIFT_SECONDS, 2)
            off *= min(1.0, receivers[Gps.OFFSET, k] / max(1e-9, float(np.sqrt(off[0] * off[0] + off[1] * off[1]))))
            # Half-width of even noise whose standard deviation is as wanted.
            off += receivers[Gps.NOISE, k] * 1.7320508075688772 * uniforms(scene.seed, serial, GPS_NOISE, scene.tick, 2)
            x[k], y[k] = x[k] + off[0], y[k] + off[1]
            (luck,) = uniforms(scene.seed, serial, GPS_LOSS, int(seconds / LOSS_SECONDS), 1)
            if 0.5 * (luck + 1.0) < receivers[Gps.LOSS, k]:
                fixed[k] = 0.0
        return GpsReadings(units, x, y, np.sqrt(forward * forward + lateral * lateral), fixed)


GPS = GpsKind()
