"""What cameras tell: pictures as they come from the sensor, how the lens draws, where the cameras look (see REP 104)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from mobilesim_py.core.cameras.optics import LEFT, RIGHT
from mobilesim_py.core.devices.camera import CAMERA, CameraReadings, CameraUnit
from mobilesim_py.geometry import Pose, compose
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Source, Subject

SIDES = ("left", "right")
ENCODING = "bayer_gbrg8"
_NO_LENS = np.zeros(5)
_NO_REGION: Message = {"x_offset": 0, "y_offset": 0, "height": 0, "width": 0, "do_rectify": False}


def camera_of(subject: Subject) -> CameraUnit | None:
    """Return the robot's pair of cameras, if it has one."""
    return next(iter(subject.body.units(CAMERA)), None)


def camera_frame(side: int) -> str:
    """Return the name of a camera's frame: x to the right of the picture, y down, z ahead."""
    return f"{SIDES[side]}_camera_optical"


def numbered_frame(number: int, side: int) -> str:
    """Return the name of a camera's frame on a robot that has several pairs."""
    return f"camera_{number}_{SIDES[side]}_optical"


def picture(side: int) -> Source:
    """Return what makes sensor_msgs/Image: the Bayer mosaic of the left or the right camera."""

    def make(moment: Moment, subject: Subject) -> Iterable[Message]:
        camera = camera_of(subject)
        assert camera is not None
        readings, row = moment.look(camera)
        assert isinstance(readings, CameraReadings)
        model = camera.model
        size = model.width * model.height
        return (
            {
                "header": moment.header(subject.frame(camera_frame(side))),
                "height": model.height,
                "width": model.width,
                "encoding": ENCODING,
                "is_bigendian": 0,
                "step": model.width,
                "data": readings.mosaics[row, side * size : (side + 1) * size].tobytes(),
            },
        )

    return make


def lens(side: int) -> Source:
    """Return what makes sensor_msgs/CameraInfo; the pictures are without distortion, and aligned."""

    def make(moment: Moment, subject: Subject) -> Iterable[Message]:
        camera = camera_of(subject)
        assert camera is not None
        return (lens_message(camera, moment.header(subject.frame(camera_frame(side))), side),)

    return make


def lens_message(camera: CameraUnit, header: Message, side: int) -> Message:
    """Return sensor_msgs/CameraInfo of the left or the right camera of a pair."""
    facts, model = camera.calibration, camera.model
    u, v = facts.centre
    shift = -facts.focal * model.baseline if side == RIGHT else 0.0
    intrinsics = np.array([facts.focal, 0.0, u, 0.0, facts.focal, v, 0.0, 0.0, 1.0])
    turn = np.eye(3).ravel()
    projection = np.array([facts.focal, 0.0, u, shift, 0.0, facts.focal, v, 0.0, 0.0, 0.0, 1.0, 0.0])
    return {
        "header": header,
        "height": model.height,
        "width": model.width,
        "distortion_model": "plumb_bob",
        # Both versions of ROS, which differ in the case of these.
        "D": _NO_LENS,
        "K": intrinsics,
        "R": turn,
        "P": projection,
        "d": _NO_LENS,
        "k": intrinsics,
        "r": turn,
        "p": projection,
        "binning_x": 0,
        "binning_y": 0,
        "roi": _NO_REGION,
    }


def camera_places(subject: Subject) -> Iterable[tuple[str, Message]]:
    """Return names and places (geometry_msgs/Transform against the robot) of its cameras' frames."""
    units = subject.body.units(CAMERA)
    for number, camera in enumerate(units):
        model = camera.model
        for side, sign in ((LEFT, 1.0), (RIGHT, -1.0)):
            place = compose(model.pose, Pose(0.0, sign * model.baseline / 2.0))
            translation = {"x": place.x, "y": place.y, "z": model.elevation}
            transform = {"translation": translation, "rotation": _optical(place.heading, model.pitch)}
            if number == 0:
                yield camera_frame(side), transform
            if len(units) > 1:
                yield numbered_frame(number, side), transform


def _optical(heading: float, pitch: float) -> Message:
    """Return the orientation of a camera that looks in this direction, and so far below the horizon."""
    a, b = heading / 2.0, pitch / 2.0
    # A turn about z, then one about y, then from x ahead and z up to z ahead and y down.
    turned = product((0.0, 0.0, math.sin(a), math.cos(a)), (0.0, math.sin(b), 0.0, math.cos(b)))
    return dict(zip("xyzw", product(turned, (-0.5, 0.5, -0.5, 0.5)), strict=True))


Quaternion = tuple[float, float, float, float]


def product(one: Quaternion, other: Quaternion) -> Quaternion:
    """Return the turn that is one, and within it another."""
    ax, ay, az, aw = one
    bx, by, bz, bw = other
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
