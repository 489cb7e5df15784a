"""Robots side by side in copies of a world, as arrays."""

from __future__ import annotations

import numpy as np
import pytest

import mobilesim_py as ms
from mobilesim_py.lab.ensemble import Ensemble
from mobilesim_py.world.boxes import Box

POSES = np.array([[2.0, 6.0, 0.0], [3.0, 6.0, 0.5], [2.0, 6.0, 0.0]])


def test_robots_at_the_same_place_do_not_meet_and_see_the_same() -> None:
    robots = Ensemble("office.map", count=3, sonar=True, noise=False, engine="numpy")
    robots.restore(range(3), POSES)
    assert np.array_equal(robots.laser[0], robots.laser[2])
    assert np.array_equal(robots.sonar[0], robots.sonar[2])
    robots.drive(np.full(3, 0.4), np.zeros(3))
    robots.step(10)
    assert not robots.stalled.any()
    assert np.array_equal(robots.poses[0], robots.poses[2])


def test_what_they_do_is_what_one_robot_in_a_simulation_does() -> None:
    robots = Ensemble("office.map", count=2, noise=False, engine="numpy")
    robots.restore([0, 1], POSES[:2])
    robots.drive(np.array([0.3, 0.0]), np.array([0.2, -0.2]))
    robots.step(20)
    alone = ms.Simulation("office.map", noise=False)
    robot = alone.add_robot("p3dx", pose=(2.0, 6.0, 0.0))
    robot.drive(0.3)
    robot.turn(0.2)
    alone.step(20)
    assert robots.poses[0].tolist() == [robot.pose.x, robot.pose.y, robot.pose.heading]
    assert robots.odometry[0].tolist() == [robot.odometry.x, robot.odometry.y, robot.odometry.heading]
    assert robots.velocities[0].tolist() == list(robot.velocity)
    assert np.array_equal(robots.laser[0], robot.laser)


def test_wheels_are_velocities() -> None:
    robots = Ensemble(None, count=1, noise=False, engine="numpy")
    robots.roll(np.array([0.1]), np.array([0.2]))
    robots.step(30)
    forward, _, rotation = robots.velocities[0]
    assert forward == pytest.approx(0.15)
    assert rotation == pytest.approx(0.1 / robots.model.drive.track)


def test_a_robot_on_wheels_drives_and_rolls() -> None:
    robots = Ensemble(None, "oz", count=1, noise=False, engine="numpy")
    robots.drive(np.array([0.2]), np.array([0.1]))
    robots.step(100)
    assert robots.velocities[0] == pytest.approx([0.2, 0.0, 0.1], abs=1e-3)
    robots.roll(np.array([0.1]), np.array([0.1]))
    robots.step(100)
    assert robots.velocities[0] == pytest.approx([0.1, 0.0, 0.0], abs=1e-3)


def test_a_robot_begins_anew_and_the_others_do_not_notice() -> None:
    robots = Ensemble("office.map", count=3, engine="numpy")
    robots.restore(range(3), POSES)
    robots.drive(np.full(3, 0.5), np.full(3, 0.3))
    robots.step(15)
    scans, poses = robots.laser.copy(), robots.poses.copy()
    robots.restore([1], np.array([[5.0, 6.0, 1.0]]))
    assert robots.poses[1].tolist() == [5.0, 6.0, 1.0]
    assert robots.odometry[1].tolist() == [0.0, 0.0, 0.0]
    assert robots.velocities[1].tolist() == [0.0, 0.0, 0.0]
    assert np.array_equal(robots.poses[[0, 2]], poses[[0, 2]])
    assert np.array_equal(robots.laser[[0, 2]], scans[[0, 2]])
    assert not np.array_equal(robots.laser[1], scans[1])


def test_what_is_sensed_after_a_new_start_is_what_is_there() -> None:
    robots = Ensemble("office.map", count=3, noise=False, engine="numpy")
    robots.restore(range(3), POSES)
    _ = robots.laser
    robots.restore([1], np.array([[5.0, 6.0, 1.0]]))
    quick = robots.laser.copy()
    robots.restore([1], np.array([[5.0, 6.0, 1.0]]), sense=False)
    assert np.array_equal(robots.laser, quick)


def test_noise_follows_from_the_seed() -> None:
    robots = Ensemble("office.map", count=2, engine="numpy")

    def scans(seed: int) -> np.ndarray:
        robots.rewind(seed)
        robots.restore(range(2), POSES[:2])
        robots.drive(np.full(2, 0.2), np.zeros(2))
        robots.step(5)
        return np.concatenate([robots.laser.ravel(), robots.odometry.ravel()])

    first = scans(7)
    assert np.array_equal(scans(7), first)
    assert not np.array_equal(scans(8), first)


def test_boxes_are_put_back_in_the_copy_that_begins_anew() -> None:
    box = Box("crate", ms.Pose(3.0, 0.0, 0.0), ((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)))
    world = ms.World("room", ms.Bounds(-5.0, -5.0, 5.0, 5.0), boxes=(box,))
    robots = Ensemble(world, count=2, noise=False, engine="numpy")
    here, there = robots.simulation.boxes
    for crate in (here, there):
        crate.place(-3.0, 1.0, 0.0)
    robots.restore([1], np.zeros((1, 3)))
    assert (here.pose.x, there.pose.x) == (-3.0, 3.0)


def test_only_the_devices_that_are_asked_for_are_carried() -> None:
    bare = Ensemble(None, count=1, laser=False, engine="numpy")
    assert bare.laser.shape == bare.sonar.shape == (1, 0)
    assert Ensemble(None, count=2, beams=36, engine="numpy").laser.shape == (2, 36)
    assert Ensemble(None, count=1, sonar=True, laser=False, engine="numpy").sonar.shape == (1, 16)


def test_there_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="at least one robot, not 0"):
        Ensemble(None, count=0)


def test_both_engines_do_the_same() -> None:
    def drive(engine: str) -> np.ndarray:
        robots = Ensemble("office.map", count=60, beams=19, engine=engine)
        robots.rewind(3)
        robots.restore(range(60), np.tile(POSES, (20, 1)))
        robots.drive(np.linspace(-0.5, 0.5, 60), np.linspace(1.0, -1.0, 60))
        robots.step(12)
        return np.concatenate([robots.poses.ravel(), robots.laser.ravel()])

    assert np.array_equal(drive("numpy"), drive("compiled"))
