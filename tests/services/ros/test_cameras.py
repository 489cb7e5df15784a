"""Pictures over ROS are those of the robot's cameras, and are seen from where its frames say."""

from __future__ import annotations

import numpy as np
import pytest

from mobilesim_py.core.cameras.optics import eyes_of
from mobilesim_py.core.devices.camera import CAMERA
from mobilesim_py.geometry import FloatArray, Pose
from mobilesim_py.protocols.ros.values import Message
from tests.services.ros.carrying import stand_with_ros


def turned(rotation: Message) -> FloatArray:
    """Return the matrix of a quaternion."""
    x, y, z, w = (rotation[name] for name in "xyzw")
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_pictures_are_those_of_the_pair_and_are_painted_for_subscribers_only() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "oz", "--no-noise")
    stand.run(0.2)
    assert stand.simulation.known_readings(CAMERA) is None
    shelf.subscribe("/left/image_raw", "/right/camera_info")
    stand.run(0.2)
    (camera,) = stand.robots[0].units(CAMERA)
    assert not camera.on
    picture, lens = shelf.messages("/left/image_raw")[-1], shelf.messages("/right/camera_info")[-1]
    camera.on = True
    assert picture["data"] == camera.pictures[0].tobytes()
    assert (picture["encoding"], picture["step"]) == ("bayer_gbrg8", camera.model.width)
    assert lens["K"][0] == camera.calibration.focal
    assert lens["P"][3] == pytest.approx(-camera.calibration.focal * camera.model.baseline)


def test_frames_of_cameras_stand_where_the_pictures_are_seen_from() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "oz")
    (camera,) = stand.robots[0].units(CAMERA)
    told = shelf.hub.latched("/tf_static")
    assert told is not None
    found = {one["child_frame_id"]: one["transform"] for one in told["transforms"]}
    for eye, side in zip(eyes_of(camera.model, Pose()), ("left", "right"), strict=True):
        transform = found[f"{side}_camera_optical"]
        place = [transform["translation"][name] for name in "xyz"]
        assert place == pytest.approx([eye.x, eye.y, eye.z])
        # The rows of `axes` are the camera's axes in the world: what its turned unit vectors are.
        assert pytest.approx(eye.axes) == turned(transform["rotation"]).T
