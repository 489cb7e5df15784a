"""The geometry of a camera: where it stands, how it looks, and where places of the world appear in its picture.

Pixels are numbered from the upper left one, column u and row v; a pixel's centre has its own number. The camera's frame is x
to the right, y down, z ahead. Cameras do not roll, so everything at one height above flat ground that appears in the same
row of the picture is equally deep. Metres and radians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mobilesim_py.catalogue.model import StereoCameraModel
from mobilesim_py.geometry import FloatArray, Pose, compose

LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class Eye:
    """One camera at one moment."""

    x: float
    y: float
    z: float
    heading: float
    pitch: float
    """How far it looks below the horizon."""
    focal: float
    """Focal length [px]."""
    width: int
    height: int

    @property
    def centre(self) -> tuple[float, float]:
        """The principal point, column and row: the middle of the picture."""
        return (self.width - 1) / 2.0, (self.height - 1) / 2.0

    @property
    def axes(self) -> FloatArray:
        """The camera's axes in the world: rows right, down, ahead."""
        cos, sin = math.cos(self.heading), math.sin(self.heading)
        up, level = math.sin(self.pitch), math.cos(self.pitch)
        return np.array([[sin, -cos, 0.0], [-cos * up, -sin * up, -level], [cos * level, sin * level, -up]])

    def seen_from(self, places: FloatArray) -> FloatArray:
        """Return places of the world (N x 3) in the camera's frame."""
        return np.asarray((places - (self.x, self.y, self.z)) @ self.axes.T)

    def project(self, places: FloatArray) -> FloatArray:
        """Return column, row and depth [m] of places of the world (N x 3); behind the camera the depth is negative."""
        seen = self.seen_from(places)
        u, v = self.centre
        with np.errstate(divide="ignore", invalid="ignore"):
            columns, rows = u + self.focal * seen[:, 0] / seen[:, 2], v + self.focal * seen[:, 1] / seen[:, 2]
        return np.stack([columns, rows, seen[:, 2]], axis=1)


def focal_length(model: StereoCameraModel) -> float:
    """Return the focal length of each camera [px]."""
    return model.width / 2.0 / math.tan(model.field_of_view / 2.0)


def eyes_of(model: StereoCameraModel, robot: Pose) -> tuple[Eye, Eye]:
    """Return the left and the right camera of a robot at a pose."""
    middle = compose(robot, model.pose)
    focal = focal_length(model)
    sides = (compose(middle, Pose(0.0, side * model.baseline / 2.0)) for side in (1.0, -1.0))
    left, right = (Eye(p.x, p.y, model.elevation, p.heading, model.pitch, focal, model.width, model.height) for p in sides)
    return left, right


@dataclass(frozen=True)
class Calibration:
    """What a client must know of a pair of cameras: intrinsics of each, and how the right one stands to the left one."""

    focal: float
    """[px], the same across and down."""
    centre: tuple[float, float]
    """Principal point, column and row [px]."""
    rotation: tuple[float, ...]
    """Nine numbers, row by row: a place of the left camera's frame turned into the right camera's."""
    translation: tuple[float, float, float]
    """Added after that [m]."""


def calibration(model: StereoCameraModel) -> Calibration:
    """Return what the pictures of a model obey; there is no lens distortion."""
    centre = (model.width - 1) / 2.0, (model.height - 1) / 2.0
    turned = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    return Calibration(focal_length(model), centre, turned, (-model.baseline, 0.0, 0.0))
