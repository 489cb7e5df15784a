"""Scanning laser range finders: their matrix, one of them on a robot, and what they read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.model import LaserModel, ReturnRule
from mobilesim_py.core.devices.device import NO_RANGES, DeviceKind, DeviceUnit, Drawing, Readings
from mobilesim_py.core.engines.formulas import CLUTTER_NOISE, draw_bits, high_uniform, low_uniform
from mobilesim_py.core.engines.numpy.formulas import keys
from mobilesim_py.core.fields import Rows
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import ByteArray, FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.reality import Reality

    LaserTable = DeviceTable["LaserModel", "LaserUnit", "LaserReadings"]

MOST_BEAMS = 2881
"""An eighth of a degree all round: finer scans than any laser has are not cast."""


NO_REFLECTANCE: ByteArray = np.zeros(0, np.uint8)


class Laser(Rows):
    """Rows of the matrix of lasers."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()
    X = auto()
    """Place on the robot."""
    Y = auto()
    HEADING = auto()
    START = auto()
    """Angle of the first beam, against the laser's heading."""
    INCREMENT = auto()
    COUNT = auto()
    RANGE_MIN = auto()
    RANGE_MAX = auto()
    RANGE_NOISE = auto()
    ANGLE_NOISE = auto()
    SERIAL = auto()
    CLUTTER = auto()
    """Share of the beams that end at a blade of grass or a splash of mud."""


@dataclass(frozen=True)
class LaserReadings(Readings):
    """Scans in the order in which they are reported; only as many readings of a row count as its laser has."""

    ranges: FloatArray
    """[m]."""
    reflectance: ByteArray


class LaserUnit(DeviceUnit[LaserModel]):
    """One laser of a robot, as it is set now."""

    @property
    def start(self) -> float:
        """Angle of the first reading against the laser's heading."""
        return self._get(Laser.START)

    @property
    def increment(self) -> float:
        """Angle from one reading to the next; negative when they run clockwise."""
        return self._get(Laser.INCREMENT)

    @property
    def count(self) -> int:
        """How many readings a scan has."""
        return int(self._get(Laser.COUNT))

    def configure(self, start: float, end: float, increment: float) -> None:
        """Read at start, start +- increment, ... up to end; an increment of zero is no reading at all."""
        step = abs(increment)
        count = math.floor(abs(end - start) / step + 1e-6) + 1 if step > 0.0 else 0
        self._set(Laser.START, start)
        self._set(Laser.INCREMENT, math.copysign(step, end - start) if end != start else step)
        self._set(Laser.COUNT, float(min(count, MOST_BEAMS)))

    def reset(self) -> None:
        """Set it as the model has it, and off."""
        half = 0.5 * self.model.field_of_view
        step = self.model.field_of_view / max(1, self.model.samples - 1)
        first, last = (half, -half) if self.model.reverse else (-half, half)
        self.configure(first, last, step)
        self.on = False

    def disturb(self, reality: Reality) -> None:
        """Let grass and mud be in the way of some beams."""
        self._set(Laser.CLUTTER, reality.lidar_clutter)

    @property
    def ranges(self) -> FloatArray:
        """The scan of this moment [m]; empty when it is off."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        return NO_RANGES if row is None else readings.ranges[row, : self.count]

    @property
    def reflectance(self) -> ByteArray:
        """How bright what it meets is, for each of its ranges."""
        readings = self._table.readings
        row = readings.row_of(self.column)
        return NO_REFLECTANCE if row is None else readings.reflectance[row, : self.count]


class LaserKind(DeviceKind[LaserModel, LaserUnit, LaserReadings]):
    """Lasers; the engines have a kernel for them."""

    name = "laser"
    model = LaserModel
    rows = Laser
    unit = LaserUnit
    drawing = Drawing.RAYS

    def column(self, model: LaserModel, table: LaserTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new laser."""
        return {
            Laser.X: model.pose.x,
            Laser.Y: model.pose.y,
            Laser.HEADING: model.pose.heading,
            Laser.RANGE_MIN: model.range_min,
            Laser.RANGE_MAX: model.range_max,
            Laser.RANGE_NOISE: model.range_noise if table.noise else 0.0,
            Laser.ANGLE_NOISE: model.angle_noise if table.noise else 0.0,
        }

    def sense(self, scene: Scene, units: IntArray, table: LaserTable, engine: Engine) -> LaserReadings:
        """Return the scans of these lasers."""
        ranges, reflectance, slant = engine.scan(scene, table.matrix, units, table.widest(units))
        if len(units) and int(reflectance.max(initial=0)) > 1:
            for row, unit in enumerate(units):
                rules = table.units[unit].model.rules
                reflectance[row] = reported_reflectance(rules, reflectance[row], ranges[row], slant[row])
        clutter = table.matrix[Laser.CLUTTER, units]
        if clutter.any():
            ranges = cluttered(scene, table.matrix[:, units], ranges)
        return LaserReadings(units, ranges, reflectance)

    def width(self, table: LaserTable, units: IntArray) -> int:
        """Return how many beams the widest of these scans has."""
        return int(table.matrix[Laser.COUNT, units].max(initial=0.0))


LASER = LaserKind()


def cluttered(scene: Scene, lasers: FloatArray, ranges: FloatArray) -> FloatArray:
    """Return ranges in which some beams, drawn anew for every scan, end at something between the laser and its reach."""
    with np.errstate(over="ignore"):
        key = keys(scene.seed, lasers[Laser.SERIAL], CLUTTER_NOISE, scene.tick)
        bits = draw_bits(key[:, None], np.arange(ranges.shape[1], dtype=np.uint64))
    chance, place = 0.5 * (high_uniform(bits) + 1.0), 0.5 * (low_uniform(bits) + 1.0)
    least, most = lasers[Laser.RANGE_MIN, :, None], lasers[Laser.RANGE_MAX, :, None]
    met = (chance < lasers[Laser.CLUTTER, :, None]) & (ranges > 0.0)
    return np.where(met, np.minimum(ranges, least + place * (most - least)), ranges)


def reported_reflectance(
    rules: tuple[ReturnRule, ...], reflectance: ByteArray, ranges: FloatArray, slant: FloatArray
) -> ByteArray:
    """Return the reflectance that is reported for each beam. `slant` is the cosine of the angle of incidence."""
    reported = reflectance.copy()
    settled = np.zeros(len(reported), np.bool_)
    incidence = np.arccos(np.clip(slant, 0.0, 1.0))
    for rule in rules:
        matches = {
            "gt": reflectance > rule.value,
            "lt": reflectance < rule.value,
            "eq": reflectance == rule.value,
        }[rule.comparison] & ~settled
        if rule.condition == "outside_range":
            matches &= ranges > rule.limit
        elif rule.condition == "inside_range":
            matches &= ranges < rule.limit
        elif rule.condition == "outside_angle":
            matches &= incidence > rule.limit
        elif rule.condition == "inside_angle":
            matches &= incidence < rule.limit
        reported[matches] = rule.detect
        if rule.stop:
            settled |= matches
    return reported
