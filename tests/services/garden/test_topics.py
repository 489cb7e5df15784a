"""Garden robots over ROS, without a wire: topics in the names of their user interface, goals of every kind, both versions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros.stamp import Time
from tests.services.garden.conftest import GardenStand
from tests.services.ros.carrying import Shelf

TYPES = interfaces(Dialect.ROS1)
SUMS = {
    "GardenObject": "268ca18e0103074246883cb3b6001f80",
    "GardenObjects": "9353cac751a8cf94427a9d50fd85768e",
    "MapObject": "346df6308751d4eab5d17cd3da319f9c",
    "VisualServoObject": "c26dd542679b78974757dc564b928c3b",
    "GardenObject@1.0.0": "9ea1ae94116ed3195b7f95da01c75364",
    "GardenObjects@1.0.0": "9c01b0f585650b33b00e4a4d249e1ba7",
    "MapObject@1.0.0": "ab90130e0269aa5ac7c0058a437d0dc0",
}
TO_PLACE = ["Find Simple Goal Position", "Log", "Validate", "Drive to Destination"]


class Wired(GardenStand):
    """A stand with a shelf as its ROS client."""

    def __init__(self, *words: str) -> None:
        super().__init__("--rosbridge", *words)
        self.shelf = Shelf()
        self.hub.carriers.append(self.shelf)
        self.shelf.open(self.hub)

    def heard(self, topic: str) -> dict[str, Any]:
        """Return the last message of a topic."""
        self.shelf.subscribe(topic)
        self.step(2)
        return self.shelf.messages(topic)[-1]

    def say(self, topic: str, **fields: Any) -> None:
        self.shelf.send(topic, **fields)


@pytest.fixture
def wired() -> Wired:
    return Wired()


def place(x: float, y: float, frame: str = "map", **turn: float) -> dict[str, Any]:
    position = {"x": x, "y": y, "z": 0.0}
    orientation = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 0.0} | turn
    return {"header": {"frame_id": frame}, "pose": {"position": position, "orientation": orientation}}


@pytest.mark.parametrize(("name", "md5"), SUMS.items())
def test_messages_have_the_sums_of_both_versions(name: str, md5: str) -> None:
    kind, _, version = name.partition("@")
    found = TYPES.with_md5(f"trimbot_msgs/{kind}", md5)
    assert found.md5 == md5
    assert version or TYPES.message(f"trimbot_msgs/{kind}").md5 == md5


def test_the_names_of_the_user_interface_are_there(wired: Wired) -> None:
    names = {
        "/garden_ui/simple_goal": "geometry_msgs/PoseStamped",
        "/garden_ui/goal_object": "trimbot_msgs/GardenObject",
        "/garden_ui/goal_objects": "trimbot_msgs/GardenObjects",
        "/garden_ui/cancel_goal": "std_msgs/Bool",
        "/garden_ui/static_map": "nav_msgs/OccupancyGrid",
        "/garden_ui/markers": "sensor_msgs/PointCloud2",
        "/odometry/filtered": "nav_msgs/Odometry",
        "/master_state": "std_msgs/String",
        "/flexbe/debug/current_state": "std_msgs/String",
        "/move_base_simple/goal": "geometry_msgs/PoseStamped",
        "/slam_node/pose": "geometry_msgs/PoseStamped",
        "/odom": "nav_msgs/Odometry",
        "/map": "nav_msgs/OccupancyGrid",
        "/imu/data": "sensor_msgs/Imu",
        "/cmd_vel": "geometry_msgs/Twist",
        "/camera_4/left/image_color": "sensor_msgs/Image",
    }
    known = {name: topic.type for name, topic in wired.hub.topics.items()}
    assert {name: known.get(name) for name in names} == names
    assert "/static_map" in wired.hub.services
    assert "/move_base" in wired.hub.actions


def test_a_simple_goal_of_a_zero_quaternion_is_driven_to_and_its_states_are_published_in_order(wired: Wired) -> None:
    wired.shelf.subscribe("/master_state", "/flexbe/debug/current_state")
    wired.say("/garden_ui/simple_goal", **place(6.0, 5.0))
    wired.until_ended()
    wired.step(2)
    states = [message["data"] for message in wired.shelf.messages("/master_state")]
    first = states.index("/Navigate to Simple Goal/Find Simple Goal Position")
    assert states[first : first + 5] == [
        *(f"/Navigate to Simple Goal/{name}" for name in TO_PLACE),
        "/Check for Trimming Object",
    ]
    assert states == [message["data"] for message in wired.shelf.messages("/flexbe/debug/current_state")]
    assert wired.gardener.ended[-1].outcome == "reached"


def test_a_goal_with_a_heading_or_in_another_frame_or_with_nan(wired: Wired) -> None:
    wired.say("/move_base_simple/goal", **place(3.0, 4.0, z=1.0))
    wired.until_ended()
    assert abs(math.remainder(wired.vehicle.robot.pose.heading - math.pi, math.tau)) < math.radians(5.0)
    wired.say("/garden_ui/simple_goal", **place(3.0, 4.0, frame="odom"))
    assert wired.logged("a goal in the frame 'odom' is refused") == 1
    wired.say("/garden_ui/simple_goal", **place(math.nan, 4.0))
    assert wired.gardener.ended[-1].outcome == "rejected"
    wired.step(5)
    assert not wired.gardener.is_busy


def test_an_object_and_several_of_both_versions_are_trimmed_in_order(wired: Wired) -> None:
    wired.say("/garden_ui/goal_object", id=6, map=7)
    wired.until_ended()
    old = TYPES.with_md5("trimbot_msgs/GardenObjects", SUMS["GardenObjects@1.0.0"])
    items = [{"map": 8}, {"map": 99, "pos": {"x": 5.0, "y": 2.2}, "box": {"x": 1.0, "y": 1.0, "z": 1.0}}]
    wired.hub.receive("/garden_ui/goal_objects", old.fill({"items": items}, Time()), "old")
    wired.until_ended(2)
    assert [(str(ended.goal), ended.outcome) for ended in wired.gardener.ended] == [
        ("Topiary-Ellipsoid 7", "trimmed"),
        ("Topiary-Cylinder 8", "trimmed"),
        ("object 99", "trimmed"),
    ]


def test_cancel_means_true_and_nothing_else(wired: Wired) -> None:
    wired.say("/garden_ui/simple_goal", **place(12.0, 5.0))
    wired.until(lambda: wired.speed > 0.3)
    wired.say("/garden_ui/cancel_goal", data=False)
    assert wired.gardener.is_busy
    wired.say("/garden_ui/cancel_goal", data=True)
    wired.run(0.5)
    assert (wired.gardener.is_busy, wired.speed < 0.002) == (False, True)


def test_tf_leads_from_the_map_over_the_odometry_to_where_it_believes_to_be() -> None:
    wired = Wired("--slam-noise", "0.1,5", "--encoder-slip", "0.1,0")
    wired.say("/garden_ui/simple_goal", **place(6.0, 5.0))
    wired.run(5.0)
    transforms = wired.heard("/tf")["transforms"]
    believed = wired.heard("/slam_node/pose")["pose"]["position"]
    turn, x, y = 0.0, 0.0, 0.0
    for step in wired.shelf.messages("/tf")[-1]["transforms"]:
        shift, rotation = step["transform"]["translation"], step["transform"]["rotation"]
        x += shift["x"] * math.cos(turn) - shift["y"] * math.sin(turn)
        y += shift["x"] * math.sin(turn) + shift["y"] * math.cos(turn)
        turn += 2.0 * math.atan2(rotation["z"], rotation["w"])
    assert [step["child_frame_id"] for step in transforms] == ["odom", "base_link"]
    assert (x, y) == (pytest.approx(believed["x"], abs=1e-6), pytest.approx(believed["y"], abs=1e-6))
    assert math.hypot(x - wired.vehicle.robot.pose.x, y - wired.vehicle.robot.pose.y) > 1e-3


def test_the_map_is_what_was_seen_and_the_service_gives_the_same(wired: Wired) -> None:
    grid = wired.heard("/map")
    cells = np.asarray(grid["data"]).reshape(grid["info"]["height"], grid["info"]["width"])
    assert set(np.unique(cells)) == {-1, 0, 100}
    again = wired.shelf.call("/static_map")["map"]
    assert np.array_equal(again["data"], grid["data"])
    sources = wired.heard("/map_sources")
    assert {0, 99, -1} <= set(np.unique(sources["data"]))
    assert set(np.unique(wired.heard("/move_base/global_costmap/costmap")["data"])) == {-1, 0, 100}


def test_a_map_of_the_user_interface_is_driven_by(wired: Wired) -> None:
    side = 300
    data = np.zeros((side, side), np.int8)
    data[:, 80:90] = 100  # a wall at x = 4 that nobody else knows of
    info = {"resolution": 0.05, "width": side, "height": side, "origin": {"orientation": {"w": 1.0}}}
    wired.say("/garden_ui/static_map", info=info, data=data.ravel())
    wired.say("/garden_ui/simple_goal", **place(8.0, 5.0))
    wired.until_ended()
    assert wired.gardener.ended[-1].outcome == "rejected"
    wired.say("/garden_ui/static_map", info={"resolution": 0.05})
    wired.say("/garden_ui/simple_goal", **place(8.0, 5.0))
    wired.until_ended()
    assert wired.gardener.ended[-1].outcome == "reached"


@pytest.mark.parametrize(
    ("info", "data", "words"),
    [
        ({"resolution": math.nan, "width": 1, "height": 1}, [0], "its resolution is nan"),
        ({"resolution": 0.05, "width": 2, "height": 2}, [0], "it has 1 cells"),
        (
            {"resolution": 0.05, "width": 1, "height": 1, "origin": {"position": {"x": math.nan}}},
            [0],
            "its origin is no place",
        ),
        ({"resolution": 0.05, "width": 1, "height": 1, "origin": {"orientation": {"z": 1.0}}}, [0], "its origin is turned"),
        ({"resolution": 10.0, "width": 100, "height": 100}, [0] * 10_000, "it is too large"),
    ],
)
def test_a_map_that_makes_no_sense_is_refused(wired: Wired, info: dict[str, Any], data: list[int], words: str) -> None:
    wired.say("/garden_ui/static_map", info=info, data=np.array(data, np.int8))
    assert wired.vehicle.plan.given is None
    assert wired.logged(words) == 1


def test_cameras_paint_for_subscribers_all_around(wired: Wired) -> None:
    colour = wired.heard("/camera_0/left/image_color")
    assert (colour["encoding"], colour["width"], colour["height"]) == ("rgb8", 752, 480)
    assert len(colour["data"]) == 752 * 480 * 3
    grey = wired.heard("/camera_0/right/image_mono")
    assert (grey["encoding"], len(grey["data"])) == ("mono8", 752 * 480)
    info = wired.heard("/camera_2/right/camera_info")
    assert info["P"][3] == pytest.approx(-info["K"][0] * 0.03)
    depths = np.frombuffer(wired.heard("/camera_0/depth/image")["data"], "<f4").reshape(480, 752)
    # It stands at (2, 2) and looks up the map; in the middle, 10 degrees below the horizon, the ground is 2.6 m away.
    assert depths[240, 376] == pytest.approx(0.45 / math.sin(math.radians(10.0)), rel=0.02)
    assert np.isnan(depths[0]).all()


def test_frames_of_all_cameras_are_told(wired: Wired) -> None:
    frames = {step["child_frame_id"] for step in wired.heard("/tf_static")["transforms"]}
    assert {f"camera_{number}_{side}_optical" for number in range(5) for side in ("left", "right")} <= frames


def test_the_action_is_pursued_to_its_end(wired: Wired) -> None:
    told: list[tuple[str, Any]] = []

    class Keeper:
        def feedback(self, message: dict[str, Any]) -> None:
            told.append(("feedback", message["base_position"]["pose"]["position"]["x"]))

        def finished(self, status: Any, result: dict[str, Any], text: str = "") -> None:
            told.append((status.name, text))

    wired.hub.pursue("/move_base", {"target_pose": place(6.0, 5.0)}, Keeper())
    wired.until_ended()
    wired.step()
    assert told[-1][0] == "SUCCEEDED"
    assert told[0][0] == "feedback"
    cancel = wired.hub.pursue("/move_base", {"target_pose": place(2.0, 5.0)}, Keeper())
    wired.run(2.0)
    cancel()
    assert told[-1][0] == "CANCELLED"
    wired.hub.pursue("/move_base", {"target_pose": place(math.nan, 5.0)}, Keeper())
    assert told[-1][0] == "REJECTED"
