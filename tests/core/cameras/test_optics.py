"""Where places of the world appear in a picture, and what a client is told about that."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mobilesim_py.catalogue.model import StereoCameraModel
from mobilesim_py.core.cameras.optics import Eye, calibration, eyes_of, focal_length
from mobilesim_py.geometry import Pose

LEVEL = Eye(0.0, 0.0, 0.5, 0.0, 0.0, 300.0, 752, 480)


def test_a_place_straight_ahead_is_in_the_middle() -> None:
    assert LEVEL.project(np.array([[2.0, 0.0, 0.5]]))[0] == pytest.approx([375.5, 239.5, 2.0])


def test_left_is_left_and_below_is_below() -> None:
    u, v, depth = LEVEL.project(np.array([[2.0, 1.0, 0.0]]))[0]
    assert (u, v, depth) == pytest.approx((375.5 - 150.0, 239.5 + 75.0, 2.0))


def test_what_is_behind_has_a_negative_depth() -> None:
    assert LEVEL.project(np.array([[-2.0, 0.0, 0.5]]))[0, 2] == -2.0


def test_a_pitched_camera_has_the_horizon_above_its_middle() -> None:
    eye = Eye(0.0, 0.0, 0.5, 0.0, math.radians(20), 300.0, 752, 480)
    far = eye.project(np.array([[1e6, 0.0, 0.0]]))[0]
    assert far[1] == pytest.approx(239.5 - 300.0 * math.tan(math.radians(20)), abs=1e-3)


def test_the_left_camera_stands_to_the_left_of_the_right_one_by_the_baseline() -> None:
    model = StereoCameraModel()
    left, right = eyes_of(model, Pose(1.0, 2.0, math.pi / 2))
    assert (left.x - right.x, left.y - right.y) == pytest.approx((-model.baseline, 0.0))
    assert left.y == pytest.approx(2.0 + model.pose.x)


def test_the_focal_length_gives_the_field_of_view() -> None:
    model = StereoCameraModel()
    assert 2.0 * math.atan(376.0 / focal_length(model)) == pytest.approx(model.field_of_view)


def test_the_calibration_maps_the_left_frame_to_the_right_one() -> None:
    model = StereoCameraModel()
    told = calibration(model)
    left, right = eyes_of(model, Pose(3.0, -1.0, 0.7))
    places = np.array([[6.0, 1.0, 0.2], [5.0, 2.0, 0.0]])
    turned = left.seen_from(places) @ np.array(told.rotation).reshape(3, 3).T + told.translation
    assert turned == pytest.approx(right.seen_from(places))
