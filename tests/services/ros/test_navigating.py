"""Goals by ROS: topics, paths, costmaps and the actions of move_base and Nav2."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.protocols.ros1.actionlib import GoalState
from mobilesim_py.services.navigation.service import navigation_of
from mobilesim_py.services.ros.carrier import GoalStatus
from mobilesim_py.services.ros.navigating import along
from tests.services.ros.carrying import Shelf, stand_with_ros


def navigating(*words: str) -> tuple[Any, Shelf]:
    stand, shelf, _ = stand_with_ros("--nomap", "--navigate", *(words or ("-r", "p3dx")))
    stand.step()
    return stand, shelf


def target(x: float, y: float, heading: float | None = None, frame: str = "map") -> Message:
    orientation = {} if heading is None else {"z": math.sin(heading / 2), "w": math.cos(heading / 2)}
    return {"header": {"frame_id": frame}, "pose": {"position": {"x": x, "y": y}, "orientation": orientation}}


class Keeper:
    """The giver of a goal."""

    def __init__(self, kind: str) -> None:
        self.action = interfaces(Dialect.ROS2 if "nav2" in kind else Dialect.ROS1).action(kind)
        self.told: list[Message] = []
        self.result: Message = {}
        self.ended: list[tuple[GoalStatus, str]] = []

    def feedback(self, message: Message) -> None:
        self.action.feedback.serialise(message)
        self.told.append(message)

    def finished(self, status: GoalStatus, result: Message, text: str = "") -> None:
        if result:
            self.action.result.serialise(result)
        self.ended.append((status, text))
        self.result = result


def pursue(shelf: Shelf, action: str, field: str, pose: Message) -> tuple[Keeper, Any]:
    kind = shelf.hub.actions[action].type
    keeper = Keeper(kind)
    goal = keeper.action.goal.fill({field: pose}, Time())
    return keeper, shelf.hub.pursue(action, goal, keeper)


def test_without_navigation_nothing_of_it_is_there() -> None:
    stand, shelf, _ = stand_with_ros("--nomap")
    stand.step()
    assert "/move_base_simple/goal" not in shelf.hub.topics
    assert "/move_base" not in shelf.hub.actions


@pytest.mark.parametrize("topic", ["/move_base_simple/goal", "/goal_pose"])
def test_a_goal_by_topic_is_reached_and_its_path_is_told(topic: str) -> None:
    stand, shelf = navigating()
    shelf.subscribe("/plan", "/move_base/NavfnROS/plan", "/move_base/current_goal", "/move_base/global_costmap/costmap")
    stand.step()
    shelf.send(topic, **target(1.5, 1.0, 0.5))
    stand.run(0.5)
    for plan in ("/plan", "/move_base/NavfnROS/plan"):
        poses = shelf.messages(plan)[-1]["poses"]
        assert poses[-1]["pose"]["position"] == {"x": 1.5, "y": 1.0, "z": 0.0}
        assert poses[-1]["pose"]["orientation"]["z"] == pytest.approx(math.sin(0.25))
    assert shelf.messages("/move_base/current_goal")[-1]["pose"]["position"]["x"] == 1.5
    grid = shelf.messages("/move_base/global_costmap/costmap")[-1]
    assert len(grid["data"]) == grid["info"]["width"] * grid["info"]["height"]
    stand.run(20.0)
    pose = stand.robots[0].pose
    assert math.hypot(pose.x - 1.5, pose.y - 1.0) < 0.1
    assert pose.heading == pytest.approx(0.5, abs=math.radians(5))
    assert shelf.messages("/plan")[-1]["poses"] == []


def test_a_costmap_says_where_there_is_room() -> None:
    stand, shelf, _ = stand_with_ros("-m", "triangle.map", "--start", "2000,0,0", "--navigate")
    stand.step()
    shelf.send("/goal_pose", **target(2.5, 0.2))
    stand.step()
    cells = np.asarray(shelf.hub.latched("/move_base/global_costmap/costmap")["data"])  # type: ignore[index]
    assert set(cells[cells > 99]) == {100}
    assert cells.min() == 0
    assert ((cells > 0) & (cells < 100)).any()


@pytest.mark.parametrize(("frame", "x", "y"), [("", 2, 1), ("/map", 2, 1), ("odom", 5, 3), ("base_link", 3, 5)])
def test_goals_are_taken_in_the_frames_that_there_are(frame: str, x: float, y: float) -> None:
    stand, shelf = navigating()
    robot = stand.robots[0]
    robot.place(4.0, 3.0, math.pi / 2)
    robot.set_odometry(1.0, 1.0, math.pi / 2)
    shelf.send("/goal_pose", **target(2.0, 1.0, None, frame))
    navigation = navigation_of(stand.program)
    assert navigation is not None
    goal = navigation.pilots.of(robot).navigator.goal
    assert goal is not None
    assert (goal.x, goal.y, goal.heading) == (pytest.approx(x), pytest.approx(y), None)


def test_a_goal_in_an_unknown_frame_or_without_numbers_is_not_obeyed() -> None:
    stand, shelf = navigating()
    shelf.send("/goal_pose", **target(2.0, 1.0, None, "moon"))
    assert stand.logged("There is no frame 'moon'") == 1
    shelf.send("/goal_pose", **target(math.nan, 1.0))
    assert stand.logged("rejected") == 1
    stand.run(1.0)
    assert stand.robots[0].velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("action", "field"), [("/move_base", "target_pose"), ("/navigate_to_pose", "pose")])
def test_an_action_runs_to_its_goal_with_word_of_how_it_gets_on(action: str, field: str) -> None:
    stand, shelf = navigating()
    keeper, _ = pursue(shelf, action, field, target(1.0, 0.5))
    stand.run(15.0)
    assert keeper.ended == [(GoalStatus.SUCCEEDED, "Goal reached.")]
    assert len(keeper.told) > 5
    assert not stand.program.after_step


def test_a_cancelled_goal_ends_as_cancelled_and_the_robot_rests() -> None:
    stand, shelf = navigating()
    keeper, cancel = pursue(shelf, "/move_base", "target_pose", target(9.0, 0.0))
    stand.run(3.0)
    cancel()
    cancel()
    stand.run(3.0)
    assert keeper.ended == [(GoalStatus.CANCELLED, "cancelled")]
    assert stand.robots[0].velocity[0] == pytest.approx(0.0, abs=1e-3)


def test_another_goal_ends_the_first_and_an_impossible_one_is_aborted() -> None:
    stand, shelf = navigating()
    first, _ = pursue(shelf, "/move_base", "target_pose", target(9.0, 0.0))
    second, _ = pursue(shelf, "/navigate_to_pose", "pose", target(math.inf, 0.0))
    assert first.ended[0][0] is GoalStatus.CANCELLED
    assert second.ended[0][0] is GoalStatus.ABORTED
    assert second.result["error_code"] == 9000
    assert "number" in second.result["error_msg"]
    third, cancel = pursue(shelf, "/move_base", "target_pose", target(1.0, 0.0, None, "moon"))
    assert third.ended[0][0] is GoalStatus.REJECTED
    cancel()
    stand.step()


def test_driving_by_hand_takes_over_and_saying_nothing_does_not() -> None:
    stand, shelf = navigating()
    keeper, _ = pursue(shelf, "/move_base", "target_pose", target(9.0, 0.0))
    stand.run(1.0)
    shelf.send("/cmd_vel")
    stand.run(1.0)
    assert not keeper.ended
    shelf.send("/cmd_vel", linear={"x": -0.2})
    stand.run(0.2)
    assert keeper.ended[0][0] is GoalStatus.ABORTED
    shelf.send("/goal_pose", **target(3.0, 0.0))
    stand.run(1.0)
    navigation = navigation_of(stand.program)
    assert navigation is not None
    assert navigation.is_under_way(stand.robots[0])


def test_ros_1_sees_the_action_as_five_topics() -> None:
    stand, shelf = navigating()
    shelf.subscribe("/move_base/status", "/move_base/result", "/move_base/feedback")
    shelf.send("/move_base/goal", goal_id={"id": "a"}, goal={"target_pose": target(1.0, 0.0)})
    stand.run(15.0)
    (result,) = shelf.messages("/move_base/result")
    assert result["status"]["status"] == GoalState.SUCCEEDED.value
    assert shelf.messages("/move_base/feedback")
    assert "/navigate_to_pose/goal" not in shelf.hub.topics


def test_several_robots_have_goals_of_their_own() -> None:
    stand, shelf = navigating("-r", "p3dx:one", "-r", "p3dx:two")
    stand.robots[1].place(0.0, 3.0, 0.0)
    shelf.send("/one/goal_pose", **target(2.0, 0.0))
    shelf.send("/two/goal_pose", **target(2.0, 3.0, None, "two/odom"))
    stand.run(15.0)
    assert stand.robots[0].pose.x == pytest.approx(2.0, abs=0.1)
    assert stand.robots[1].pose.x == pytest.approx(2.0, abs=0.2)


def test_poses_along_a_path_look_ahead() -> None:
    assert along([(0, 0), (1, 0), (1, 1)], None) == [Pose(0, 0, 0), Pose(1, 0, math.pi / 2), Pose(1, 1, math.pi / 2)]
    assert along([(0, 0)], 2.0) == [Pose(0, 0, 2.0)]
    assert along([], 1.0) == []
