"""Following a path: straight on, around corners, to rest at its end, with a heading."""

from __future__ import annotations

import itertools
import math

import pytest

from mobilesim_py.geometry import Point, Pose
from mobilesim_py.navigation.following import Follower, Limits


def driven(path: list[Point], heading: float | None = None, start: Pose = Pose(), clearance: float = 9.0) -> list[Pose]:
    """Follow a path with a robot that does at once what it is told, 0.1 s at a time."""
    follower, pose = Follower(path, heading), start
    poses = [pose]
    for _ in range(3000):
        motion = follower.motion(pose, clearance)
        if motion is None:
            return poses
        assert 0.0 <= motion.forward <= 0.4
        assert abs(motion.rotation) <= 1.2 + 1e-9
        turned = pose.heading + 0.1 * motion.rotation
        pose = Pose(
            pose.x + 0.1 * motion.forward * math.cos(turned), pose.y + 0.1 * motion.forward * math.sin(turned), turned
        )
        poses.append(pose)
    raise AssertionError("it never arrives")


def straight(*corners: Point) -> list[Point]:
    """Points every 5 cm, as a plan has them."""
    path = [corners[0]]
    for (x1, y1), (x2, y2) in itertools.pairwise(corners):
        count = round(math.hypot(x2 - x1, y2 - y1) / 0.05)
        path += [(x1 + (x2 - x1) * k / count, y1 + (y2 - y1) * k / count) for k in range(1, count + 1)]
    return path


def test_a_straight_path_is_driven_straight_and_to_its_end() -> None:
    poses = driven(straight((0, 0), (3, 0)))
    assert all(abs(pose.y) < 1e-9 for pose in poses)
    assert poses[-1].x == pytest.approx(3.0, abs=0.1)


def test_a_path_behind_the_robot_begins_with_a_turn_on_the_spot() -> None:
    poses = driven(straight((0, 0), (-2, 0)))
    assert math.hypot(poses[10].x, poses[10].y) < 0.01
    assert poses[-1].x == pytest.approx(-2.0, abs=0.1)


def test_corners_are_cut_by_less_than_a_tenth_of_a_metre() -> None:
    poses = driven(straight((0, 0), (2, 0), (2, 2)))
    off = max(min(abs(pose.y) if pose.x <= 2 else 9.0, abs(pose.x - 2) if pose.y >= 0 else 9.0) for pose in poses)
    assert off < 0.1
    assert (poses[-1].x, poses[-1].y) == pytest.approx((2.0, 2.0), abs=0.1)


def test_a_path_that_crosses_itself_is_followed_in_order() -> None:
    path = straight((0, 0), (2, 0), (2, 1), (1, 1), (1, -1))
    poses = driven(path)
    assert max(pose.x for pose in poses) > 1.9
    assert (poses[-1].x, poses[-1].y) == pytest.approx((1.0, -1.0), abs=0.1)


def test_at_the_end_it_turns_to_the_heading_that_was_asked_for() -> None:
    poses = driven(straight((0, 0), (1, 0)), heading=math.radians(-120))
    assert math.remainder(poses[-1].heading - math.radians(-120), math.tau) == pytest.approx(0.0, abs=math.radians(5))
    assert (poses[-1].x, poses[-1].y) == pytest.approx((1.0, 0.0), abs=0.1)


def test_near_obstacles_it_is_slower() -> None:
    assert len(driven(straight((0, 0), (2, 0)), clearance=0.0)) > 2 * len(driven(straight((0, 0), (2, 0))))


def test_it_comes_to_rest_gently() -> None:
    poses = driven(straight((0, 0), (2, 0)))
    steps = [math.hypot(b.x - a.x, b.y - a.y) / 0.1 for a, b in itertools.pairwise(poses)]
    assert steps[-1] < 0.2 < 0.4 == pytest.approx(max(steps))


def test_the_way_ahead_is_told_as_poses_along_the_path() -> None:
    follower = Follower(straight((0, 0), (1, 0), (1, 1)))
    follower.motion(Pose())
    ahead = list(follower.ahead(Pose(), 1.5))
    assert len(ahead) == 15
    assert ahead[4].heading == pytest.approx(0.0)
    assert ahead[-1].heading == pytest.approx(math.pi / 2)
    assert list(Follower([(0.0, 0.0)]).ahead(Pose(), 1.0)) == []


def test_a_path_of_one_point_is_done_at_once() -> None:
    assert Follower([(0.0, 0.0)]).motion(Pose()) is None
    assert Follower([(0.0, 0.0)], limits=Limits()).remaining == 0.0


def test_having_just_passed_the_goal_is_good_enough() -> None:
    assert Follower([(0.0, 0.0), (1.0, 0.0)]).motion(Pose(1.08, 0.0, 0.0)) is None
