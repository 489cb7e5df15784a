"""Dead reckoning from wheel encoders."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.garden.odometry import Encoders, WheelOdometry, reckoned
from mobilesim_py.geometry import Pose


def test_the_place_follows_the_new_heading() -> None:
    pose = reckoned(Pose(), left=0.10, right=0.12, base=0.4)
    assert pose.heading == pytest.approx(0.05, abs=1e-15)
    assert (round(pose.x, 6), round(pose.y, 6)) == (0.109863, 0.005498)
    assert (pose.x, pose.y) == (0.11 * math.cos(pose.heading), 0.11 * math.sin(pose.heading))


def test_encoders_count_whole_ticks() -> None:
    assert Encoders(0.01).count((0.019, -0.001)) == (1, -1)
    assert Encoders(0.01, (0.5, -0.5)).count((0.02, 0.02)) == (3, 1)


def test_odometry_loses_no_ticks_over_many_small_steps() -> None:
    odometry = WheelOdometry(0.4, Encoders(0.01), (5.0, 5.0))
    for k in range(1, 1001):
        odometry.take((5.0 + 0.0013 * k, 5.0 + 0.0013 * k))
    assert odometry.pose == Pose(pytest.approx(1.3, abs=0.0101), 0.0, 0.0)


def test_a_slipping_encoder_turns_the_odometry_of_a_straight_way() -> None:
    odometry = WheelOdometry(0.4, Encoders(0.0005, (0.0, 0.02)))
    odometry.take((2.0, 2.0))
    assert odometry.pose.heading == pytest.approx(0.04 / 0.4, abs=0.002)


def test_other_encoders_go_on_from_where_the_old_ones_were() -> None:
    odometry = WheelOdometry(0.4, Encoders(0.01))
    odometry.take((1.0, 1.0))
    odometry.use(Encoders(0.01, (0.1, 0.1)), (1.0, 1.0))
    assert odometry.take((1.0, 1.0)).x == pytest.approx(1.0, abs=0.011)
