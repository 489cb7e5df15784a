"""Real programs of ROS 1 against our node and master: Debian's rostopic, rosnode, rosservice, rosparam, rospy, tf2, rosbag.

They are Debian's packages python3-rospy, python3-rostopic, python3-rosnode, python3-rosservice, python3-rosparam,
python3-rosbag, python3-std-srvs, python3-tf2-ros, python3-actionlib, python3-move-base-msgs; without them these tests are
left out.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

HOST = "127.0.0.1"
PYTHON = "/usr/bin/python3"
RECORD = "/usr/lib/rosbag/record"
PATIENCE = 60.0
TOOLS = ("/usr/bin/rostopic", "/usr/bin/rosnode", "/usr/bin/rosservice", "/usr/bin/rosparam", RECORD)
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        not all(map(os.path.exists, TOOLS)), reason="Debian's ROS 1 packages are not installed (see the top of this file)"
    ),
]


def free_port() -> int:
    """Find a port that nobody has now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


class Graph:
    """A simulator with a master, and the programs of ROS in its graph."""

    def __init__(self, start: Any, tmp_path: Path, *words: str) -> None:
        port = free_port()
        self.uri = f"http://{HOST}:{port}"
        self.simulator = start("--nomap", "-r", "p3dx-sh-lms1xx", "--no-noise", "--ros1", str(port), *words)
        self.simulator.wait_for_text("Our master is at")
        self.tmp_path = tmp_path

    @property
    def environ(self) -> dict[str, str]:
        return {**os.environ, "ROS_MASTER_URI": self.uri, "ROS_IP": HOST, "ROS_HOME": str(self.tmp_path), "PYTHONPATH": ""}

    def run(self, *words: str) -> str:
        """Run a program to its end; return what it said."""
        ended = subprocess.run(
            words, env=self.environ, cwd=self.tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def python(self, text: str) -> str:
        """Run a script with Debian's Python, which has rospy."""
        return self.run(PYTHON, "-c", text)


@pytest.fixture
def graph(start: Any, tmp_path: Path) -> Any:
    return lambda *words: Graph(start, tmp_path, *words)


def test_the_command_line_tools_see_everything(graph: Any) -> None:
    ros = graph()
    assert "* /odom [nav_msgs/Odometry] 1 publisher" in ros.run("rostopic", "list", "-v")
    assert 'frame_id: "odom"' in ros.run("rostopic", "echo", "-n1", "/odom")
    assert "xmlrpc reply" in ros.run("rosnode", "ping", "-c1", "/mobilesim")
    assert "nav_msgs/GetMap" in ros.run("rosservice", "type", "/static_map")
    ros.run("rosservice", "call", "/disable_motors")
    assert "data: False" in ros.run("rostopic", "echo", "-n1", "/motors_state")
    ros.run("rosparam", "set", "/speed", "0.5")
    assert ros.run("rosparam", "get", "/speed").strip() == "0.5"
    assert "false" in ros.run("rosparam", "get", "/use_sim_time")
    ros.run("rosnode", "kill", "/mobilesim")
    assert "xmlrpc reply" in ros.run("rosnode", "ping", "-c1", "/mobilesim")


DRIVE = """
import time, rospy, tf2_ros
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from nav_msgs.srv import GetMap
from sensor_msgs.msg import LaserScan
rospy.init_node("tester")
assert len(rospy.wait_for_message("/scan", LaserScan, 20).ranges) > 100
assert rospy.ServiceProxy("/static_map", GetMap)().map.info.width > 0
publisher = rospy.Publisher("/cmd_vel", Twist, queue_size=1)
wish = Twist()
wish.linear.x = 0.3
end = time.time() + 30
while rospy.wait_for_message("/odom", Odometry, 20).pose.pose.position.x < 0.5:
    assert time.time() < end
    publisher.publish(wish)
wish.linear.x = 0.0
for _ in range(20):
    publisher.publish(wish)
    if rospy.wait_for_message("/odom", Odometry, 20).twist.twist.linear.x == 0:
        break
buffer = tf2_ros.Buffer()
listener = tf2_ros.TransformListener(buffer)
found = buffer.lookup_transform("map", "base_link", rospy.Time(0), rospy.Duration(20)).transform.translation
rospy.sleep(1.0)
found = buffer.lookup_transform("map", "base_link", rospy.Time(0), rospy.Duration(20)).transform.translation
truth = rospy.wait_for_message("/base_pose_ground_truth", Odometry, 20).pose.pose.position
assert abs(found.x - truth.x) < 0.001 and truth.x >= 0.5, (found.x, truth.x)
assert buffer.lookup_transform("base_link", "laser", rospy.Time(0), rospy.Duration(20))
print("arrived")
"""


def test_rospy_drives_and_tf2_leads_to_the_true_pose(graph: Any) -> None:
    assert "arrived" in graph().python(DRIVE)


GOALS = """
import time, rospy, actionlib
from geometry_msgs.msg import PoseStamped
from move_base_msgs.msg import MoveBaseAction, MoveBaseGoal
from nav_msgs.msg import Odometry
rospy.init_node("sender")
client = actionlib.SimpleActionClient("move_base", MoveBaseAction)
assert client.wait_for_server(rospy.Duration(20))
def goal(x, y):
    wish = MoveBaseGoal()
    wish.target_pose.header.frame_id = "map"
    wish.target_pose.pose.position.x, wish.target_pose.pose.position.y = x, y
    wish.target_pose.pose.orientation.w = 1.0
    return wish
truth = lambda: rospy.wait_for_message("/base_pose_ground_truth", Odometry, 20)
feedback = []
client.send_goal(goal(1.5, 0.5), feedback_cb=feedback.append)
assert client.wait_for_result(rospy.Duration(40))
place = truth().pose.pose.position
assert client.get_state() == 3, client.get_state()
assert abs(place.x - 1.5) < 0.3 and abs(place.y - 0.5) < 0.3, place
assert feedback
client.send_goal(goal(8.0, 0.5))
time.sleep(1.5)
client.cancel_goal()
assert client.wait_for_result(rospy.Duration(20))
assert client.get_state() == 2, client.get_state()
end = time.time() + 20
while truth().twist.twist.linear.x != 0.0:
    assert time.time() < end
assert truth().pose.pose.position.x < 7.0
print("arrived and cancelled")
"""


def test_actionlib_reaches_a_goal_and_cancels_another(graph: Any) -> None:
    assert "arrived and cancelled" in graph("--navigate").python(GOALS)


def test_the_rate_of_scans_is_ten_hertz(graph: Any) -> None:
    ros = graph()
    watch = subprocess.Popen(["rostopic", "hz", "-w", "50", "/scan"], env=ros.environ, stdout=subprocess.PIPE, text=True)
    try:
        assert watch.stdout is not None
        told = (float(line.split()[-1]) for line in watch.stdout if "average rate" in line)
        assert any(rate == pytest.approx(10.0, rel=0.1) for rate in itertools.islice(told, 10))
    finally:
        watch.kill()
        watch.communicate()


SLEEP = """
import time, rospy
rospy.init_node("sleeper")
began = time.time()
rospy.sleep(5.0)
print(time.time() - began)
"""


def test_at_ten_times_the_speed_five_seconds_take_half_of_one(graph: Any) -> None:
    ros = graph("--speed", "10")
    assert "true" in ros.run("rosparam", "get", "/use_sim_time")
    assert float(ros.python(SLEEP).split()[-1]) < 3.0


def _words(line: str) -> list[str]:
    return line.removeprefix("topics:").split()


def test_rosbag_records_all_topics(graph: Any, tmp_path: Path) -> None:
    ros = graph()
    bag = tmp_path / "all.bag"
    recorder = subprocess.Popen([RECORD, "-a", "-O", str(bag)], env=ros.environ, cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        ros.run("rostopic", "echo", "-n60", "/odom")
    finally:
        recorder.send_signal(signal.SIGINT)
        recorder.wait(PATIENCE)
    told = ros.run("rosbag", "info", str(bag))
    for part in ("cd5e73d190d741a2f92e81eda573aca7", "90c7ef2dc6895d81024acba2ac42f369", "94810edda583a504dfda3829e70d7eec"):
        assert part in told
    counts = {row[0]: int(row[1]) for row in map(_words, told.splitlines()) if row[2:3] in (["msg"], ["msgs"])}
    assert counts["/map"] == counts["/tf_static"] == 1
    assert counts["/sonar/ranges"] == pytest.approx(16 * counts["/sonar"], rel=0.1)


def test_the_names_of_rosaria_serve_a_client_written_for_it(graph: Any) -> None:
    ros = graph("--ros-names", "rosaria")
    ros.run("rosservice", "call", "/RosAria/enable_motors")
    assert "data: True" in ros.run("rostopic", "echo", "-n1", "/RosAria/motors_state")
    driver = subprocess.Popen(
        ["rostopic", "pub", "-r10", "/RosAria/cmd_vel", "geometry_msgs/Twist", "[0.4,0,0]", "[0,0,0]"],
        env=ros.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        ros.python(
            "import rospy\nfrom nav_msgs.msg import Odometry\nrospy.init_node('eye')\n"
            "while rospy.wait_for_message('/RosAria/pose', Odometry, 20).pose.pose.position.x < 0.3: pass"
        )
    finally:
        driver.kill()
        driver.wait()


STAGE = """
import rospy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import LaserScan
from std_srvs.srv import Empty
rospy.init_node("stage_client")
hear = lambda name, kind: rospy.wait_for_message("/robot_1/" + name, kind, 20)
scan = hear("base_scan", LaserScan)
assert scan.header.frame_id == "robot_1/laser" and len(scan.ranges) > 100
start = hear("base_pose_ground_truth", Odometry).pose.pose.position.y
wheels = rospy.Publisher("/robot_1/cmd_vel", Twist, queue_size=1)
wish = Twist()
wish.linear.x = 0.4
while hear("odom", Odometry).pose.pose.position.x < 0.3:
    wheels.publish(wish)
assert abs(rospy.wait_for_message("/robot_0/odom", Odometry, 20).pose.pose.position.x) < 0.01
rospy.ServiceProxy("/reset_positions", Empty)()
rospy.sleep(1.0)
assert abs(hear("odom", Odometry).pose.pose.position.x) < 0.01
print("reset")
"""


def test_the_names_of_stage_serve_a_client_written_for_it(graph: Any) -> None:
    assert "reset" in graph("-r", "p3dx-sh-lms1xx", "--ros-names", "stage").python(STAGE)


def test_a_robot_can_join_the_graph_of_debians_own_master(start: Any, tmp_path: Path) -> None:
    rosmaster = shutil.which("rosmaster")
    if rosmaster is None:
        pytest.skip("Debian's python3-rosmaster is not installed")
    port = free_port()
    environ = {**os.environ, "ROS_MASTER_URI": f"http://{HOST}:{port}", "ROS_IP": HOST, "ROS_HOME": str(tmp_path)}
    environ |= {"ROS_LOG_DIR": str(tmp_path), "PYTHONPATH": ""}
    master = subprocess.Popen([rosmaster, "--core", "-p", str(port)], env=environ, stdout=subprocess.DEVNULL)
    try:
        simulator = start("--nomap", "-r", "p3dx-sh-lms1xx", "--no-noise", "--ros1", f"http://{HOST}:{port}")
        simulator.wait_for_text("The master at")
        ended = subprocess.run(
            [PYTHON, "-c", DRIVE], env=environ, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert "arrived" in ended.stdout, ended.stderr
    finally:
        master.terminate()
        master.wait()
