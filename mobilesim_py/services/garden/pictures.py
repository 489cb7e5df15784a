"""The five pairs of cameras over ROS: colour on the left, grey on the right, depth; painted for those who subscribe."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.cameras.colour import full_colour
from mobilesim_py.core.cameras.depth import depth_of
from mobilesim_py.core.cameras.optics import LEFT, RIGHT, eyes_of
from mobilesim_py.core.cameras.view import look
from mobilesim_py.core.devices.camera import CAMERA, CameraReadings, CameraUnit
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.ros.cameras import SIDES, lens_message, numbered_frame
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Source, Subject, TopicRow
from mobilesim_py.world.obstacles import ByteArray

Has = Callable[[Moment, Subject], bool]
PAIRS = 5
PERIOD = 0.2
"""Simulated time between two pictures of a camera [s]."""
_GREY = np.array([0.299, 0.587, 0.114])


def picture_rows(has: Has) -> tuple[TopicRow, ...]:
    """Return the topics of all pairs."""
    return tuple(row for number in range(PAIRS) for row in _rows(number, has))


def unit_of(subject: Subject, number: int) -> CameraUnit | None:
    """Return a pair of cameras of a robot, if it has so many."""
    units = subject.body.units(CAMERA)
    return units[number] if number < len(units) else None


def _rows(number: int, has: Has) -> Iterable[TopicRow]:
    def there(moment: Moment, subject: Subject) -> bool:
        return has(moment, subject) and unit_of(subject, number) is not None

    image = "sensor_msgs/Image"
    for topic, about, source in (
        ("left/image_color", "In colour.", _colour(number)),
        ("left/image_rect_color", "The same, rectified: the lenses draw without distortion.", _colour(number)),
        ("right/image_mono", "In grey.", _grey(number)),
        ("depth/image", "How deep the left picture is in metres, NaN in the sky.", _depth(number)),
    ):
        yield TopicRow(f"camera_{number}/{topic}", image, about, source=source, period=PERIOD, has=there)
    for side, name in enumerate(SIDES):
        about = f"How the {name} camera draws."
        yield TopicRow(
            f"camera_{number}/{name}/camera_info",
            "sensor_msgs/CameraInfo",
            about,
            source=_lens(number, side),
            period=PERIOD,
            has=there,
        )


def _mosaic(moment: Moment, camera: CameraUnit, side: int) -> ByteArray:
    readings, row = moment.look(camera)
    assert isinstance(readings, CameraReadings)
    model = camera.model
    size = model.width * model.height
    return np.asarray(readings.mosaics[row, side * size : (side + 1) * size].reshape(model.height, model.width))


def _image(header: Message, pixels: npt.NDArray[Any], encoding: str) -> Message:
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(pixels).tobytes()
    step = len(data) // height
    return {
        "header": header,
        "height": height,
        "width": width,
        "encoding": encoding,
        "is_bigendian": 0,
        "step": step,
        "data": data,
    }


def _camera(subject: Subject, number: int) -> CameraUnit:
    camera = unit_of(subject, number)
    assert camera is not None
    return camera


def _colour(number: int) -> Source:
    def make(moment: Moment, subject: Subject) -> Iterable[Message]:
        camera = _camera(subject, number)
        header = moment.header(subject.frame(numbered_frame(number, LEFT)))
        return (_image(header, full_colour(_mosaic(moment, camera, LEFT)), "rgb8"),)

    return make


def _grey(number: int) -> Source:
    def make(moment: Moment, subject: Subject) -> Iterable[Message]:
        camera = _camera(subject, number)
        header = moment.header(subject.frame(numbered_frame(number, RIGHT)))
        colours = full_colour(_mosaic(moment, camera, RIGHT))
        return (_image(header, (colours @ _GREY).astype(np.uint8), "mono8"),)

    return make


def _depth(number: int) -> Source:
    def make(moment: Moment, subject: Subject) -> Iterable[Message]:
        camera = _camera(subject, number)
        left, _ = eyes_of(camera.model, subject.body.pose)
        depths = depth_of(look(moment.simulation.world, left, camera.model.reach))
        return (_image(moment.header(subject.frame(numbered_frame(number, LEFT))), depths.astype("<f4"), "32FC1"),)

    return make


def _lens(number: int, side: int) -> Source:
    def make(moment: Moment, subject: Subject) -> Iterable[Message]:
        header = moment.header(subject.frame(numbered_frame(number, side)))
        return (lens_message(_camera(subject, number), header, side),)

    return make
