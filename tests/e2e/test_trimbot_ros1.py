"""A garden robot and a user interface of Debian's rospy, with message classes generated from our own definitions."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from tests.e2e.test_ros1_clients import HOST, PYTHON, TOOLS, Graph, free_port

GENERATOR = Path("/usr/lib/genpy/genmsg_py.py")
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        not (GENERATOR.exists() and all(Path(tool).exists() for tool in TOOLS)), reason="Debian's ROS 1 is not installed"
    ),
]
TYPES = interfaces(Dialect.ROS1)
SUMS = {
    "1.1.01": ("268ca18e0103074246883cb3b6001f80", "9353cac751a8cf94427a9d50fd85768e"),
    "1.0.0": ("9ea1ae94116ed3195b7f95da01c75364", "9c01b0f585650b33b00e4a4d249e1ba7"),
}
OTHERS = {
    "std_msgs": ("Header",),
    "geometry_msgs": ("Pose", "Point", "Point32", "Quaternion", "Vector3"),
    "shape_msgs": ("Mesh", "MeshTriangle"),
}
INTERFACE = """
import sys, time
sys.path.insert(0, sys.argv[1])
import rospy
from geometry_msgs.msg import PoseStamped
from std_msgs.msg import Bool, String
from trimbot_msgs.msg._GardenObject import GardenObject
from trimbot_msgs.msg._GardenObjects import GardenObjects
print(GardenObject._md5sum, GardenObjects._md5sum)
rospy.init_node("garden_ui")
states = []
rospy.Subscriber("/master_state", String, lambda message: states.append(message.data))
kinds = {"simple_goal": PoseStamped, "goal_object": GardenObject, "goal_objects": GardenObjects, "cancel_goal": Bool}
out = {name: rospy.Publisher("/garden_ui/" + name, kind, queue_size=5) for name, kind in kinds.items()}

def until(what):
    deadline = time.monotonic() + 50
    while not what():
        assert time.monotonic() < deadline, states[-5:]
        time.sleep(0.02)

def serve(name, message, last, times=1):
    del states[:]
    out[name].publish(message)
    until(lambda: states.count(last) == times and not states[-1].startswith("/Navigate") and states[-1] != last)
    print(name, [state for state in states if state.count("/") > 1 or state.startswith("/Trim")])

until(lambda: states and all(one.get_num_connections() for one in out.values()))
goal = PoseStamped()
goal.header.frame_id = "map"
goal.pose.position.x, goal.pose.position.y = 4.0, 5.0
serve("simple_goal", goal, "/Navigate to Simple Goal/Drive to Destination")
serve("goal_object", GardenObject(map=7), "/Trimming Successful")
serve("goal_objects", GardenObjects(items=[GardenObject(map=8), GardenObject(map=7)]), "/Trimming Successful", 2)
goal.pose.position.x = 12.0
del states[:]
out["simple_goal"].publish(goal)
until(lambda: states and states[-1].endswith("Drive to Destination"))
out["cancel_goal"].publish(True)
until(lambda: not states[-1].startswith("/Navigate"))
print("cancelled")
"""
TO_OBJECT = [
    *(
        f"/Navigate to Object/{name}"
        for name in ("Find Trimming Position", "Log", "Validate", "Drive to Destination", "Approach Object")
    ),
    "/Trimming",
    "/Trimming Successful",
]
TO_PLACE = [
    f"/Navigate to Simple Goal/{name}" for name in ("Find Simple Goal Position", "Log", "Validate", "Drive to Destination")
]


class Garden(Graph):
    """A garden robot with a master of our own."""

    def __init__(self, start: Any, tmp_path: Path) -> None:
        port = free_port()
        self.uri = f"http://{HOST}:{port}"
        self.simulator = start("-m", "lawn.garden", "-r", "trimbot", "--speed", "8", "--ros1", str(port), listening=False)
        self.simulator.wait_for_text("Our master is at")
        self.tmp_path = tmp_path


def write_classes(folder: Path, version: str) -> None:
    """Generate Python classes of the messages of a version."""

    def write(package: str, name: str, text: str) -> Path:
        path = folder / "definitions" / package / f"{name}.msg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.split("=" * 80)[0])
        return path

    for package, names in OTHERS.items():
        for name in names:
            write(package, name, TYPES.message(f"{package}/{name}").full_text)
    places = [f"-I{package}:{folder / 'definitions' / package}" for package in (*OTHERS, "trimbot_msgs")]
    out = folder / "trimbot_msgs" / "msg"
    out.mkdir(parents=True)
    for place in (out, out.parent):
        (place / "__init__.py").touch()
    kinds = zip(("GardenObject", "GardenObjects"), SUMS[version], strict=True)
    paths = [write("trimbot_msgs", name, TYPES.with_md5(f"trimbot_msgs/{name}", md5).full_text) for name, md5 in kinds]
    for path in paths:
        subprocess.run([PYTHON, GENERATOR, path, *places, "-p", "trimbot_msgs", "-o", out], check=True, capture_output=True)


@pytest.mark.parametrize("version", SUMS)
def test_a_user_interface_sends_every_kind_of_goal_and_follows_the_states(start: Any, tmp_path: Path, version: str) -> None:
    garden = Garden(start, tmp_path)
    write_classes(tmp_path, version)
    said = garden.run(PYTHON, "-c", INTERFACE, str(tmp_path)).splitlines()
    assert said == [
        " ".join(SUMS[version]),
        f"simple_goal {TO_PLACE}",
        f"goal_object {TO_OBJECT}",
        f"goal_objects {[*TO_OBJECT, *TO_OBJECT]}",
        "cancelled",
    ]
