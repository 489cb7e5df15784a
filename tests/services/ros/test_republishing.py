"""Transforms for pages: right, only when they have changed, and until they are not wanted any more."""

from __future__ import annotations

from typing import Any

import pytest

from mobilesim_py.services.ros.carrier import GoalStatus
from mobilesim_py.services.ros.frames import static_transforms
from mobilesim_py.services.ros.republishing import MOST_GOALS, Transform, Tree
from mobilesim_py.services.ros.rows import Subject
from mobilesim_py.services.ros.sensing import heading_of
from tests.services.ros.carrying import stand_with_ros

ACTION = "/tf2_web_republisher"


class Keeper:
    def __init__(self) -> None:
        self.told: list[Any] = []
        self.ends: list[GoalStatus] = []

    def feedback(self, message: Any) -> None:
        self.told += message["transforms"]

    def finished(self, status: GoalStatus, result: Any, text: str = "") -> None:
        self.ends.append(status)


def goal(*sources: str, target: str = "/map", rate: float = 10.0) -> Any:
    return {
        "source_frames": list(sources),
        "target_frame": target,
        "angular_thres": 0.01,
        "trans_thres": 0.01,
        "rate": rate,
    }


def test_the_robot_is_told_where_it_is_while_it_moves_and_until_that_is_cancelled() -> None:
    stand, shelf, _ = stand_with_ros("--nomap", "-r", "p3dx", "--start", "1000,2000,90", "--no-noise")
    (robot,) = stand.robots
    keeper = Keeper()
    cancel = shelf.hub.pursue(ACTION, goal("base_link", "nowhere"), keeper)
    stand.run(1.0)
    assert len(keeper.told) == 1
    robot.drive(0.4)
    robot.turn(0.3)
    stand.run(2.0)
    robot.halt()
    stand.run(1.0)
    last = keeper.told[-1]
    assert (last["header"]["frame_id"], last["child_frame_id"]) == ("map", "base_link")
    place = last["transform"]["translation"]
    assert (place["x"], place["y"]) == pytest.approx((robot.pose.x, robot.pose.y), abs=0.011)
    assert heading_of(last["transform"]["rotation"]) == pytest.approx(robot.pose.heading, abs=0.011)
    assert 10 < len(keeper.told) < 25
    cancel()
    cancel()
    count = len(keeper.told)
    robot.place(5.0, 5.0, 0.0)
    stand.run(1.0)
    assert len(keeper.told) == count
    assert keeper.ends == [GoalStatus.CANCELLED]


def test_frames_are_found_up_one_branch_and_down_another() -> None:
    stand, shelf, service = stand_with_ros("--nomap", "-r", "oz:a", "-r", "p3dx:b", "--no-noise")
    del shelf
    stand.robots[0].place(2.0, 1.0, 1.0)
    stand.robots[1].place(-1.0, 3.0, -2.0)
    tree = Tree(service.hub.moment)
    there = tree.find("a/left_camera_optical", "b/sonar_3")
    back = tree.find("b/sonar_3", "a/left_camera_optical")
    assert there is not None
    assert back is not None
    nothing = there.then(back)
    assert nothing.place == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert abs(nothing.turn[3]) == pytest.approx(1.0)
    a_in_b = tree.find("b/base_link", "a/base_link")
    assert a_in_b is not None
    assert a_in_b.differs(Transform(), 0.01, 0.01)
    (static,) = static_transforms(service.hub.moment, Subject())
    known = {one["child_frame_id"]: one["transform"] for one in static["transforms"]}
    found = tree.find("b/base_link", "b/sonar_3")
    assert found is not None
    assert found.message["translation"] == pytest.approx(known["b/sonar_3"]["translation"])
    assert tree.find("map", "nowhere") is None


def test_goals_of_clients_that_vanish_do_not_pile_up() -> None:
    stand, shelf, service = stand_with_ros("--nomap", "-r", "p3dx")
    keepers = [Keeper() for _ in range(MOST_GOALS + 3)]
    for keeper in keepers:
        shelf.hub.pursue(ACTION, goal("base_link"), keeper)
    assert [keeper.ends for keeper in keepers[:4]] == [[GoalStatus.ABORTED]] * 3 + [[]]
    assert len(service.hub.moment.republishers) == MOST_GOALS
    stand.run(0.2)
    assert keepers[-1].told
    assert not keepers[0].told
