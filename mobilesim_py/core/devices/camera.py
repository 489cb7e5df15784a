"""Pairs of cameras: what they see is painted when somebody asks for it, and costs nothing otherwise.

(pair,) = robot.units(CAMERA)
pair.on = True
left, right = pair.pictures  # Bayer mosaics (GBRG), 480 x 752 bytes each
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import auto
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.catalogue.model import StereoCameraModel
from mobilesim_py.core.devices.device import DeviceKind, DeviceUnit, Readings
from mobilesim_py.core.fields import Body, Rows
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.geometry import FloatArray, Pose
from mobilesim_py.world.obstacles import ByteArray
from mobilesim_py.world.world import empty_world

if TYPE_CHECKING:
    from mobilesim_py.core.cameras.facets import Solids
    from mobilesim_py.core.cameras.optics import Calibration
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine

    CameraTable = DeviceTable["StereoCameraModel", "CameraUnit", "CameraReadings"]

BODY_HEIGHT = 0.5
"""How high robots and boxes look [m]: their models do not say."""


class Camera(Rows):
    """Rows of the matrix of pairs of cameras."""

    BODY = auto()
    """Column of the robot that carries it."""
    ON = auto()


@dataclass(frozen=True)
class CameraReadings(Readings):
    """Both pictures of every pair."""

    mosaics: ByteArray
    """All pixels of the left picture, row by row, then those of the right one."""


class CameraUnit(DeviceUnit[StereoCameraModel]):
    """One pair of cameras of a robot."""

    @property
    def pictures(self) -> tuple[ByteArray, ByteArray]:
        """What the left and the right one see now: Bayer mosaics (GBRG), height x width; black when they are off."""
        readings: CameraReadings = self._table.readings
        row = readings.row_of(self.column)
        shape = (2, self.model.height, self.model.width)
        both = np.zeros(shape, np.uint8) if row is None else readings.mosaics[row, : 2 * shape[1] * shape[2]].reshape(shape)
        return both[0], both[1]

    @property
    def calibration(self) -> Calibration:
        """What the pictures obey."""
        from mobilesim_py.core.cameras.optics import calibration

        return calibration(self.model)


class CameraKind(DeviceKind[StereoCameraModel, CameraUnit, CameraReadings]):
    """Pairs of cameras."""

    name = "camera"
    model = StereoCameraModel
    rows = Camera
    unit = CameraUnit

    def column(self, model: StereoCameraModel, table: CameraTable) -> Mapping[int, float]:
        """Return what stands in the rows of a new unit."""
        return {}

    def sense(self, scene: Scene, units: IntArray, table: CameraTable, engine: Engine) -> CameraReadings:
        """Paint what these pairs see now."""
        # Most robots have no camera: programs without one do not wait for these modules.
        from mobilesim_py.core.cameras.optics import eyes_of
        from mobilesim_py.core.cameras.view import look

        pairs = [table.units[column] for column in units.tolist()]
        most = max((2 * unit.model.width * unit.model.height for unit in pairs), default=0)
        mosaics = np.zeros((len(pairs), most), np.uint8)
        world = scene.world or empty_world()
        for row, unit in enumerate(pairs):
            carrier = int(table.matrix[Camera.BODY, unit.column])
            solids = _bodies(scene, carrier)
            x, y, heading = (float(scene.bodies[place, carrier]) for place in (Body.X, Body.Y, Body.HEADING))
            eyes = eyes_of(unit.model, Pose(x, y, heading))
            pictures = [engine.paint(look(world, eye, unit.model.reach, solids)) for eye in eyes]
            both = np.concatenate([picture.reshape(-1) for picture in pictures])
            mosaics[row, : len(both)] = both
        return CameraReadings(units, mosaics)


def _bodies(scene: Scene, carrier: int) -> Solids:
    """Return the outlines of all other bodies that are there for the carrier, as they lie in the world."""
    from mobilesim_py.core.cameras.facets import Solids

    bodies = scene.bodies[:, : scene.population]
    there = (bodies[Body.GHOST] == 0.0) & (bodies[Body.COPY] == bodies[Body.COPY, carrier])
    there[carrier] = False
    parts: list[FloatArray] = [np.empty((0, 4))]
    for column in np.flatnonzero(there).tolist():
        x, y, heading, shape = (float(bodies[row, column]) for row in (Body.X, Body.Y, Body.HEADING, Body.OUTLINE))
        first, last = scene.shapes.starts[int(shape)], scene.shapes.starts[int(shape) + 1]
        ax, ay, ex, ey = scene.shapes.edges[first:last].T
        cos, sin = np.cos(heading), np.sin(heading)
        bx, by = ax + ex, ay + ey
        ends = (x + ax * cos - ay * sin, y + ax * sin + ay * cos, x + bx * cos - by * sin, y + bx * sin + by * cos)
        parts.append(np.stack(ends, axis=1))
    edges = np.concatenate(parts)
    return Solids(edges, np.full(len(edges), BODY_HEIGHT))


CAMERA = CameraKind()
