"""What garden robots say and hear over ROS, in the names that their user interface has; each row for every such robot."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

from mobilesim_py.garden.goals import ObjectGoal, SimpleGoal, object_goal
from mobilesim_py.garden.ground_plan import Given
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.garden.grids import given_of, merged_grid, seen_grid, sources_grid
from mobilesim_py.services.garden.pictures import picture_rows
from mobilesim_py.services.garden.vehicle import Vehicle
from mobilesim_py.services.ros.carrier import Answer, GoalKeeper, GoalStatus
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import ActionRow, Each, ServiceRow, Subject, TopicRow
from mobilesim_py.services.ros.sensing import BASE, MAP, heading_of, pose_message

if TYPE_CHECKING:
    from mobilesim_py.services.garden.service import GardenService

IN_MAP = ("", "map", "/map")
"""Frames that goals may be in."""
FEEDBACK_PERIOD = 0.5
_UNKNOWN = [0.0] * 36


class Garden:
    """Makes and obeys the messages of one service's robots."""

    def __init__(self, service: GardenService) -> None:
        self._service = service

    def has(self, moment: Moment, subject: Subject) -> bool:
        """Tell whether a row is there for a robot, or for the world."""
        return bool(self._service.vehicles) if subject.robot is None else subject.robot in self._service.vehicles

    def vehicle(self, subject: Subject) -> Vehicle:
        """Return the vehicle of a robot; of the world the first one."""
        vehicles = self._service.vehicles
        return vehicles[subject.robot] if subject.robot is not None else next(iter(vehicles.values()))

    # What they say

    def pose(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make geometry_msgs/PoseStamped: where it believes to be."""
        return ({"header": moment.header(MAP), "pose": pose_message(self.vehicle(subject).pose)},)

    def odometry(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make nav_msgs/Odometry in the map: where it believes to be, and its speeds."""
        forward, lateral, rotation = subject.body.velocity
        linear, angular = {"x": forward, "y": lateral, "z": 0.0}, {"x": 0.0, "y": 0.0, "z": rotation}
        return (
            {
                "header": moment.header(MAP),
                "child_frame_id": subject.frame(BASE),
                "pose": {"pose": pose_message(self.vehicle(subject).pose), "covariance": _UNKNOWN},
                "twist": {"twist": {"linear": linear, "angular": angular}, "covariance": _UNKNOWN},
            },
        )

    def state(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make std_msgs/String: the path of the state."""
        return ({"data": self.vehicle(subject).gardener.state.path},)

    def state_version(self, moment: Moment, subject: Subject) -> Hashable:
        """Tell states apart."""
        return self.vehicle(subject).gardener.changes

    def path(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make nav_msgs/Path: the way that is planned."""
        header = moment.header(MAP)
        places = self.vehicle(subject).gardener.navigator.path
        upright = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
        poses = [
            {"header": header, "pose": {"position": {"x": x, "y": y, "z": 0.0}, "orientation": upright}} for x, y in places
        ]
        return ({"header": header, "poses": poses},)

    def path_version(self, moment: Moment, subject: Subject) -> Hashable:
        """Tell plans apart."""
        navigator = self.vehicle(subject).gardener.navigator
        return navigator.plans, navigator.goal is None

    def goal(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make geometry_msgs/PoseStamped: where it drives to now; nothing without a goal."""
        goal = self.vehicle(subject).gardener.navigator.goal
        if goal is None:
            return ()
        place = {"x": goal.x, "y": goal.y, "z": 0.0}
        half = (goal.heading or 0.0) / 2.0
        turn = {"x": 0.0, "y": 0.0, "z": math.sin(half), "w": math.cos(half)}
        return ({"header": moment.header(MAP), "pose": {"position": place, "orientation": turn}},)

    def seen(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make nav_msgs/OccupancyGrid: what was seen."""
        return (seen_grid(self.vehicle(subject).occupancy, moment.header(MAP), moment.stamp),)

    def seen_metadata(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make nav_msgs/MapMetaData of that."""
        return (seen_grid(self.vehicle(subject).occupancy, moment.header(MAP), moment.stamp)["info"],)

    def merged(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make nav_msgs/OccupancyGrid: the map that it drives by."""
        return (merged_grid(self.vehicle(subject).plan, moment.header(MAP), moment.stamp),)

    def sources(self, moment: Moment, subject: Subject) -> Iterable[Message]:
        """Make nav_msgs/OccupancyGrid: the same, with 100 for what was seen and 99 for what the sketch says."""
        return (sources_grid(self.vehicle(subject).plan, moment.header(MAP), moment.stamp),)

    def grid_version(self, moment: Moment, subject: Subject) -> Hashable:
        """Tell grids apart, at most one in a second."""
        vehicle = self.vehicle(subject)
        return vehicle.grid_version

    # What they hear

    def go(self, moment: Moment, subject: Subject, message: Message) -> None:
        """Obey geometry_msgs/PoseStamped: drive there; a zero quaternion is any heading."""
        goal = self._simple_goal(subject, message)
        if goal is not None:
            self.vehicle(subject).gardener.go(goal)

    def _simple_goal(self, subject: Subject, message: Message) -> SimpleGoal | None:
        frame = message["header"]["frame_id"]
        if frame not in IN_MAP:
            self._service.stage.log.warning(
                f"ROS: a goal in the frame {frame[:40]!r} is refused; goals are in map.", subject.body.name
            )
            return None
        position = message["pose"]["position"]
        return SimpleGoal(position["x"], position["y"], _heading(message["pose"]["orientation"]))

    def trim(self, moment: Moment, subject: Subject, message: Message) -> None:
        """Obey trimbot_msgs/GardenObject of either version."""
        self.vehicle(subject).gardener.trim([self._object(subject, message)])

    def trim_all(self, moment: Moment, subject: Subject, message: Message) -> None:
        """Obey trimbot_msgs/GardenObjects of either version: one after the other."""
        self.vehicle(subject).gardener.trim([self._object(subject, item) for item in message["items"]])

    def _object(self, subject: Subject, message: Message) -> ObjectGoal:
        position, size, heading = _of_version(message)
        sketch = self.vehicle(subject).plan.sketch
        place = position["x"], position["y"], heading
        return object_goal(sketch, message["map"], message.get("shape", 1), place, (size["x"], size["y"], size["z"]))

    def cancel(self, moment: Moment, subject: Subject, message: Message) -> None:
        """Obey std_msgs/Bool: true drops all goals, false means nothing."""
        if message["data"] and not self.vehicle(subject).gardener.cancel():
            self._service.stage.log.info("There is no goal to cancel.", subject.body.name)

    def use_map(self, moment: Moment, subject: Subject, message: Message) -> None:
        """Obey nav_msgs/OccupancyGrid: drive by this map from now on, and by what is seen; an empty one ends that."""
        found = given_of(message)
        if isinstance(found, str):
            self._service.stage.log.warning(f"ROS: the static map is not used: {found}.", subject.body.name)
            return
        self.vehicle(subject).plan.given = found
        what = "its own sketch" if found is None else f"a map of {_size(found)}"
        self._service.stage.log.info(f"ROS: From now on it drives by {what}.", subject.body.name)

    def ignore(self, moment: Moment, subject: Subject, message: Message) -> None:
        """Do nothing: this is told to somebody else."""

    # Services and actions

    def static_map(self, moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
        """Give the grid of what was seen (nav_msgs/GetMap)."""
        answer({"map": seen_grid(self.vehicle(subject).occupancy, moment.header(MAP), moment.stamp)}, "")

    def pursue(self, moment: Moment, subject: Subject, goal: Message, keeper: GoalKeeper) -> Callable[[], None]:
        """Pursue move_base_msgs/MoveBaseGoal as a simple goal."""
        vehicle = self.vehicle(subject)
        wanted = self._simple_goal(subject, goal["target_pose"])
        if wanted is None or wanted.problem:
            keeper.finished(GoalStatus.REJECTED, {}, wanted.problem if wanted is not None else "the goal is not in map")
            return lambda: None
        vehicle.pursue(wanted, _Pursuit(self, subject, moment, keeper))
        return lambda: vehicle.drop(wanted)


class _Pursuit:
    """Tells the giver of an action's goal how it gets on."""

    def __init__(self, garden: Garden, subject: Subject, moment: Moment, keeper: GoalKeeper) -> None:
        self._garden, self._subject, self._moment, self._keeper = garden, subject, moment, keeper

    def feedback(self) -> None:
        """Tell where the robot is."""
        (pose,) = self._garden.pose(self._moment, self._subject)
        self._keeper.feedback({"base_position": pose})

    def finished(self, outcome: str, why: str) -> None:
        """Tell how it ended."""
        self._keeper.finished(_STATUS.get(outcome, GoalStatus.ABORTED), {}, why or outcome)


_STATUS: Mapping[str, GoalStatus] = {
    "reached": GoalStatus.SUCCEEDED,
    "cancelled": GoalStatus.CANCELLED,
    "replaced": GoalStatus.CANCELLED,
    "rejected": GoalStatus.ABORTED,
    "failed": GoalStatus.ABORTED,
}


def _heading(orientation: Message) -> float | None:
    if not all(map(math.isfinite, (orientation[name] for name in "xyzw"))):
        return math.nan
    return heading_of(orientation)


def _of_version(message: Message) -> tuple[Message, Message, float]:
    """Return place, size and heading of a garden object of version 1.1.01 or, with other fields, of 1.0.0."""
    if "pose" in message:
        return message["pose"]["position"], message["scale"], _heading(message["pose"]["orientation"]) or 0.0
    return message["pos"], message["box"], math.radians(message["orient"]["x"])


def _size(given: Given) -> str:
    return f"{given.raster.columns * given.raster.cell:g} x {given.raster.rows * given.raster.cell:g} m"


def topics(service: GardenService) -> tuple[TopicRow, ...]:
    """Return the topics."""
    garden = Garden(service)
    has = garden.has
    return (
        TopicRow("odometry/filtered", "nav_msgs/Odometry", "Where it believes to be.", source=garden.odometry, has=has),
        TopicRow("slam_node/pose", "geometry_msgs/PoseStamped", "The same as a pose.", source=garden.pose, has=has),
        TopicRow("slam_node/base_link/odom", "nav_msgs/Odometry", "The same again.", source=garden.odometry, has=has),
        *(
            TopicRow(
                name, "std_msgs/String", "The state of its master, as a path.", source=garden.state,
                version=garden.state_version, latched=True, has=has,
            )
            for name in ("master_state", "flexbe/debug/current_state")
        ),
        TopicRow(
            "/map", "nav_msgs/OccupancyGrid", "What it has seen: 0 free, 100 occupied, -1 unseen.", each=Each.WORLD,
            source=garden.seen, version=garden.grid_version, latched=True, has=has,
        ),
        TopicRow(
            "/map_metadata", "nav_msgs/MapMetaData", "Size and place of that.", each=Each.WORLD,
            source=garden.seen_metadata, version=garden.grid_version, latched=True, has=has,
        ),
        TopicRow(
            "map_sources", "nav_msgs/OccupancyGrid", "The map that it drives by: 100 seen, 99 of the sketch, 0, -1.",
            source=garden.sources, version=garden.grid_version, latched=True, has=has,
        ),
        TopicRow(
            "move_base/global_costmap/costmap", "nav_msgs/OccupancyGrid", "The map that it drives by: 0, 100, -1.",
            source=garden.merged, version=garden.grid_version, latched=True, has=has,
        ),
        TopicRow(
            "move_base/NavfnROS/plan", "nav_msgs/Path", "The way that is planned.", source=garden.path,
            version=garden.path_version, latched=True, has=has,
        ),
        TopicRow(
            "move_base/current_goal", "geometry_msgs/PoseStamped", "Where it drives to.", source=garden.goal,
            version=garden.path_version, latched=True, has=has,
        ),
        TopicRow("garden_ui/simple_goal", "geometry_msgs/PoseStamped", "Drive there.", sink=garden.go, has=has),
        TopicRow("move_base_simple/goal", "geometry_msgs/PoseStamped", "The same.", sink=garden.go, has=has),
        TopicRow("garden_ui/goal_object", "trimbot_msgs/GardenObject", "Trim it.", sink=garden.trim, has=has),
        TopicRow("garden_ui/goal_objects", "trimbot_msgs/GardenObjects", "Trim them.", sink=garden.trim_all, has=has),
        TopicRow("garden_ui/cancel_goal", "std_msgs/Bool", "True drops all goals.", sink=garden.cancel, has=has),
        TopicRow("garden_ui/static_map", "nav_msgs/OccupancyGrid", "Drive by this map.", sink=garden.use_map, has=has),
        TopicRow("garden_ui/markers", "sensor_msgs/PointCloud2", "Is not looked at.", sink=garden.ignore, has=has),
        *picture_rows(has),
    )  # fmt: skip


def services(service: GardenService) -> tuple[ServiceRow, ...]:
    """Return the services."""
    garden = Garden(service)
    return (
        ServiceRow(
            "/static_map",
            "nav_msgs/GetMap",
            "Gives what was seen.",
            each=Each.WORLD,
            serve=garden.static_map,
            has=garden.has,
        ),
    )


def actions(service: GardenService) -> tuple[ActionRow, ...]:
    """Return the actions."""
    garden = Garden(service)
    return (ActionRow("move_base", "move_base_msgs/MoveBase", "Drives to a place.", pursue=garden.pursue, has=garden.has),)
