"""The localisation: fixes with noise, delay and outages, and the frame that they put the odometry in."""

from __future__ import annotations

import math
import random

import pytest

from mobilesim_py.garden.localisation import Localisation, Quality, inverse
from mobilesim_py.geometry import Pose, compose


def close(one: Pose, other: Pose) -> bool:
    turned = math.remainder(one.heading - other.heading, math.tau)
    return math.hypot(one.x - other.x, one.y - other.y) < 1e-12 and abs(turned) < 1e-12


def test_the_inverse_undoes_a_pose() -> None:
    pose = Pose(1.0, -2.0, 0.7)
    assert close(compose(pose, inverse(pose)), Pose())


def test_a_perfect_fix_makes_both_frames_lead_to_the_true_pose() -> None:
    dice, localisation = random.Random(1), Localisation()
    for now in range(100):
        truth, odometry = (Pose(dice.uniform(-9, 9), dice.uniform(-9, 9), dice.uniform(-9, 9)) for _ in range(2))
        localisation.take(float(now), truth, odometry)
        assert close(localisation.pose(odometry), truth)
        assert close(compose(localisation.map_to_odom, odometry), localisation.pose(odometry))


def test_a_late_fix_is_carried_on_by_the_odometry() -> None:
    localisation = Localisation(Quality(delay=0.5))
    for k in range(11):
        way = 0.04 * k
        localisation.take(0.1 * k, Pose(1.0 + way, 2.0), Pose(way * 1.1, 0.0))
    # The fix is of k = 5; the odometry of the five steps since then errs by a tenth.
    assert localisation.pose(Pose(0.44, 0.0)).x == pytest.approx(1.0 + 0.2 + 0.2 * 1.1)


def test_noise_has_the_size_that_was_asked_for() -> None:
    localisation = Localisation(Quality(noise=0.05, turn_noise=0.02), seed=3)
    errors = []
    for k in range(2000):
        localisation.take(float(k), Pose(1.0, 1.0), Pose())
        errors.append(localisation.pose(Pose()))
    assert math.sqrt(sum((pose.x - 1.0) ** 2 for pose in errors) / 2000) == pytest.approx(0.05, rel=0.1)
    assert math.sqrt(sum(pose.heading**2 for pose in errors) / 2000) == pytest.approx(0.02, rel=0.1)


def test_in_an_outage_the_last_fix_stays_and_grows_old() -> None:
    localisation = Localisation(Quality(outage_every=10.0, outage=3.0))
    ages = []
    for k in range(100):
        localisation.take(0.1 * k, Pose(0.1 * k, 0.0), Pose(0.1 * k, 0.0))
        ages.append(localisation.age(0.1 * k))
    assert ages[:70] == [0.0] * 70
    assert ages[99] == pytest.approx(3.0)


def test_covered_cameras_give_no_fix() -> None:
    localisation = Localisation()
    assert localisation.age(5.0) == math.inf
    localisation.is_covered = True
    localisation.take(1.0, Pose(3.0), Pose())
    assert localisation.pose(Pose()) == Pose()
    localisation.is_covered = False
    localisation.take(2.0, Pose(3.0), Pose())
    assert localisation.pose(Pose()).x == 3.0
