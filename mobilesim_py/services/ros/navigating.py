"""Goals by ROS, where there is a navigation: topics, paths and actions as clients of move_base and Nav2 know them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mobilesim_py.geometry import Point, Pose, compose
from mobilesim_py.navigation.costmap import FEAR
from mobilesim_py.navigation.navigator import Outcome
from mobilesim_py.protocols.ros.stamp import Time
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.navigation.service import NavigationService, navigation_of
from mobilesim_py.services.panelled import OrderError
from mobilesim_py.services.ros.carrier import GoalKeeper, GoalStatus
from mobilesim_py.services.ros.frames import map_to_odometry
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import ActionRow, Subject, TopicRow
from mobilesim_py.services.ros.sensing import BASE, MAP, ODOM, heading_of, pose_message

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.navigation.navigator import Navigator
    from mobilesim_py.navigation.planning import Goal

FEEDBACK_PERIOD = 0.2
"""Simulated time between two words of how a goal is getting on [s]."""
LETHAL = 100
UNKNOWN_ERROR = 9000
"""What Nav2 calls the error of a goal that has no number of its own; the text says which it is."""
_STATUSES = {
    Outcome.REACHED: GoalStatus.SUCCEEDED,
    # A plan takes a while, so the goal was taken on before anybody knew that there is no way: as in move_base.
    Outcome.REJECTED: GoalStatus.ABORTED,
    Outcome.FAILED: GoalStatus.ABORTED,
    Outcome.REPLACED: GoalStatus.CANCELLED,
}


def navigates(moment: Moment, subject: Subject) -> bool:
    """Whether robots can be sent to goals."""
    return navigation_of(moment.stage) is not None


def _navigation(moment: Moment) -> NavigationService:
    found = navigation_of(moment.stage)
    assert found is not None, "rows of navigation are there only with one"
    return found


def _navigator(moment: Moment, subject: Subject) -> Navigator | None:
    pilot = _navigation(moment).pilots.find(subject.body)
    return pilot.navigator if pilot is not None else None


# In


def goal_of(moment: Moment, subject: Subject, target: Message) -> Goal:
    """Return the goal that a geometry_msgs/PoseStamped means; OrderError if its frame is not known.

    A quaternion of zeros says nothing of a heading, and that is how it is taken.
    """
    frame, robot = target["header"]["frame_id"].lstrip("/"), subject.body
    origins = {
        "": Pose(),
        MAP: Pose(),
        subject.frame(ODOM): map_to_odometry(robot.pose, robot.odometry),
        subject.frame(BASE): robot.pose,
    }
    if frame not in origins:
        raise OrderError(f"There is no frame {frame[:100]!r} for a goal: use {MAP}, {', '.join(sorted(origins)[2:])}.")
    x, y = target["pose"]["position"]["x"], target["pose"]["position"]["y"]
    heading = heading_of(target["pose"]["orientation"])
    place = compose(origins[frame], Pose(x, y, heading or 0.0))
    return _navigation(moment).goal(place.x, place.y, None if heading is None else math.remainder(place.heading, math.tau))


def obey_goal(moment: Moment, subject: Subject, message: Message) -> None:
    """Go where geometry_msgs/PoseStamped says."""
    try:
        _go(moment, subject, message)
    except OrderError as error:
        moment.stage.log.occasionally("goal", f"ROS: {error}", subject.body.name)


def _go(
    moment: Moment,
    subject: Subject,
    target: Message,
    ended: Callable[[Goal, Outcome, str], None] = lambda goal, outcome, why: None,
) -> None:
    goal = goal_of(moment, subject, target)
    moment.driving.let_go(subject.body)
    _navigation(moment).go(subject.body, goal, ended)


# Out


def _stamped(header: Message, pose: Pose) -> Message:
    return {"header": header, "pose": pose_message(pose)}


def path(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make nav_msgs/Path of the way that is planned; without a goal an empty one."""
    navigator = _navigator(moment, subject)
    places = navigator.path if navigator is not None else []
    heading = navigator.goal.heading if navigator is not None and navigator.goal is not None else None
    header = moment.header(MAP)
    return ({"header": header, "poses": [_stamped(header, pose) for pose in along(places, heading)]},)


def along(places: list[Point], last: float | None) -> list[Pose]:
    """Return the poses of a robot that goes through places, and turns to a heading at the last one."""
    headings = [math.atan2(by - ay, bx - ax) for (ax, ay), (bx, by) in pairwise(places)]
    headings.append(last if last is not None else headings[-1] if headings else 0.0)
    return [Pose(x, y, heading) for (x, y), heading in zip(places, headings, strict=False)]


def current_goal(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make geometry_msgs/PoseStamped of the goal under way."""
    navigator = _navigator(moment, subject)
    goal = navigator.goal if navigator is not None else None
    return (_stamped(moment.header(MAP), Pose(goal.x, goal.y, goal.heading or 0.0)),) if goal is not None else ()


def costmap(moment: Moment, subject: Subject) -> Iterable[Message]:
    """Make nav_msgs/OccupancyGrid of the last plan's prices: 0 in the open, 99 as near as may be, 100 no room."""
    navigator = _navigator(moment, subject)
    known = navigator.costmap if navigator is not None else None
    if known is None:
        return ()
    dear = np.minimum(99.0, 99.0 / FEAR * (np.where(np.isfinite(known.cost), known.cost, 1.0) - 1.0))
    cells = np.where(np.isfinite(known.cost), dear, LETHAL).astype(np.int8)
    rows, columns = known.shape
    origin = pose_message(Pose(known.x0, known.y0))
    info = {"map_load_time": moment.stamp, "resolution": known.cell, "width": columns, "height": rows, "origin": origin}
    return ({"header": moment.header(MAP), "info": info, "data": cells.ravel()},)


def _plan(moment: Moment, subject: Subject) -> Hashable:
    navigator = _navigator(moment, subject)
    return (navigator.plans, navigator.goal is None) if navigator is not None else None


# Actions


class _Errand:
    """A goal of an action under way."""

    def __init__(
        self,
        moment: Moment,
        subject: Subject,
        keeper: GoalKeeper,
        tell: Callable[[_Errand], Message],
        result: Callable[[GoalStatus, str], Message] = lambda status, text: {},
    ) -> None:
        self.moment = moment
        self.subject = subject
        self.began = moment.simulation.time
        self._keeper = keeper
        self._tell = tell
        self._result = result
        self._told = self.began
        self._is_unwanted = False
        self._is_over = False

    def begin(self, target: Message) -> Callable[[], None]:
        try:
            _go(self.moment, self.subject, target, self._ended)
        except OrderError as error:
            self._is_over = True
            self._keeper.finished(GoalStatus.REJECTED, {}, str(error))
        if not self._is_over:
            self.moment.stage.after_step.append(self._stepped)
        return self.cancel

    def cancel(self) -> None:
        if not self._is_over:
            self._is_unwanted = True
            _navigation(self.moment).cancel(self.subject.body)

    def _stepped(self, simulation: Simulation) -> None:
        if simulation.time - self._told >= FEEDBACK_PERIOD - 1e-6 and self.subject.body.column >= 0:
            self._told = simulation.time
            self._keeper.feedback(self._tell(self))

    def _ended(self, goal: Goal, outcome: Outcome, why: str) -> None:
        self._is_over = True
        if self._stepped in self.moment.stage.after_step:
            self.moment.stage.after_step.remove(self._stepped)
        # Cancelled by somebody else, such as a client that took the robot, is not what this one asked for.
        otherwise = GoalStatus.CANCELLED if self._is_unwanted else GoalStatus.ABORTED
        status = _STATUSES.get(outcome, otherwise)
        text = why or ("Goal reached." if outcome is Outcome.REACHED else outcome.value)
        self._keeper.finished(status, self._result(status, text), text)


def move_base(moment: Moment, subject: Subject, goal: Message, keeper: GoalKeeper) -> Callable[[], None]:
    """Pursue a goal of move_base_msgs/MoveBase."""

    def tell(errand: _Errand) -> Message:
        return {"base_position": _stamped(moment.header(MAP), subject.body.pose)}

    return _Errand(moment, subject, keeper, tell).begin(goal["target_pose"])


def navigate_to_pose(moment: Moment, subject: Subject, goal: Message, keeper: GoalKeeper) -> Callable[[], None]:
    """Pursue a goal of nav2_msgs/NavigateToPose; its behaviour tree is not looked at."""

    def tell(errand: _Errand) -> Message:
        navigator = _navigator(moment, subject)
        left = navigator.remaining if navigator is not None else 0.0
        speed = navigator.limits.forward if navigator is not None else 1.0
        return {
            "current_pose": _stamped(moment.header(MAP), subject.body.pose),
            "navigation_time": Time.of(moment.simulation.time - errand.began),
            "estimated_time_remaining": Time.of(left / speed),
            "number_of_recoveries": max(0, navigator.plans_of_goal - 1) if navigator is not None else 0,
            "distance_remaining": left,
        }

    def result(status: GoalStatus, text: str) -> Message:
        failed = status is GoalStatus.ABORTED
        return {"error_code": UNKNOWN_ERROR if failed else 0, "error_msg": text if failed else ""}

    return _Errand(moment, subject, keeper, tell, result).begin(goal["pose"])


TOPICS: tuple[TopicRow, ...] = (
    TopicRow(
        "move_base_simple/goal", "geometry_msgs/PoseStamped", "Where to go (`--navigate`).", sink=obey_goal, has=navigates,
    ),
    TopicRow("goal_pose", "geometry_msgs/PoseStamped", "The same, as RViz 2 calls it.", sink=obey_goal, has=navigates),
    TopicRow(
        "move_base/NavfnROS/plan", "nav_msgs/Path", "The way that is planned (`--navigate`).", latched=True,
        source=path, version=_plan, has=navigates,
    ),
    TopicRow(
        "plan", "nav_msgs/Path", "The same, as Nav2 calls it.", latched=True, source=path, version=_plan, has=navigates,
    ),
    TopicRow(
        "move_base/current_goal", "geometry_msgs/PoseStamped", "The goal under way (`--navigate`).", latched=True,
        source=current_goal, version=_plan, has=navigates,
    ),
    TopicRow(
        "move_base/global_costmap/costmap", "nav_msgs/OccupancyGrid",
        "Where the robot may be: 0 in the open, 99 near obstacles, 100 no room (`--navigate`).", latched=True,
        source=costmap, version=_plan, has=navigates,
    ),
)  # fmt: skip

ACTIONS: tuple[ActionRow, ...] = (
    ActionRow("move_base", "move_base_msgs/MoveBase", "Goes to a place (`--navigate`).", pursue=move_base, has=navigates),
    ActionRow(
        "navigate_to_pose", "nav2_msgs/NavigateToPose", "The same, as Nav2 calls it.",
        pursue=navigate_to_pose, has=navigates,
    ),
)  # fmt: skip
