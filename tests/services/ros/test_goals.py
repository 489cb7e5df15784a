"""An action as five topics of ROS 1: goals pursued, cancelled, and told of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mobilesim_py.protocols.ros1.actionlib import GoalState
from mobilesim_py.services.ros.carrier import GoalKeeper, GoalStatus
from mobilesim_py.services.ros.rows import ActionRow
from tests.services.ros.carrying import Shelf, stand_with_ros

NAMES = ("goal", "cancel", "status", "feedback", "result")


class Pursuer:
    """Whoever drives robots to goals, as a test needs it."""

    def __init__(self) -> None:
        self.goals: list[tuple[Any, GoalKeeper]] = []

    def pursue(self, moment: Any, subject: Any, goal: Any, keeper: GoalKeeper) -> Callable[[], None]:
        self.goals.append((goal, keeper))
        return lambda: keeper.finished(GoalStatus.CANCELLED, {}, "as you wish")


def with_action() -> tuple[Any, Shelf, Pursuer]:
    stand, shelf, service = stand_with_ros("--nomap", "-r", "p3dx")
    pursuer = Pursuer()
    row = ActionRow("move_base", "move_base_msgs/MoveBase", "Drives to a place.", pursue=pursuer.pursue)
    service.hub.extend(actions=[row])
    stand.step()
    shelf.subscribe("/move_base/status", "/move_base/result", "/move_base/feedback")
    return stand, shelf, pursuer


def give(shelf: Shelf, number: str, x: float = 1.0) -> None:
    goal = {"target_pose": {"pose": {"position": {"x": x}}}}
    shelf.send("/move_base/goal", goal_id={"id": number}, goal=goal)


def states(shelf: Shelf) -> list[tuple[str, int]]:
    return [(one["goal_id"]["id"], one["status"]) for one in shelf.messages("/move_base/status")[-1]["status_list"]]


def test_an_action_has_five_topics() -> None:
    _, shelf, _ = with_action()
    assert [shelf.hub.topics[f"/move_base/{name}"].direction.value for name in NAMES] == ["in", "in", "out", "out", "out"]
    assert shelf.hub.actions["/move_base"].type == "move_base_msgs/MoveBase"
    assert "/simulate_steps/goal" not in shelf.hub.topics


def test_a_goal_is_pursued_and_its_end_is_told() -> None:
    stand, shelf, pursuer = with_action()
    give(shelf, "a", 2.5)
    stand.run(0.5)
    assert states(shelf) == [("a", GoalState.ACTIVE)]
    goal, keeper = pursuer.goals[0]
    assert goal["target_pose"]["pose"]["position"]["x"] == 2.5
    keeper.feedback({"base_position": goal["target_pose"]})
    keeper.finished(GoalStatus.SUCCEEDED, {}, "there")
    keeper.finished(GoalStatus.ABORTED, {}, "never mind")
    stand.run(0.5)
    assert len(shelf.messages("/move_base/feedback")) == 1
    (result,) = shelf.messages("/move_base/result")
    assert (result["status"]["status"], result["status"]["text"]) == (GoalState.SUCCEEDED, "there")
    assert states(shelf) == [("a", GoalState.SUCCEEDED)]


def test_a_goal_is_cancelled() -> None:
    stand, shelf, _ = with_action()
    give(shelf, "a")
    shelf.send("/move_base/cancel", id="a")
    stand.step()
    assert [message["status"]["status"] for message in shelf.messages("/move_base/result")] == [GoalState.PREEMPTED]


def test_a_goal_that_is_refused_is_rejected() -> None:
    stand, shelf, service = stand_with_ros("--nomap", "-r", "p3dx")

    def refuse(moment: Any, subject: Any, goal: Any, keeper: GoalKeeper) -> Callable[[], None]:
        keeper.finished(GoalStatus.REJECTED, {}, "there is a wall")
        return lambda: None

    service.hub.extend(actions=[ActionRow("move_base", "move_base_msgs/MoveBase", "Refuses.", pursue=refuse)])
    stand.step()
    shelf.subscribe("/move_base/result")
    give(shelf, "a")
    stand.step()
    (result,) = shelf.messages("/move_base/result")
    assert (result["status"]["status"], result["status"]["text"]) == (GoalState.REJECTED, "there is a wall")


def test_goals_survive_the_coming_and_going_of_other_robots() -> None:
    stand, shelf, pursuer = with_action()
    give(shelf, "a")
    stand.program.add_running("p3dx", "other")
    stand.step()
    pursuer.goals[0][1].finished(GoalStatus.SUCCEEDED, {})
    stand.run(0.5)
    assert states(shelf) == [("a", GoalState.SUCCEEDED)]
    assert "/other/move_base/goal" in shelf.hub.topics
